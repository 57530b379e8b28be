// The changes of pages as text.
//
// This file's interface is to_text() of twinset/index.h; the rest is private.
#include <fmt/core.h>

#include <string>

#include "faces/named_line.h"
#include "twinset/index.h"
#include "words/numbers.h"

namespace twinset {
namespace {

std::string track_line(const std::string& name, std::uint64_t count, const std::string& more = "") {
  return named_line(
      name, fmt::format("{:>12}", format_count(count)) + (more.empty() ? "" : "  ") + more, 16);
}

/// "12.5 %", and more behind it; nothing of nothing.
std::string of_all(std::uint64_t part, std::uint64_t whole, const std::string& more = "") {
  return whole == 0 ? "" : format_percent(part, whole) + more;
}

}  // namespace

std::string to_text(const TrackSummary& summary) {
  const TrackCounts& counts = summary.counts;
  const std::uint64_t compared = counts.compared();
  std::string out =
      track_line("pages", counts.pages, "on " + format_count(summary.hosts, "host", "hosts"));
  out += track_line("versions", counts.versions);
  out += track_line("same", counts.same, of_all(counts.same, compared));
  out += track_line(
      "small changes", counts.small,
      of_all(counts.small, compared,
             ", " + format_count(counts.small_of_much) + " of more than a tenth of the text"));
  out += track_line(
      "large changes", counts.large,
      of_all(counts.large, compared,
             ", " + format_count(counts.large_of_little) + " of a tenth of the text at most"));
  if (counts.broken > 0) {
    out += track_line("broken", counts.broken,
                      format_count(counts.back, "time", "times") + " a page was back");
  }
  if (counts.changed() > 0) {
    const auto changed = static_cast<double>(counts.changed());
    out += fmt::format(
        "changes have a mean resemblance of {} and distance of {:.1f} bits; {:.1f} "
        "days lie between two\n",
        format_share(counts.resemblance / changed), counts.distance / changed,
        counts.days / changed);
  }
  if (summary.since.empty()) return out;
  const std::uint64_t chances = counts.chances();
  out += track_line("moved", counts.moved_within + counts.moved_between,
                    of_all(counts.moved_within, chances, " within, ") +
                        of_all(counts.moved_between, chances, " between hosts in a sweep"));
  out += track_line("born", counts.born, of_all(counts.born, chances));
  out += track_line("died", counts.died, of_all(counts.died, chances));
  return out;
}

}  // namespace twinset
