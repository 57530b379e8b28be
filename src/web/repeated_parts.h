// Recursion errors: URLs that a crawler made by following a relative link around a loop.
//
//   find_repeated_parts("/news/img/news/img/news/img/a.gif", 3)->count   // 3
//
// Each turn of a loop adds parts to the path, and the server answers all of them with the same
// page, so that a crawl holds a page under many URLs and copying seems frequent where there is
// none. "Precise Detection of Content Reuse in the Web" (4.4.1) drops such URLs by "how often a URL
// path component is repeated", and leaves the rule to a report. Here a path has a recursion error
// if
//
//   - a run of up to 8 parts stands `repeats` times in a row, not all of its parts numbers
//     ("/1/1/1/" is a map's or an issue's): one relative link, followed again and again; or
//   - a part that is no number stands `repeats` times anywhere, and at most half of all parts
//     differ: a walk over a few links. So "node_modules/a/node_modules/b/node_modules/c" is none.
//
// Parts are compared as they are written: give the path in canonical form (web/url.h).
//
// Threads: a pure function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace twinset {

/// The technical report's number is not in the paper. Two occur in good URLs ("/doc/api/doc/").
inline constexpr std::uint32_t default_repeats = 3;

struct RepeatedParts {
  std::string_view parts;   ///< the first time, in the path: "news/img"
  std::uint32_t count = 0;  ///< how often
};

/// Nothing if the path has no recursion error. Range: repeats >= 2. Of a longer path only the first
/// 256 parts are read. O(bytes).
std::optional<RepeatedParts> find_repeated_parts(std::string_view path, std::uint32_t repeats);

}  // namespace twinset
