// Which site shows what which other one is known to have: the matches of all pages, by the site of
// the page and the one that the label is known from.
//
//   ReusedSites sites;
//   sites.add(page.url, match);     // the matches of a page one after the other
//   sites.ranked();                 // {"mirror.example/", "llvm.example/", 400 pages, ...}, ...
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "detect/detections.h"
#include "twinset/field.h"

namespace twinset {

struct ReusedSite {
  std::string site;        ///< "a.example/"; of a page without a URL its folder, or its file
  std::string known_from;  ///< likewise; empty: the label has no place
  std::uint64_t pages = 0;
  std::uint64_t matches = 0;
  double share = 0;  ///< of all matches of `site`
};
std::vector<Field> fields_of(ReusedSite& site);

class ReusedSites {
 public:
  /// Pairs of sites; further ones are not counted.
  static constexpr std::size_t most_counted = std::size_t{1} << 16;

  void add(std::string_view url, const PageMatch& match);

  /// Most matches first, then by name.
  std::vector<ReusedSite> ranked() const;
  /// There were more pairs of sites than are counted.
  bool too_many() const { return too_many_; }

 private:
  struct Sums {
    std::uint64_t pages = 0;
    std::uint64_t matches = 0;
    std::uint64_t last_page = 0;
  };

  std::map<std::pair<std::string, std::string>, Sums> sums_;
  std::map<std::string, std::uint64_t> matches_of_;  ///< by site
  std::string url_;                                  ///< of the last page and its site
  std::string site_;
  std::string label_url_;  ///< of the last label and its site
  std::string known_from_;
  std::uint64_t page_ = 0;
  bool too_many_ = false;
};

}  // namespace twinset
