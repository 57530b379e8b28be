// Shingles, documents and schemes for the tests of this room.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "base/hash.h"
#include "scheme/scheme.h"
#include "text/analyzer.h"
#include "text/shingler.h"

namespace twinset {

using Shingles = std::vector<std::uint64_t>;

/// Distinct shingles `first`, `first + 1`, ... of an endless stream.
inline Shingles stream_shingles(std::uint64_t stream, std::size_t count, std::uint64_t first = 0) {
  Shingles shingles(count);
  const std::uint64_t start = mix64(stream) + first;
  for (std::size_t i = 0; i < count; ++i) shingles[i] = mix64(start + i);
  return shingles;
}

/// Two sets of `size` shingles each with `shared` in common.
struct SetPair {
  Shingles a;
  Shingles b;
  double resemblance = 0;
};

inline SetPair make_pair_of_sets(std::uint64_t stream, std::size_t size, std::size_t shared) {
  SetPair pair;
  pair.a = stream_shingles(stream, size);
  pair.b = stream_shingles(stream, size, size - shared);
  pair.resemblance = static_cast<double>(shared) / static_cast<double>(2 * size - shared);
  return pair;
}

/// Shared shingles that give two sets of `size` about that resemblance.
inline std::size_t shared_for(std::size_t size, double resemblance) {
  return static_cast<std::size_t>(2 * resemblance * static_cast<double>(size) / (1 + resemblance) +
                                  0.5);
}

inline void sketch_shingles(const Scheme& scheme, const Shingles& shingles, Sketch& out) {
  scheme.sketch(GivenView(shingles), out);
}

inline Sketch sketch_of(const Scheme& scheme, const Shingles& shingles) {
  Sketch sketch;
  sketch_shingles(scheme, shingles, sketch);
  return sketch;
}

inline std::vector<std::uint64_t> keys_of(const Scheme& scheme, const Sketch& sketch) {
  std::vector<std::uint64_t> keys;
  scheme.keys(sketch, keys);
  return keys;
}

inline std::unique_ptr<Scheme> must_make(std::string_view spec, double threshold = 0.8) {
  Result<std::unique_ptr<Scheme>> scheme = make_scheme(spec, threshold);
  if (!scheme.ok()) {
    ADD_FAILURE() << scheme.error().message;
    std::abort();
  }
  return std::move(scheme).value();
}

/// Values as a document's tokens and as its shingles; its text is "S N", so that
/// a scheme of any kind has something to look at.
inline Sketch sketch_of_tokens(const Scheme& scheme, const Shingles& values) {
  Analysis analysis;
  analysis.tokens = values;
  const std::string text = std::to_string(values.size() + 1) + " " + std::to_string(values.size());
  Sketch sketch;
  scheme.sketch(GivenView(text, analysis, values), sketch);
  return sketch;
}

/// A text under a scheme, analyzed as the product does.
inline Sketch sketch_text(const Scheme& scheme, std::string_view text) {
  Analysis analysis;
  find_analyzer("words")->analyze(text, Offsets::drop, analysis);
  Shingles shingles;
  if (scheme.shingle_tokens() != 0) shingle(analysis.tokens, scheme.shingle_tokens(), shingles);
  Sketch sketch;
  scheme.sketch(GivenView(text, analysis, shingles, find_analyzer("words")), sketch);
  return sketch;
}

/// Restores the SIMD level at the end of a test.
class SimdLevelGuard {
 public:
  SimdLevelGuard() : level_(simd_level()) {}
  ~SimdLevelGuard() { static_cast<void>(limit_simd(level_).ok()); }
  SimdLevelGuard(const SimdLevelGuard&) = delete;
  SimdLevelGuard& operator=(const SimdLevelGuard&) = delete;

 private:
  SimdLevel level_;
};

}  // namespace twinset
