// The hits of a search in groups, as a process that stays asks for them: 1,000 hits of an index of
// 50,000 texts of 300 words, a third of the hits near copies of others.
//
//   build/bench/bench/search_group_bench
//
// `p50_ms` and `p99_ms` are of 300 lists, on one thread, warm: Index::group() alone, and with the
// line of JSON read and the answer's written.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "twinset/hits.h"

namespace twinset {
namespace {

constexpr std::size_t documents = 50'000;
constexpr std::size_t words_each = 300;
constexpr std::size_t hits = 1'000;
constexpr std::size_t lists = 300;

struct Made {
  std::filesystem::path folder;
  ~Made() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
};

/// Every third text is one of the two before it with some words replaced.
void write_texts(const std::filesystem::path& path) {
  std::mt19937_64 random(1);
  std::ofstream file(path);
  std::vector<std::uint64_t> last(words_each);
  for (std::size_t i = 0; i < documents; ++i) {
    std::vector<std::uint64_t> words = last;
    for (std::uint64_t& word : words) {
      if (i % 3 != 2 || random() % 50 == 0) word = random() % 100'000;
    }
    file << "{\"id\": \"" << i << "\", \"readers\": \"" << (i % 10 == 0 ? "few" : "all")
         << "\", \"url\": \"http://h" << i % 97 << ".org/" << i << "\", \"text\": \"";
    for (const std::uint64_t word : words) file << "w" << word << " ";
    file << "\"}\n";
    last = words;
  }
}

/// An index under a scheme, made once for each.
const Index& made_index(const std::string& scheme, bool texts) {
  static Made made{std::filesystem::temp_directory_path() / "twinset_group_bench"};
  static std::vector<std::pair<std::string, std::unique_ptr<Index>>> all;
  const std::string name = scheme + (texts ? ".texts" : "");
  for (const auto& [known, index] : all) {
    if (known == name) return *index;
  }
  std::filesystem::create_directories(made.folder);
  const std::filesystem::path input = made.folder / "in.jsonl";
  if (all.empty()) write_texts(input);
  IndexOptions options;
  options.index = made.folder / name;
  options.settings.scheme = {scheme};
  options.settings.texts = texts;
  options.url = "url";
  options.field = {"readers"};
  std::filesystem::remove_all(options.index);
  create_index(options, {}).value();
  options.inputs = {input};
  add_to_index(options, {}).value();
  all.emplace_back(name, std::make_unique<Index>(Index::open(options.index).value()));
  return *all.back().second;
}

std::string made_list(std::mt19937_64& random) {
  std::string json = "{\"hits\": [";
  for (std::size_t i = 0; i < hits; ++i) {
    // Runs of neighbors, of which some are near copies.
    static std::size_t at = 0;
    at = i % 3 == 0 ? random() % (documents - 3) / 3 * 3 : at + 1;
    json += (i > 0 ? ", \"" : "\"") + std::to_string(at) + "\"";
  }
  return json + "], \"access\": [\"all\", \"few\"]}";
}

double at_share(std::vector<double> times, double share) {
  std::ranges::sort(times);
  return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

// B-26: 1,000 hits in at most 5 ms in a process that stays.
void group_thousand_hits(benchmark::State& state, const std::string& scheme, bool texts,
                         bool with_json) {
  const Index& index = made_index(scheme, texts);
  std::mt19937_64 random(2);
  GroupSettings settings;
  settings.access = "readers";
  std::vector<double> times;
  std::uint64_t groups = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < lists + 20; ++i) {
      const std::string json = made_list(random);
      HitList list;
      if (!with_json) list = read_hit_list(json).value();
      const auto begin = std::chrono::steady_clock::now();
      if (with_json) list = read_hit_list(json).value();
      const GroupedHits grouped = index.group(list, settings).value();
      if (with_json) benchmark::DoNotOptimize(to_json(grouped));
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - begin;
      groups += grouped.groups.size();
      if (i >= 20) times.push_back(took.count());
    }
  }
  state.counters["p50_ms"] = at_share(times, 0.5);
  state.counters["p99_ms"] = at_share(times, 0.99);
  state.counters["groups"] = static_cast<double>(groups) / (lists + 20);
}

void add(const char* name, const char* scheme, bool texts, bool with_json) {
  benchmark::RegisterBenchmark(
      name, [=](benchmark::State& state) { group_thousand_hits(state, scheme, texts, with_json); })
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

const bool added = [] {
  add("mod", "mod(samples=64)", false, false);
  add("mod, JSON", "mod(samples=64)", false, true);
  add("fss", "fss", false, false);
  add("fss, JSON", "fss", false, true);
  add("simhash", "simhash", false, false);
  add("fss, texts", "fss", true, false);
  return true;
}();

}  // namespace
}  // namespace twinset
