#include "run/record_files.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "io/json_string.h"

namespace twinset {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are little-endian on disk");

constexpr std::size_t scan_rows = 16384;
constexpr std::uint32_t check_mask = 0xffffff00;

std::uint32_t short_checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(checksum(bytes));
}

std::uint32_t check_of_names(std::string_view id, std::string_view order_value) {
  return static_cast<std::uint32_t>(checksum(order_value, checksum(id)));
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

void RecordRows::begin(const BatchPlace& place) {
  rows.clear();
  absent.clear();
  names.clear();
  line = place.first_line;
  last_line = place.last_line;
}

void RecordRows::add_absent(std::uint64_t count) {
  if (count > 0) absent.push_back({rows.size(), count});
}

RecordFiles::RecordFiles(const RunContext& context, std::string prefix, Size size, bool keep_field)
    : files_(*context.files), prefix_(std::move(prefix)), size_(size), keep_field_(keep_field) {}

Status RecordFiles::open(const StateFile* checkpoint) {
  const std::pair<const char*, std::unique_ptr<File>*> parts[] = {{".records", &records_},
                                                                  {".names", &names_}};
  for (const auto& [suffix, file] : parts) {
    TWINSET_ASSIGN(std::unique_ptr<File> opened, files_.open(prefix_ + suffix, OpenMode::append));
    *file = std::move(opened);
  }
  TWINSET_ASSIGN(const std::uint64_t record_bytes, records_->size());
  TWINSET_ASSIGN(const std::uint64_t names, names_->size());
  rows_ = checkpoint == nullptr ? 0 : checkpoint->number("rows");
  name_bytes_ = checkpoint == nullptr ? 0 : checkpoint->number("name_bytes");
  if (rows_ * sizeof(RecordRow) > record_bytes || name_bytes_ > names) {
    return io_error(prefix_ + ".records is shorter than its checkpoint says; remove " + prefix_ +
                    ".* and start again");
  }
  TWINSET_TRY(records_->truncate(rows_ * sizeof(RecordRow)));
  return names_->truncate(name_bytes_);
}

Status RecordFiles::checkpoint(StateFile& file) {
  TWINSET_TRY(records_->sync());
  TWINSET_TRY(names_->sync());
  file.set("rows", rows_);
  file.set("name_bytes", name_bytes_);
  for (const char* suffix : {".records", ".names"}) file.keep_file(prefix_ + suffix);
  return {};
}

Status RecordFiles::take(const ReadRecord& read, RecordRows& out) const {
  const Record& record = read.record;
  out.add_absent(record.number - out.line - 1);
  out.line = record.number;
  RecordRow row;
  row.offset = record.offset;
  row.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(record.length, UINT32_MAX));
  if (read.fate != Fate::bad) {
    row.fingerprint = record_fingerprint(record.raw);
    row.name_offset = out.names.size();
    row.id_bytes = static_cast<std::uint32_t>(record.id.size());
    out.names += record.id;
    if (keep_field_) {
      const std::size_t before = out.names.size();
      append_json_token_value(out.names, record.field(0));
      row.order_bytes = static_cast<std::uint32_t>(out.names.size() - before);
    }
  }
  if (read.is_document() || read.fate == Fate::filtered) {
    const bool counts_shingles = size_ == Size::distinct_shingles && read.is_document();
    row.size =
        static_cast<std::uint32_t>(counts_shingles ? read.view.distinct_shingles().size()
                                                   : read.view.whole_analysis().tokens.size());
  }
  row.seal(read.fate);
  out.rows.push_back(row);
  return {};
}

Status RecordFiles::put(RecordRows& rows) {
  rows.add_absent(rows.last_line - rows.line);
  return append(rows);
}

Status RecordFiles::append(RecordRows& added) {
  forget_cached();
  for (RecordRow& row : added.rows) {
    const std::string_view names = std::string_view(added.names).substr(row.name_offset);
    row.names_check =
        check_of_names(names.substr(0, row.id_bytes), names.substr(row.id_bytes, row.order_bytes));
    row.name_offset += name_bytes_;
    row.seal(row.fate());
  }
  TWINSET_TRY(names_->append(added.names));
  std::size_t at = 0;
  const auto append_up_to = [&](std::size_t end) -> Status {
    TWINSET_TRY(append_rows(std::span(added.rows).subspan(at, end - at)));
    at = end;
    return {};
  };
  for (const AbsentRows& run : added.absent) {
    TWINSET_TRY(append_up_to(run.before));
    TWINSET_TRY(append_absent(run.count));
  }
  TWINSET_TRY(append_up_to(added.rows.size()));
  name_bytes_ += added.names.size();
  return {};
}

