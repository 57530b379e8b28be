// A batch is a block of rows/block_file.h with rows of a byte, so a complete one is recognized by
// its checksum, its place and the log's fingerprint.
//
// A block's tag says how many bytes before it were not known to be durable when it was written. So
// a complete block testifies for those before it: if one that was durable by then is broken, the
// file is damaged; otherwise power was lost before its sync, and the log ends there, even if the
// disk has kept later batches. After each sync a mark, a block that is no batch, testifies for all
// before it, until the next batch is written in its place.
//
// This file's interface is rows/log_file.h; the rest is private.
#include "rows/log_file.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace twinset {
namespace {

constexpr std::uint32_t mark_tag = std::numeric_limits<std::uint32_t>::max();

BlockLayout layout_of(std::uint64_t fingerprint) {
  return {.format = "log", .row_bytes = 1, .fingerprint = fingerprint};
}

/// Is what was before the block durable when it was written, from its front to `end`?
bool testifies(const BlockFile::BlockPlace& block, std::uint64_t end) {
  const std::uint64_t unknown = block.tag == mark_tag ? 0 : block.tag;
  return block.offset - std::min(unknown, block.offset) > end;
}

}  // namespace

Status LogFile::create(FileSystem& files, const std::string& path, std::uint64_t fingerprint) {
  const std::string partial = path + ".partial";
  TWINSET_ASSIGN(const auto file, BlockFile::create(files, partial, layout_of(fingerprint)));
  TWINSET_TRY(file->sync());
  return files.rename(partial, path);
}

Result<std::unique_ptr<LogFile>> LogFile::open(const RunContext& context, const std::string& path,
                                               std::uint64_t fingerprint, OpenMode mode) {
  TWINSET_ASSIGN(auto file, BlockFile::open(*context.files, path, layout_of(fingerprint), mode));
  std::unique_ptr<LogFile> log(new LogFile(context, std::move(file)));
  TWINSET_TRY(log->find_end());
  if (mode == OpenMode::read) return log;
  if (log->cut_bytes_ > 0) TWINSET_TRY(log->file_->truncate(log->end_));
  // What is found here is promised, so it must be durable; and cut bytes must not come back after a
  // batch that takes their place.
  TWINSET_TRY(log->file_->sync());
  log->synced_ = log->end_;
  return log;
}

Error LogFile::damaged(std::uint64_t offset, const std::string& how) const {
  return io_error(file_->path() + " is damaged: the batch at byte " + std::to_string(offset) + " " +
                  how + "; take a copy of the file, or cut it there and lose what follows");
}

Status LogFile::find_end() {
  end_ = file_header_bytes;
  while (end_ < file_->bytes()) {
    TWINSET_TRY(context_.check_cancelled());
    TWINSET_ASSIGN(const auto next, file_->find(end_, found_));
    const bool is_batch = next.has_value() && next->tag != mark_tag;
    if (!is_batch) {
      const std::uint64_t rest = file_->bytes() - end_;
      if (next.has_value() && rest == block_bytes(1, 1)) return {};  // the mark of the last sync
      cut_bytes_ = rest;
      return check_tail();
    }
    end_ += block_bytes(next->rows, 1);
    ++batches_;
  }
  return {};
}

/// There is no whole batch at the end: an Error if something durable was there.
Status LogFile::check_tail() const {
  for (std::uint64_t from = end_ + 1;;) {
    TWINSET_ASSIGN(const auto later, file_->find_from(from, found_));
    if (!later.has_value()) return {};
    if (testifies(*later, end_)) {
      return damaged(
          end_, "was durable when that at byte " + std::to_string(later->offset) + " was written");
    }
    from = later->offset + block_bytes(later->rows, 1);
  }
}

Status LogFile::for_each(const std::function<Status(std::string_view)>& use) const {
  for (std::uint64_t at = file_header_bytes; at < end_;) {
    TWINSET_TRY(context_.check_cancelled());
    TWINSET_ASSIGN(const auto place, file_->find(at, found_));
    if (!place.has_value()) return damaged(at, "is no longer as it was written");
    TWINSET_TRY(use({reinterpret_cast<const char*>(found_.data()) + block_header_bytes,
                     std::size_t{place->rows}}));
    at += block_bytes(place->rows, 1);
  }
  return {};
}

Status LogFile::ready() const {
  return failed_ ? Status(io_error(file_->path() + " failed before; open it again")) : Status();
}

Status LogFile::append(std::string_view batch) {
  TWINSET_TRY(ready());
  if (batch.size() > std::numeric_limits<std::uint32_t>::max()) {
    return io_error(file_->path() + " takes batches of at most 2^32 - 1 bytes; divide this one");
  }
  const auto bytes = static_cast<std::size_t>(block_bytes(batch.size(), 1));
  block_.resize(bytes);
  std::memcpy(block_.data() + block_header_bytes, batch.data(), batch.size());
  const auto tag =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(end_ - synced_, mark_tag - 1));
  failed_ = true;  // Until it succeeds.
  TWINSET_TRY(file_->write(end_, block_.data(), tag, static_cast<std::uint32_t>(batch.size())));
  if (file_->bytes() < end_ + bytes) file_->reserve(end_ + bytes - file_->bytes());
  end_ += bytes;
  ++batches_;
  failed_ = false;
  return {};
}

Status LogFile::sync() {
  TWINSET_TRY(ready());
  failed_ = true;
  TWINSET_TRY(file_->sync());
  synced_ = end_;
  block_.assign(static_cast<std::size_t>(block_bytes(1, 1)), std::byte{});
  TWINSET_TRY(file_->write(end_, block_.data(), mark_tag, 1));
  failed_ = false;
  return {};
}

}  // namespace twinset
