// Files of the disk below another path: whoever goes to the disk in place of these finds nothing.
//
//   MovedFiles files("/nowhere", folder.path());
//   dedup(options, {nullptr, nullptr, &files});   // reads and makes "/nowhere/..."
//
// Threads: as a FileSystem.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/files.h"

namespace twinset::testing {

class MovedFiles final : public FileSystem {
 public:
  MovedFiles(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    return disk().open(at(path), mode);
  }
  Result<FileStatus> status(const std::string& path) override { return disk().status(at(path)); }
  Result<bool> readable(const std::string& path) override { return disk().readable(at(path)); }
  Result<std::vector<std::string>> list(const std::string& path) override {
    return disk().list(at(path));
  }
  Status make_directory(const std::string& path) override {
    return disk().make_directory(at(path));
  }
  Status rename(const std::string& from, const std::string& to) override {
    return disk().rename(at(from), at(to));
  }
  Status remove_file(const std::string& path) override { return disk().remove_file(at(path)); }
  Status remove_directory(const std::string& path) override {
    return disk().remove_directory(at(path));
  }
  Status remove_tree(const std::string& path) override { return disk().remove_tree(at(path)); }
  Status sync_tree(const std::string& path) override { return disk().sync_tree(at(path)); }
  Status sync_directory(const std::string& path) override {
    return disk().sync_directory(at(path));
  }
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                         std::string& holder) override {
    return disk().lock(at(path), note, holder);
  }
  Result<std::uint64_t> free_bytes(const std::string& path) override {
    return disk().free_bytes(at(path));
  }

 private:
  std::string at(const std::string& path) const {
    return path.starts_with(from_) ? to_ + path.substr(from_.size()) : path;
  }

  const std::string from_;
  const std::string to_;
};

}  // namespace twinset::testing
