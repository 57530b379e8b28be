// A file system that passes every call on to another. Derive from it to change some.
//
//   class Counted final : public ForwardingFiles {
//    public:
//     Counted() : ForwardingFiles(disk()) {}
//     Status rename(...) override { ++renames; return below().rename(...); }
//   };
//
// Threads: as the file system below.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "system/files.h"

namespace twinset::testing {

class ForwardingFiles : public FileSystem {
 public:
  explicit ForwardingFiles(FileSystem& below) : below_(below) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    return below_.open(path, mode);
  }
  Result<FileStatus> status(const std::string& path) override { return below_.status(path); }
  Result<bool> readable(const std::string& path) override { return below_.readable(path); }
  Result<std::vector<std::string>> list(const std::string& path) override {
    return below_.list(path);
  }
  Status make_directory(const std::string& path) override { return below_.make_directory(path); }
  Status rename(const std::string& from, const std::string& to) override {
    return below_.rename(from, to);
  }
  Status remove_file(const std::string& path) override { return below_.remove_file(path); }
  Status remove_directory(const std::string& path) override {
    return below_.remove_directory(path);
  }
  Status remove_tree(const std::string& path) override { return below_.remove_tree(path); }
  Status sync_tree(const std::string& path) override { return below_.sync_tree(path); }
  Status sync_directory(const std::string& path) override { return below_.sync_directory(path); }
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                         std::string& holder) override {
    return below_.lock(path, note, holder);
  }
  Result<std::uint64_t> free_bytes(const std::string& path) override {
    return below_.free_bytes(path);
  }

 protected:
  FileSystem& below() const { return below_; }

 private:
  FileSystem& below_;
};

/// The same of a file.
class ForwardingFile : public File {
 public:
  explicit ForwardingFile(std::unique_ptr<File> below) : below_(std::move(below)) {}

  Result<std::size_t> read(char* out, std::size_t size) override { return below_->read(out, size); }
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
    return below_->read_at(offset, out, size);
  }
  Status append(std::string_view bytes) override { return below_->append(bytes); }
  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    return below_->write_at(offset, bytes);
  }
  Status truncate(std::uint64_t size) override { return below_->truncate(size); }
  Status sync() override { return below_->sync(); }
  Result<std::uint64_t> size() override { return below_->size(); }
  std::unique_ptr<Mapping> map() override { return below_->map(); }

 protected:
  File& below() const { return *below_; }

 private:
  const std::unique_ptr<File> below_;
};

}  // namespace twinset::testing
