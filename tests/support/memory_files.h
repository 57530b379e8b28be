// A file system in memory: paths and bytes, folders wherever a path has one.
//
//   MemoryFiles files;
//   files.write("a/b.jsonl", "{}\n");
//   open_reader(files, ...);
//
// Threads: one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"

namespace twinset::testing {

class MemoryFiles final : public FileSystem {
 public:
  void write(const std::string& path, std::string_view bytes) {
    files_[path] = std::make_shared<std::string>(bytes);
  }
  std::string read(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? std::string() : *found->second;
  }

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    auto found = files_.find(path);
    if (mode == OpenMode::read && found == files_.end()) return failure("open", path);
    if (mode == OpenMode::create && found != files_.end()) return failure("create", path);
    if (found == files_.end()) found = files_.emplace(path, std::make_shared<std::string>()).first;
    return std::unique_ptr<File>(std::make_unique<MemoryFile>(found->second));
  }
  Result<FileStatus> status(const std::string& path) override {
    FileStatus status;
    const auto found = files_.find(path);
    if (found != files_.end()) {
      status.kind = FileStatus::Kind::regular;
      status.size = found->second->size();
    } else if (!path.empty() && !list(path).value().empty()) {
      status.kind = FileStatus::Kind::directory;
    }
    status.inode = std::hash<std::string>()(path);
    return status;
  }
  Result<std::vector<std::string>> list(const std::string& path) override {
    std::string prefix = path == "." || path.empty() ? "" : path;
    if (!prefix.empty() && prefix.back() != '/') prefix += '/';
    std::vector<std::string> names;
    for (const auto& [file, bytes] : files_) {
      if (!file.starts_with(prefix) || file.size() == prefix.size()) continue;
      const std::string rest = file.substr(prefix.size());
      names.push_back(rest.substr(0, rest.find('/')));
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }
  Result<bool> readable(const std::string& path) override { return files_.contains(path); }
  Status make_directory(const std::string&) override { return {}; }
  Status rename(const std::string& from, const std::string& to) override {
    const auto found = files_.find(from);
    if (found == files_.end()) return failure("rename", from);
    files_[to] = found->second;
    files_.erase(from);
    return {};
  }
  Status remove_file(const std::string& path) override {
    if (files_.erase(path) == 0) return failure("remove", path);
    return {};
  }
  Status remove_directory(const std::string&) override { return {}; }
  Status remove_tree(const std::string& path) override {
    std::erase_if(files_, [&](const auto& file) { return file.first.starts_with(path + '/'); });
    return {};
  }
  Status sync_tree(const std::string&) override { return {}; }
  Status sync_directory(const std::string&) override { return {}; }
  /// Nobody else is there to hold it.
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                         std::string&) override {
    write(path, note);
    return std::make_unique<FileLock>();
  }
  Result<std::uint64_t> free_bytes(const std::string&) override { return std::uint64_t{1} << 40; }

 private:
  using Bytes = std::shared_ptr<std::string>;  ///< an open file outlives its name

  class MemoryFile final : public File {
   public:
    explicit MemoryFile(Bytes bytes) : bytes_(std::move(bytes)) {}
    Result<std::size_t> read(char* out, std::size_t size) override {
      const Result<std::size_t> got = read_at(position_, out, size);
      position_ += got.value();
      return got;
    }
    Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
      if (offset >= bytes_->size()) return std::size_t{0};
      return bytes_->copy(out, size, static_cast<std::size_t>(offset));
    }
    Status append(std::string_view bytes) override {
      *bytes_ += bytes;
      return {};
    }
    Status write_at(std::uint64_t offset, std::string_view bytes) override {
      const auto begin = static_cast<std::size_t>(offset);
      if (bytes_->size() < begin + bytes.size()) bytes_->resize(begin + bytes.size());
      bytes.copy(bytes_->data() + begin, bytes.size());
      return {};
    }
    Status truncate(std::uint64_t size) override {
      bytes_->resize(static_cast<std::size_t>(size));
      return {};
    }
    Status sync() override { return {}; }
    Result<std::uint64_t> size() override { return std::uint64_t{bytes_->size()}; }

   private:
    const Bytes bytes_;
    std::uint64_t position_ = 0;
  };

  static Error failure(const std::string& verb, const std::string& path) {
    return io_error("cannot " + verb + " " + path);
  }

  std::map<std::string, Bytes> files_;
};

}  // namespace twinset::testing
