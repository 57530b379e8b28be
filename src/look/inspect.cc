#include "twinset/inspect.h"

#include <fmt/core.h>

#include <array>
#include <map>

#include "base/file_header.h"
#include "io/inputs.h"
#include "look/inspect_output.h"
#include "report/numbers.h"
#include "run/workspace.h"

namespace twinset {
namespace {

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
    if (summary.value().kind == FileStatus::Kind::regular) {
      return inspect_output_folder(files, path);
    }
  } else if (status.value().kind == FileStatus::Kind::regular) {
    Result<std::unique_ptr<File>> file = files.open(path, OpenMode::read);
    TWINSET_TRY(file);
    std::string head(file_header_bytes, '\0');
    Result<std::size_t> got = file.value()->read_at(0, head.data(), head.size());
    TWINSET_TRY(got);
    head.resize(got.value());
    if (head.starts_with("twinset\n")) return inspect_own(path, head, status.value().size);
    Result<std::string> output = inspect_output_file(files, path);
    if (!output.ok() || !output.value().empty()) return output;
  }
  return inspect_input(files, path);
}

}  // namespace twinset
