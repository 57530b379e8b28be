// The lines of a folder that detection makes: written, and read again to merge folders
// (docs/formats/detect.md).
//
//   FieldLine<DetectedPage> line(page_line_fields);
//   set_line(*line, page, is_bad);
//   line.append(out);
//   TWINSET_TRY(read_part_lists(files, "part1", hash, found));   // all lists of a folder
//
// Threads: pure functions and values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "detect/detections.h"
#include "system/files.h"
#include "twinset/field.h"
#include "twinset/result.h"
#include "web/chunk_hash.h"

namespace twinset {

inline constexpr const char* pages_list = "pages.jsonl.zst";
inline constexpr const char* matches_list = "matches.jsonl.zst";
inline constexpr const char* neighborhoods_list = "neighborhoods.jsonl.zst";
inline constexpr const char* recursion_list = "recursion.jsonl.zst";

/// Lines of pages and neighborhoods have the fields of page_line_fields() and
/// neighborhood_line_fields(). These make their values.
void set_line(DetectedPage& line, const LabeledPage& page, bool is_bad);
void set_line(DetectedNeighborhood& line, const NeighborhoodSums& sums, bool is_bad);

/// A line of matches.
struct MatchLine {
  ChunkHash hash = ChunkHash::xxh3;  ///< of all labels; not written
  std::string url;
  PageMatch match;
  bool has_label = false;  ///< there is a sample

  /// Takes the match, and leaves another one there.
  void set(PageMatch& found) {
    std::swap(match, found);
    has_label = !match.sample.url.empty();
  }
};
std::vector<Field> fields_of(MatchLine& line);

std::vector<Field> fields_of(RecursionError& error);

/// Adds the lists of a folder; the shares of its pages without labels are not in them. Returns the
/// counts that its lines tell: of pages and chunks that are labels, and of recursion errors. Error
/// (io) with file and line: damaged, or matches that are not those of the pages.
Result<DetectCounts> read_part_lists(FileSystem& files, const std::string& folder, ChunkHash hash,
                                     Detections& found);

/// The first pages and neighborhoods of a folder, at most `top` of each, as they were ranked;
/// neighborhoods without a label are left out.
Status read_top_lines(FileSystem& files, const std::string& folder, std::uint64_t top,
                      DetectSummary& summary);

}  // namespace twinset
