// A file system that goes wrong when told to: at its k-th operation, once or from
// then on, or when a number of bytes has been written, as a full disk does.
//
//   FaultyFiles files(disk());
//   files.fail_at(17, FaultyFiles::Fault::no_space, FaultyFiles::Lasting::once);
//   ...
//   EXPECT_TRUE(files.failed());
//
// To try every failure of a piece of work, run it once to learn operations(), then
// once for each k below that. Every call that asks the disk for something counts.
//
// Threads: as a FileSystem, except for the calls that plan faults.
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "system/files.h"

namespace twinset::testing {

class FaultyFiles final : public FileSystem {
 public:
  /// `short_transfer`: a read gives half of what it could (and no error), a write
  /// stores half and fails. The others store nothing.
  enum class Fault : std::uint8_t { io, no_space, short_transfer };
  enum class Lasting : std::uint8_t { once, for_ever };

  explicit FaultyFiles(FileSystem& below) : below_(below) {}

  /// The operation `k` from now fails, counted from 0.
  void fail_at(std::uint64_t k, Fault fault, Lasting lasting) {
    fail_at_ = operations_ + k;
    fault_ = fault;
    lasting_ = lasting;
    failed_ = false;
  }
  void never_fail() { fail_at_ = never; }

  /// The disk takes this many bytes more, and says that much is free.
  void limit_bytes(std::uint64_t bytes) {
    space_ = bytes;
    failed_ = false;
  }

  std::uint64_t operations() const { return operations_; }
  bool failed() const { return failed_; }

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    if (next_fails()) return error("open", path);
    Result<std::unique_ptr<File>> opened = below_.open(path, mode);
    if (!opened.ok()) return opened;
    return std::unique_ptr<File>(
        std::make_unique<FaultyFile>(*this, std::move(opened).value(), path));
  }
  Result<FileStatus> status(const std::string& path) override {
    if (next_fails()) return error("stat", path);
    return below_.status(path);
  }
  Result<bool> readable(const std::string& path) override {
    if (next_fails()) return error("stat", path);
    return below_.readable(path);
  }
  Result<std::vector<std::string>> list(const std::string& path) override {
    if (next_fails()) return error("list", path);
    return below_.list(path);
  }
  Status make_directory(const std::string& path) override {
    if (next_fails()) return error("make the folder", path);
    return below_.make_directory(path);
  }
  Status rename(const std::string& from, const std::string& to) override {
    if (next_fails()) return error("rename " + from + " to", to);
    return below_.rename(from, to);
  }
  Status remove_file(const std::string& path) override {
    if (next_fails()) return error("remove", path);
    return below_.remove_file(path);
  }
  Status remove_directory(const std::string& path) override {
    if (next_fails()) return error("remove", path);
    return below_.remove_directory(path);
  }
  Status remove_tree(const std::string& path) override {
    if (next_fails()) return error("remove", path);
    return below_.remove_tree(path);
  }
  Status sync_tree(const std::string& path) override {
    if (next_fails()) return error("sync", path);
    return below_.sync_tree(path);
  }
  Status sync_directory(const std::string& path) override {
    if (next_fails()) return error("sync", path);
    return below_.sync_directory(path);
  }
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                         std::string& holder) override {
    if (next_fails()) return error("lock", path);
    return below_.lock(path, note, holder);
  }
  Result<std::uint64_t> free_bytes(const std::string& path) override {
    if (next_fails()) return error("ask for the free space of", path);
    const std::uint64_t space = space_;
    if (space != never) return space;
    return below_.free_bytes(path);
  }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  class FaultyFile final : public File {
   public:
    FaultyFile(FaultyFiles& files, std::unique_ptr<File> below, std::string path)
        : files_(files), below_(std::move(below)), path_(std::move(path)) {}

    Result<std::size_t> read(char* out, std::size_t size) override {
      if (!files_.next_fails()) return below_->read(out, size);
      if (files_.fault_ != Fault::short_transfer) return files_.error("read", path_);
      return below_->read(out, std::max<std::size_t>(size / 2, 1));
    }
    Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
      // Its contract knows no short reads: those are an error here.
      if (files_.next_fails()) return files_.error("read", path_);
      return below_->read_at(offset, out, size);
    }
    Status append(std::string_view bytes) override {
      return write(bytes, [&](std::string_view part) { return below_->append(part); });
    }
    Status write_at(std::uint64_t offset, std::string_view bytes) override {
      return write(bytes, [&](std::string_view part) { return below_->write_at(offset, part); });
    }
    Status truncate(std::uint64_t size) override {
      if (files_.next_fails()) return files_.error("truncate", path_);
      return below_->truncate(size);
    }
    Status sync() override {
      if (files_.next_fails()) return files_.error("sync", path_);
      return below_->sync();
    }
    Result<std::uint64_t> size() override {
      if (files_.next_fails()) return files_.error("stat", path_);
      return below_->size();
    }
    std::unique_ptr<Mapping> map() override {
      return files_.next_fails() ? nullptr : below_->map();
    }

   private:
    template <class Write>
    Status write(std::string_view bytes, Write write_below) {
      if (files_.next_fails()) {
        if (files_.fault_ == Fault::short_transfer) {
          TWINSET_TRY(write_below(bytes.substr(0, bytes.size() / 2)));
        }
        return files_.error("write", path_);
      }
      const std::uint64_t taken = files_.take_space(bytes.size());
      TWINSET_TRY(write_below(bytes.substr(0, static_cast<std::size_t>(taken))));
      if (taken < bytes.size()) return files_.error("write", path_, ENOSPC);
      return {};
    }

    FaultyFiles& files_;
    const std::unique_ptr<File> below_;
    const std::string path_;
  };

  bool next_fails() {
    const std::uint64_t operation = operations_++;
    const bool fails =
        operation == fail_at_ || (lasting_ == Lasting::for_ever && operation > fail_at_);
    if (fails) failed_ = true;
    return fails;
  }

  /// How much of `bytes` still fits.
  std::uint64_t take_space(std::uint64_t bytes) {
    if (space_ == never) return bytes;
    std::uint64_t left = space_;
    while (!space_.compare_exchange_weak(left, left - std::min(left, bytes))) {
    }
    if (left < bytes) failed_ = true;
    return std::min(left, bytes);
  }

  Error error(const std::string& verb, const std::string& path) const {
    return error(verb, path, fault_ == Fault::io ? EIO : ENOSPC);
  }
  static Error error(const std::string& verb, const std::string& path, int error_number) {
    return io_error("cannot " + verb + " " + path + ": " +
                    std::generic_category().message(error_number));
  }

  FileSystem& below_;
  std::atomic<std::uint64_t> operations_ = 0;
  std::atomic<std::uint64_t> fail_at_ = never;
  std::atomic<Fault> fault_ = Fault::io;
  std::atomic<Lasting> lasting_ = Lasting::once;
  std::atomic<std::uint64_t> space_ = never;
  std::atomic<bool> failed_ = false;
};

}  // namespace twinset::testing
