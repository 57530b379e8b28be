// What a sketch costs from shingles in memory, and what it is worth: nanoseconds
// a shingle beside the error of its estimates.
//
//   scheme_bench --benchmark_filter=sketch
//
// `rmse` is the root mean square error of the estimated resemblance over pairs of
// documents of that length whose resemblance is 0.8; `binomial` is what as many
// independent draws would have. Signatures that tell a distance estimate none.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "scheme/scheme.h"

namespace twinset {
namespace {

using Shingles = std::vector<std::uint64_t>;

Shingles random_shingles(std::size_t count, std::uint64_t seed) {
  Shingles shingles(count);
  for (std::size_t i = 0; i < count; ++i) shingles[i] = mix64(mix64(seed) + i);
  return shingles;
}

/// A document whose tokens are its shingles.
struct Document {
  explicit Document(Shingles shingles) { analysis.tokens = std::move(shingles); }
  GivenView view() const { return {{}, analysis, analysis.tokens}; }
  Analysis analysis;
};

/// Root mean square error at resemblance 0.8 between sets of `size` shingles.
double error_at_0_8(const Scheme& scheme, std::size_t size) {
  const auto shared =
      static_cast<std::size_t>(std::llround(2 * 0.8 * static_cast<double>(size) / 1.8));
  const double truth = static_cast<double>(shared) / static_cast<double>(2 * size - shared);
  constexpr int pairs = 300;
  double sum = 0;
  Sketch a;
  Sketch b;
  for (int pair = 0; pair < pairs; ++pair) {
    Shingles left = random_shingles(size, 2 * static_cast<std::uint64_t>(pair));
    Shingles right = random_shingles(size, 2 * static_cast<std::uint64_t>(pair) + 1);
    std::copy_n(left.begin(), shared, right.begin());
    scheme.sketch(Document(std::move(left)).view(), a);
    scheme.sketch(Document(std::move(right)).view(), b);
    const Comparison comparison = scheme.compare(a.stored, b.stored);
    const double error = (comparison.resemblance ? comparison.resemblance->value : 0) - truth;
    sum += error * error;
  }
  return std::sqrt(sum / pairs);
}

void sketch_and_keys(benchmark::State& state, const std::string& spec, std::size_t size) {
  const Result<std::unique_ptr<Scheme>> made = make_scheme(spec, 0.8);
  if (!made.ok()) return state.SkipWithError(made.error().text().c_str());
  const Scheme& scheme = *made.value();
  // As many documents as keep the caches honest and the branches guessing.
  std::vector<Document> documents;
  for (std::size_t i = 0; i < std::clamp<std::size_t>(400000 / size, 8, 256); ++i) {
    documents.emplace_back(random_shingles(size, 1000 + i));
  }
  Sketch sketch;
  std::vector<std::uint64_t> keys;
  std::size_t next = 0;
  for (auto _ : state) {
    scheme.sketch(documents[next].view(), sketch);
    keys.clear();
    scheme.keys(sketch, keys);
    benchmark::DoNotOptimize(keys.data());
    next = next + 1 == documents.size() ? 0 : next + 1;
  }
  state.counters["per_shingle"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(size),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  if (scheme.estimates()) state.counters["rmse"] = error_at_0_8(scheme, size);
  state.counters["bytes"] = static_cast<double>(sketch.stored.size());
}

void compare_stored(benchmark::State& state, const std::string& spec) {
  const Result<std::unique_ptr<Scheme>> made = make_scheme(spec, 0.8);
  if (!made.ok()) return state.SkipWithError(made.error().text().c_str());
  Sketch a;
  Sketch b;
  made.value()->sketch(Document(random_shingles(800, 1)).view(), a);
  made.value()->sketch(Document(random_shingles(800, 2)).view(), b);
  for (auto _ : state) benchmark::DoNotOptimize(made.value()->compare(a.stored, b.stored));
}

const bool registered = [] {
  std::vector<std::string> specs{
      "fss(bins=128)",      "fss(bins=512, bits=2)", "minhash(values=256)",
      "mod(modulus=25)",    "mod(modulus=16)",       "simhash(bits=128)",
      "simhash(shingle=3)", "simhash(weights=unit)", "simhash(least=.01, clip=5)",
      "simhash(top=20)",    "simhash(position=log)", "simhash(position=cosine)"};
  // Every scheme's defaults; equal documents are found without shingles.
  for (const SchemeEntry* entry : schemes()) {
    if (entry->declaration->shared_key == SharedKey::equal) continue;
    specs.emplace_back(entry->declaration->name);
  }
  for (const std::string& spec : specs) {
    for (const std::size_t size : {100, 500, 800, 3000, 20000}) {
      const std::string name = "sketch/" + spec + "/" + std::to_string(size);
      benchmark::RegisterBenchmark(name.c_str(), sketch_and_keys, spec, size);
    }
    benchmark::RegisterBenchmark(("compare/" + spec).c_str(), compare_stored, spec);
  }
  return true;
}();

}  // namespace
}  // namespace twinset
