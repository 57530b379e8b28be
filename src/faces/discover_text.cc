// The result of discovery as text.
//
// This file's interface is to_text() of twinset/reuse.h; the rest is private.
#include <algorithm>
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

std::string padded(std::string text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + std::move(text);
}

std::string line(std::uint64_t count, const std::string& what) {
  return padded(format_count(count), 16) + "  " + what + "\n";
}

const char* noun(std::uint64_t count, const char* one, const char* several) {
  return count == 1 ? one : several;
}

std::string left_out(const ObjectCounts& counts, const char* one, const char* several) {
  std::string out;
  const auto add = [&](std::uint64_t count, const char* is, const char* are,
                       const std::string& why) {
    if (count == 0) return;
    out += line(count,
                std::string(noun(count, one, several)) + " " + noun(count, is, are) + " " + why);
  };
  add(counts.short_seen, "was", "were", "too short (" + option("min_chars") + ")");
  add(counts.stop_seen, "is", "are", "in the set of stop chunks");
  add(counts.in_site, "is", "are",
      "on too many pages of one site (" + option("stop_in_site") + ")");
  add(counts.over_sites, "is", "are", "on too many sites (" + option("stop_over_sites") + ")");
  return out;
}

}  // namespace

std::string to_text(const DiscoverSummary& summary, bool verbose) {
  const std::string engine = verbose ? "\n" + engine_text(summary) : "";
  std::string out = line(summary.pages, noun(summary.pages, "page read", "pages read"));
  if (summary.quarantined > 0) {
    out += line(summary.quarantined,
                std::string(noun(summary.quarantined, "record", "records")) + " could not be read");
  }
  if (summary.recursion_errors > 0) {
    out += line(summary.recursion_errors,
                std::string(noun(summary.recursion_errors, "page", "pages")) +
                    " left out as recursion errors, such as " +
                    visible_name(summary.recursion_examples.front()));
  }
  out += line(summary.chunks.seen, "chunks seen, " + format_count(summary.chunks.distinct) +
                                       " distinct; false matches expected among them: " +
                                       expected_text(summary.chunks.expected_false_matches));
  out += left_out(summary.chunks, "chunk", "chunks");
  out += left_out(summary.files, "file", "files");
  out += line(summary.chunks.labels,
              std::string(noun(summary.chunks.labels, "chunk is a label", "chunks are labels")) +
                  ", " + format_percent(summary.chunks.labels_seen, summary.chunks.seen) +
                  " of all that were seen");
  out +=
      line(summary.files.labels, noun(summary.files.labels, "file is a label", "files are labels"));
  if (summary.top.empty()) return out + engine;
  out += "\n" + padded("count", 12) + padded("pages", 12) + padded("sites", 9) + "  kind   words\n";
  for (const DiscoveredLabel& label : summary.top) {
    out += padded(format_count(label.count), 12) + padded(format_count(label.documents), 12) +
           padded(format_count(label.sites), 9) + (label.is_file ? "  file   " : "  chunk  ") +
           words_text(label.text, shown_words) + "\n";
  }
  return out + engine;
}

}  // namespace twinset
