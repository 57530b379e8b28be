#include "detect/reused_sites.h"

#include <algorithm>
#include <tuple>

#include "web/neighborhoods.h"

namespace twinset {
namespace {

/// "a.example/" of a URL, "folder/" of a file in a folder, and else the file.
std::string site_of(std::string_view url) {
  if (url.empty()) return {};
  Neighborhoods found;
  if (url.find("://") != std::string_view::npos && url_neighborhoods(url, found)) {
    return std::string(found[0]);
  }
  path_neighborhoods(url, found);
  if (found.size() > 0) return found.text;
  const std::size_t record = url.rfind(':');
  return std::string(url.substr(0, record));
}

}  // namespace

std::vector<Field> fields_of(ReusedSite& site) {
  return {{"site", &site.site, Unit::text, "that shows what is known; else folder or file"},
          {"known_from", &site.known_from, Unit::text, "site that the labels are known from"},
          {"share", &site.share, Unit::share, "of all matches of the site"},
          {"pages", &site.pages, Unit::count, "of the site that have such matches"},
          {"matches", &site.matches, Unit::count, "labels in these pages"}};
}

void ReusedSites::add(std::string_view url, const PageMatch& match) {
  if (page_ == 0 || url != url_) {
    ++page_;
    url_ = url;
    site_ = site_of(url);
  }
  if (match.sample.url != label_url_) {
    label_url_ = match.sample.url;
    known_from_ = site_of(label_url_);
  }
  std::pair<std::string, std::string> key(site_, known_from_);
  auto found = sums_.find(key);
  if (found == sums_.end()) {
    if (sums_.size() >= most_counted) {
      too_many_ = true;
      return;
    }
    found = sums_.emplace(std::move(key), Sums()).first;
  }
  Sums& sums = found->second;
  sums.pages += sums.last_page != page_ ? 1 : 0;
  sums.last_page = page_;
  ++sums.matches;
  ++matches_of_[site_];
}

std::vector<ReusedSite> ReusedSites::ranked() const {
  std::vector<ReusedSite> out;
  out.reserve(sums_.size());
  for (const auto& [key, sums] : sums_) {
    const auto all = static_cast<double>(matches_of_.at(key.first));
    out.push_back(
        {key.first, key.second, sums.pages, sums.matches, static_cast<double>(sums.matches) / all});
  }
  std::ranges::sort(out, [](const ReusedSite& a, const ReusedSite& b) {
    if (a.matches != b.matches) return a.matches > b.matches;
    return std::tie(a.site, a.known_from) < std::tie(b.site, b.known_from);
  });
  return out;
}

}  // namespace twinset
