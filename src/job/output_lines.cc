#include "job/output_lines.h"

#include "io/reader.h"

namespace twinset {

Status for_each_line(FileSystem& files, const std::string& path,
                     const std::function<Result<bool>(JsonNode line)>& use) {
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
      const std::string place = path + ":" + std::to_string(record.number);
      if (record.bad != BadReason::none) {
        return io_error(place + " is damaged: " + std::string(record.detail));
      }
      const Result<JsonNode> line = read_json(record.raw, place);
      TWINSET_TRY(line);
      Result<bool> on = use(line.value());
      TWINSET_TRY(on);
      if (!on.value()) return {};
    }
  }
}

}  // namespace twinset
