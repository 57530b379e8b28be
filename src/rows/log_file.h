// A log: batches of bytes that are appended to a file, each of which a crash keeps whole or not at
// all.
//
//   TWINSET_TRY(LogFile::create(files, path, fingerprint));
//   TWINSET_ASSIGN(auto log, LogFile::open(context, path, fingerprint, OpenMode::append));
//   TWINSET_TRY(log->append(batch));
//   TWINSET_TRY(log->sync());                     // the batch is durable from here
//   TWINSET_TRY(log->for_each([&](std::string_view bytes) { return take(bytes); }));
//
// After a kill or a power loss open() finds the batches appended up to some moment, each whole
// and none missing between them, and all that were synced. Bytes after them are cut off by whoever
// opens it to append. Damage before bytes that were synced later is an Error that names the place:
// each sync leaves a mark at the end, so that damage to the last batch is found, too
// (docs/formats/log.md).
//
// After a failed append() or sync() every further one fails: open the log again. Memory: a batch
// while it is written or read.
//
// Threads: one at a time. One appends at a time, and holds a FileSystem::lock; any number may read
// meanwhile, and find the batches up to some moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rows/block_file.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

class LogFile {
 public:
  /// Makes an empty log, durable with its name, in place of one of that name.
  static Status create(FileSystem& files, const std::string& path, std::uint64_t fingerprint);
  /// `mode`: read, which changes nothing, or append. Errors (io): missing, damaged, of another
  /// fingerprint.
  static Result<std::unique_ptr<LogFile>> open(const RunContext& context, const std::string& path,
                                               std::uint64_t fingerprint, OpenMode mode);

  /// Adds a batch of at least a byte.
  Status append(std::string_view batch);
  /// Makes all batches so far durable.
  Status sync();
  /// Calls use(batch) for each batch, in order; the bytes live as long as the call.
  Status for_each(const std::function<Status(std::string_view)>& use) const;

  /// Of the header and all whole batches.
  std::uint64_t bytes() const { return end_; }
  std::uint64_t batches() const { return batches_; }
  /// Bytes of a torn tail after them, when it was opened.
  std::uint64_t cut_bytes() const { return cut_bytes_; }
  /// That a batch is not what its writer would write.
  Error damaged(std::uint64_t offset, const std::string& how) const;

 private:
  LogFile(const RunContext& context, std::unique_ptr<BlockFile> file)
      : context_(context), file_(std::move(file)) {}

  Status find_end();
  Status check_tail() const;
  Status ready() const;

  const RunContext& context_;
  std::unique_ptr<BlockFile> file_;
  std::vector<std::byte> block_;
  mutable std::vector<std::byte> found_;
  std::uint64_t end_ = 0;
  std::uint64_t synced_ = 0;  ///< bytes that are known to be durable
  std::uint64_t batches_ = 0;
  std::uint64_t cut_bytes_ = 0;
  bool failed_ = false;
};

}  // namespace twinset
