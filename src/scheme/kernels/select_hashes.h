// A sample's inner loop: hashes each shingle, and keeps the hashes up to a limit.
//
// Threads: pure functions, except for their outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.h"
#include "base/hash.h"

namespace twinset {

/// A scheme's own hash of shingles: key and multiplier differ from those of other schemes.
struct ShingleHash {
  std::uint64_t key = 0;
  std::uint64_t multiplier = 0;
  std::uint64_t kept_bits = UINT64_MAX;  ///< other bits are 0: a shorter fingerprint

  std::uint64_t operator()(std::uint64_t shingle) const {
    return multiply_fold(shingle ^ key, multiplier) & kept_bits;
  }
};

/// Writes the hashes of at most `limit` to `out`, in order, repeats included; returns their number.
/// `out` has room for one of each shingle. Equal for each `level`.
std::size_t select_hashes(const ShingleHash& hash, std::span<const std::uint64_t> shingles,
                          std::uint64_t limit, std::uint64_t* out, SimdLevel level);

}  // namespace twinset
