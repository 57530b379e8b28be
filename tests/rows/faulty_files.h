// A file system whose k-th operation fails, once or from then on: every call
// that touches the disk counts as one operation.
//
//   FaultyFiles files(disk());
//   files.fail_at(17, FaultyFiles::Then::recovers);
//
// Threads: as a FileSystem.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"

namespace twinset::testing {

class FaultyFiles final : public FileSystem {
 public:
  enum class Then { recovers, stays };
  static constexpr const char* message = "cannot write: No space left on device (made up)";

  explicit FaultyFiles(FileSystem& below) : below_(below) {}

  /// The `operation`-th from now fails, the first being 0.
  void fail_at(std::uint64_t operation, Then then) {
    fail_from_ = operations_ + operation;
    stays_ = then == Then::stays;
  }
  std::uint64_t operations() const { return operations_; }
  bool failed() const { return failed_; }

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    TWINSET_TRY(count());
    auto opened = below_.open(path, mode);
    if (!opened.ok()) return opened.error();
    return std::unique_ptr<File>(std::make_unique<FaultyFile>(*this, std::move(opened).value()));
  }
  Result<FileStatus> status(const std::string& path) override {
    TWINSET_TRY(count());
    return below_.status(path);
  }
  Result<std::vector<std::string>> list(const std::string& path) override {
    TWINSET_TRY(count());
    return below_.list(path);
  }
  Status make_directory(const std::string& path) override {
    TWINSET_TRY(count());
    return below_.make_directory(path);
  }
  Status rename(const std::string& from, const std::string& to) override {
    TWINSET_TRY(count());
    return below_.rename(from, to);
  }
  Status remove_file(const std::string& path) override {
    TWINSET_TRY(count());
    return below_.remove_file(path);
  }
  Status remove_tree(const std::string& path) override {
    TWINSET_TRY(count());
    return below_.remove_tree(path);
  }
  Status sync_directory(const std::string& path) override {
    TWINSET_TRY(count());
    return below_.sync_directory(path);
  }
  Result<std::uint64_t> free_bytes(const std::string& path) override {
    TWINSET_TRY(count());
    return below_.free_bytes(path);
  }

 private:
  class FaultyFile final : public File {
   public:
    FaultyFile(FaultyFiles& files, std::unique_ptr<File> below)
        : files_(files), below_(std::move(below)) {}
    Result<std::size_t> read(char* out, std::size_t size) override {
      TWINSET_TRY(files_.count());
      return below_->read(out, size);
    }
    Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
      TWINSET_TRY(files_.count());
      return below_->read_at(offset, out, size);
    }
    Status append(std::string_view bytes) override {
      TWINSET_TRY(files_.count());
      return below_->append(bytes);
    }
    Status write_at(std::uint64_t offset, std::string_view bytes) override {
      const Status status = files_.count();
      if (!status.ok()) {
        // A full disk takes what it still can.
        [[maybe_unused]] const Status half =
            below_->write_at(offset, bytes.substr(0, bytes.size() / 2));
        return status;
      }
      return below_->write_at(offset, bytes);
    }
    Status truncate(std::uint64_t size) override {
      TWINSET_TRY(files_.count());
      return below_->truncate(size);
    }
    Status sync() override { return files_.count(); }  // Tests outlive no power cut.
    Result<std::uint64_t> size() override {
      TWINSET_TRY(files_.count());
      return below_->size();
    }

   private:
    FaultyFiles& files_;
    std::unique_ptr<File> below_;
  };

  Status count() {
    const std::uint64_t operation = operations_++;
    if (operation == fail_from_ || (stays_ && operation > fail_from_)) {
      failed_ = true;
      return io_error(message);
    }
    return {};
  }

  FileSystem& below_;
  std::atomic<std::uint64_t> operations_ = 0;
  std::uint64_t fail_from_ = ~std::uint64_t{0};
  bool stays_ = false;
  std::atomic<bool> failed_ = false;
};

}  // namespace twinset::testing
