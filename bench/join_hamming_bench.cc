// The Hamming join beside the radix sorts that its tables need, and beside comparing every two.
//
//   build/bench/bench/join_hamming_bench --benchmark_counters_tabular=true
//
// A tenth of the signatures are near another one. `seconds` of near_pairs and of radix_sorts, in
// one run and of the same number of signatures, are the things to compare: the second sorts as many
// times as the first has tables, by keys of the same bits. `pairs_per_s` of every_two is S-25's
// unit: comparisons a second on one core.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <vector>

#include "join/hamming.h"
#include "system/files.h"

namespace twinset {
namespace {

const std::vector<Signature<1>>& signatures(std::int64_t count) {
  static std::vector<Signature<1>> made;
  if (std::ssize(made) == count) return made;
  std::mt19937_64 random(1);
  made.clear();
  for (std::int64_t i = 0; i < count; ++i) {
    Signature<1> signature{random()};
    if (i > 0 && random() % 10 == 0) {
      signature = made[random() % static_cast<std::uint64_t>(i)];
      signature[0] ^= std::uint64_t{1} << random() % 64;
    }
    made.push_back(signature);
  }
  std::ranges::sort(made);
  made.erase(std::unique(made.begin(), made.end()), made.end());
  return made;
}

void near_pairs_within_3(benchmark::State& state) {
  const auto& distinct = signatures(state.range(0));
  RunContext context;
  context.files = &disk();
  const HammingPlan plan = plan_tables<1>(distinct, 3);
  std::atomic<std::uint64_t> pairs = 0;
  for (auto _ : state) {
    pairs = 0;
    const Status done = near_pairs<1>(context, distinct, plan, [&](auto found) {
      pairs += found.size();
      return Status();
    });
    if (!done.ok()) state.SkipWithError(done.error().text().c_str());
  }
  state.counters["tables"] = static_cast<double>(plan.tables.size());
  state.counters["pairs"] = static_cast<double>(pairs);
}

/// A plain radix sort by the bits of a table's key, the lowest digits first.
void radix_sort(const TableKey<1>& key, std::vector<Signature<1>>& rows,
                std::vector<Signature<1>>& other) {
  constexpr unsigned digit = 9;
  for (unsigned shift = 0; shift < key.bits(); shift += digit) {
    std::array<std::uint32_t, (1 << digit) + 1> ends{};
    const auto digit_of = [&](const Signature<1>& row) {
      return key(row) >> shift & ((1 << digit) - 1);
    };
    for (const auto& row : rows) ++ends[digit_of(row) + 1];
    for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
    for (const auto& row : rows) other[ends[digit_of(row)]++] = row;
    rows.swap(other);
  }
}

void radix_sorts_of_its_keys(benchmark::State& state) {
  const auto& distinct = signatures(state.range(0));
  const HammingPlan plan = plan_tables<1>(distinct, 3);
  std::vector<Signature<1>> rows(distinct);
  std::vector<Signature<1>> other(distinct.size());
  for (auto _ : state) {
    for (const std::uint32_t table : plan.tables) radix_sort({plan, table}, rows, other);
    benchmark::DoNotOptimize(rows.data());
  }
  state.counters["tables"] = static_cast<double>(plan.tables.size());
}

void every_two(benchmark::State& state) {
  const auto& distinct = signatures(state.range(0));
  std::vector<std::uint64_t> near(distinct.size());
  std::uint64_t found = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < distinct.size(); ++i) {
      found += select_near(distinct[i][0], std::span(distinct).subspan(i + 1), 3, near.data(),
                           simd_level());
    }
  }
  benchmark::DoNotOptimize(found);
  const double n = static_cast<double>(distinct.size());
  state.counters["pairs_per_s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * n * (n - 1) / 2, benchmark::Counter::kIsRate);
}

BENCHMARK(near_pairs_within_3)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kSecond);
BENCHMARK(radix_sorts_of_its_keys)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kSecond);
BENCHMARK(every_two)->Arg(20'000)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace twinset
