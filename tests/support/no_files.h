// A file system whose every call fails: given to code that claims to touch no disk.
//
//   NoFiles files;
//   dedup(options, {nullptr, nullptr, &files});
//
// Threads: as a FileSystem.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "system/files.h"

namespace twinset::testing {

class NoFiles final : public FileSystem {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode) override {
    return refused(path);
  }
  Result<FileStatus> status(const std::string& path) override { return refused(path); }
  Result<bool> readable(const std::string& path) override { return refused(path); }
  Result<std::vector<std::string>> list(const std::string& path) override { return refused(path); }
  Status make_directory(const std::string& path) override { return refused(path); }
  Status rename(const std::string& from, const std::string&) override { return refused(from); }
  Status remove_file(const std::string& path) override { return refused(path); }
  Status remove_directory(const std::string& path) override { return refused(path); }
  Status remove_tree(const std::string& path) override { return refused(path); }
  Status sync_tree(const std::string& path) override { return refused(path); }
  Status sync_directory(const std::string& path) override { return refused(path); }
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view,
                                         std::string&) override {
    return refused(path);
  }
  Result<std::uint64_t> free_bytes(const std::string& path) override { return refused(path); }

 private:
  static Error refused(const std::string& path) { return io_error("there is no " + path); }
};

}  // namespace twinset::testing
