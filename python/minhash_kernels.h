// The arithmetic of datasketch's MinHash over many elements at once, bit for bit: SHA-1 of short
// elements, sixteen side by side, and the minima of their permuted hashes. It is for the package
// alone: schemes of a run compute theirs in scheme/kernels.
//
//   ShortSha1 sha1([&](std::span<const std::uint64_t> hashes) { ... });
//   if (!sha1.add(element)) ...   // longer than ShortSha1::most_bytes
//   sha1.finish();
//
// Threads: one for each object.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace twinset::python {

/// How a hash is permuted; names are datasketch's.
enum class MinHashScheme : std::uint8_t {
  affine32,  ///< a h + b mod 2^32, h mixed by MurmurHash3's finalizer
  affine64,  ///< the same in 64 bits
  legacy,    ///< (a h + b mod 2^64) mod (2^61 - 1), of which the low 32 bits
};

/// values[i] = the least of itself and of permutation i of all hashes; spans of permutations are
/// of the size of `values`. O(hashes x values).
void fold_minima32(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> a,
                   std::span<const std::uint32_t> b, std::span<std::uint32_t> values);
void fold_minima64(MinHashScheme scheme, std::span<const std::uint64_t> hashes,
                   std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                   std::span<std::uint64_t> values);

/// The first eight bytes of SHA-1, little-endian, of elements that are gathered by their number of
/// blocks until sixteen are together. Hashes leave in any order, which minima do not see.
class ShortSha1 {
 public:
  static constexpr std::size_t most_blocks = 4;
  static constexpr std::size_t most_bytes = most_blocks * 64 - 9;

  /// Hashes are appended to `hashes`.
  explicit ShortSha1(std::vector<std::uint64_t>& hashes);

  /// False, and nothing done, if the element has more than most_bytes.
  bool add(std::string_view element);

  /// Hashes what waits for others.
  void finish();

 private:
  static constexpr std::size_t lanes = 16;
  /// Big-endian words, word w of element l at [w x lanes + l].
  struct Queue {
    std::vector<std::uint32_t> words;
    std::size_t size = 0;
  };
  void flush(Queue& queue, std::size_t blocks);

  std::vector<std::uint64_t>& hashes_;
  std::array<Queue, most_blocks> queues_;
};

}  // namespace twinset::python
