#include "job/json_line.h"

#include <charconv>

#include "io/json_scan.h"
#include "io/json_string.h"
#include "io/reader.h"
#include "job/quarantine.h"

namespace twinset {

bool JsonLine::parse(std::string_view line, std::span<const std::string_view> names) {
  found_.assign(names.size(), {});
  room_.resize(line.size() + json_string_slack);
  JsonFault fault;
  return find_json_fields(line, FieldPaths(names), found_, room_.data(), fault);
}

std::string JsonLine::text(std::size_t field) const {
  std::string out;
  append_json_token_value(out, raw(field));
  return out;
}

std::uint64_t JsonLine::number(std::size_t field) const {
  std::uint64_t value = 0;
  const std::string_view written = raw(field);
  std::from_chars(written.data(), written.data() + written.size(), value);
  return value;
}

double JsonLine::real(std::size_t field) const {
  double value = 0;
  const std::string_view written = raw(field);
  std::from_chars(written.data(), written.data() + written.size(), value);
  return value;
}

std::vector<std::string> json_array_texts(std::string_view array) {
  std::vector<std::string> out;
  const char* at = array.data() + 1;
  const char* const end = array.data() + array.size();
  while (array.size() > 2 && at < end) {
    at = skip_json_space(at, end);
    JsonFault fault;
    const JsonValue value = scan_json_value(at, end, max_json_depth, fault);
    if (value.kind == JsonKind::none) return out;
    std::string text;
    if (value.kind == JsonKind::string) {
      append_json_token_value(text, value.raw);
    } else {
      text = value.raw;
    }
    out.push_back(std::move(text));
    at = skip_json_space(value.raw.data() + value.raw.size(), end);
    ++at;  // the comma, or the bracket
  }
  return out;
}

Status for_each_line(FileSystem& files, const std::string& path,
                     const std::function<Result<bool>(std::string_view line)>& use) {
  Input input;
  input.path = input.shown = path;
  input.format = "jsonl";
  input.compression = path.ends_with(".zst") ? Compression::zstd : Compression::none;
  ReaderLimits limits;
  // A cluster of a hundred million members is one line.
  limits.max_record_bytes = (std::uint64_t{1} << 32) - 4096;
  limits.max_ratio = 0;
  Result<std::unique_ptr<Reader>> reader = open_reader(files, input, limits);
  TWINSET_TRY(reader);
  RecordBatch batch;
  for (;;) {
    Result<bool> more = reader.value()->read(batch);
    TWINSET_TRY(more);
    if (!more.value()) return {};
    for (const Record& record : batch.records) {
      if (record.bad != BadReason::none) {
        return io_error(path + " is damaged at line " + std::to_string(record.number) + ": " +
                        std::string(record.detail));
      }
      Result<bool> on = use(record.raw);
      TWINSET_TRY(on);
      if (!on.value()) return {};
    }
  }
}

}  // namespace twinset
