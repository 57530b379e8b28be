// What it costs to cut a page into chunks and hash them, for each way of cutting and each hash, and
// to write a URL in its canonical form.
//
//   TWINSET_DATA=collections chunks_bench --benchmark_filter=chunks/
//
// Pages are those of llvm-docs-html and cppreference-html (JSON Lines, field html) below
// TWINSET_DATA, at most 40 MB of each. Without it, of a page of some 100 KB made here.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "cpu_seconds.h"
#include "io/inputs.h"
#include "io/reader.h"
#include "web/chunks.h"
#include "web/neighborhoods.h"
#include "web/url.h"

namespace twinset {
namespace {

constexpr std::size_t most_bytes = 40'000'000;

struct Pages {
  std::string name;
  std::vector<std::string> pages;
  std::size_t bytes = 0;
};

Pages read_pages(const std::string& name, const std::string& path) {
  Pages found{name, {}, 0};
  const Result<InputList> list = expand_inputs(disk(), {{path}, {}, "html", ""});
  if (!list.ok()) return found;
  for (const Input& input : list.value().inputs) {
    auto reader = open_reader(disk(), input, {});
    if (!reader.ok()) continue;
    RecordBatch batch;
    while (found.bytes < most_bytes) {
      const Result<bool> more = reader.value()->read(batch);
      if (!more.ok() || !more.value()) break;
      reader.value()->decode({.text = "html", .id = "id", .named = {}}, batch);
      for (const Record& record : batch.records) {
        if (record.bad != BadReason::none) continue;
        found.pages.emplace_back(record.text);
        found.bytes += record.text.size();
      }
    }
  }
  return found;
}

Pages made_page() {
  std::string page = "<!DOCTYPE html><html><head><title>Made</title></head><body>";
  while (page.size() < 100'000) {
    page +=
        "<div class=\"row item\">\n  <p>Some words of <a href=\"/other/page.html?a=1&amp;b=2\" "
        "title=\"T\">a text</a>, &ldquo;quoted&rdquo;, with <b>markup</b>.</p>\n</div>\n";
  }
  return {"made", {page}, page.size()};
}

const std::vector<Pages>& collections() {
  static const std::vector<Pages> all = [] {
    std::vector<Pages> some;
    if (const char* data = std::getenv("TWINSET_DATA")) {
      const std::string folder(data);
      some.push_back(read_pages("cppreference", folder + "/cppreference-html/pages.jsonl.zst"));
      some.push_back(read_pages("llvm", folder + "/llvm-docs-html/pages.jsonl.zst"));
      std::erase_if(some, [](const Pages& pages) { return pages.pages.empty(); });
    }
    if (some.empty()) some.push_back(made_page());
    return some;
  }();
  return all;
}

void measure_chunks(benchmark::State& state, const Pages& pages, SimdLevel level,
                    const ChunkRules& rules) {
  if (!limit_simd(level).ok()) return state.SkipWithError("level");
  Chunker chunker(rules);
  std::vector<Chunk> chunks;
  std::size_t count = 0;
  for (auto _ : state) {
    const double start = cpu_seconds();
    count = 0;
    for (const std::string& page : pages.pages) {
      chunker.read(page, chunks);
      count += chunks.size();
    }
    state.SetIterationTime(cpu_seconds() - start);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(pages.bytes));
  state.counters["chunks"] = static_cast<double>(count);
}

void measure_urls(benchmark::State& state) {
  const std::string url = "HTTP://www.Example.org:80/a/b/../some/folder/Page%7e.html?id=12#top";
  Neighborhoods found;
  std::size_t bytes = 0;
  for (auto _ : state) {
    url_neighborhoods(url, found);
    bytes += found.text.size();
  }
  benchmark::DoNotOptimize(bytes);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

[[maybe_unused]] const bool registered = [] {
  const std::vector<std::pair<std::string, ChunkRules>> ways{
      {"markup", {}},
      {"text", {.content = ChunkContent::text}},
      {"hadoop", hadoop_chunks()},
      {"hadoop_xxh3", {.cuts = ChunkCuts::hadoop, .least_characters = 0}},
      {"auntietuna", auntietuna_chunks()},
      {"paragraphs", {.cuts = ChunkCuts::paragraphs}},
      {"sha1", {.hash = ChunkHash::sha1}},
      {"sha256", {.hash = ChunkHash::sha256}},
      {"blake3", {.hash = ChunkHash::blake3}}};
  for (const Pages& pages : collections()) {
    for (const SimdLevel level : supported_simd_levels()) {
      for (const auto& [name, rules] : ways) {
        const std::string at =
            "chunks/" + name + "/" + pages.name + "/" + std::string(simd_level_name(level));
        benchmark::RegisterBenchmark(
            at.c_str(),
            [&pages, level, way = rules](auto& state) { measure_chunks(state, pages, level, way); })
            ->UseManualTime()
            ->MinTime(0.3);
      }
    }
  }
  benchmark::RegisterBenchmark("neighborhoods", measure_urls);
  return true;
}();

}  // namespace
}  // namespace twinset
