// Any bytes as a Parquet file: it opens or does not, its rows are records whatever the ends of
// batches, and some of them are copied or an error says why not. The library of parquet/ itself is
// not instrumented. Built with TWINSET_PARQUET=ON alone.
#include <string>
#include <tuple>
#include <vector>

#include "fuzz/input.h"
#include "io/bytes.h"
#include "io/reader.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

using fuzzing::FuzzInput;
using fuzzing::require;

/// A file may claim any number of rows without a text.
constexpr std::size_t most_records = 10'000;

using Kept = std::tuple<std::uint64_t, std::string, std::string, std::string>;

std::vector<Kept> read_all(FileSystem& files, ReaderLimits limits, const FieldNames& fields) {
  Input input;
  input.path = input.shown = "x";
  input.format = "parquet";
  limits.fields = &fields;
  const Result<std::unique_ptr<Reader>> reader = open_reader(files, input, limits);
  std::vector<Kept> all;
  if (!reader.ok()) return all;
  RecordBatch batch;
  while (reader.value()->read(batch).value() && all.size() < most_records) {
    reader.value()->decode(fields, batch);
    for (const Record& record : batch.records) {
      require(record.number <= batch.lines);
      all.emplace_back(record.number, record.raw, record.text, record.field(0));
    }
  }
  all.resize(std::min(all.size(), most_records));
  return all;
}

}  // namespace
}  // namespace twinset

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  FuzzInput input(data, size);
  ReaderLimits limits;
  limits.batch_bytes = input.below(300) + 1;
  MemoryFiles files;
  require(files.write("x", input.rest()).ok());
  FieldNames fields;
  fields.named = {"date", "score"};
  const RowFormat& format = *find_format("parquet")->rows;
  const std::string fault = format.look(files, "x", fields.text);
  const std::vector<Kept> rows = read_all(files, limits, fields);
  require(fault.empty() || rows.empty() || rows.size() == 1);
  limits.batch_bytes = 1 << 16;
  require(read_all(files, limits, fields) == rows);
  RunContext context;
  context.files = &files;
  context.memory_bytes = input.below(2) << 20;
  const std::unique_ptr<ByteSink> sink = format.copy(context, "x", "y");
  std::string numbers;
  for (const std::uint64_t row : {1, 2, 5, 8}) append_row_number(numbers, row);
  if (sink->write(numbers).ok()) [[maybe_unused]]
    const Status done = sink->finish();
  return 0;
}
