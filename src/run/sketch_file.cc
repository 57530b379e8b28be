#include "run/sketch_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"

namespace twinset {
namespace {

/// Bytes written or read at once.
constexpr std::size_t scanned_bytes = std::size_t{1} << 20;
constexpr std::uint64_t held_step_bytes = std::uint64_t{16} << 20;

std::uint32_t short_checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(checksum(bytes));
}

}  // namespace

SketchFile::SketchFile(std::string path, std::size_t sketch_bytes, std::unique_ptr<File> file)
    : path_(std::move(path)), sketch_bytes_(sketch_bytes), file_(std::move(file)) {}

Result<std::unique_ptr<SketchFile>> SketchFile::open(const RunContext& context, std::string path,
                                                     std::size_t sketch_bytes, std::uint64_t rows) {
  TWINSET_ASSIGN(std::unique_ptr<File> file, context.files->open(path, OpenMode::append));
  std::unique_ptr<SketchFile> made(new SketchFile(std::move(path), sketch_bytes, std::move(file)));
  TWINSET_ASSIGN(const std::uint64_t bytes, made->file_->size());
  made->rows_ = rows;
  if (bytes < made->stored_bytes()) {
    return io_error(made->path_ + " is shorter than its checkpoint says; remove " + made->path_ +
                    " and start again");
  }
  TWINSET_TRY(made->file_->truncate(made->stored_bytes()));
  return made;
}

std::size_t SketchFile::rows_at_once() const {
  return std::max<std::size_t>(scanned_bytes / row_bytes(), 1);
}

void SketchFile::add_row(std::string_view sketch) {
  const std::size_t begin = pending_.size();
  pending_ += sketch;
  pending_.resize(begin + sketch_bytes_);
  const std::uint32_t check = short_checksum(std::string_view(pending_).substr(begin));
  pending_.append(reinterpret_cast<const char*>(&check), sizeof check);
}

Status SketchFile::flush() {
  TWINSET_TRY(file_->append(pending_));
  pending_.clear();
  return {};
}

Status SketchFile::append(std::uint64_t lines, std::span<const Piece> pieces,
                          std::string_view sketches) {
  drop_held();
  rows_ += lines;
  if (sketch_bytes_ == 0) return {};
  std::size_t next = 0;
  for (std::uint64_t line = 0; line < lines; ++line) {
    if (next < pieces.size() && pieces[next].line == line) {
      add_row(sketches.substr(0, pieces[next].bytes));
      sketches.remove_prefix(pieces[next].bytes);
      ++next;
    } else {
      add_row({});
    }
    if (pending_.size() + row_bytes() > scanned_bytes) TWINSET_TRY(flush());
  }
  return pending_.empty() ? Status() : flush();
}

Error SketchFile::damaged(std::uint64_t offset) const {
  return io_error(path_ + " is damaged at byte " + std::to_string(offset) +
                  "; the disk or memory may be failing");
}

Status SketchFile::read_exactly(std::uint64_t offset, char* out, std::size_t size) const {
  TWINSET_ASSIGN(const std::size_t got, cached_ != nullptr ? cached_->read_at(offset, out, size)
                                                           : file_->read_at(offset, out, size));
  if (got != size) return damaged(offset);
  return {};
}

bool SketchFile::intact(const std::uint8_t* row) const {
  std::uint32_t check = 0;
  std::memcpy(&check, row + sketch_bytes_, sizeof check);
  return check == short_checksum({reinterpret_cast<const char*>(row), sketch_bytes_});
}

Status SketchFile::read(std::uint64_t index, std::vector<std::uint8_t>& out) const {
  out.clear();
  if (sketch_bytes_ == 0) return {};
  out.resize(row_bytes());
  const std::uint64_t offset = index * row_bytes();
  if (offset + row_bytes() <= held_.size()) {
    std::memcpy(out.data(), held_.data() + offset, out.size());
  } else {
    TWINSET_TRY(read_exactly(offset, reinterpret_cast<char*>(out.data()), out.size()));
  }
  if (!intact(out.data())) return damaged(offset);
  out.resize(sketch_bytes_);
  return {};
}

Status SketchFile::for_each(
    const std::function<Status(std::uint64_t, std::span<const std::uint8_t>)>& use) const {
  if (sketch_bytes_ == 0) return {};
  std::vector<std::uint8_t> scanned;
  for (std::uint64_t first = 0; first < rows_; first += rows_at_once()) {
    const std::uint64_t count = std::min<std::uint64_t>(rows_at_once(), rows_ - first);
    scanned.resize(count * row_bytes());
    const std::uint64_t offset = first * row_bytes();
    TWINSET_TRY(read_exactly(offset, reinterpret_cast<char*>(scanned.data()), scanned.size()));
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint8_t* row = &scanned[i * row_bytes()];
      if (!intact(row)) return damaged(offset + i * row_bytes());
      TWINSET_TRY(use(first + i, {row, sketch_bytes_}));
    }
  }
  return {};
}

Status SketchFile::hold(std::uint64_t most_bytes) {
  const std::uint64_t bytes = stored_bytes();
  if (bytes > most_bytes) {
    TWINSET_ASSIGN(cached_, CachedFile::make(*file_, bytes, most_bytes));
    return {};
  }
  TWINSET_ASSIGN(Region region, Region::make(bytes));
  region.use_large_pages();
  char* const out = reinterpret_cast<char*>(region.data());
  for (std::uint64_t at = 0; at < bytes; at += held_step_bytes) {
    TWINSET_TRY(read_exactly(at, out + at, std::min<std::uint64_t>(held_step_bytes, bytes - at)));
  }
  held_ = std::move(region);
  return {};
}

void SketchFile::drop_held() {
  held_ = {};
  cached_.reset();
}

}  // namespace twinset
