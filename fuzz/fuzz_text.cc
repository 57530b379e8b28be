// Any bytes as a text file, in batches of any size: one record, whose bytes are the text unless a
// byte order mark of UTF-16 or UTF-32 comes first.
#include "fuzz/input.h"
#include "io/reader.h"
#include "system/memory_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  fuzzing::FuzzInput fuzz(data, size);
  ReaderLimits limits;
  limits.max_record_bytes = fuzz.below(3000);
  limits.batch_bytes = fuzz.below(500);
  MemoryFiles files;
  require(files.write("x", fuzz.rest()).ok());
  Input input;
  input.path = "x";
  input.format = "text";
  const std::unique_ptr<Reader> reader = open_reader(files, input, limits).value();
  RecordBatch batch;
  std::size_t records = 0;
  while (reader->read(batch).value()) {
    reader->decode({}, batch);
    for (const Record& record : batch.records) {
      ++records;
      const bool too_long = fuzz.rest().size() > limits.max_record_bytes;
      require(record.length == fuzz.rest().size());
      require((record.bad == BadReason::record_too_long) == too_long);
      require(record.raw == (too_long ? fuzz.rest().substr(0, 256) : fuzz.rest()));
      const bool decoded = record.charset.charset != Charset::utf8;
      require(too_long || decoded || record.text == record.raw);
      require(too_long || record.text.size() <= 3 * record.raw.size() + 3);
    }
  }
  require(records == 1);
  return 0;
}
