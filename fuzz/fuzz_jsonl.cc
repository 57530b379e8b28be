// Any bytes as JSON Lines: the records do not depend on the ends of batches or on the SIMD level,
// their offsets are right, and simdjson agrees on each line, except for lines that it refuses and
// twinset keeps.
#include <simdjson.h>

#include <string>
#include <vector>

#include "base/cpu.h"
#include "fuzz/input.h"
#include "io/bytes.h"
#include "io/reader.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

using fuzzing::FuzzInput;
using fuzzing::require;

struct Kept {
  Record record;
  std::string raw, text, id;
  bool operator==(const Kept& other) const {
    return record.number == other.record.number && record.offset == other.record.offset &&
           record.length == other.record.length && record.bad == other.record.bad &&
           raw == other.raw && text == other.text && id == other.id;
  }
};

std::vector<Kept> read_all(FileSystem& files, const ReaderLimits& limits) {
  Input input;
  input.path = "x";
  input.format = "jsonl";
  const std::unique_ptr<Reader> reader = open_reader(files, input, limits).value();
  std::vector<Kept> all;
  RecordBatch batch;
  while (reader->read(batch).value()) {
    reader->decode({}, batch);
    for (const Record& record : batch.records) {
      all.push_back(
          {record, std::string(record.raw), std::string(record.text), std::string(record.id)});
    }
  }
  return all;
}

/// Compares a good or bad line with simdjson's result.
void ask_simdjson(const Kept& kept) {
  if (kept.record.bad == BadReason::record_too_long) return;
  std::string line = kept.raw;
  if (kept.record.offset == 0 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  const simdjson::padded_string padded(line);
  const simdjson::error_code verdict = parser.parse(padded).get(object);
  if (verdict != simdjson::SUCCESS) return;
  require(kept.record.bad != BadReason::invalid_json);
  bool has_text = false;
  simdjson::dom::element last;
  for (const simdjson::dom::key_value_pair field : object) {
    if (field.key != "text") continue;
    has_text = true;
    last = field.value;
  }
  std::string_view text;
  const bool is_string = has_text && last.get(text) == simdjson::SUCCESS;
  require(has_text == (kept.record.bad != BadReason::missing_text));
  require(is_string == (kept.record.bad == BadReason::none));
  if (is_string) require(text == kept.text);
}

}  // namespace
}  // namespace twinset

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  FuzzInput input(data, size);
  ReaderLimits limits;
  limits.max_record_bytes = input.below(2000);
  const std::size_t batch_bytes = input.below(300) + 1;
  MemoryFiles files;
  require(files.write("x", input.rest()).ok());
  require(limit_simd(supported_simd_levels().back()).ok());
  limits.batch_bytes = 1 << 16;
  const std::vector<Kept> whole = read_all(files, limits);
  for (const Kept& kept : whole) {
    require(kept.raw == input.rest().substr(kept.record.offset, kept.raw.size()));
    ask_simdjson(kept);
  }
  limits.batch_bytes = batch_bytes;
  require(limit_simd(SimdLevel::portable).ok());
  require(read_all(files, limits) == whole);
  return 0;
}
