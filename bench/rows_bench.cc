// Grouping and sorting of rows, beside std::sort of the same rows in the same run.
//
//   build/bench/bench/rows_bench --benchmark_counters_tabular=true
//
// Rows are 16 bytes, a 64-bit hash and a document; a quarter of the keys is drawn
// from a pool as large as the rows, so that most are held once. The counter
// per_row is the thing to look at; `spilled` runs with an eighth of the memory.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "rows/rows.h"
#include "system/files.h"

namespace twinset {
namespace {

struct Row {
  std::uint64_t key = 0;
  std::uint64_t document = 0;
  auto operator<=>(const Row&) const = default;
};
struct ByDocument {
  bool operator()(const Row& a, const Row& b) const { return a.document < b.document; }
};
struct ByAll {
  bool operator()(const Row& a, const Row& b) const { return a < b; }
};
struct ByAllWithRadix : ByAll {
  static std::uint64_t radix(const Row& row) { return row.key; }
};

const std::vector<Row>& rows(std::int64_t count) {
  static std::vector<Row> made;
  if (std::ssize(made) != count) {
    std::mt19937_64 random(1);
    made.clear();
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
      const std::uint64_t key =
          random() % 4 == 0 ? mix64(random() % static_cast<std::uint64_t>(count)) : random();
      made.push_back({key, i});
    }
  }
  return made;
}

void report(benchmark::State& state) {
  state.counters["per_row"] =
      benchmark::Counter(static_cast<double>(state.iterations() * state.range(0)),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

struct CountRows {
  std::uint64_t* sum;
  Status row(const Row& row, bool first) {
    *sum += row.document + (first ? 1 : 0);
    return {};
  }
  Status finish() { return {}; }
};

RunContext context() {
  RunContext made;
  made.files = &disk();
  return made;
}

std::string scratch(const char* name) {
  return (std::filesystem::temp_directory_path() / name).string();
}

/// Appends in batches of 8,192 rows, as a reader would.
template <class Store>
bool append_all(Store& store, const std::vector<Row>& from) {
  for (std::size_t i = 0; i < from.size(); i += 8192) {
    if (!store.append(std::span(from).subspan(i, std::min<std::size_t>(8192, from.size() - i)))
             .ok()) {
      return false;
    }
  }
  return true;
}

void std_sort(benchmark::State& state) {
  const std::vector<Row>& from = rows(state.range(0));
  for (auto _ : state) {
    std::vector<Row> copy = from;
    std::sort(copy.begin(), copy.end());
    benchmark::DoNotOptimize(copy.data());
  }
  report(state);
}

void group(benchmark::State& state, std::uint64_t memory_bytes) {
  const std::vector<Row>& from = rows(state.range(0));
  const RunContext run = context();
  for (auto _ : state) {
    PartitionedRows<Row> store(
        {.context = &run, .path = scratch("twinset-rows-bench"), .memory_bytes = memory_bytes});
    std::uint64_t sum = 0;
    if (!append_all(store, from) || !store
                                         .for_each_group([](Row&) { return true; }, ByDocument{},
                                                         [&](unsigned) { return CountRows{&sum}; })
                                         .ok()) {
      state.SkipWithError("grouping failed");
    }
    benchmark::DoNotOptimize(sum);
  }
  report(state);
}
void group_in_memory(benchmark::State& state) {
  group(state, static_cast<std::uint64_t>(state.range(0)) * sizeof(Row) * 4);
}
void group_spilled(benchmark::State& state) {
  group(state, static_cast<std::uint64_t>(state.range(0)) * sizeof(Row) / 8);
}

void append_only(benchmark::State& state) {
  const std::vector<Row>& from = rows(state.range(0));
  const RunContext run = context();
  for (auto _ : state) {
    PartitionedRows<Row> store({.context = &run,
                                .path = scratch("twinset-rows-bench"),
                                .memory_bytes = from.size() * sizeof(Row) * 4});
    if (!append_all(store, from)) state.SkipWithError("adding failed");
  }
  report(state);
}

template <class Less>
void sorted(benchmark::State& state, std::uint64_t memory_bytes) {
  const std::vector<Row>& from = rows(state.range(0));
  const RunContext run = context();
  for (auto _ : state) {
    SortedRows<Row, Less> store(
        {.context = &run, .path = scratch("twinset-rows-bench"), .memory_bytes = memory_bytes});
    if (!append_all(store, from) || !store.seal().ok()) state.SkipWithError("sorting failed");
    auto cursor = store.read();
    std::uint64_t sum = 0;
    while (const Row* row = cursor.value()->peek()) {
      sum += row->document;
      cursor.value()->advance();
    }
    benchmark::DoNotOptimize(sum);
  }
  report(state);
}
template <class Less>
void sorted_in_memory(benchmark::State& state) {
  sorted<Less>(state, static_cast<std::uint64_t>(state.range(0)) * sizeof(Row) * 2);
}
template <class Less>
void sorted_spilled(benchmark::State& state) {
  sorted<Less>(state, static_cast<std::uint64_t>(state.range(0)) * sizeof(Row) / 8);
}

void row_file(benchmark::State& state) {
  const std::vector<Row>& from = rows(state.range(0));
  const RunContext run = context();
  for (auto _ : state) {
    RowFile<Row> file({.context = &run, .path = scratch("twinset-rows-bench.rows")});
    if (!append_all(file, from) || !file.seal().ok()) state.SkipWithError("writing failed");
    auto cursor = file.read();
    std::uint64_t sum = 0;
    while (const Row* row = cursor.value()->next().value()) sum += row->document;
    benchmark::DoNotOptimize(sum);
    if (!file.discard().ok()) state.SkipWithError("removing failed");
  }
  report(state);
}

BENCHMARK(std_sort)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(append_only)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(group_in_memory)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(group_spilled)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(sorted_in_memory<ByAll>)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(sorted_in_memory<ByAllWithRadix>)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(sorted_spilled<ByAllWithRadix>)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(row_file)->Arg(10'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace twinset
