// Precision is the share of the first category among the verdicts that are not "unclear". Verdicts
// on pairs of one class are independent draws, so its interval is Wilson's. Classes are sampled at
// different rates, so no share is given for all of them together. Labels have a kind, not a right
// answer: their tables give the share of each category.
#include "judge/judge_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "io/field_json.h"
#include "scheme/estimate.h"
#include "words/numbers.h"
#include "words/visible.h"

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

std::string share_text(const Interval& share) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", share.value, share.low, share.high);
}

void append_rows(std::string& out, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      // Names to the left, numbers to the right, the interval as it comes.
      const bool left = i == 0 || i + 1 == row.size();
      line += left ? fmt::format("{:<{}}  ", row[i], widths[i])
                   : fmt::format("{:>{}}  ", row[i], widths[i]);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
}

/// A line for each category of each class, as the paper's Table 3 has them.
void append_shares(std::string& out, const JudgedTables& tables, const JudgeVerdicts& judge) {
  const auto last = [](const std::string& share, const std::string& category) {
    return fmt::format("{:<20}  {}", share, category);
  };
  std::vector<std::vector<std::string>> rows{{tables.by.empty() ? "class" : tables.by, "labels",
                                              "sampled", "judged", "verdicts",
                                              last("share, 95 %", "category")}};
  for (const JudgedClass& of : judge.classes) {
    std::vector<std::string> row{visible_name(of.name), format_count(of.pairs),
                                 format_count(of.sampled), format_count(of.judged)};
    for (std::size_t i = 0; i < tables.categories.size(); ++i) {
      const bool has_share = !of.shares.empty() && tables.categories[i] != dropped_category;
      row.push_back(format_count(of.verdicts[i]));
      row.push_back(last(has_share ? share_text(of.shares[i]) : "-", tables.categories[i]));
      rows.push_back(std::move(row));
      row = {"", "", "", ""};
    }
  }
  append_rows(out, rows);
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

std::string to_text(const JudgedTables& tables) {
  const char* const one = judged_name(tables.kind, false);
  const char* const several = judged_name(tables.kind, true);
  std::string out;
  for (const JudgeVerdicts& judge : tables.judges) {
    out += fmt::format("{}{} judged {} of {} sampled from {}\n\n", out.empty() ? "" : "\n",
                       visible_name(judge.judge), format_count(judge.judged),
                       format_count(tables.sampled, one, several), visible_name(tables.source));
    if (tables.kind == Judged::labels) {
      append_shares(out, tables, judge);
      continue;
    }
    std::vector<std::vector<std::string>> rows{
        {tables.by.empty() ? "class" : tables.by, "pairs", "sampled", "judged"}};
    rows.front().insert(rows.front().end(), tables.categories.begin(), tables.categories.end());
    rows.front().push_back("precision, 95 %");
    for (const JudgedClass& of : judge.classes) {
      rows.push_back({visible_name(of.name), format_count(of.pairs), format_count(of.sampled),
                      format_count(of.judged)});
      for (const std::uint64_t count : of.verdicts) rows.back().push_back(format_count(count));
      rows.back().push_back(of.precision.has_value() ? share_text(*of.precision) : "-");
    }
    append_rows(out, rows);
  }
  if (tables.judges.empty()) {
    out += fmt::format("no verdicts yet on {} sampled from {}\n",
                       format_count(tables.sampled, one, several), visible_name(tables.source));
  }
  if (!tables.agreements.empty()) out += "\n";
  for (const JudgeAgreement& of : tables.agreements) {
    out += fmt::format("{} and {} agree on {} of {}: {}; ", visible_name(of.a), visible_name(of.b),
                       format_count(of.agreed), format_count(of.both, one, several),
                       share_text(of.share));
    out += of.kappa.has_value()
               ? fmt::format("Cohen's kappa {:.3f} +- {:.3f}\n", *of.kappa, of.kappa_error)
               : std::string("no kappa, since both used one category alone\n");
  }
  if (!tables.notes.empty()) out += '\n';
  for (const std::string& note : tables.notes) out += "Note: " + note + ".\n";
  return out;
}

std::string to_json(const JudgedTables& tables) {
  JudgedTables counted = tables;
  return fields_json(fields_of(counted)) + "\n";
}

}  // namespace twinset
