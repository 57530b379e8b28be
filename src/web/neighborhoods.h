// The neighborhoods of a page: its site and each folder above it. A neighborhood is a URL prefix,
// and consists of the pages below it (Ardi and Heidemann, "Precise Detection of Content Reuse in
// the Web", 4.3).
//
//   Neighborhoods found;
//   url_neighborhoods("http://arxiv.org/archive/physics/", found);
//   // found[0] == "arxiv.org/", found[1] == "arxiv.org/archive/",
//   // found[2] == "arxiv.org/archive/physics/"
//
// Neighborhoods are those of the canonical URL (web/url.h). Scheme, user, query and the port that
// the scheme implies are no part of them, so that a "/" in a query makes none; slashes in a row are
// one. Each ends in "/", and a page itself is none.
//
// Threads: pure functions; a Neighborhoods belongs to one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {

/// Deeper folders are no neighborhoods: a URL of a million slashes has no more than these.
inline constexpr std::size_t most_neighborhoods = 64;

/// Reuse one: its memory is kept.
struct Neighborhoods {
  std::size_t size() const { return ends.size(); }
  /// From the site, or the first folder, down.
  std::string_view operator[](std::size_t i) const {
    return std::string_view(text).substr(0, ends[i]);
  }

  std::string text;               ///< the deepest
  std::vector<std::size_t> ends;  ///< of each in `text`, rising
};

/// Replaces `out` by the neighborhoods of a URL or an address ("arxiv.org/archive/"). False, and
/// none, if it has no host. O(bytes).
bool url_neighborhoods(std::string_view url, Neighborhoods& out);

/// The same for the path of a file, where there are no URLs: "a/", "a/b/" of "a/b/page.html" and of
/// "./a//c/../b/page.html"; "/", "/a/" of "/a/page.html". A ".." that leads out stays.
void path_neighborhoods(std::string_view path, Neighborhoods& out);

}  // namespace twinset
