// What it costs to read a web archive: its bytes alone, which for .gz is ISA-L alone; split into
// records; and decoded to texts.
//
//   TWINSET_ARCHIVE=crawl.warc.gz io_archive_bench
//
// Without TWINSET_ARCHIVE, of an archive of 20 MB made here, plain, a gzip member a record.
#include <benchmark/benchmark.h>

#include <string>

#include "bench_archive.h"
#include "cpu_seconds.h"
#include "io/reader.h"

namespace twinset {
namespace {

const BenchArchive& archive() {
  return bench_archive(900, [](std::uint64_t) {
    std::string body = "<p>";
    for (int i = 0; i < 3000; ++i) body += "word" + std::to_string(i * i % 977) + ' ';
    return body;
  });
}

void report(benchmark::State& state, double seconds, double bytes, double records) {
  state.counters["decoded_MB_per_s"] = bytes / seconds / 1e6;
  if (records > 0) state.counters["records_per_s"] = records / seconds;
}

void bytes_alone(benchmark::State& state) {
  const BenchArchive& read = archive();
  std::string buffer(std::size_t{512} << 10, '\0');
  double bytes = 0;
  const double begin = cpu_seconds();
  for (auto _ : state) {
    auto source = open_bytes(*read.files, read.input.path, read.input.compression, {}).value();
    while (true) {
      const std::size_t got = source->read(buffer.data(), buffer.size()).value();
      if (got == 0) break;
      bytes += static_cast<double>(got);
    }
  }
  report(state, cpu_seconds() - begin, bytes, 0);
}

void records(benchmark::State& state, bool decode) {
  const BenchArchive& read = archive();
  double bytes = 0;
  double count = 0;
  RecordBatch batch;
  const double begin = cpu_seconds();
  for (auto _ : state) {
    auto reader = open_reader(*read.files, read.input, {}).value();
    while (reader->read(batch).value()) {
      if (decode) reader->decode({}, batch);
      for (const Record& record : batch.records) bytes += static_cast<double>(record.length);
      count += static_cast<double>(batch.records.size());
    }
  }
  report(state, cpu_seconds() - begin, bytes, count);
}

void split(benchmark::State& state) { records(state, false); }
void split_and_decode(benchmark::State& state) { records(state, true); }

BENCHMARK(bytes_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(split)->Unit(benchmark::kMillisecond);
BENCHMARK(split_and_decode)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace twinset
