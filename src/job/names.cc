#include "job/names.h"

#include <algorithm>

#include "base/file_header.h"
#include "io/json.h"

namespace twinset {
namespace {

constexpr std::uint64_t ahead_rows = 512;
constexpr std::uint64_t most_ahead_bytes = std::uint64_t{1} << 20;

}  // namespace

std::string_view plain_id(std::string_view json) {
  if (json.size() < 2 || json.front() != '"') return json;
  return json.substr(1, json.size() - 2);
}

void append_document_json(std::string& out, const DocumentName& name) {
  JsonObject object(out);
  object.raw("id", name.id)
      .string("file", name.file)
      .number("record", name.record)
      .string("fingerprint", fingerprint_text(name.fingerprint));
  object.end();
}

Status Names::find(std::uint64_t index, DocumentName& out) {
  Result<RecordRow> row = records_.row(index);
  TWINSET_TRY(row);
  TWINSET_TRY(records_.names(row.value(), out.id, order_value_));
  set_place(index, row.value(), out);
  return {};
}

Status Names::find_ahead(std::uint64_t index, DocumentName& out) {
  if (index < ahead_first_ || index - ahead_first_ >= ahead_rows_.size()) {
    TWINSET_TRY(read_ahead(index));
  }
  const RecordRow& row = ahead_rows_[index - ahead_first_];
  const std::uint64_t at = row.name_offset - ahead_rows_.front().name_offset;
  if (row.id_bytes > 0 && at + row.id_bytes > ahead_names_.size()) return find(index, out);
  out.id.assign(ahead_names_, row.id_bytes > 0 ? at : 0, row.id_bytes);
  set_place(index, row, out);
  return {};
}

Status Names::read_ahead(std::uint64_t index) {
  ahead_first_ = index;
  ahead_rows_.resize(std::min(ahead_rows, documents_.size() - index));
  TWINSET_TRY(records_.rows(index, ahead_rows_));
  const std::uint64_t begin = ahead_rows_.front().name_offset;
  std::uint64_t end = begin;
  for (const RecordRow& row : ahead_rows_) end = std::max(end, row.name_offset + row.id_bytes);
  ahead_names_.resize(end - begin <= most_ahead_bytes ? end - begin : 0);
  return records_.name_bytes(begin, ahead_names_);
}

void Names::set_place(std::uint64_t index, const RecordRow& row, DocumentName& out) const {
  const DocumentId document = documents_.document(index);
  out.file = job_.source(document.source()).shown;
  out.record = document.record();
  out.fingerprint = row.fingerprint;
  if (!out.id.empty()) return;
  append_json_string(out.id, std::string(out.file) + ":" + std::to_string(out.record));
}

}  // namespace twinset
