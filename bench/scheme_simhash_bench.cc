// The loops of simhash, beside the published ones: nanoseconds a hash.
//
//   scheme_simhash_bench
//
// `counts` is `long counts[64]`, a step up or down for each bit of each hash; `weighted_counts` the
// same with a double for each bit. Documents have the number of hashes that ends a row's name.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "scheme/kernels/bit_sums.h"

namespace twinset {
namespace {

/// Documents of some hashes, with weights as those of terms: most below 2^12, some above.
struct Documents {
  explicit Documents(std::size_t size)
      : hash_count(size), count(std::max<std::size_t>(1, 200000 / size)) {
    for (std::size_t i = 0; i < size * count; ++i) {
      hashes.push_back(mix64(mix64(7) + i));
      const std::uint64_t random = mix64(i);
      weights.push_back(static_cast<std::uint32_t>(64 + random % 1024)
                        << (random >> 60 == 0 ? 4 : 0));
    }
  }
  std::span<const std::uint64_t> hashes_of(std::size_t document) const {
    return std::span(hashes).subspan(document * hash_count, hash_count);
  }
  std::span<const std::uint32_t> weights_of(std::size_t document) const {
    return std::span(weights).subspan(document * hash_count, hash_count);
  }
  std::size_t hash_count;
  std::size_t count;
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> weights;
};

template <class Number, class WeightOf>
std::uint64_t signs_of_counts(std::span<const std::uint64_t> hashes, WeightOf weight_of) {
  std::array<Number, 64> counts{};
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const Number weight = weight_of(i);
    for (unsigned bit = 0; bit < 64; ++bit) {
      counts[bit] += (hashes[i] >> bit & 1) != 0 ? weight : -weight;
    }
  }
  std::uint64_t bits = 0;
  for (unsigned bit = 0; bit < 64; ++bit) bits |= std::uint64_t{counts[bit] > 0} << bit;
  return bits;
}

template <class Signature>
void run(benchmark::State& state, Signature signature) {
  const Documents documents(static_cast<std::size_t>(state.range(0)));
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(signature(documents.hashes_of(next), documents.weights_of(next)));
    next = next + 1 == documents.count ? 0 : next + 1;
  }
  state.counters["per_hash"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(documents.hash_count),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void majority(benchmark::State& state, SimdLevel level) {
  if (simd_level() < level) return state.SkipWithError("not on this CPU");
  static_cast<void>(limit_simd(level).ok());
  run(state, [&](auto hashes, auto) { return majority_bits(hashes, level); });
  static_cast<void>(limit_simd(supported_simd_levels().back()).ok());
}

void weighted(benchmark::State& state, SimdLevel level) {
  if (simd_level() < level) return state.SkipWithError("not on this CPU");
  static_cast<void>(limit_simd(level).ok());
  run(state, [&](auto hashes, auto weights) {
    BitSums sums{};
    add_bit_sums(hashes, weights, sums, level);
    return sums[0];
  });
  static_cast<void>(limit_simd(supported_simd_levels().back()).ok());
}

void counts(benchmark::State& state) {
  run(state, [](auto hashes, auto) {
    return signs_of_counts<long>(hashes, [](std::size_t) { return 1L; });
  });
}

void weighted_counts(benchmark::State& state) {
  run(state, [](auto hashes, auto weights) {
    return signs_of_counts<double>(hashes,
                                   [&](std::size_t i) { return static_cast<double>(weights[i]); });
  });
}

BENCHMARK(counts)->Arg(1000);
BENCHMARK(weighted_counts)->Arg(1000);
BENCHMARK_CAPTURE(majority, portable, SimdLevel::portable)->Arg(1000);
BENCHMARK_CAPTURE(majority, sse4, SimdLevel::sse4)->Arg(1000);
BENCHMARK_CAPTURE(majority, avx2, SimdLevel::avx2)->Arg(100)->Arg(500)->Arg(1000)->Arg(20000);
BENCHMARK_CAPTURE(majority, avx3, SimdLevel::avx3)->Arg(100)->Arg(500)->Arg(1000)->Arg(20000);
BENCHMARK_CAPTURE(weighted, portable, SimdLevel::portable)->Arg(1000);
BENCHMARK_CAPTURE(weighted, sse4, SimdLevel::sse4)->Arg(1000);
BENCHMARK_CAPTURE(weighted, avx2, SimdLevel::avx2)->Arg(100)->Arg(500)->Arg(1000)->Arg(20000);
BENCHMARK_CAPTURE(weighted, avx3, SimdLevel::avx3)->Arg(100)->Arg(500)->Arg(1000)->Arg(20000);

}  // namespace
}  // namespace twinset
