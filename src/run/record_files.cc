#include "run/record_files.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are little-endian on disk");

constexpr std::size_t scan_rows = 16384;
/// Bytes of sketches written or read at once.
constexpr std::size_t scanned_bytes = std::size_t{1} << 20;
constexpr std::uint64_t held_step_bytes = std::uint64_t{16} << 20;
constexpr std::uint32_t check_mask = 0xffffff00;

std::uint32_t short_checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(checksum(bytes));
}

}  // namespace

std::uint64_t record_fingerprint(std::string_view raw) {
  return checksum(raw.ends_with('\n') ? raw.substr(0, raw.size() - 1) : raw);
}

std::uint32_t RecordRow::check() const {
  RecordRow copy = *this;
  copy.fate_and_check &= 0xff;
  return short_checksum({reinterpret_cast<const char*>(&copy), sizeof copy}) & check_mask;
}

void RecordRow::seal(Fate fate) {
  fate_and_check = static_cast<std::uint32_t>(fate);
  fate_and_check |= check();
}

bool RecordRow::intact() const { return (fate_and_check & check_mask) == check(); }

RecordFiles::RecordFiles(const RunContext& context, std::string prefix, std::size_t sketch_bytes)
    : files_(*context.files), prefix_(std::move(prefix)), sketch_bytes_(sketch_bytes) {}

Result<std::unique_ptr<RecordFiles>> RecordFiles::open(const RunContext& context,
                                                       const std::string& prefix,
                                                       std::size_t sketch_bytes) {
  std::unique_ptr<RecordFiles> made(new RecordFiles(context, prefix, sketch_bytes));
  const std::pair<const char*, std::unique_ptr<File>*> parts[] = {
      {".records", &made->records_}, {".names", &made->names_}, {".sketches", &made->sketches_}};
  for (const auto& [suffix, file] : parts) {
    Result<std::unique_ptr<File>> opened = context.files->open(prefix + suffix, OpenMode::append);
    TWINSET_TRY(opened);
    *file = std::move(opened).value();
  }
  Result<std::uint64_t> record_bytes = made->records_->size();
  TWINSET_TRY(record_bytes);
  Result<std::uint64_t> name_bytes = made->names_->size();
  TWINSET_TRY(name_bytes);
  made->lengths_ = {record_bytes.value() / sizeof(RecordRow), name_bytes.value()};
  return made;
}

Status RecordFiles::append(std::span<RecordRow> rows, std::string_view names,
                           std::string_view sketches, std::span<const std::uint32_t> sketch_sizes,
                           std::span<const AbsentRows> absent) {
  forget_cached();
  for (RecordRow& row : rows) {
    row.name_offset += lengths_.name_bytes;
    row.seal(row.fate());
  }
  TWINSET_TRY(names_->append(names));
  std::size_t row = 0;
  std::size_t sketched = 0;
  const auto append_up_to = [&](std::size_t end) -> Status {
    std::span<const std::uint32_t> sizes;
    if (sketch_bytes_ != 0) sizes = sketch_sizes.subspan(row, end - row);
    const std::size_t bytes = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    TWINSET_TRY(append_rows(rows.subspan(row, end - row), sketches.substr(sketched, bytes), sizes));
    sketched += bytes;
    row = end;
    return {};
  };
  for (const AbsentRows& run : absent) {
    TWINSET_TRY(append_up_to(run.before));
    TWINSET_TRY(append_absent(run.count));
  }
  TWINSET_TRY(append_up_to(rows.size()));
  lengths_.name_bytes += names.size();
  return {};
}

/// Pads the sketches, some rows at a time.
Status RecordFiles::append_rows(std::span<const RecordRow> rows, std::string_view sketches,
                                std::span<const std::uint32_t> sketch_sizes) {
  if (rows.empty()) return {};
  TWINSET_TRY(records_->append({reinterpret_cast<const char*>(rows.data()), rows.size_bytes()}));
  lengths_.rows += rows.size();
  for (std::size_t at = 0; at < sketch_sizes.size();) {
    const std::size_t end = std::min(sketch_sizes.size(), at + rows_at_once());
    scratch_.clear();
    for (; at < end; ++at) {
      const std::size_t begin = scratch_.size();
      scratch_ += sketches.substr(0, sketch_sizes[at]);
      sketches.remove_prefix(sketch_sizes[at]);
      scratch_.resize(begin + sketch_bytes_);
      const std::uint32_t check = short_checksum(std::string_view(scratch_).substr(begin));
      scratch_.append(reinterpret_cast<const char*>(&check), sizeof check);
    }
    TWINSET_TRY(sketches_->append(scratch_));
  }
  return {};
}

