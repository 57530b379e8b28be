#include "twinset/inspect.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "base/file_header.h"
#include "io/inputs.h"
#include "io/json_read.h"
#include "job/workspace.h"
#include "report/numbers.h"

namespace twinset {
namespace {

constexpr std::uint64_t max_summary_bytes = std::uint64_t{1} << 30;

std::string row(std::string_view name, const std::string& value) {
  return fmt::format("{:<14}{}\n", name, value);
}

/// A file with twinset's own header.
Result<std::string> inspect_own(const std::string& path, const std::string& bytes,
                                std::uint64_t size) {
  Result<FileHeader> header = decode_any_file_header(path, bytes);
  TWINSET_TRY(header);
  const FileHeader& found = header.value();
  return row("file", path) + row("format", found.format + " " + std::to_string(found.version)) +
         row("fingerprint", fingerprint_text(found.fingerprint)) +
         row("row", std::to_string(found.row_bytes) + " bytes") +
         row("rows", found.rows == UINT64_MAX ? "unfinished" : format_count(found.rows)) +
         row("size", format_bytes(size));
}

/// The output folder of a finished run.
Result<std::string> inspect_output(FileSystem& files, const std::string& path) {
  Result<std::string> summary =
      read_whole_file(files, path + "/" + std::string(summary_file), max_summary_bytes);
  TWINSET_TRY(summary);
  const Result<JsonNode> parsed = read_json(summary.value(), path + "/summary.json");
  TWINSET_TRY(parsed);
  const JsonNode made = parsed.value();
  std::string out =
      row("folder", path) + row("made by", "twinset dedup " + made["run"]["version"].text());
  for (const char* count : {"read", "kept", "removed", "quarantined", "filtered"}) {
    out += row(count, format_count(made[count].integer().value_or(0)));
  }
  return out + row("scheme", made["scheme"].text()) + row("keep", made["options"]["keep"].text()) +
         row("resemblance", made["options"]["resemblance"].text()) +
         row("took", format_seconds(made["run"]["seconds"].real().value_or(0)));
}

/// Anything dedup would read: records, bad ones by reason, text.
Result<std::string> inspect_input(FileSystem& files, const std::string& path) {
  Result<InputList> list = expand_inputs(files, {{path}, {}, "", "", false, false});
  TWINSET_TRY(list);
  std::uint64_t records = 0;
  std::uint64_t text_bytes = 0;
  std::map<std::string, std::uint64_t> bad;
  const FieldNames fields;
  for (const Input& input : list.value().inputs) {
    Result<std::unique_ptr<Reader>> reader = open_reader(files, input, {});
    TWINSET_TRY(reader);
    RecordBatch batch;
    for (;;) {
      Result<bool> more = reader.value()->read(batch);
      TWINSET_TRY(more);
      if (!more.value()) break;
      reader.value()->decode(fields, batch);
      for (const Record& record : batch.records) {
        ++records;
        text_bytes += record.text.size();
        if (record.bad != BadReason::none) ++bad[std::string(reason_name(record.bad))];
      }
    }
  }
  const auto& inputs = list.value().inputs;
  std::string out = row("input", path);
  if (inputs.size() == 1) {
    static constexpr std::array<std::string_view, 3> packed{"", " in gzip", " in zstd"};
    out += row("format", std::string(inputs[0].format) +
                             std::string(packed[static_cast<std::size_t>(inputs[0].compression)]));
  } else {
    out += row("files", format_count(inputs.size()));
  }
  out += row("records", format_count(records)) + row("text", format_bytes(text_bytes));
  for (const auto& [reason, count] : bad) out += row("bad", format_count(count) + " " + reason);
  return out;
}

}  // namespace

Result<std::string> inspect(const std::string& path) {
  FileSystem& files = disk();
  Result<FileStatus> status = files.status(path);
  TWINSET_TRY(status);
  if (status.value().kind == FileStatus::Kind::directory) {
    Result<FileStatus> summary = files.status(path + "/" + std::string(summary_file));
    TWINSET_TRY(summary);
    if (summary.value().kind == FileStatus::Kind::regular) return inspect_output(files, path);
  } else if (status.value().kind == FileStatus::Kind::regular) {
    Result<std::unique_ptr<File>> file = files.open(path, OpenMode::read);
    TWINSET_TRY(file);
    std::string head(file_header_bytes, '\0');
    Result<std::size_t> got = file.value()->read_at(0, head.data(), head.size());
    TWINSET_TRY(got);
    head.resize(got.value());
    if (head.starts_with("twinset\n")) return inspect_own(path, head, status.value().size);
  }
  return inspect_input(files, path);
}

}  // namespace twinset
