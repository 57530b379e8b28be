// This file's interface is rows/fixed_file.h; the rest is private.
#include "rows/fixed_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "rows/block_file.h"

namespace twinset {
namespace {

constexpr std::uint64_t scanned_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t held_step_bytes = std::uint64_t{16} << 20;

}  // namespace

FileHeader FixedFile::header() const {
  return {.format = format_,
          .version = 1,
          .row_bytes = static_cast<std::uint32_t>(row_bytes_),
          .fingerprint = fingerprint_,
          .rows = BlockFile::unsealed};
}

std::uint64_t FixedFile::offset_of(std::uint64_t number) const {
  return file_header_bytes + number * row_bytes_;
}

/// For long rows this is cheaper than a checksum with a seed.
std::uint32_t FixedFile::check_of(const char* row, std::uint64_t number) const {
  const std::string_view checked(row, row_bytes_ - check_bytes);
  return static_cast<std::uint32_t>(checksum(checked) ^ mix64(number ^ fingerprint_));
}

Status FixedFile::start() {
  if (file_ != nullptr) return {};
  TWINSET_TRY(remove_if_there(*context_->files, path_));
  TWINSET_ASSIGN(auto file, context_->files->open(path_, OpenMode::create));
  TWINSET_TRY(file->write_at(0, encode_file_header(header())));
  file_ = std::move(file);
  return {};
}

Status FixedFile::append(std::span<char> rows) {
  assert(rows.size() % row_bytes_ == 0);
  TWINSET_TRY(start());
  drop_held();
  const std::uint64_t added = rows.size() / row_bytes_;
  for (std::uint64_t i = 0; i < added; ++i) {
    char* const row = rows.data() + i * row_bytes_;
    const std::uint32_t check = check_of(row, rows_ + i);
    std::memcpy(row + row_bytes_ - check_bytes, &check, check_bytes);
  }
  TWINSET_TRY(file_->write_at(offset_of(rows_), {rows.data(), rows.size()}));
  rows_ += added;
  return {};
}

Status FixedFile::read_bytes(std::uint64_t offset, std::span<char> out) const {
  TWINSET_ASSIGN(const std::size_t got, cached_ != nullptr
                                            ? cached_->read_at(offset, out.data(), out.size())
                                            : file_->read_at(offset, out.data(), out.size()));
  return got == out.size() ? Status() : damaged_file(path_, offset + got);
}

Status FixedFile::read(std::uint64_t first, std::span<char> rows) const {
  const std::uint64_t count = rows.size() / row_bytes_;
  const std::uint64_t offset = offset_of(first);
  if (first > rows_ || count > rows_ - first) return damaged(rows_);
  if (held_.size() > 0) {
    std::memcpy(rows.data(), held_.data() + offset, rows.size());
  } else if (count > 0) {
    TWINSET_TRY(read_bytes(offset, rows));
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* const row = rows.data() + i * row_bytes_;
    const std::uint32_t check = check_of(row, first + i);
    if (std::memcmp(row + row_bytes_ - check_bytes, &check, check_bytes) != 0) {
      return damaged(first + i);
    }
  }
  return {};
}

Status FixedFile::for_each(
    const std::function<Status(std::uint64_t number, const char* row)>& use) const {
  const std::uint64_t at_once = std::max<std::uint64_t>(scanned_bytes / row_bytes_, 1);
  std::vector<char> scanned;
  for (std::uint64_t first = 0; first < rows_; first += at_once) {
    TWINSET_TRY(context_->check_cancelled());
    const std::uint64_t count = std::min(at_once, rows_ - first);
    scanned.resize(count * row_bytes_);
    TWINSET_TRY(read(first, scanned));
    for (std::uint64_t i = 0; i < count; ++i) {
      TWINSET_TRY(use(first + i, scanned.data() + i * row_bytes_));
    }
  }
  return {};
}

Status FixedFile::hold(std::uint64_t most_bytes) {
  const std::uint64_t bytes = stored_bytes();
  if (bytes == 0) return {};
  if (bytes > most_bytes) return cache(most_bytes);
  drop_held();
  TWINSET_ASSIGN(Region region, Region::make(bytes));
  region.use_large_pages();
  char* const out = reinterpret_cast<char*>(region.data());
  for (std::uint64_t at = 0; at < bytes; at += held_step_bytes) {
    TWINSET_TRY(read_bytes(at, {out + at, std::min(held_step_bytes, bytes - at)}));
  }
  held_ = std::move(region);
  return {};
}

Status FixedFile::cache(std::uint64_t memory_bytes) {
  drop_held();
  if (file_ == nullptr) return {};
  TWINSET_ASSIGN(cached_, CachedFile::make(*file_, stored_bytes(), memory_bytes));
  return {};
}

void FixedFile::drop_held() {
  held_ = {};
  cached_.reset();
}

Status FixedFile::checkpoint(std::vector<PartLength>& out) {
  TWINSET_TRY(start());
  TWINSET_TRY(file_->sync());
  out.push_back({path_, stored_bytes(), rows_});
  return {};
}

Status FixedFile::restore(std::span<const PartLength> lengths, OpenMode mode) {
  assert(file_ == nullptr);
  PartLength length;
  TWINSET_ASSIGN(file_, reopen(*context_->files, path_, lengths, length, mode));
  char bytes[file_header_bytes];
  TWINSET_ASSIGN(const std::size_t got, file_->read_at(0, bytes, sizeof bytes));
  const FileHeader own = header();
  TWINSET_TRY(decode_file_header(path_, {bytes, got},
                                 {own.format, own.version, own.row_bytes, own.fingerprint}));
  rows_ = length.rows;
  if (length.bytes == stored_bytes()) return {};
  return io_error(path_ + " is not that of the checkpoint; start anew");
}

Status FixedFile::take_over(const std::string& path, std::span<const PartLength> lengths) {
  FixedFile other({context_, path, 0, fingerprint_}, format_, row_bytes_);
  TWINSET_TRY(other.restore(lengths, OpenMode::read));
  const std::uint64_t at_once = std::max<std::uint64_t>(scanned_bytes / row_bytes_, 1);
  std::vector<char> rows;
  for (std::uint64_t first = 0; first < other.rows(); first += at_once) {
    TWINSET_TRY(context_->check_cancelled());
    rows.resize(std::min(at_once, other.rows() - first) * row_bytes_);
    TWINSET_TRY(other.read(first, rows));
    TWINSET_TRY(append(rows));
  }
  return {};
}

Status FixedFile::discard() {
  drop_held();
  file_.reset();
  return remove_if_there(*context_->files, path_);
}

Error damaged_file(const std::string& path, std::uint64_t offset) {
  return io_error(path + " is damaged at byte " + std::to_string(offset) +
                  "; the disk or memory may be failing: remove it and run again");
}

}  // namespace twinset
