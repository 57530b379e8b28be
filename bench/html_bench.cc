// What it costs to read a page of HTML: its text alone, with offsets, at each SIMD
// level; and beside it MyHTML's tree and text, where libmodest-dev is installed.
//
//   TWINSET_DATA=collections html_bench --benchmark_filter='html/.*/avx2'
//
// Pages are those of three collections below TWINSET_DATA, at most 40 MB of each:
// cppreference-html and llvm-docs-html (JSON Lines, field html) and article-html (a
// page a file). Without it, of a page of some 100 KB made here.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "cpu_seconds.h"
#include "io/inputs.h"
#include "text/analyzer.h"
#ifdef TWINSET_BENCH_MYHTML
#include <myhtml/api.h>
#endif

namespace twinset {
namespace {

constexpr std::size_t most_bytes = 40'000'000;

struct Pages {
  std::string name;
  std::vector<std::string> pages;
  std::size_t bytes = 0;
};

/// Every so many pages of a collection, so that all of it is seen.
Pages read_pages(const std::string& name, const std::string& path) {
  Pages found{name, {}, 0};
  const Result<InputList> list = expand_inputs(disk(), {{path}, {}, "html", ""});
  if (!list.ok()) return found;
  for (const Input& input : list.value().inputs) {
    auto reader = open_reader(disk(), input, {});
    if (!reader.ok()) continue;
    RecordBatch batch;
    while (true) {
      const Result<bool> more = reader.value()->read(batch);
      if (!more.ok() || !more.value()) break;
      reader.value()->decode({.text = "html", .id = "id", .named = {}}, batch);
      for (const Record& record : batch.records) {
        if (record.bad != BadReason::none || found.bytes >= most_bytes) continue;
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
        "<div class=\"row item\"><p>Some words of <a href=\"/other/page.html?a=1&amp;b=2\" "
        "title=\"T\">a text</a>, &ldquo;quoted&rdquo;, with <b>markup</b>.</p></div>\n";
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
      some.push_back(read_pages("articles", folder + "/article-html/html"));
      std::erase_if(some, [](const Pages& pages) { return pages.pages.empty(); });
    }
    if (some.empty()) some.push_back(made_page());
    return some;
  }();
  return all;
}

template <class Read>
void measure(benchmark::State& state, const Pages& pages, const Read& read) {
  std::size_t text = 0;
  for (auto _ : state) {
    const double start = cpu_seconds();
    text = 0;
    for (const std::string& page : pages.pages) text += read(page);
    state.SetIterationTime(cpu_seconds() - start);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(pages.bytes));
  state.counters["text_share"] = static_cast<double>(text) / static_cast<double>(pages.bytes);
}

void measure_text(benchmark::State& state, const Pages& pages, SimdLevel level, Offsets offsets) {
  if (!limit_simd(level).ok()) return state.SkipWithError("level");
  HtmlText text;
  measure(state, pages, [&](const std::string& page) {
    extract_html(page, offsets, text);
    return text.size;
  });
}

void measure_analysis(benchmark::State& state, const Pages& pages, SimdLevel level) {
  if (!limit_simd(level).ok()) return state.SkipWithError("level");
  Analysis analysis;
  measure(state, pages, [&](const std::string& page) {
    analyze(*find_analyzer("words"), page, Markup::html, Offsets::drop, analysis);
    return analysis.html.size;
  });
}

#ifdef TWINSET_BENCH_MYHTML
/// The tree, and the lengths of its texts.
void measure_myhtml(benchmark::State& state, const Pages& pages) {
  myhtml_t* const library = myhtml_create();
  myhtml_init(library, MyHTML_OPTIONS_PARSE_MODE_SINGLE, 1, 0);
  myhtml_tree_t* const tree = myhtml_tree_create();
  myhtml_tree_init(tree, library);
  measure(state, pages, [&](const std::string& page) {
    myhtml_parse(tree, MyENCODING_UTF_8, page.data(), page.size());
    std::size_t text = 0;
    myhtml_tree_node_t* const root = myhtml_tree_get_document(tree);
    for (myhtml_tree_node_t* node = myhtml_node_child(root); node != nullptr;) {
      std::size_t bytes = 0;
      if (myhtml_node_text(node, &bytes) != nullptr) text += bytes;
      if (myhtml_tree_node_t* const child = myhtml_node_child(node); child != nullptr) {
        node = child;
        continue;
      }
      while (node != nullptr && node != root && myhtml_node_next(node) == nullptr) {
        node = myhtml_node_parent(node);
      }
      node = node == nullptr || node == root ? nullptr : myhtml_node_next(node);
    }
    return text;
  });
  myhtml_tree_destroy(tree);
  myhtml_destroy(library);
}
#endif

[[maybe_unused]] const bool registered = [] {
  for (const Pages& pages : collections()) {
    for (const SimdLevel level : supported_simd_levels()) {
      const std::string at = pages.name + "/" + std::string(simd_level_name(level));
      const auto add = [&](const std::string& name, auto measured) {
        benchmark::RegisterBenchmark(name.c_str(), measured)->UseManualTime()->MinTime(0.3);
      };
      add("html/" + at, [&pages, level](benchmark::State& state) {
        measure_text(state, pages, level, Offsets::drop);
      });
      add("html_offsets/" + at, [&pages, level](benchmark::State& state) {
        measure_text(state, pages, level, Offsets::keep);
      });
      add("html_words/" + at,
          [&pages, level](benchmark::State& state) { measure_analysis(state, pages, level); });
    }
#ifdef TWINSET_BENCH_MYHTML
    benchmark::RegisterBenchmark(
        ("myhtml/" + pages.name).c_str(),
        [&pages](benchmark::State& state) { measure_myhtml(state, pages); })
        ->UseManualTime()
        ->MinTime(0.3);
#endif
  }
  return true;
}();

}  // namespace
}  // namespace twinset
