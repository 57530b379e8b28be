#include "run/quarantine.h"

#include <algorithm>
#include <cstdint>

#include "io/bytes.h"
#include "io/field_json.h"
#include "io/json.h"
#include "run/run_fields.h"
#include "run/shard.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr const char* bytes_name = "quarantine_bytes";
constexpr std::uint64_t copied_bytes = std::uint64_t{1} << 20;

/// Bytes as text that shows each of them: printable ASCII as it is, the rest as \xNN.
std::string visible_bytes(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '\\') {
      out += "\\\\";
    } else if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

std::string bad_record_text(const std::string& file, const Record& record) {
  const std::string detail(record.detail);
  return visible_text(file + ":" + std::to_string(record.number) + ": " +
                      std::string(reason_name(record.bad)) + (detail.empty() ? "" : ", " + detail));
}

}  // namespace

std::vector<Field> fields_of(BadRecord& bad) {
  std::vector<Field> fields = place_fields(bad.document);
  add_fields(fields,
             {{"offset", &bad.offset, Unit::count, "of its first byte in the decoded file, from 0"},
              {"length", &bad.length, Unit::bytes, "its number of bytes there"},
              {"reason", &bad.reason, Unit::text, "one of those below"},
              {"detail", &bad.detail, Unit::text, "a few words more; may be empty"},
              {"bytes", &bad.bytes, Unit::text,
               "its first 256 bytes; those that are not printable ASCII as `\\xNN`, a "
               "backslash as two"}});
  return fields;
}

void append_quarantine_line(std::string& out, std::string_view file, const Record& record,
                            bool one_document) {
  std::string id(record.id);
  if (id.empty()) append_json_string(id, made_id(file, one_document, record.number));
  const std::string bytes = visible_bytes(record.raw.substr(0, quarantine_sample_bytes));
  FieldLine<BadRecord> line;  // Few records are bad.
  *line = {{id, file, record.number, 0}, record.offset, record.length,
           reason_name(record.bad),      record.detail, bytes};
  line.append(out);
}

Status Quarantine::take(const ReadRecord& record, QuarantineRows& rows) const {
  if (record.fate != Fate::bad) return {};
  const Source& source = collection_.sources()[record.id.source()];
  const std::string& file = source.shown;
  if (rows.first.size() < first_records) rows.first.push_back(bad_record_text(file, record.record));
  if (path_.empty()) return {};
  Record bad = record.record;
  if (source.rows) bad.raw = {};  // The file has no such bytes.
  append_quarantine_line(rows.lines, file, bad, source.one_document);
  return {};
}

Status Quarantine::put(QuarantineRows& rows) {
  for (std::string& bad : rows.first) {
    if (first_.size() < first_records) first_.push_back(std::move(bad));
  }
  if (rows.lines.empty()) return {};
  TWINSET_TRY(file_->append(rows.lines));
  bytes_ += rows.lines.size();
  return {};
}

Status Quarantine::open(const StateFile* checkpoint) {
  if (path_.empty()) return {};
  TWINSET_ASSIGN(file_, files_.open(path_, OpenMode::append));
  TWINSET_ASSIGN(const std::uint64_t bytes, file_->size());
  bytes_ = checkpoint == nullptr ? 0 : checkpoint->number(bytes_name);
  if (bytes < bytes_) {
    return io_error(path_ +
                    " is shorter than its checkpoint says; remove the .partial folder and "
                    "run again");
  }
  return file_->truncate(bytes_);
}

Status Quarantine::take_over(const ShardFolder& shard) {
  const std::uint64_t bytes = shard.state().number(bytes_name);
  if (bytes == 0 || path_.empty()) return {};
  const std::string path = shard.folder() + "/" + std::string(quarantine_file);
  TWINSET_ASSIGN(const auto source, open_bytes(files_, path, Compression::none, {}));
  std::string buffer(std::min(bytes, copied_bytes), '\0');
  for (std::uint64_t left = bytes; left > 0;) {
    TWINSET_ASSIGN(const std::size_t got,
                   source->read(buffer.data(), std::min<std::uint64_t>(left, buffer.size())));
    if (got == 0) return io_error(path + " is shorter than it was; make this shard again");
    TWINSET_TRY(file_->append(std::string_view(buffer).substr(0, got)));
    left -= got;
  }
  bytes_ += bytes;
  return {};
}

Status Quarantine::checkpoint(StateFile& file) {
  TWINSET_TRY(sync());
  file.set(bytes_name, bytes_);
  return {};
}

}  // namespace twinset