Status RecordFiles::append_rows(std::span<const RecordRow> rows) {
  if (rows.empty()) return {};
  TWINSET_TRY(records_->append({reinterpret_cast<const char*>(rows.data()), rows.size_bytes()}));
  rows_ += rows.size();
  return {};
}

Status RecordFiles::append_absent(std::uint64_t count) {
  RecordRow absent;
  absent.name_offset = name_bytes_;
  absent.seal(Fate::absent);
  const std::vector<RecordRow> rows(std::min<std::uint64_t>(count, scan_rows), absent);
  while (count > 0) {
    const std::size_t now = std::min<std::uint64_t>(count, rows.size());
    TWINSET_TRY(append_rows({rows.data(), now}));
    count -= now;
  }
  return {};
}

Error RecordFiles::damaged(const char* suffix, std::uint64_t offset) const {
  return io_error(prefix_ + suffix + " is damaged at byte " + std::to_string(offset) +
                  "; the disk or memory may be failing");
}

Status RecordFiles::read_exactly(File& file, const char* suffix, std::uint64_t offset, char* out,
                                 std::size_t size) const {
  TWINSET_ASSIGN(const std::size_t got, file.read_at(offset, out, size));
  if (got != size) return damaged(suffix, offset);
  return {};
}

Status RecordFiles::look_up(CachedFile* cached, File& file, const char* suffix,
                            std::uint64_t offset, char* out, std::size_t size) const {
  if (size == 0) return {};
  if (cached == nullptr) return read_exactly(file, suffix, offset, out, size);
  TWINSET_ASSIGN(const std::size_t got, cached->read_at(offset, out, size));
  if (got != size) return damaged(suffix, offset);
  return {};
}

void RecordFiles::forget_cached() {
  cached_rows_.reset();
  cached_names_.reset();
}

Status RecordFiles::hold_rows(std::uint64_t memory_bytes) {
  const std::uint64_t row_bytes = rows_ * sizeof(RecordRow);
  const std::uint64_t both = row_bytes + name_bytes_;
  // If memory is short, both files get a proportional share.
  const double part =
      both <= memory_bytes ? 1 : static_cast<double>(memory_bytes) / static_cast<double>(both);
  const auto share = [&](std::uint64_t bytes) {
    return part == 1 ? bytes + CachedFile::block_bytes
                     : static_cast<std::uint64_t>(part * static_cast<double>(bytes));
  };
  TWINSET_ASSIGN(auto rows, CachedFile::make(*records_, row_bytes, share(row_bytes)));
  TWINSET_ASSIGN(auto names, CachedFile::make(*names_, name_bytes_, share(name_bytes_)));
  cached_rows_ = std::move(rows);
  cached_names_ = std::move(names);
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

Status RecordFiles::rows_from(std::uint64_t first, std::span<RecordRow> out) const {
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
  for (std::uint64_t first = 0; first < rows_; first += scan_rows) {
    scanned.resize(std::min<std::uint64_t>(scan_rows, rows_ - first));
    TWINSET_TRY(rows_from(first, scanned));
    for (std::size_t i = 0; i < scanned.size(); ++i) TWINSET_TRY(use(first + i, scanned[i]));
  }
  return {};
}

Status RecordFiles::names(const RecordRow& row, std::string& id, std::string& order_value) const {
  id.resize(row.id_bytes);
  order_value.resize(row.order_bytes);
  TWINSET_TRY(
      look_up(cached_names_.get(), *names_, ".names", row.name_offset, id.data(), id.size()));
  TWINSET_TRY(look_up(cached_names_.get(), *names_, ".names", row.name_offset + row.id_bytes,
                      order_value.data(), order_value.size()));
  const bool intact =
      row.fate() == Fate::absent || row.names_check == check_of_names(id, order_value);
  return intact ? Status() : damaged(".names", row.name_offset);
}

std::uint64_t RecordFiles::stored_bytes() const { return rows_ * sizeof(RecordRow) + name_bytes_; }

}  // namespace twinset
