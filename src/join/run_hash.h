// The hash of each N tokens in a row, for many N and in one step from each to the next.
//
// Two polynomials modulo 2^64 over the tokens' hashes, which are as good as random, mixed to 128
// bits: runs of other tokens, or of the same ones in another order, have another hash but for a
// chance of less than 2^-100.
//
// Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/hash.h"
#include "rows/key.h"

namespace twinset {

class RunHasher {
 public:
  explicit RunHasher(unsigned run_tokens) : run_tokens_(run_tokens) {
    leaving_.fill(1);
    for (unsigned i = 0; i < run_tokens; ++i) {
      for (std::size_t k = 0; k < bases.size(); ++k) leaving_[k] *= bases[k];
    }
  }

  /// Calls `use(begin, key)` for the runs that begin at [first, end); `end` + N - 1 is at most the
  /// number of tokens.
  template <class Use>
  void for_each(std::span<const std::uint64_t> tokens, std::size_t first, std::size_t end,
                Use use) const {
    if (first >= end) return;
    std::array<std::uint64_t, bases.size()> sums{};
    for (std::size_t i = first; i < first + run_tokens_; ++i) step(sums, tokens[i], 0);
    use(first, key_of(sums));
    for (std::size_t begin = first + 1; begin < end; ++begin) {
      step(sums, tokens[begin + run_tokens_ - 1], tokens[begin - 1]);
      use(begin, key_of(sums));
    }
  }

 private:
  /// 3 modulo 8, so that small differences of their powers have few factors of 2.
  static constexpr std::array<std::uint64_t, 2> bases{0xa0761d6478bd642bULL, 0xe7037ed1a0b428dbULL};
  static_assert(bases[0] % 8 == 3 && bases[1] % 8 == 3);

  void step(std::array<std::uint64_t, 2>& sums, std::uint64_t in, std::uint64_t out) const {
    for (std::size_t k = 0; k < sums.size(); ++k) {
      sums[k] = sums[k] * bases[k] + in - out * leaving_[k];
    }
  }
  static Key128 key_of(const std::array<std::uint64_t, 2>& sums) {
    return {mix64(sums[0]), mix64(sums[1])};
  }

  unsigned run_tokens_;
  std::array<std::uint64_t, 2> leaving_;
};

}  // namespace twinset
