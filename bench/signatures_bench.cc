// The signatures of all five papers in one pass over JSON Lines in memory, on one core, and what
// each adds: every text is read and analyzed once, and fss, mod, simhash, imatch with ten more
// lexicons and the hashes of chunks are made of it.
//
//   TWINSET_DATA=collections signatures_bench
//
// Texts are those of collections below TWINSET_DATA, at most 64 MB of each; without it, words of
// Zipf's law made here. The rate is of the bytes of the lines. In each round passes with one part
// more take turns, and the counters tell the share of each part: what its pass took longer.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cpu_seconds.h"
#include "io/reader.h"
#include "scheme/record_view.h"
#include "scheme/scheme.h"
#include "system/memory_files.h"
#include "web/chunks.h"

namespace twinset {
namespace {

constexpr std::size_t most_bytes = 64'000'000;
constexpr std::array<const char*, 4> specs{"fss", "mod", "simhash", "imatch"};

struct Lines {
  std::string name;
  std::string field;
  std::string bytes = {};
};

/// The first lines of a collection; none if it is not there.
Lines collection(const std::string& name, const std::string& file, const std::string& field) {
  Lines out{name, field};
  const char* const data = std::getenv("TWINSET_DATA");
  if (data == nullptr) return out;
  Input input;
  input.path = std::string(data) + "/" + file;
  input.format = "jsonl";
  input.compression = Compression::zstd;
  const auto reader = open_reader(disk(), input, {.max_window_bytes = std::uint64_t{1} << 27});
  if (!reader.ok()) return out;
  RecordBatch batch;
  while (out.bytes.size() < most_bytes) {
    const Result<bool> more = reader.value()->read(batch);
    if (!more.ok() || !more.value()) break;
    for (const Record& record : batch.records) out.bytes.append(record.raw);
  }
  return out;
}

Lines made_lines() {
  Lines out{"made", "text"};
  std::mt19937_64 random(1);
  for (std::size_t line = 0; out.bytes.size() < most_bytes / 4; ++line) {
    out.bytes += R"({"id":")" + std::to_string(line) + R"(","text":")";
    for (std::size_t i = 100 + random() % 1000; i > 0; --i) {
      const double share = static_cast<double>(random() >> 11) / 9007199254740992.0;
      out.bytes += "w" + std::to_string(std::llround(std::exp(share * 11))) + ' ';
    }
    out.bytes += "\"}\n";
  }
  return out;
}

/// The parts of a pass, each after those before it: reading, tokens, shingles, schemes, chunks.
class Pass {
 public:
  static constexpr std::size_t parts = 4 + specs.size();
  static std::string name(std::size_t part) {
    if (part < 3) return std::array{"reading", "tokens", "shingles"}[part];
    return part < 3 + specs.size() ? specs[part - 3] : "chunks";
  }

  explicit Pass(const Lines& lines) : lines_(lines), chunker_(rules(lines)) {
    for (const char* spec : specs) {
      auto made = make_scheme(spec, 0.8);
      if (!made.ok()) std::abort();
      schemes_.push_back(std::move(made).value());
    }
    if (!files_.write("lines", lines.bytes).ok()) std::abort();
  }

  /// CPU seconds of the first `parts` parts.
  double run(std::size_t wanted) {
    const double begin = cpu_seconds();
    Input input;
    input.path = "lines";
    input.format = "jsonl";
    const auto reader = open_reader(files_, input, {});
    if (!reader.ok()) std::abort();
    const FieldNames fields{.text = lines_.field, .id = "id", .named = {}};
    RecordView view({.analyzer = find_analyzer("words"), .pages = lines_.field == "html"});
    while (true) {
      const Result<bool> more = reader.value()->read(batch_);
      if (!more.ok() || !more.value()) break;
      reader.value()->decode(fields, batch_);
      for (const Record& record : batch_.records) {
        if (record.bad == BadReason::none) make(record, view, wanted);
      }
    }
    return cpu_seconds() - begin;
  }

 private:
  static ChunkRules rules(const Lines& lines) {
    return lines.field == "html" ? ChunkRules{} : ChunkRules{.cuts = ChunkCuts::paragraphs};
  }

  void make(const Record& record, RecordView& view, std::size_t wanted) {
    view.look_at(record);
    benchmark::DoNotOptimize(record.text.data());
    if (wanted > 1) benchmark::DoNotOptimize(view.analysis().tokens.data());
    if (wanted > 2) benchmark::DoNotOptimize(view.shingles().data());
    for (std::size_t i = 0; i < specs.size() && wanted > 3 + i; ++i) {
      schemes_[i]->sketch(view, sketch_);
      benchmark::DoNotOptimize(sketch_.stored.data());
    }
    if (wanted < parts) return;
    chunker_.read(record.text, chunks_);
    benchmark::DoNotOptimize(chunks_.data());
  }

  const Lines& lines_;
  MemoryFiles files_;
  std::vector<std::unique_ptr<Scheme>> schemes_;
  Chunker chunker_;
  RecordBatch batch_;
  Sketch sketch_;
  std::vector<Chunk> chunks_;
};

void sign(benchmark::State& state, const Lines& lines) {
  if (lines.bytes.empty()) return state.SkipWithError("not below TWINSET_DATA");
  Pass pass(lines);
  std::array<double, Pass::parts> taken{};
  for (auto _ : state) {
    for (std::size_t part = 0; part < Pass::parts; ++part) {
      const double seconds = pass.run(part + 1);
      taken[part] += seconds;
      if (part + 1 == Pass::parts) state.SetIterationTime(seconds);
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * lines.bytes.size()));
  for (std::size_t part = 0; part < Pass::parts; ++part) {
    state.counters["share_" + Pass::name(part)] =
        (taken[part] - (part == 0 ? 0 : taken[part - 1])) / taken.back();
  }
}

const bool registered = [] {
  static const std::array<Lines, 5> all{
      made_lines(), collection("terms", "terms-versions/pga.jsonl.zst", "text"),
      collection("laws", "gesetze-de/versions.jsonl.zst", "text"),
      collection("licences", "scancode-licences/licences.jsonl.zst", "text"),
      collection("pages", "llvm-docs-html/pages.jsonl.zst", "html")};
  for (const Lines& lines : all) {
    benchmark::RegisterBenchmark(("signatures/" + lines.name).c_str(),
                                 [&lines](benchmark::State& state) { sign(state, lines); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->MinTime(0.5);
  }
  return true;
}();

}  // namespace
}  // namespace twinset
