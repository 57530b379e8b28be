// The lines of a folder that detection makes: written, and read again to merge folders
// (docs/formats/detect.md).
//
//   append_page_line(page, is_bad, out);
//   TWINSET_TRY(read_part_lists(files, "part1", hash, found));   // all lists of a folder
//
// Threads: pure functions.
#pragma once

#include <string>

#include "detect/detections.h"
#include "system/files.h"
#include "twinset/result.h"
#include "web/chunk_hash.h"

namespace twinset {

inline constexpr const char* pages_list = "pages.jsonl.zst";
inline constexpr const char* matches_list = "matches.jsonl.zst";
inline constexpr const char* neighborhoods_list = "neighborhoods.jsonl.zst";
inline constexpr const char* recursion_list = "recursion.jsonl.zst";

void append_page_line(const LabeledPage& page, bool is_bad, std::string& out);
void append_match_line(const LabeledPage& page, const PageMatch& match, ChunkHash hash,
                       std::string& out);
void append_neighborhood_line(const NeighborhoodSums& sums, bool is_bad, std::string& out);
void append_recursion_line(const RecursionError& error, std::string& out);

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
