#include "collection/one_record.h"

#include <algorithm>

#include "collection/file_collection.h"
#include "io/inputs.h"

namespace twinset {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Longer numbers are none of a record.
constexpr std::size_t most_digits = 12;

}  // namespace

Result<OneRecord> read_one_record(FileSystem& files, const Input& input, const FieldNames& fields,
                                  const ReaderLimits& limits, std::uint64_t number) {
  ReaderLimits with_fields = limits;
  with_fields.fields = &fields;
  TWINSET_ASSIGN(std::unique_ptr<Reader> reader, open_reader(files, input, with_fields));
  const Error none = usage_error(input.shown + " has no record " + std::to_string(number));
  RecordBatch batch;
  for (;;) {
    TWINSET_ASSIGN(const bool more, reader->read(batch));
    if (!more) return none;
    if (batch.lines < number) continue;
    std::erase_if(batch.records, [&](const Record& record) { return record.number != number; });
    if (batch.records.empty()) return none;
    reader->decode(fields, batch);
    const Record& record = batch.records.front();
    if (record.bad != BadReason::none || record.carried) {
      return usage_error("record " + std::to_string(number) + " of " + input.shown +
                         " is not a document" +
                         (record.carried ? "" : ": " + std::string(reason_name(record.bad))));
    }
    return OneRecord{std::string(record.text), record.markup, input.shown,
                     std::string(record.field(0)), std::string(record.url)};
  }
}

Result<OneRecord> read_document(FileSystem& files, const std::string& argument,
                                const InputSettings& settings, bool features,
                                const std::string& field, const std::string& spool) {
  std::string path = argument;
  std::uint64_t record = 0;
  TWINSET_ASSIGN(FileStatus status, files.status(argument));
  const std::size_t colon = argument.rfind(':');
  if (status.kind == FileStatus::Kind::missing && colon != std::string::npos &&
      all_digits(argument.substr(colon + 1)) && argument.size() - colon - 1 <= most_digits) {
    path = argument.substr(0, colon);
    record = std::stoull(argument.substr(colon + 1));
    if (record == 0) return usage_error(argument + ": records are counted from 1");
  }
  TWINSET_ASSIGN(
      InputList list,
      expand_inputs(files, {{path}, {}, settings.format, spool, false, false, settings.text}));
  if (list.inputs.size() != 1) return usage_error(path + " is not one file; give two documents");
  Input input = list.inputs.front();
  if (features) input.markup = Markup::none;
  if (record == 0) {
    if (!is_one_document(input)) {
      return usage_error(argument + " holds many records; say which: " + argument + ":RECORD");
    }
    record = 1;
  }
  ReaderLimits limits;
  limits.max_record_bytes = settings.max_record;
  FieldNames fields = fields_read(settings);
  fields.features = features;
  if (!field.empty()) fields.named = {field};
  return read_one_record(files, input, fields, limits, record);
}

std::string shown_text(const RecordView& view) {
  const std::string_view seen = view.visible_text();
  if (view.markup() == Markup::none) return std::string(seen);
  std::string out;
  std::size_t blank = 0;
  for (std::size_t at = 0; at < seen.size();) {
    const std::size_t end = std::min(seen.find('\n', at), seen.size() - 1) + 1;
    const std::string_view line = seen.substr(at, end - at);
    at = end;
    blank = line.find_first_not_of(" \t\r\n") == std::string_view::npos ? blank + 1 : 0;
    if (blank < 2) out += line;
  }
  return out;
}

}  // namespace twinset
