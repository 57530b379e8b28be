#include "run/record_files.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "io/json_string.h"
#include "run/stored_rows.h"

namespace twinset {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are little-endian on disk");

constexpr std::size_t absent_at_once = 16384;
/// In checkpoints.
constexpr const char* rows_name = "records";
constexpr const char* names_name = "names";

std::span<char> bytes_of(std::span<RecordRow> rows) {
  return {reinterpret_cast<char*>(rows.data()), rows.size_bytes()};
}

/// A blob with a field's value is the id, the value, and the length of the id in 4 bytes. It is
/// empty for a record without names.
void append_id_bytes(std::string_view id, std::string& out) {
  const auto bytes = static_cast<std::uint32_t>(id.size());
  out.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
}
void split_names(std::string& id, std::string& order_value) {
  std::uint32_t id_bytes = 0;
  if (id.size() < sizeof id_bytes) return;
  const std::size_t end = id.size() - sizeof id_bytes;
  std::memcpy(&id_bytes, id.data() + end, sizeof id_bytes);
  order_value.assign(id, id_bytes, end - id_bytes);
  id.resize(id_bytes);
}

}  // namespace

std::uint64_t record_fingerprint(std::string_view raw) {
  return checksum(raw.ends_with('\n') ? raw.substr(0, raw.size() - 1) : raw);
}

void RecordRows::begin(const BatchPlace& place) {
  rows.clear();
  absent.clear();
  names.clear();
  name_ends.clear();
  line = place.first_line;
  last_line = place.last_line;
}

void RecordRows::add(const RecordRow& row) {
  rows.push_back(row);
  name_ends.push_back(names.size());
}

void RecordRows::add_absent(std::uint64_t count) {
  if (count > 0) absent.push_back({rows.size(), count});
}

RecordFiles::RecordFiles(const RunContext& context, const std::string& prefix, Size size,
                         bool keep_field)
    : size_(size),
      keep_field_(keep_field),
      file_(prefix.substr(prefix.rfind('/') + 1)),
      rows_({.context = &context, .path = prefix + ".records"}, "records", sizeof(RecordRow)),
      names_({.context = &context, .path = prefix + ".names"}) {}

Status RecordFiles::open(const StateFile* checkpoint) {
  TWINSET_TRY(restore_rows(checkpoint, rows_name, rows_));
  return restore_rows(checkpoint, names_name, names_);
}

Status RecordFiles::checkpoint(StateFile& file) {
  TWINSET_TRY(checkpoint_rows(rows_, rows_name, file));
  return checkpoint_rows(names_, names_name, file);
}

Status RecordFiles::take_over(const ShardFolder& shard) {
  TWINSET_TRY(rows_.take_over(shard.path(file_ + ".records"), shard.parts(rows_name)));
  return names_.take_over(shard.path(file_ + ".names"), shard.parts(names_name));
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
    out.names += record.id;
    if (keep_field_) {
      append_json_token_value(out.names, record.field(0));
      append_id_bytes(record.id, out.names);
    }
  }
  if (read.is_document() || read.fate == Fate::filtered) {
    const bool counts_shingles = size_ == Size::distinct_shingles && read.is_document();
    row.size =
        static_cast<std::uint32_t>(counts_shingles ? read.view.distinct_shingles().size()
                                                   : read.view.whole_analysis().tokens.size());
  }
  row.set_fate(read.fate);
  out.add(row);
  return {};
}

Status RecordFiles::put(RecordRows& rows) {
  rows.add_absent(rows.last_line - rows.line);
  return append(rows);
}

Status RecordFiles::append(RecordRows& added) {
  std::size_t at = 0;
  for (const AbsentRows& run : added.absent) {
    TWINSET_TRY(append_rows(added, at, run.before));
    TWINSET_TRY(append_absent(run.count));
    at = run.before;
  }
  TWINSET_TRY(append_rows(added, at, added.rows.size()));
  return names_.flush();
}

Status RecordFiles::append_rows(RecordRows& added, std::size_t begin, std::size_t end) {
  if (begin == end) return {};
  std::size_t name = begin == 0 ? 0 : added.name_ends[begin - 1];
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t bytes = added.name_ends[i] - name;
    TWINSET_TRY(names_.append(std::string_view(added.names).substr(name, bytes)));
    name += bytes;
  }
  return rows_.append(bytes_of(std::span(added.rows).subspan(begin, end - begin)));
}

Status RecordFiles::append_absent(std::uint64_t count) {
  RecordRow absent;
  absent.set_fate(Fate::absent);
  std::vector<RecordRow> rows(std::min<std::uint64_t>(count, absent_at_once), absent);
  for (std::uint64_t now = 0; count > 0; count -= now) {
    now = std::min<std::uint64_t>(count, rows.size());
    for (std::uint64_t i = 0; i < now; ++i) TWINSET_TRY(names_.append({}));
    TWINSET_TRY(rows_.append(bytes_of(std::span(rows).first(now))));
  }
  return {};
}

Status RecordFiles::hold_rows(std::uint64_t memory_bytes) {
  // If memory is short, both get a proportional share. One block more holds a short last block.
  const double part =
      std::min(1.0, static_cast<double>(memory_bytes) /
                        static_cast<double>(std::max(stored_bytes(), std::uint64_t{1})));
  const auto share = [&](std::uint64_t bytes) {
    return static_cast<std::uint64_t>(part * static_cast<double>(bytes));
  };
  TWINSET_TRY(rows_.cache(share(rows_.stored_bytes()) + CachedFile::block_bytes));
  return names_.hold(share(names_.stored_bytes()));
}

Result<RecordRow> RecordFiles::row(std::uint64_t index) const {
  RecordRow row;
  TWINSET_TRY(rows_from(index, {&row, 1}));
  return row;
}

Status RecordFiles::rows_from(std::uint64_t first, std::span<RecordRow> out) const {
  return rows_.read(first, bytes_of(out));
}

Status RecordFiles::for_each(
    const std::function<Status(std::uint64_t, const RecordRow&)>& use) const {
  return rows_.for_each([&](std::uint64_t index, const char* bytes) {
    RecordRow row;
    std::memcpy(&row, bytes, sizeof row);
    return use(index, row);
  });
}

Status RecordFiles::names(std::uint64_t index, std::string& id, std::string& order_value) const {
  order_value.clear();
  TWINSET_TRY(names_.read(index, id));
  if (keep_field_) split_names(id, order_value);
  return {};
}

}  // namespace twinset
