// Real collections, which the repository does not hold: a test reads them below the folder that the
// environment variable TWINSET_DATA names, and is skipped where they are not.
//
//   const std::string path = real_data("wiki-articles/articles.jsonl.zst");
//   if (path.empty()) GTEST_SKIP() << "no wiki-articles below TWINSET_DATA";
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace twinset::testing {

/// The path of a file or folder; empty if there is none.
inline std::string real_data(const std::string& name) {
  const char* const data = std::getenv("TWINSET_DATA");
  if (data == nullptr) return "";
  const std::string path = std::string(data) + "/" + name;
  return std::filesystem::exists(path) ? path : "";
}

}  // namespace twinset::testing
