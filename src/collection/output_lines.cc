#include "collection/output_lines.h"

#include "io/reader.h"

namespace twinset {

Status for_each_raw_line(FileSystem& files, const std::string& path,
                         const std::function<Result<bool>(std::string_view raw)>& use) {
  Input input;
  input.path = input.shown = path;
  input.format = "jsonl";
  input.compression = path.ends_with(".zst") ? Compression::zstd : Compression::none;
  ReaderLimits limits;
  // A cluster of a hundred million members is one line.
  limits.max_record_bytes = (std::uint64_t{1} << 32) - 4096;
  limits.max_ratio = 0;
  TWINSET_ASSIGN(std::unique_ptr<Reader> reader, open_reader(files, input, limits));
  RecordBatch batch;
  for (;;) {
    TWINSET_ASSIGN(const bool more, reader->read(batch));
    if (!more) return {};
    for (const Record& record : batch.records) {
      if (record.bad != BadReason::none) {
        return io_error(path + ":" + std::to_string(record.number) +
                        " is damaged: " + std::string(record.detail));
      }
      TWINSET_ASSIGN(const bool on, use(record.raw));
      if (!on) return {};
    }
  }
}

Status for_each_line(FileSystem& files, const std::string& path,
                     const std::function<Result<bool>(JsonNode line)>& use) {
  std::uint64_t number = 0;
  return for_each_raw_line(files, path, [&](std::string_view raw) -> Result<bool> {
    TWINSET_ASSIGN(const JsonNode line, read_json(raw, path + ":" + std::to_string(++number)));
    return use(line);
  });
}

}  // namespace twinset
