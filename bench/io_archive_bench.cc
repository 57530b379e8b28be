// What it costs to read a web archive: its bytes alone, which for .gz is ISA-L alone; split into
// records; and decoded to texts.
//
//   TWINSET_ARCHIVE=crawl.warc.gz io_archive_bench
//
// Without TWINSET_ARCHIVE, of an archive of 20 MB made here, plain, a gzip member a record.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <ctime>
#include <string>

#include "base/memory_files.h"
#include "io/bytes.h"
#include "io/first_look.h"
#include "io/reader.h"

namespace twinset {
namespace {

/// CPU time of this thread, which other programs do not lengthen.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Archive {
  MemoryFiles memory;
  FileSystem* files = nullptr;
  Input input;
};

void make_archive(Archive& archive) {
  archive.files = &archive.memory;
  const auto sink =
      create_bytes(archive.memory, "made.warc.gz", Compression::gzip, 0, true).value();
  std::string body = "<p>";
  for (int i = 0; i < 3000; ++i) body += "word" + std::to_string(i * i % 977) + ' ';
  const std::string block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body;
  const std::string record =
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
      "WARC-Date: 2024-05-01T12:00:00Z\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: " +
      std::to_string(block.size()) + "\r\n\r\n" + block + "\r\n\r\n";
  for (int i = 0; i < 900; ++i) {
    if (!sink->write(record).ok() || !sink->end_record().ok()) return;
  }
  if (!sink->finish().ok()) return;
  archive.input.path = "made.warc.gz";
  archive.input.format = "warc";
  archive.input.compression = Compression::gzip;
}

const Archive& archive() {
  static Archive made;
  if (made.files != nullptr) return made;
  const char* const path = std::getenv("TWINSET_ARCHIVE");
  if (path == nullptr) {
    make_archive(made);
  } else {
    const FirstLook look = look_at(disk(), path, {});
    made.files = &disk();
    made.input.path = path;
    made.input.format = look.format;
    made.input.compression = look.compression;
  }
  made.input.markup = Markup::html;
  return made;
}

void report(benchmark::State& state, double seconds, double bytes, double records) {
  state.counters["decoded_MB_per_s"] = bytes / seconds / 1e6;
  if (records > 0) state.counters["records_per_s"] = records / seconds;
}

void bytes_alone(benchmark::State& state) {
  const Archive& read = archive();
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
  const Archive& read = archive();
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
