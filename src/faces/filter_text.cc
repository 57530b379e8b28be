// What a filter did, as text.
//
// This file's interface is to_text() of twinset/filter.h; the rest is private.
#include <string>

#include "faces/named_line.h"
#include "twinset/filter.h"
#include "words/numbers.h"

namespace twinset {
namespace {

std::string filter_line(const std::string& name, const std::string& value) {
  return named_line(name, value, 13);
}

std::string matches_text(const PrototypeCount& count) {
  return count.id + " " + format_count(count.matches, "message", "messages") + ", first " +
         count.first_seen + ", last " + count.last_seen;
}

}  // namespace

std::string to_text(const FilterStats& stats) {
  std::string out = filter_line("prototypes", format_count(stats.prototypes));
  const auto line_of = [&](const char* name, std::uint64_t count) {
    if (count > 0) out += filter_line(name, format_count(count));
  };
  line_of("added", stats.added);
  line_of("removed", stats.removed);
  line_of("expired", stats.expired);
  out += filter_line("checked", format_count(stats.checked));
  out += filter_line("match", format_count(stats.matched));
  out += filter_line("pass", format_count(stats.passed));
  line_of("unknown", stats.unknown);
  for (const PrototypeCount& count : stats.most_matched) {
    out +=
        filter_line(&count == stats.most_matched.data() ? "most matched" : "", matches_text(count));
  }
  return out;
}

std::string to_text(const FilterSummary& summary) {
  std::string out;
  if (summary.prototypes_added > 0) {
    out += filter_line("new", format_count(summary.prototypes_added, "prototype", "prototypes"));
  }
  if (summary.clients > 0) out += filter_line("clients", format_count(summary.clients));
  return out + to_text(summary.stats);
}

}  // namespace twinset
