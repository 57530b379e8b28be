// Precision is the share of the first category among the verdicts that are not "unclear". Verdicts
// on pairs of one class are independent draws, so its interval is Wilson's. Classes are sampled at
// different rates, so no share is given for all of them together. Labels have a kind, not a right
// answer: their tables give the share of each category.
#include "judge/judge_table.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "io/field_json.h"
#include "scheme/estimate.h"

namespace twinset {
namespace {

using Verdicts = std::map<std::string, const GivenVerdict*>;  ///< by pair

Interval share_with_interval(std::uint64_t part, std::uint64_t whole) {
  return wilson_interval(static_cast<double>(part), static_cast<double>(whole));
}

JudgeVerdicts count_judge(const JudgedHeader& header, const std::string& judge,
                          const Verdicts& verdicts) {
  JudgeVerdicts out;
  out.judge = judge;
  for (const SampleClass& of : header.classes) {
    out.classes.push_back({of.name, of.pairs, of.sampled, 0, {}, {}, {}});
    out.classes.back().verdicts.resize(header.categories.names().size());
  }
  for (const auto& [pair, verdict] : verdicts) {
    const std::string name = class_of(verdict->value, header.by).value_or("");
    const auto of = std::ranges::find(out.classes, name, &JudgedClass::name);
    if (of == out.classes.end()) continue;
    ++out.judged;
    ++of->judged;
    ++of->verdicts[verdict->category];
  }
  const std::optional<std::size_t> dropped = header.categories.dropped();
  for (JudgedClass& of : out.classes) {
    const std::uint64_t clear =
        of.judged - (dropped.has_value() ? of.verdicts[*dropped] : std::uint64_t{0});
    if (clear == 0) continue;
    of.precision = share_with_interval(of.verdicts.front(), clear);
    if (header.kind != Judged::labels) continue;
    for (std::size_t i = 0; i < of.verdicts.size(); ++i) {
      of.shares.push_back(i == dropped ? Interval() : share_with_interval(of.verdicts[i], clear));
    }
  }
  return out;
}

/// J. Cohen, "A coefficient of agreement for nominal scales", 1960, with its large-sample error.
std::optional<JudgeAgreement> agreement(const std::string& name_a, const Verdicts& a,
                                        const std::string& name_b, const Verdicts& b,
                                        std::size_t categories) {
  JudgeAgreement out;
  out.a = name_a;
  out.b = name_b;
  std::vector<double> counts_a(categories);
  std::vector<double> counts_b(categories);
  for (const auto& [pair, verdict] : a) {
    const auto other = b.find(pair);
    if (other == b.end()) continue;
    ++out.both;
    if (verdict->category == other->second->category) ++out.agreed;
    ++counts_a[verdict->category];
    ++counts_b[other->second->category];
  }
  if (out.both == 0) return std::nullopt;
  out.share = share_with_interval(out.agreed, out.both);
  const auto both = static_cast<double>(out.both);
  double by_chance = 0;
  for (std::size_t i = 0; i < categories; ++i) by_chance += counts_a[i] * counts_b[i];
  by_chance /= both * both;
  if (by_chance >= 1) return out;
  const double seen = out.share.value;
  out.kappa = (seen - by_chance) / (1 - by_chance);
  out.kappa_error = std::sqrt(seen * (1 - seen) / both) / (1 - by_chance);
  return out;
}

}  // namespace

JudgedTables count_verdicts(const JudgedHeader& header, std::span<const GivenVerdict> verdicts) {
  std::map<std::string, Verdicts> by_judge;
  for (const GivenVerdict& verdict : verdicts) by_judge[verdict.judge][verdict.identity] = &verdict;
  JudgedTables out;
  out.kind = header.kind;
  out.source = header.source;
  out.by = by_name(header.by);
  out.sampled = header.sampled;
  out.categories = header.categories.names();
  for (auto a = by_judge.begin(); a != by_judge.end(); ++a) {
    out.judges.push_back(count_judge(header, a->first, a->second));
    for (auto b = std::next(a); b != by_judge.end(); ++b) {
      auto found = agreement(a->first, a->second, b->first, b->second, out.categories.size());
      if (found.has_value()) out.agreements.push_back(std::move(*found));
    }
  }
  return out;
}

std::string to_json(const JudgedTables& tables) {
  JudgedTables counted = tables;
  return fields_json(fields_of(counted)) + "\n";
}

}  // namespace twinset
