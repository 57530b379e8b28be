// A file system that counts what passes through it: calls, and the bytes read and written.
//
//   CountingFiles files(disk());
//   ...
//   EXPECT_LE(files.calls(), files.bytes() / 32768 + 2000);
//
// Threads: as a FileSystem.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/files.h"

namespace twinset::testing {

class CountingFiles final : public FileSystem {
 public:
  explicit CountingFiles(FileSystem& below) : below_(below) {}

  std::uint64_t calls() const { return calls_; }
  std::uint64_t bytes() const { return bytes_; }

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    ++calls_;
    Result<std::unique_ptr<File>> opened = below_.open(path, mode);
    if (!opened.ok()) return opened;
    return std::unique_ptr<File>(std::make_unique<CountingFile>(*this, std::move(opened).value()));
  }
  Result<FileStatus> status(const std::string& path) override {
    ++calls_;
    return below_.status(path);
  }
  Result<std::vector<std::string>> list(const std::string& path) override {
    ++calls_;
    return below_.list(path);
  }
  Status make_directory(const std::string& path) override {
    ++calls_;
    return below_.make_directory(path);
  }
  Status rename(const std::string& from, const std::string& to) override {
    ++calls_;
    return below_.rename(from, to);
  }
  Status remove_file(const std::string& path) override {
    ++calls_;
    return below_.remove_file(path);
  }
  Status remove_tree(const std::string& path) override {
    ++calls_;
    return below_.remove_tree(path);
  }
  Result<bool> readable(const std::string& path) override {
    ++calls_;
    return below_.readable(path);
  }
  Status remove_directory(const std::string& path) override {
    ++calls_;
    return below_.remove_directory(path);
  }
  Status sync_directory(const std::string& path) override {
    ++calls_;
    return below_.sync_directory(path);
  }
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                         std::string& holder) override {
    ++calls_;
    return below_.lock(path, note, holder);
  }
  Status sync_tree(const std::string& path) override {
    ++calls_;
    return below_.sync_tree(path);
  }
  Result<std::uint64_t> free_bytes(const std::string& path) override {
    ++calls_;
    return below_.free_bytes(path);
  }

 private:
  class CountingFile final : public File {
   public:
    CountingFile(CountingFiles& files, std::unique_ptr<File> below)
        : files_(files), below_(std::move(below)) {}

    Result<std::size_t> read(char* out, std::size_t size) override {
      return count(below_->read(out, size));
    }
    Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
      return count(below_->read_at(offset, out, size));
    }
    Status append(std::string_view bytes) override {
      ++files_.calls_;
      files_.bytes_ += bytes.size();
      return below_->append(bytes);
    }
    Status write_at(std::uint64_t offset, std::string_view bytes) override {
      ++files_.calls_;
      files_.bytes_ += bytes.size();
      return below_->write_at(offset, bytes);
    }
    Status truncate(std::uint64_t size) override {
      ++files_.calls_;
      return below_->truncate(size);
    }
    Status sync() override {
      ++files_.calls_;
      return below_->sync();
    }
    Result<std::uint64_t> size() override {
      ++files_.calls_;
      return below_->size();
    }
    std::unique_ptr<Mapping> map() override {
      ++files_.calls_;
      return below_->map();
    }

   private:
    Result<std::size_t> count(Result<std::size_t> got) {
      ++files_.calls_;
      if (got.ok()) files_.bytes_ += got.value();
      return got;
    }

    CountingFiles& files_;
    const std::unique_ptr<File> below_;
  };

  FileSystem& below_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace twinset::testing
