// This file's interface is calibrate/judged_pairs.h; the rest is private.
#include "calibrate/judged_pairs.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/message.h"
#include "collection/output_lines.h"
#include "io/json_read.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t most_named = 5;
constexpr std::size_t shown_bytes = 80;

}  // namespace

std::uint32_t JudgedPairs::number_of(const std::string& id) {
  const auto [entry, fresh] = numbers_.try_emplace(id, static_cast<std::uint32_t>(numbers_.size()));
  if (fresh) documents_.emplace_back();
  return entry->second;
}

Result<JudgedPairs> JudgedPairs::read(FileSystem& files, const std::string& path) {
  JudgedPairs out;
  out.path_ = path;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> at;
  std::uint64_t number = 0;
  TWINSET_TRY(for_each_line(files, path, [&](const JsonNode& line) -> Result<bool> {
    const std::string place = path + ":" + std::to_string(++number);
    const std::optional<std::string> a = plain_value(line["a"]);
    const std::optional<std::string> b = plain_value(line["b"]);
    const JsonNode verdict = line["verdict"];
    std::optional<bool> same = line["same"].boolean();
    const bool judged = !line["same"] && verdict.kind() == JsonKind::string;
    if (judged && verdict.text() == "same") same = true;
    if (judged && verdict.text() == "different") same = false;
    if (!a || !b || (!same && !judged)) {
      return usage_error(place +
                         ": a line is {\"a\": ID, \"b\": ID, \"same\": true or false}, or has a "
                         "\"verdict\" in place of \"same\", but this one is " +
                         std::string(line.raw().substr(0, shown_bytes)));
    }
    if (!same) {
      ++out.passed_over_;
      return true;
    }
    if (*a == *b) return usage_error(place + ": " + *a + " is paired with itself");
    const std::uint32_t first_id = out.number_of(*a);
    const std::uint32_t second_id = out.number_of(*b);
    const auto [first, last] = std::minmax(first_id, second_id);
    const auto [entry, fresh] = at.try_emplace({first, last}, out.pairs_.size());
    if (fresh) {
      out.pairs_.push_back({first, last, *same});
    } else if (out.pairs_[entry->second].same != *same) {
      return usage_error(place + ": " + *a + " and " + *b +
                         " are the same in one line and different in another");
    }
    return true;
  }));
  if (out.pairs_.empty()) {
    return usage_error(path + " has no pair judged same or different" +
                       (out.passed_over_ > 0
                            ? ", only " + format_count(out.passed_over_, "other", "others")
                            : ""));
  }
  return out;
}

Result<bool> JudgedPairs::take(std::string_view id, std::uint32_t document) {
  const auto found = numbers_.find(std::string(id));
  if (found == numbers_.end()) return false;
  if (documents_[found->second].has_value()) {
    return usage_error("two documents have the id " + found->first + ", which " + path_ +
                       " pairs; check " + option("id"));
  }
  documents_[found->second] = document;
  return true;
}

Status JudgedPairs::check() const {
  std::vector<std::pair<std::uint32_t, const std::string*>> unknown;
  for (const auto& [id, number] : numbers_) {
    if (!documents_[number].has_value()) unknown.emplace_back(number, &id);
  }
  if (unknown.empty()) return {};
  std::ranges::sort(unknown);
  std::string named;
  for (std::size_t i = 0; i < std::min(unknown.size(), most_named); ++i) {
    named += (i == 0 ? "" : ", ") + *unknown[i].second;
  }
  return usage_error(fmt::format("{} pairs {} that no document of the inputs has: {}{}; check {}",
                                 path_, format_count(unknown.size(), "id", "ids"), named,
                                 unknown.size() > most_named ? ", ..." : "", option("id")));
}

}  // namespace twinset
