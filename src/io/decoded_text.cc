// This file's interface is io/decoded_text.h; the rest is private.
#include "io/decoded_text.h"

#include <string>

#include "io/feature_list.h"
#include "io/json.h"
#include "io/json_scan.h"
#include "io/scratch.h"
#include "text/utf8_check.h"

namespace twinset {
namespace {

void set_decoded(std::string_view bytes, FoundCharset found, Record& record, RecordBatch& batch) {
  record.text = bytes;
  record.charset = found;
  if (found.charset == Charset::utf8) return;
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 2);
  append_utf8(found.charset, bytes, text);
  record.text = batch.scratch->keep(std::move(text));
}

}  // namespace

void set_text(std::string_view bytes, Charset named, Record& record, RecordBatch& batch) {
  set_decoded(bytes, find_charset(bytes, named, record.markup != Markup::none), record, batch);
}

void set_text_of_utf8(std::string_view bytes, Record& record, RecordBatch& batch) {
  record.text = bytes;
  if (is_utf8(bytes)) return;
  set_decoded(bytes, {guess_charset(bytes), FoundCharset::Why::guess}, record, batch);
}

void check_features(const FieldNames& fields, Record& record, RecordBatch& batch) {
  if (!fields.features) return;
  std::string fault = find_feature_list(record.text, record.text);
  if (fault.empty()) return;
  record.bad = BadReason::text_not_features;
  record.text = {};
  record.detail = batch.scratch->keep(std::move(fault));
}

std::string_view value_token(std::string_view value, RecordBatch& batch) {
  constexpr std::size_t most_number_bytes = 15;
  if (!value.empty() && value.size() <= most_number_bytes) {
    JsonFault fault;
    const JsonValue read =
        scan_json_value(value.data(), value.data() + value.size(), max_json_depth, fault);
    const bool number = read.kind == JsonKind::number && read.raw.size() == value.size();
    if (number && !is_not_finite(read)) return value;
  }
  return string_token(value, batch);
}

std::string_view string_token(std::string_view value, RecordBatch& batch) {
  std::string token;
  append_json_string(token, value);
  return batch.scratch->keep(std::move(token));
}

}  // namespace twinset