Status RecordFiles::append_absent(std::uint64_t count) {
  RecordRow absent;
  absent.name_offset = lengths_.name_bytes;
  absent.seal(Fate::absent);
  const std::vector<RecordRow> rows(std::min<std::uint64_t>(count, rows_at_once()), absent);
  const std::vector<std::uint32_t> sizes(sketch_bytes_ == 0 ? 0 : rows.size());
  while (count > 0) {
    const std::size_t now = std::min<std::uint64_t>(count, rows.size());
    TWINSET_TRY(append_rows({rows.data(), now}, {}, {sizes.data(), std::min(now, sizes.size())}));
    count -= now;
  }
  return {};
}

std::size_t RecordFiles::rows_at_once() const {
  return std::clamp<std::size_t>(scanned_bytes / sketch_row_bytes(), 1, scan_rows);
}

Status RecordFiles::sync() {
  TWINSET_TRY(records_->sync());
  TWINSET_TRY(names_->sync());
  return sketches_->sync();
}

Status RecordFiles::truncate(const RecordLengths& lengths) {
  forget_cached();
  if (lengths.rows > lengths_.rows || lengths.name_bytes > lengths_.name_bytes) {
    return io_error(prefix_ + ".records is shorter than its checkpoint says; remove " + prefix_ +
                    ".* and start again");
  }
  TWINSET_TRY(records_->truncate(lengths.rows * sizeof(RecordRow)));
  TWINSET_TRY(names_->truncate(lengths.name_bytes));
  TWINSET_TRY(sketches_->truncate(sketch_bytes_ == 0 ? 0 : lengths.rows * sketch_row_bytes()));
  lengths_ = lengths;
  return {};
}

Error RecordFiles::damaged(const char* suffix, std::uint64_t offset) const {
  return io_error(prefix_ + suffix + " is damaged at byte " + std::to_string(offset) +
                  "; the disk or memory may be failing");
}

Status RecordFiles::read_exactly(File& file, const char* suffix, std::uint64_t offset, char* out,
                                 std::size_t size) const {
  Result<std::size_t> got = file.read_at(offset, out, size);
  TWINSET_TRY(got);
  if (got.value() != size) return damaged(suffix, offset);
  return {};
}

Status RecordFiles::look_up(CachedFile* cached, File& file, const char* suffix,
                            std::uint64_t offset, char* out, std::size_t size) const {
  if (size == 0) return {};
  if (cached == nullptr) return read_exactly(file, suffix, offset, out, size);
  const Result<std::size_t> got = cached->read_at(offset, out, size);
  TWINSET_TRY(got);
  if (got.value() != size) return damaged(suffix, offset);
  return {};
}

void RecordFiles::forget_cached() {
  cached_rows_.reset();
  cached_names_.reset();
  cached_sketches_.reset();
}

Status RecordFiles::hold_rows(std::uint64_t memory_bytes) {
  const std::uint64_t row_bytes = lengths_.rows * sizeof(RecordRow);
  const std::uint64_t both = row_bytes + lengths_.name_bytes;
  // Too little memory is divided in proportion to their sizes.
  const double part =
      both <= memory_bytes ? 1 : static_cast<double>(memory_bytes) / static_cast<double>(both);
  const auto share = [&](std::uint64_t bytes) {
    return part == 1 ? bytes + CachedFile::block_bytes
                     : static_cast<std::uint64_t>(part * static_cast<double>(bytes));
  };
  auto rows = CachedFile::make(*records_, row_bytes, share(row_bytes));
  TWINSET_TRY(rows);
  auto names = CachedFile::make(*names_, lengths_.name_bytes, share(lengths_.name_bytes));
  TWINSET_TRY(names);
  cached_rows_ = std::move(rows).value();
  cached_names_ = std::move(names).value();
  return {};
}

Result<RecordRow> RecordFiles::row(std::uint64_t index) const {
  RecordRow row;
  const std::uint64_t offset = index * sizeof row;
  TWINSET_TRY(look_up(cached_rows_.get(), *records_, ".records", offset,
                      reinterpret_cast<char*>(&row), sizeof row));
  if (!row.intact()) return damaged(".records", offset);
  return row;
}

Status RecordFiles::rows(std::uint64_t first, std::span<RecordRow> out) const {
  TWINSET_TRY(read_exactly(*records_, ".records", first * sizeof(RecordRow),
                           reinterpret_cast<char*>(out.data()), out.size_bytes()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i].intact()) return damaged(".records", (first + i) * sizeof(RecordRow));
  }
  return {};
}

