// The steps of spans on one thread: anchors of a text, hashes of its runs, common runs of two.
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "join/common_runs.h"
#include "join/run_hash.h"
#include "text/anchors.h"

namespace twinset {
namespace {

std::vector<std::uint64_t> random_tokens(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> tokens(size);
  for (std::uint64_t& token : tokens) token = mix64(random() % 50'000 + 1);
  return tokens;
}

void Anchors(benchmark::State& state) {
  const std::vector<std::uint64_t> tokens = random_tokens(1 << 16, 1);
  const AnchorRule rule(static_cast<unsigned>(state.range(0)));
  AnchorSampler sampler;
  std::vector<TextAnchor> anchors;
  for (auto _ : state) {
    sampler.sample(tokens, rule, anchors);
    benchmark::DoNotOptimize(anchors.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tokens.size()));
  state.counters["tokens per anchor"] =
      static_cast<double>(tokens.size()) / static_cast<double>(anchors.size());
}
BENCHMARK(Anchors)->Arg(20)->Arg(50)->Arg(200);

void RunHashes(benchmark::State& state) {
  const std::vector<std::uint64_t> tokens = random_tokens(1 << 16, 1);
  const RunHasher hasher(50);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    hasher.for_each(tokens, 0, tokens.size() - 49,
                    [&](std::size_t, const Key128& key) { sum += key.high ^ key.low; });
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tokens.size()));
}
BENCHMARK(RunHashes);

/// Two texts of 10,000 tokens, a tenth of one in the other in pieces of 100.
void CommonRunsOfTwo(benchmark::State& state) {
  const std::vector<std::uint64_t> a = random_tokens(10'000, 1);
  std::vector<std::uint64_t> b = random_tokens(10'000, 2);
  for (std::size_t i = 0; i < 10; ++i) {
    std::copy_n(a.begin() + static_cast<std::ptrdiff_t>(i * 700), 100,
                b.begin() + static_cast<std::ptrdiff_t>(9'000 - i * 900));
  }
  for (auto _ : state) {
    const CommonRuns found = find_common_runs(a, b, 20);
    if (found.runs.size() != 10) state.SkipWithError("not ten runs");
    benchmark::DoNotOptimize(found.runs.data());
  }
  state.SetItemsProcessed(state.iterations() * 20'000);
}
BENCHMARK(CommonRunsOfTwo);

}  // namespace
}  // namespace twinset
