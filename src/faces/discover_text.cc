// The result of discovery as text.
//
// This file's interface is to_text() of twinset/reuse.h; the rest is private.
#include <fmt/core.h>

#include <string>

#include "base/message.h"
#include "faces/reuse_text.h"
#include "faces/run_text.h"
#include "twinset/reuse.h"
#include "twinset/visible.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t shown_words = 60;

std::string left_out(const ObjectCounts& counts, const char* one, const char* several) {
  std::string out;
  const auto add = [&](std::uint64_t count, const char* is, const char* are,
                       const std::string& why) {
    if (count > 0) out += reuse_line(count, one, several, (count == 1 ? is : are) + why);
  };
  add(counts.short_seen, " was ", " were ", "too short (" + option("min_chars") + ")");
  add(counts.stop_seen, " is ", " are ", "in the set of stop chunks");
  add(counts.in_site, " is ", " are ",
      "on too many pages of one site (" + option("stop_in_site") + ")");
  add(counts.over_sites, " is ", " are ", "on too many sites (" + option("stop_over_sites") + ")");
  return out;
}

}  // namespace

std::string to_text(const DiscoverSummary& summary, bool verbose) {
  std::string out = reuse_line(summary.pages, "page read", "pages read");
  if (summary.quarantined > 0) {
    out += reuse_line(summary.quarantined, "record", "records", " could not be read");
  }
  if (summary.recursion_errors > 0) {
    out += reuse_line(summary.recursion_errors, "page", "pages",
                      " left out as recursion errors, such as " +
                          visible_name(summary.recursion_examples.front()));
  }
  out += reuse_line(summary.chunks.seen, "chunks seen, " + format_count(summary.chunks.distinct) +
                                             " distinct; false matches expected among them: " +
                                             expected_text(summary.chunks.expected_false_matches));
  out += left_out(summary.chunks, "chunk", "chunks");
  out += left_out(summary.files, "file", "files");
  out += reuse_line(summary.chunks.labels, "chunk is a label", "chunks are labels",
                    ", " + format_percent(summary.chunks.labels_seen, summary.chunks.seen) +
                        " of all that were seen");
  out += reuse_line(summary.files.labels, "file is a label", "files are labels");
  if (!summary.top.empty()) {
    out += fmt::format("\n{:>12}{:>12}{:>9}  kind   words\n", "count", "pages", "sites");
  }
  for (const DiscoveredLabel& label : summary.top) {
    out += fmt::format("{:>12}{:>12}{:>9}  {:<5}  {}\n", format_count(label.count),
                       format_count(label.documents), format_count(label.sites),
                       label.is_file ? "file" : "chunk", words_text(label.text, shown_words));
  }
  return verbose ? out + "\n" + engine_text(summary) : out;
}

}  // namespace twinset
