#include "judge/sample.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/hash.h"
#include "base/message.h"
#include "io/field_json.h"
#include "io/json.h"
#include "io/json_read.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t most_classes = 1000;
constexpr std::string_view one_class = "all";
constexpr std::array<std::string_view, 4> judge_by_names = {"distance", "resemblance", "label",
                                                            "count"};

std::string resemblance_class(double resemblance) {
  // 1 is in the last class. Values have six decimals: 0.7 may be stored a little below.
  const auto tenth =
      std::min<std::uint64_t>(9, static_cast<std::uint64_t>(std::floor(resemblance * 10 + 1e-9)));
  return "0." + std::to_string(tenth) + "-" +
         (tenth == 9 ? std::string("1.0") : "0." + std::to_string(tenth + 1));
}

/// "100-999", by the decade.
std::string count_class(std::uint64_t count) {
  constexpr std::uint64_t most = UINT64_MAX / 10;
  if (count == 0) return "0";
  std::uint64_t begin = 1;
  while (begin <= most && count / 10 >= begin) begin *= 10;
  return format_count(begin) +
         (begin > most ? std::string(" or more") : "-" + format_count(10 * begin - 1));
}

}  // namespace

std::string_view by_name(std::optional<JudgeBy> by) {
  return by.has_value() ? judge_by_names[static_cast<std::size_t>(*by)] : "";
}

bool set_by(std::optional<JudgeBy>& by, std::string_view name) {
  by.reset();
  if (name.empty()) return true;
  const auto found = std::ranges::find(judge_by_names, name);
  if (found == judge_by_names.end()) return false;
  by = static_cast<JudgeBy>(found - judge_by_names.begin());
  return true;
}

std::string value_json(const PairValue& value, std::optional<JudgeBy> by) {
  const bool any = !by.has_value();
  std::string out;
  if ((any || by == JudgeBy::distance) && value.distance.has_value()) {
    return std::to_string(*value.distance);
  }
  if ((any || by == JudgeBy::resemblance) && value.resemblance.has_value()) {
    append_json_real(out, *value.resemblance);
    return out;
  }
  if ((any || by == JudgeBy::count) && value.count.has_value()) {
    return std::to_string(*value.count);
  }
  if ((any || by == JudgeBy::label) && !value.label.empty()) {
    append_json_string(out, value.label);
    return out;
  }
  return "null";
}

std::optional<std::string> class_of(std::string_view json, std::optional<JudgeBy> by) {
  if (!by.has_value()) return std::string(one_class);
  const Result<JsonNode> value = read_json(json, "value");
  if (!value.ok()) return std::nullopt;
  switch (*by) {
    case JudgeBy::distance: {
      const std::optional<std::uint64_t> distance = value.value().integer();
      if (!distance.has_value()) return std::nullopt;
      return std::to_string(*distance);
    }
    case JudgeBy::resemblance: {
      const std::optional<double> real = value.value().real();
      if (!real.has_value() || !(*real >= 0 && *real <= 1)) return std::nullopt;
      return resemblance_class(*real);
    }
    case JudgeBy::label: {
      std::string label = value.value().text();
      if (label.empty()) return std::nullopt;
      return label;
    }
    case JudgeBy::count: {
      const std::optional<std::uint64_t> count = value.value().integer();
      if (!count.has_value()) return std::nullopt;
      return count_class(*count);
    }
  }
  return std::nullopt;
}

bool class_before(const std::string& a, const std::string& b, std::optional<JudgeBy> by) {
  // Numbers without leading zeros: the shorter is the smaller.
  const bool numbers = by == JudgeBy::distance || by == JudgeBy::count;
  if (numbers && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

std::string identity_of(const RecordName& a, const RecordName& b) {
  std::string out;
  for (const RecordName* name : {&a, &b}) {
    // A record is named by its place, whatever its id; a text without a place by its id.
    append_json_string(out, name->file);
    out += ":" + std::to_string(name->record);
    if (name->record == 0) append_json_string(out, name->id);
    out += ' ';
  }
  return out;
}

std::string SamplePair::identity() const { return identity_of(a.document, b.document); }

std::string SamplePair::names_json() const {
  std::string out;
  for (const auto& [letter, place] : {std::pair("a", &a), std::pair("b", &b)}) {
    std::vector<Field> name = fields_of(to_write(place->document));
    if (place->document.record == 0) name.resize(1);
    out += std::string(out.empty() ? "" : ", ") + "\"" + letter + "\": " + fields_json(name);
  }
  return out;
}

std::uint64_t Sample::fingerprint() const {
  RunningChecksum sum;
  for (const SamplePair& pair : pairs) {
    sum.add(pair.identity());
    sum.add("\n");
  }
  return sum.value();
}

Status Sampler::add(SamplePair pair) {
  ++seen_;
  const std::optional<std::string> name = class_of(value_json(pair.value, rule_.by), rule_.by);
  if (!name.has_value()) {
    return usage_error("a pair has no " + std::string(by_name(rule_.by)) + ": " +
                       visible_name(pair.a.document.id) + " and " +
                       visible_name(pair.b.document.id));
  }
  if (!classes_.contains(*name) && classes_.size() == most_classes) {
    return usage_error(option("by", std::string(by_name(rule_.by))) +
                       " makes more than 1,000 classes; choose another " + option("by"));
  }
  Class& of = classes_[*name];
  ++of.pairs;
  Kept kept{0, pair.identity(), {}};
  kept.hash = checksum(kept.identity, mix64(rule_.seed));
  if (of.kept.size() >= rule_.pairs && !Lower()(kept, *of.kept.rbegin())) return {};
  kept.pair = std::move(pair);
  of.kept.insert(std::move(kept));
  if (of.kept.size() > rule_.pairs) of.kept.erase(std::prev(of.kept.end()));
  return {};
}

Result<Sample> Sampler::finish() && {
  Sample out;
  std::set<Kept, Lower> all;
  for (auto& [name, of] : classes_) {
    out.classes.push_back({name, of.pairs, of.kept.size()});
    while (!of.kept.empty()) {
      const auto added = all.insert(of.kept.extract(of.kept.begin()));
      if (added.inserted) continue;
      const SamplePair& twice = added.node.value().pair;
      return usage_error("the pair of " + visible_name(twice.a.document.id) + " and " +
                         visible_name(twice.b.document.id) +
                         " is there with two values; give each pair once");
    }
  }
  std::ranges::sort(out.classes, [&](const SampleClass& a, const SampleClass& b) {
    return class_before(a.name, b.name, rule_.by);
  });
  while (!all.empty()) out.pairs.push_back(std::move(all.extract(all.begin()).value().pair));
  return out;
}

}  // namespace twinset