Status RecordFiles::for_each(
    const std::function<Status(std::uint64_t, const RecordRow&)>& use) const {
  std::vector<RecordRow> scanned(scan_rows);
  for (std::uint64_t first = 0; first < lengths_.rows; first += scan_rows) {
    scanned.resize(std::min<std::uint64_t>(scan_rows, lengths_.rows - first));
    TWINSET_TRY(rows(first, scanned));
    for (std::size_t i = 0; i < scanned.size(); ++i) TWINSET_TRY(use(first + i, scanned[i]));
  }
  return {};
}

Status RecordFiles::names(const RecordRow& row, std::string& id, std::string& order_value) const {
  id.resize(row.id_bytes);
  order_value.resize(row.order_bytes);
  TWINSET_TRY(
      look_up(cached_names_.get(), *names_, ".names", row.name_offset, id.data(), id.size()));
  return look_up(cached_names_.get(), *names_, ".names", row.name_offset + row.id_bytes,
                 order_value.data(), order_value.size());
}

Status RecordFiles::sketch(std::uint64_t index, std::vector<std::uint8_t>& out) const {
  if (sketch_bytes_ == 0) {
    out.clear();
    return {};
  }
  out.resize(sketch_row_bytes());
  const std::uint64_t offset = index * sketch_row_bytes();
  if (offset + sketch_row_bytes() <= held_sketches_.size()) {
    std::memcpy(out.data(), held_sketches_.data() + offset, out.size());
  } else {
    TWINSET_TRY(look_up(cached_sketches_.get(), *sketches_, ".sketches", offset,
                        reinterpret_cast<char*>(out.data()), out.size()));
  }
  if (!sketch_intact(out.data())) return damaged(".sketches", offset);
  out.resize(sketch_bytes_);
  return {};
}

bool RecordFiles::sketch_intact(const std::uint8_t* row) const {
  std::uint32_t check = 0;
  std::memcpy(&check, row + sketch_bytes_, sizeof check);
  return check == short_checksum({reinterpret_cast<const char*>(row), sketch_bytes_});
}

Status RecordFiles::for_each_sketch(
    const std::function<Status(std::uint64_t, std::span<const std::uint8_t>)>& use) const {
  if (sketch_bytes_ == 0) return {};
  std::vector<std::uint8_t> scanned;
  for (std::uint64_t first = 0; first < lengths_.rows; first += rows_at_once()) {
    const std::uint64_t count = std::min<std::uint64_t>(rows_at_once(), lengths_.rows - first);
    scanned.resize(count * sketch_row_bytes());
    const std::uint64_t offset = first * sketch_row_bytes();
    TWINSET_TRY(read_exactly(*sketches_, ".sketches", offset,
                             reinterpret_cast<char*>(scanned.data()), scanned.size()));
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint8_t* row = &scanned[i * sketch_row_bytes()];
      if (!sketch_intact(row)) return damaged(".sketches", offset + i * sketch_row_bytes());
      TWINSET_TRY(use(first + i, {row, sketch_bytes_}));
    }
  }
  return {};
}

Status RecordFiles::hold_sketches(std::uint64_t most_bytes) {
  const std::uint64_t bytes = lengths_.rows * sketch_row_bytes();
  if (sketch_bytes_ == 0) return {};
  if (bytes > most_bytes) {
    auto cached = CachedFile::make(*sketches_, bytes, most_bytes);
    TWINSET_TRY(cached);
    cached_sketches_ = std::move(cached).value();
    return {};
  }
  Result<Region> region = Region::make(bytes);
  TWINSET_TRY(region);
  region.value().use_large_pages();
  char* const out = reinterpret_cast<char*>(region.value().data());
  for (std::uint64_t at = 0; at < bytes; at += held_step_bytes) {
    TWINSET_TRY(read_exactly(*sketches_, ".sketches", at, out + at,
                             std::min<std::uint64_t>(held_step_bytes, bytes - at)));
  }
  held_sketches_ = std::move(region).value();
  return {};
}

std::uint64_t RecordFiles::stored_bytes() const {
  const std::uint64_t sketches = sketch_bytes_ == 0 ? 0 : lengths_.rows * sketch_row_bytes();
  return lengths_.rows * sizeof(RecordRow) + lengths_.name_bytes + sketches;
}

Status RecordFiles::remove() {
  for (const char* suffix : {".records", ".names", ".sketches"}) {
    TWINSET_TRY(files_.remove_file(prefix_ + suffix));
  }
  return {};
}

}  // namespace twinset
