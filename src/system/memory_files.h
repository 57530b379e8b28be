// A file system in memory, for runs that touch no disk. A folder exists if the path of a file names
// it.
//
//   MemoryFiles files(std::uint64_t{1} << 30);
//   context.files = &files;
//
// Files count toward the memory of the process; a write beyond the limit is an Error. Nothing is
// durable, so a sync does nothing.
//
// Threads: as a FileSystem.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "system/files.h"

namespace twinset {

class MemoryFiles final : public FileSystem {
 public:
  /// `remedy` ends the message of the error at the limit.
  explicit MemoryFiles(std::uint64_t most_bytes = UINT64_MAX, std::string remedy = "")
      : budget_(std::make_shared<Budget>(most_bytes, std::move(remedy))) {}

  /// Replaces a file.
  Status write(const std::string& path, std::string_view bytes);
  /// The whole of a file; nothing if there is none.
  std::string read(const std::string& path) const;
  /// Memory that all files take.
  std::uint64_t bytes() const { return budget_->used; }

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  Result<FileStatus> status(const std::string& path) override;
  Result<bool> readable(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& path) override;
  Status make_directory(const std::string&) override { return {}; }
  Status rename(const std::string& from, const std::string& to) override;
  Status remove_file(const std::string& path) override;
  Status remove_directory(const std::string&) override { return {}; }
  Status remove_tree(const std::string& path) override;
  Status sync_tree(const std::string&) override { return {}; }
  Status sync_directory(const std::string&) override { return {}; }
  /// Nothing else can hold it.
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                         std::string& holder) override;
  Result<std::uint64_t> free_bytes(const std::string& path) override;

 private:
  struct Budget {
    Budget(std::uint64_t most_bytes, std::string what_helps)
        : most(most_bytes), remedy(std::move(what_helps)) {}
    const std::uint64_t most;
    const std::string remedy;
    std::atomic<std::uint64_t> used = 0;
  };
  class Bytes;
  class OpenFile;

  std::shared_ptr<Bytes> find(const std::string& path) const;

  std::shared_ptr<Budget> budget_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Bytes>> files_;
};

}  // namespace twinset
