// Takes the parts of the pattern one by one: joins each path that matches so far with every name in
// it that matches the next part. glob(3) does the same, but on the disk only; both match names with
// fnmatch(3).
//
// This file's interface is io/glob.h; the rest is private.
#include "io/glob.h"

#include <fnmatch.h>

namespace twinset {
namespace {

std::string join(const std::string& folder, const std::string& name) {
  if (folder.empty() || folder.back() == '/') return folder + name;
  return folder + '/' + name;
}

}  // namespace

bool is_glob(std::string_view path) { return path.find_first_of("*?[") != std::string_view::npos; }

Result<std::vector<std::string>> expand_glob(FileSystem& files, const std::string& pattern) {
  std::vector<std::string> matches{pattern.starts_with('/') ? "/" : ""};
  std::size_t begin = 0;
  while (begin < pattern.size()) {
    const std::size_t end = std::min(pattern.find('/', begin), pattern.size());
    const std::string part = pattern.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) continue;
    std::vector<std::string> next;
    for (const std::string& folder : matches) {
      if (!is_glob(part)) {
        const std::string path = join(folder, part);
        const Result<FileStatus> status = files.status(path);
        if (status.ok() && status.value().kind != FileStatus::Kind::missing) next.push_back(path);
        continue;
      }
      const Result<std::vector<std::string>> names = files.list(folder.empty() ? "." : folder);
      if (!names.ok()) continue;
      for (const std::string& name : names.value()) {
        if (::fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) == 0) {
          next.push_back(join(folder, name));
        }
      }
    }
    matches = std::move(next);
  }
  return matches;
}

}  // namespace twinset
