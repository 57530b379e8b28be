// What it costs to take the chunks out of a web archive, and to look them up among many labels.
//
//   TWINSET_ARCHIVE=crawl.warc.gz TWINSET_LABELS=known.labels reuse_bench
//
// archive/...   reads the archive: decoded to texts; and cut into chunks that are hashed; and
//               counted, in a table of their keys.
// detect/...    cuts and looks each chunk up in a file of labels: TWINSET_LABELS if given, else one
//               of so many labels made here, among them one in ten of the archive's chunks.
//
// Without TWINSET_ARCHIVE, of an archive of 25 MB made here. Speeds are MB of HTML a second of CPU
// time of the one thread. The labels made here take 64 bytes each below TMPDIR.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "bench_archive.h"
#include "cpu_seconds.h"
#include "io/reader.h"
#include "labels/label_file.h"
#include "web/chunks.h"

namespace twinset {
namespace {

const BenchArchive& archive() {
  return bench_archive(500, [](std::uint64_t page) {
    std::string body;
    for (std::uint64_t chunk = 0; chunk < 100; ++chunk) {
      body += "<div class=\"row item\">\n  <p>";
      for (std::uint64_t word = 0; word < 60; ++word) {
        body += "word" + std::to_string(mix64(page << 32 | chunk << 16 | word) % 5000) + ' ';
      }
      body += "</p>\n</div>\n";
    }
    return body;
  });
}

/// Calls use(text) for each page of the archive.
template <class Use>
void for_each_page(Use use) {
  const BenchArchive& read = archive();
  const auto reader = open_reader(*read.files, read.input, {}).value();
  RecordBatch batch;
  while (reader->read(batch).value()) {
    reader->decode({}, batch);
    for (const Record& record : batch.records) {
      if (record.bad == BadReason::none && record.markup == Markup::html) use(record.text);
    }
  }
}

struct Measured {
  double seconds = 0;
  double bytes = 0;  ///< of HTML
  double chunks = 0;

  void report(benchmark::State& state) const {
    const auto rounds = static_cast<double>(state.iterations());
    state.counters["MB_html_per_s"] = bytes / seconds / 1e6;
    state.counters["MB_html"] = bytes / rounds / 1e6;
    state.counters["chunks"] = chunks / rounds;
  }
};

void texts(benchmark::State& state) {
  Measured measured;
  const double begin = cpu_seconds();
  for (auto _ : state) {
    for_each_page(
        [&](std::string_view page) { measured.bytes += static_cast<double>(page.size()); });
  }
  measured.seconds = cpu_seconds() - begin;
  measured.report(state);
}

void chunks(benchmark::State& state, const ChunkRules& rules, bool counts) {
  Measured measured;
  Chunker chunker(rules);
  std::vector<Chunk> found;
  std::size_t distinct = 0;
  const double begin = cpu_seconds();
  for (auto _ : state) {
    std::unordered_map<std::uint64_t, std::uint64_t> counted;
    for_each_page([&](std::string_view page) {
      chunker.read(page, found);
      measured.bytes += static_cast<double>(page.size());
      measured.chunks += static_cast<double>(found.size());
      if (!counts) return;
      for (const Chunk& chunk : found) ++counted[chunk.hash.key().low];
    });
    distinct = counted.size();
  }
  measured.seconds = cpu_seconds() - begin;
  measured.report(state);
  if (counts) state.counters["distinct"] = static_cast<double>(distinct);
}

/// One in ten chunks of the archive, and as many others as are missing to `count`.
std::vector<Label> labels_of_archive(std::size_t count) {
  std::vector<Label> labels;
  labels.reserve(count);
  Chunker chunker(ChunkRules{});
  std::vector<Chunk> found;
  for_each_page([&](std::string_view page) {
    chunker.read(page, found);
    for (const Chunk& chunk : found) {
      if (mix64(chunk.hash.key().low) % 10 != 0 || labels.size() == count) continue;
      labels.push_back({LabelKind::chunk, chunk.hash, 1, 1, {}, {}});
    }
  });
  for (std::uint64_t i = 0; labels.size() < count; ++i) {
    const std::string text = std::to_string(i);
    labels.push_back({LabelKind::chunk, hash_chunk(text, ChunkHash::xxh3, 0), 1, 1, {}, {}});
  }
  const auto before = [](const Label& a, const Label& b) { return compare_labels(a, b) < 0; };
  const auto equal = [](const Label& a, const Label& b) { return compare_labels(a, b) == 0; };
  std::ranges::sort(labels, before);
  labels.erase(std::unique(labels.begin(), labels.end(), equal), labels.end());
  return labels;
}

/// A file that is removed at the end.
struct MadeLabels {
  explicit MadeLabels(std::size_t count) {
    path = (std::filesystem::temp_directory_path() / ("reuse_bench_" + std::to_string(count)))
               .string();
    std::filesystem::remove(path);
    RunContext context;
    context.files = &disk();
    LabelWriter writer(context, path, {to_text(ChunkRules{}), ChunkHash::xxh3});
    for (const Label& label : labels_of_archive(count)) {
      if (!writer.append(label).ok()) return;
    }
    is_made = writer.finish().ok();
  }
  MadeLabels(const MadeLabels&) = delete;
  MadeLabels& operator=(const MadeLabels&) = delete;
  ~MadeLabels() { std::filesystem::remove(path); }

