#include "web/neighborhoods.h"

#include <algorithm>

#include "web/url.h"

namespace twinset {
namespace {

/// Appends the folders of `path`, which has neither "." nor ".." and whose last part is a page,
/// until there are enough.
void add_folders(std::string_view path, Neighborhoods& out) {
  while (out.size() < most_neighborhoods) {
    path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return;
    out.text += path.substr(0, slash + 1);
    out.ends.push_back(out.text.size());
    path.remove_prefix(slash + 1);
  }
}

/// Appends a folder to `folders`, or goes up from its last.
void walk(std::string_view part, bool rooted, std::string& folders) {
  if (part.empty() || part == ".") return;
  if (part == "..") {
    if (folders.empty() && rooted) return;
    const std::size_t before = folders.empty() ? 0 : folders.rfind('/', folders.size() - 2) + 1;
    if (!folders.empty() && std::string_view(folders).substr(before) != "../") {
      folders.resize(before);
      return;
    }
  }
  folders += part;
  folders += '/';
}

}  // namespace

bool url_neighborhoods(std::string_view url, Neighborhoods& out) {
  out.text.clear();
  out.ends.clear();
  CanonicalUrl canonical;
  if (!write_canonical_address(url, canonical)) return false;
  out.text = canonical.site();
  out.text += '/';
  out.ends.push_back(out.text.size());
  add_folders(canonical.path(), out);
  return true;
}

void path_neighborhoods(std::string_view path, Neighborhoods& out) {
  out.text.clear();
  out.ends.clear();
  const bool rooted = path.starts_with('/');
  if (rooted) {
    out.text = "/";
    out.ends.push_back(1);
  }
  std::string folders;
  while (true) {
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) break;
    walk(path.substr(0, slash), rooted, folders);
    path.remove_prefix(slash + 1);
  }
  add_folders(folders, out);
}

}  // namespace twinset
