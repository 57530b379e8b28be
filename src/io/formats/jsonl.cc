// JSON Lines: one object a line, of which only the named fields are used.
//
// json_fields.h parses the lines, not simdjson: simdjson refuses bytes that are not UTF-8, unpaired
// surrogate escapes and NaN, which found text has and twinset keeps; its On-Demand front end
// accepts unread values unchecked; and its index takes up to four bytes a byte. The tests require
// both to agree.
//
// This file's interface is io/reader.h (jsonl_format); the rest is private.
#include <algorithm>
#include <array>
#include <optional>

#include "io/bytes.h"
#include "io/content.h"
#include "io/decoded_text.h"
#include "io/feature_list.h"
#include "io/format_list.h"
#include "io/json_fields.h"
#include "io/json_string.h"
#include "io/json_texts.h"
#include "io/line_reader.h"
#include "io/scratch.h"
#include "text/utf8.h"
#include "text/utf8_check.h"
#include "text/xhtml.h"

namespace twinset {
namespace {

/// `token` with U+FFFD for bytes that are not UTF-8, so that it can be written as JSON.
std::string repaired(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size();) {
    const utf8::Decoded decoded = utf8::decode(token, i);
    out += decoded.valid ? token.substr(i, decoded.bytes) : std::string_view("\xEF\xBF\xBD");
    i += decoded.bytes;
  }
  return out;
}

/// A field as written; empty if it is missing or null.
std::string_view token_of(const FoundField& field, RecordBatch& batch) {
  const JsonValue& value = field.value;
  if (value.kind == JsonKind::none || value.kind == JsonKind::null) return {};
  if (is_not_finite(value)) return {};  // It would make our own lines no JSON.
  return is_utf8(value.raw) ? value.raw : batch.scratch->keep(repaired(value.raw));
}

/// The text of a record that must be a list of features: the array as written.
void decode_features(const FieldNames& fields, const JsonValue& value, Record& record,
                     RecordBatch& batch) {
  const std::string fault =
      value.kind == JsonKind::array
          ? feature_fault(value.raw)
          : "is " + std::string(json_kind_name(value.kind)) + ", not an array of features";
  if (fault.empty()) {
    record.text = value.raw;
    return;
  }
  record.bad = BadReason::text_not_features;
  record.detail = batch.scratch->keep("\"" + fields.text + "\"" +
                                      (value.kind == JsonKind::array ? ": " : " ") + fault);
}

/// Sets the text of a record whose texts lie in several fields.
void join_texts(const JsonTexts& texts, std::string_view line, Record& record, RecordBatch& batch) {
  JoinedTexts joined = texts.join(line);
  record.bad = joined.bad;
  if (joined.bad == BadReason::none) {
    set_text_of_utf8(batch.scratch->keep(std::move(joined.text)), record, batch);
  } else {
    record.detail = batch.scratch->keep(std::move(joined.detail));
  }
}

/// The text of a record. In charsets such as Shift_JIS a letter may have a backslash for its second
/// byte, so a string that is not UTF-8 is decoded as written, and then unescaped.
void set_string(const FoundField& text, Record& record, RecordBatch& batch) {
  record.text = text.text;
  if (is_utf8(text.text)) return;
  const std::string_view body = text.value.raw.substr(1);
  set_text_of_utf8(body, record, batch);
  if (record.charset.charset == Charset::utf8) {
    record.text = text.text;
    return;
  }
  std::string unescaped(record.text.size() + json_string_slack, '\0');
  const JsonString read = read_json_string(
      record.text.data(), record.text.data() + record.text.size(), unescaped.data());
  if (read.end == nullptr) {
    set_text_of_utf8(text.text, record, batch);
    return;
  }
  unescaped.resize(read.decoded_bytes);
  record.text = batch.scratch->keep(std::move(unescaped));
}

/// Finds the fields in the line as UTF-8, if it is in a charset in which a closing quote may have
/// seemed escaped.
bool find_in_decoded_line(std::string_view line, const FieldPaths& paths,
                          std::span<FoundField> found, Record& record, RecordBatch& batch) {
  if (is_utf8(line)) return false;
  const FoundCharset charset{guess_charset(line), FoundCharset::Why::guess};
  if (!has_ascii_pairs(charset.charset)) return false;
  std::string decoded;
  append_utf8(charset.charset, line, decoded);
  const std::string_view kept = batch.scratch->keep(std::move(decoded));
  std::string& room = batch.scratch->words.emplace_back(kept.size() + json_string_slack, '\0');
  JsonFault fault;
  if (!find_json_fields(kept, paths, found, room.data(), fault)) return false;
  record.charset = charset;
  return true;
}

void decode_jsonl(const FieldNames& fields, RecordBatch& batch) {
  // Most often the text is one field, which the walk over the line decodes itself.
  std::optional<JsonTexts> joined;
  if (!fields.features && names_several_texts(fields.text)) joined.emplace(fields.text);
  std::vector<std::string_view> names{joined ? std::string_view() : fields.text, fields.id};
  names.insert(names.end(), fields.named.begin(), fields.named.end());
  const FieldPaths paths(names);
  std::vector<FoundField> found(names.size());
  std::vector<std::string_view>& values = batch.scratch->fields;
  values.clear();
  values.reserve(fields.named.size() * batch.records.size());
  std::size_t room_bytes = json_string_slack;
  for (const Record& record : batch.records) {
    if (record.bad == BadReason::none) room_bytes += record.raw.size();
  }
  char* room = batch.scratch->make_room(room_bytes);
  for (Record& record : batch.records) {
    if (record.bad != BadReason::none || record.carried) continue;
    const std::string_view line = line_of(record.raw);
    JsonFault fault;
    if (!find_json_fields(line, paths, found, room, fault) &&
        !find_in_decoded_line(line, paths, found, record, batch)) {
      record.bad = BadReason::invalid_json;
      record.detail =
          batch.scratch->keep(std::string(fault.what) + " at byte " +
                              std::to_string(fault.at - record.raw.data()) + " of the record");
      continue;
    }
    record.id = token_of(found[1], batch);
    const std::size_t first = values.size();
    for (std::size_t i = 2; i < found.size(); ++i) values.push_back(token_of(found[i], batch));
    record.fields = std::span(values).subspan(first);
    record.field_names = fields.named;
    const FoundField& text = found[0];
    if (joined.has_value()) {
      join_texts(*joined, line, record, batch);
    } else if (text.value.kind == JsonKind::none) {
      record.bad = BadReason::missing_text;
      record.detail = batch.scratch->keep("no field \"" + fields.text + "\"");
    } else if (fields.features) {
      decode_features(fields, text.value, record, batch);
    } else if (text.value.kind != JsonKind::string) {
      record.bad = BadReason::text_not_string;
      record.detail = batch.scratch->keep(
          "\"" + fields.text + "\" is " + std::string(json_kind_name(text.value.kind)) +
          (text.value.kind == JsonKind::array
               ? "; its elements are \"" + fields.text + "[]\", and their fields \"" + fields.text +
                     "[].NAME\""
               : ""));
    } else {
      set_string(text, record, batch);
      if (text.text.data() == room) room += text.text.size();
    }
    record.markup = markup_of(record.markup, record.text);
  }
}

std::unique_ptr<Reader> make_jsonl_reader(std::unique_ptr<ByteSource> bytes,
                                          const ReaderLimits& limits) {
  return make_line_reader(std::move(bytes), limits, decode_jsonl);
}

constexpr std::array<std::string_view, 2> extensions{".jsonl", ".ndjson"};

constexpr FormatDeclaration declaration{.name = "jsonl",
                                        .extensions = extensions,
                                        .summary = "JSON Lines: one object a line",
                                        .streams = true};

}  // namespace

extern const FormatEntry jsonl_format;
const FormatEntry jsonl_format{&declaration, make_jsonl_reader, decode_jsonl};

}  // namespace twinset
