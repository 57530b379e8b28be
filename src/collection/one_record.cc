#include "collection/one_record.h"

#include <algorithm>

namespace twinset {

Result<OneRecord> read_one_record(FileSystem& files, const Input& input, const FieldNames& fields,
                                  const ReaderLimits& limits, std::uint64_t number) {
  TWINSET_ASSIGN(std::unique_ptr<Reader> reader, open_reader(files, input, limits));
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
    if (record.bad != BadReason::none) {
      return usage_error("record " + std::to_string(number) + " of " + input.shown +
                         " is not a document: " + std::string(reason_name(record.bad)));
    }
    return OneRecord{std::string(record.text), record.markup};
  }
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