  std::string path;
  bool is_made = false;
};

void look_up(benchmark::State& state, const std::string& path) {
  const Result<LabelFile> labels = LabelFile::open(disk(), path);
  if (!labels.ok()) return state.SkipWithError(labels.error().text().c_str());
  const std::optional<ChunkRules> rules = parse_chunk_rules(labels.value().facts().rules);
  if (!rules) return state.SkipWithError("labels of another version");
  Chunker chunker(*rules);
  std::vector<Chunk> found;
  Measured measured;
  double labeled = 0;
  const auto detect = [&](std::string_view page) {
    chunker.read(page, found);
    measured.bytes += static_cast<double>(page.size());
    measured.chunks += static_cast<double>(found.size());
    for (const Chunk& chunk : found) {
      const Result<bool> is_label = labels.value().contains(LabelKind::chunk, chunk.hash);
      labeled += is_label.ok() && is_label.value();
    }
  };
  for_each_page(detect);  // Blocks of labels are checked when they are first read.
  measured = {};
  labeled = 0;
  const double begin = cpu_seconds();
  for (auto _ : state) for_each_page(detect);
  measured.seconds = cpu_seconds() - begin;
  measured.report(state);
  state.counters["labeled"] = labeled / static_cast<double>(state.iterations());
}

void detect(benchmark::State& state) {
  if (const char* const path = std::getenv("TWINSET_LABELS")) return look_up(state, path);
  const MadeLabels made(static_cast<std::size_t>(state.range(0)));
  if (!made.is_made) return state.SkipWithError("no labels below TMPDIR");
  look_up(state, made.path);
}

void archive_xxh3(benchmark::State& state) { chunks(state, {}, false); }
void archive_counts(benchmark::State& state) { chunks(state, {}, true); }
void archive_text(benchmark::State& state) {
  chunks(state, {.content = ChunkContent::text}, false);
}
void archive_sha1(benchmark::State& state) { chunks(state, {.hash = ChunkHash::sha1}, false); }
void archive_sha256(benchmark::State& state) { chunks(state, {.hash = ChunkHash::sha256}, false); }
void archive_hadoop(benchmark::State& state) { chunks(state, hadoop_chunks(), false); }

BENCHMARK(texts)->Name("archive/texts")->Unit(benchmark::kMillisecond);
BENCHMARK(archive_xxh3)->Name("archive/chunks")->Unit(benchmark::kMillisecond);
BENCHMARK(archive_counts)->Name("archive/chunks/counted")->Unit(benchmark::kMillisecond);
BENCHMARK(archive_text)->Name("archive/chunks/seen_text")->Unit(benchmark::kMillisecond);
BENCHMARK(archive_sha1)->Name("archive/chunks/sha1")->Unit(benchmark::kMillisecond);
BENCHMARK(archive_sha256)->Name("archive/chunks/sha256")->Unit(benchmark::kMillisecond);
BENCHMARK(archive_hadoop)->Name("archive/chunks/hadoop")->Unit(benchmark::kMillisecond);
BENCHMARK(detect)
    ->Name("detect/labels")
    ->Arg(1000)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace twinset
