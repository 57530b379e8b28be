// A batch is a block of rows/block_file.h, so a complete one is recognized by its checksum, its
// place and the log's fingerprint. The first block names the table that the log continues.
//
// A block's tag says how many bytes before it were not known to be durable when it was written. So
// a complete block testifies for those before it: if one that was durable by then is broken, the
// file is damaged; otherwise power was lost before its sync, and the log ends there, even if the
// disk has kept later batches.
//
// This file's interface is rows/row_log.h; the rest is private.
#include "rows/row_log.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "base/file_header.h"

namespace twinset {
namespace {

constexpr std::uint32_t first_tag = std::numeric_limits<std::uint32_t>::max();

/// The front of the first block, padded to whole rows.
struct LogHead {
  Fingerprint table;
  std::uint64_t kind = 0;
};

/// Is it <hash>.table?
bool names_table(std::string_view name) {
  return name.size() == 38 && name.ends_with(".table") &&
         name.find_first_not_of("0123456789abcdef") == 32;
}

}  // namespace

Result<std::unique_ptr<LogFile>> LogFile::open(const RunContext& context, const std::string& path,
                                               const TableKind& kind, std::uint32_t row_bytes) {
  std::unique_ptr<LogFile> log(new LogFile(context, path, kind, row_bytes));
  TWINSET_ASSIGN(const FileStatus status, context.files->status(log->log_path()));
  const bool is_new = status.kind == FileStatus::Kind::missing;
  if (is_new) TWINSET_TRY(log->replace({}));
  TWINSET_TRY(log->load());
  // Tables without a log do not belong to this log.
  if (!is_new) TWINSET_TRY(log->remove_left_over());
  return log;
}

std::string LogFile::table_path(const Fingerprint& hash) const {
  return path_ + "." + fingerprint_text(hash) + ".table";
}

std::uint64_t LogFile::kind_checksum() const { return checksum(kind_.name, kind_.version); }

Status LogFile::replace(const Fingerprint& hash) {
  failed_ = true;
  const LogHead head{hash, kind_checksum()};
  const std::size_t rows = (sizeof head + row_bytes_ - 1) / row_bytes_;
  std::vector<std::byte> block(block_bytes(rows, row_bytes_));
  std::memcpy(block.data() + block_header_bytes, &head, sizeof head);
  const std::string partial = log_path() + ".partial";
  TWINSET_ASSIGN(const auto file, BlockFile::create(*context_.files, partial, layout()));
  TWINSET_TRY(file->write(file->reserve(block.size()), block.data(), first_tag,
                          static_cast<std::uint32_t>(rows)));
  TWINSET_TRY(file->sync());
  return context_.files->rename(partial, log_path());
}

Error LogFile::damaged(std::uint64_t offset, const std::string& how) const {
  return io_error(log_path() + " is damaged: the block at byte " + std::to_string(offset) + " " +
                  how + "; take a copy of the file, or cut it there and lose what follows");
}

/// Opens the log and finds its end.
Status LogFile::load() {
  TWINSET_ASSIGN(file_, BlockFile::open(*context_.files, log_path(), layout(), OpenMode::append));
  TWINSET_ASSIGN(const auto first, file_->find(file_header_bytes, block_));
  LogHead head;
  if (!first.has_value() || first->tag != first_tag ||
      std::uint64_t{first->rows} * row_bytes_ < sizeof head) {
    return damaged(file_header_bytes, "does not say which table the log continues");
  }
  std::memcpy(&head, block_.data() + block_header_bytes, sizeof head);
  if (head.kind != kind_checksum()) {
    return io_error(log_path() + " is not a log of \"" + kind_.name + "\" version " +
                    std::to_string(kind_.version) + "; give another path, or remove it");
  }
  table_ = head.table;
  first_ = file_header_bytes + block_bytes(first->rows, row_bytes_);
  std::uint64_t end = first_;
  while (end < file_->bytes()) {
    TWINSET_TRY(context_.check_cancelled());
    TWINSET_ASSIGN(const auto next, file_->find(end, block_));
    if (!next.has_value()) {
      TWINSET_TRY(cut_tail(end));
      break;
    }
    end += block_bytes(next->rows, row_bytes_);
    rows_ += next->rows;
  }
  // open() promises what it finds, so that must be durable; and cut bytes must not come back after
  // a batch that takes their place.
  TWINSET_TRY(file_->sync());
  synced_ = end;
  failed_ = false;
  return {};
}

/// There is no whole block at `end`: cuts the file there, unless something durable was there.
Status LogFile::cut_tail(std::uint64_t end) {
  for (std::uint64_t from = end + 1;;) {
    TWINSET_ASSIGN(const auto later, file_->find_from(from, block_));
    if (!later.has_value()) break;
    if (later->offset - std::min<std::uint64_t>(later->tag, later->offset) > end) {
      return damaged(
          end, "was durable when that at byte " + std::to_string(later->offset) + " was written");
    }
    from = later->offset + block_bytes(later->rows, row_bytes_);
  }
  cut_bytes_ = file_->bytes() - end;
  return file_->truncate(end);
}

/// Removes leftovers of a crash during a freeze: tables that the log does not continue.
Status LogFile::remove_left_over() {
  const std::string prefix = path_.substr(path_.rfind('/') + 1) + ".";
  TWINSET_ASSIGN(const std::vector<std::string> names, context_.files->list(parent_of(path_)));
  for (const std::string& name : names) {
    if (!name.starts_with(prefix)) continue;
    const std::string rest = name.substr(prefix.size());
    const bool left_over = rest == "log.partial" || rest == "new.table" ||
                           rest == "new.table.partial" ||
                           (names_table(rest) && rest != fingerprint_text(table_) + ".table");
    if (left_over) TWINSET_TRY(context_.files->remove_file(path_ + "." + rest));
  }
  return {};
}

Status LogFile::append(const std::byte* rows, std::size_t count) {
  if (count == 0) return {};
  if (failed_) return io_error(log_path() + " failed before; open it again");
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    return io_error(log_path() + " takes batches of at most 2^32 - 1 rows; divide this one");
  }
  const std::size_t bytes = static_cast<std::size_t>(block_bytes(count, row_bytes_));
  if (block_.size() < bytes) block_.resize(bytes);
  std::memcpy(block_.data() + block_header_bytes, rows, count * row_bytes_);
  const std::uint64_t at = file_->bytes();
  const auto tag = static_cast<std::uint32_t>(std::min<std::uint64_t>(at - synced_, first_tag - 1));
  failed_ = true;  // Until it succeeds.
  TWINSET_TRY(file_->write(at, block_.data(), tag, static_cast<std::uint32_t>(count)));
  file_->reserve(bytes);
  rows_ += count;
  failed_ = false;
  return {};
}

Status LogFile::sync() {
  if (failed_) return io_error(log_path() + " failed before; open it again");
  failed_ = true;
  TWINSET_TRY(file_->sync());
  synced_ = file_->bytes();
  failed_ = false;
  return {};
}

}  // namespace twinset
