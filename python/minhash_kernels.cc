// SHA-1 takes sixteen elements of as many blocks at once, one in each lane of a vector, so that the
// standard's steps are those of one element (as in multi-buffer hashing: Gueron and Krasnov,
// "Simultaneous hashing of multiple messages", 2012). Minima stay in registers for four vectors of
// permutations while all hashes pass.
//
// This file's interface is minhash_kernels.h; the rest is private.
#include "minhash_kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "minhash_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef TWINSET_MINHASH_SHARED
#define TWINSET_MINHASH_SHARED
namespace twinset::python {
namespace {

constexpr std::size_t sha1_lanes = 16;
constexpr std::uint64_t mersenne_prime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t low_half = 0xffffffff;

}  // namespace
}  // namespace twinset::python
#endif  // TWINSET_MINHASH_SHARED

HWY_BEFORE_NAMESPACE();
namespace twinset::python {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// No vector is wider than the lanes that are gathered.
using Lanes = hn::CappedTag<std::uint32_t, sha1_lanes>;
using V = hn::Vec<Lanes>;

// MurmurHash3's finalizers.
HWY_INLINE std::uint32_t mix(std::uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  return h ^ h >> 16;
}

HWY_INLINE std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccd;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53;
  return h ^ h >> 33;
}

/// A hash with its permutations, as one lane and as vectors.
template <class Word>
struct Affine {
  static Word prepared(std::uint64_t hash) { return mix(static_cast<Word>(hash)); }
  static Word permuted(Word h, Word a, Word b) { return a * h + b; }
  template <class D, class Vec>
  static HWY_INLINE Vec permuted(D /*d*/, Vec h, Vec a, Vec b) {
    return hn::Add(hn::Mul(a, h), b);
  }
};

struct Legacy {
  static std::uint64_t prepared(std::uint64_t hash) { return hash; }
  static std::uint64_t permuted(std::uint64_t h, std::uint64_t a, std::uint64_t b) {
    return (a * h + b) % mersenne_prime & low_half;
  }
  template <class D, class Vec>
  static HWY_INLINE Vec permuted(D d, Vec h, Vec a, Vec b) {
    const Vec prime = hn::Set(d, mersenne_prime);
    const Vec x = hn::Add(hn::Mul(a, h), b);
    const Vec folded = hn::Add(hn::And(x, prime), hn::ShiftRight<61>(x));
    // Below the prime the difference wraps, and is the larger.
    return hn::And(hn::Min(folded, hn::Sub(folded, prime)), hn::Set(d, low_half));
  }
};

template <class Permutation, class Word>
HWY_INLINE void fold(const Word* hashes, std::size_t count, const Word* a, const Word* b,
                     Word* values, std::size_t size) {
  const hn::ScalableTag<Word> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= size; i += 4 * lanes) {
    const auto a0 = hn::LoadU(d, a + i);
    const auto a1 = hn::LoadU(d, a + i + lanes);
    const auto a2 = hn::LoadU(d, a + i + 2 * lanes);
    const auto a3 = hn::LoadU(d, a + i + 3 * lanes);
    const auto b0 = hn::LoadU(d, b + i);
    const auto b1 = hn::LoadU(d, b + i + lanes);
    const auto b2 = hn::LoadU(d, b + i + 2 * lanes);
    const auto b3 = hn::LoadU(d, b + i + 3 * lanes);
    auto least0 = hn::LoadU(d, values + i);
    auto least1 = hn::LoadU(d, values + i + lanes);
    auto least2 = hn::LoadU(d, values + i + 2 * lanes);
    auto least3 = hn::LoadU(d, values + i + 3 * lanes);
    for (std::size_t k = 0; k < count; ++k) {
      const auto h = hn::Set(d, hashes[k]);
      least0 = hn::Min(least0, Permutation::permuted(d, h, a0, b0));
      least1 = hn::Min(least1, Permutation::permuted(d, h, a1, b1));
      least2 = hn::Min(least2, Permutation::permuted(d, h, a2, b2));
      least3 = hn::Min(least3, Permutation::permuted(d, h, a3, b3));
    }
    hn::StoreU(least0, d, values + i);
    hn::StoreU(least1, d, values + i + lanes);
    hn::StoreU(least2, d, values + i + 2 * lanes);
    hn::StoreU(least3, d, values + i + 3 * lanes);
  }
  for (; i < size; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      values[i] = std::min(values[i], Permutation::permuted(hashes[k], a[i], b[i]));
    }
  }
}

template <class Permutation, class Word>
HWY_INLINE void fold_all(std::span<const std::uint64_t> hashes, const Word* a, const Word* b,
                         Word* values, std::size_t size) {
  constexpr std::size_t chunk = 256;
  std::array<Word, chunk> prepared;
  while (!hashes.empty()) {
    const auto now = hashes.first(std::min(chunk, hashes.size()));
    for (std::size_t k = 0; k < now.size(); ++k) {
      prepared[k] = Permutation::prepared(now[k]);  // NOLINT: k < chunk
    }
    fold<Permutation>(prepared.data(), now.size(), a, b, values, size);
    hashes = hashes.subspan(now.size());
  }
}

void FoldAffine32(std::span<const std::uint64_t> hashes, const std::uint32_t* a,
                  const std::uint32_t* b, std::uint32_t* values, std::size_t size) {
  fold_all<Affine<std::uint32_t>>(hashes, a, b, values, size);
}

void FoldAffine64(std::span<const std::uint64_t> hashes, const std::uint64_t* a,
                  const std::uint64_t* b, std::uint64_t* values, std::size_t size) {
  fold_all<Affine<std::uint64_t>>(hashes, a, b, values, size);
}

void FoldLegacy(std::span<const std::uint64_t> hashes, const std::uint64_t* a,
                const std::uint64_t* b, std::uint64_t* values, std::size_t size) {
  fold_all<Legacy>(hashes, a, b, values, size);
}

/// The standard's f of rounds 0 to 19, 20 to 39 and 60 to 79, 40 to 59.
enum class Function : std::uint8_t { choice, parity, majority };

template <Function function>
HWY_INLINE V mixed(V b, V c, V d) {
  if constexpr (function == Function::choice) {
    return hn::Xor(d, hn::And(b, hn::Xor(c, d)));
  } else if constexpr (function == Function::parity) {
    return hn::Xor3(b, c, d);
  } else {
    return hn::Or(hn::And(b, c), hn::And(d, hn::Or(b, c)));
  }
}

/// Word t of the schedule; `words` is a ring of sixteen vectors.
template <bool first>
HWY_INLINE V scheduled(const Lanes lanes, std::uint32_t* words, std::size_t t) {
  std::uint32_t* const here = words + (t & 15) * sha1_lanes;
  if constexpr (first) {
    return hn::LoadU(lanes, here);
  } else {
    const V w3 = hn::LoadU(lanes, words + ((t + 13) & 15) * sha1_lanes);
    const V w8 = hn::LoadU(lanes, words + ((t + 8) & 15) * sha1_lanes);
    const V w14 = hn::LoadU(lanes, words + ((t + 2) & 15) * sha1_lanes);
    const V w16 = hn::LoadU(lanes, here);
    const V next = hn::RotateRight<31>(hn::Xor(w16, hn::Xor3(w3, w8, w14)));
    hn::StoreU(next, lanes, here);
    return next;
  }
}

template <Function function>
HWY_INLINE void round_of(V a, V& b, V c, V d, V& e, V constant, V word) {
  e = hn::Add(hn::Add(hn::Add(e, constant), hn::Add(word, mixed<function>(b, c, d))),
              hn::RotateRight<27>(a));
  b = hn::RotateRight<2>(b);
}

/// Five rounds, after which each letter is where it was.
template <Function function, bool first>
HWY_INLINE void five(const Lanes lanes, std::uint32_t* words, std::size_t t, V constant, V& a, V& b,
                     V& c, V& d, V& e) {
  round_of<function>(a, b, c, d, e, constant, scheduled<first>(lanes, words, t));
  round_of<function>(e, a, b, c, d, constant, scheduled<first>(lanes, words, t + 1));
  round_of<function>(d, e, a, b, c, constant, scheduled<first>(lanes, words, t + 2));
  round_of<function>(c, d, e, a, b, constant, scheduled<first>(lanes, words, t + 3));
  round_of<function>(b, c, d, e, a, constant, scheduled<first>(lanes, words, t + 4));
}

/// words: `blocks` times sixteen words of sixteen elements, which are overwritten; out: the first
/// two words of the digests.
void HashLanes(std::uint32_t* words, std::size_t blocks, std::uint32_t* first,
               std::uint32_t* second) {
  const Lanes lanes;
  for (std::size_t lane = 0; lane < sha1_lanes; lane += hn::Lanes(lanes)) {
    V h0 = hn::Set(lanes, 0x67452301U);
    V h1 = hn::Set(lanes, 0xefcdab89U);
    V h2 = hn::Set(lanes, 0x98badcfeU);
    V h3 = hn::Set(lanes, 0x10325476U);
    V h4 = hn::Set(lanes, 0xc3d2e1f0U);
    for (std::size_t block = 0; block < blocks; ++block) {
      std::uint32_t* const at = words + block * 16 * sha1_lanes + lane;
      V a = h0;
      V b = h1;
      V c = h2;
      V d = h3;
      V e = h4;
      V constant = hn::Set(lanes, 0x5a827999U);
      for (std::size_t t = 0; t < 15; t += 5) {
        five<Function::choice, true>(lanes, at, t, constant, a, b, c, d, e);
      }
      round_of<Function::choice>(a, b, c, d, e, constant, scheduled<true>(lanes, at, 15));
      round_of<Function::choice>(e, a, b, c, d, constant, scheduled<false>(lanes, at, 16));
      round_of<Function::choice>(d, e, a, b, c, constant, scheduled<false>(lanes, at, 17));
      round_of<Function::choice>(c, d, e, a, b, constant, scheduled<false>(lanes, at, 18));
      round_of<Function::choice>(b, c, d, e, a, constant, scheduled<false>(lanes, at, 19));
      constant = hn::Set(lanes, 0x6ed9eba1U);
      for (std::size_t t = 20; t < 40; t += 5) {
        five<Function::parity, false>(lanes, at, t, constant, a, b, c, d, e);
      }
      constant = hn::Set(lanes, 0x8f1bbcdcU);
      for (std::size_t t = 40; t < 60; t += 5) {
        five<Function::majority, false>(lanes, at, t, constant, a, b, c, d, e);
      }
      constant = hn::Set(lanes, 0xca62c1d6U);
      for (std::size_t t = 60; t < 80; t += 5) {
        five<Function::parity, false>(lanes, at, t, constant, a, b, c, d, e);
      }
      h0 = hn::Add(h0, a);
      h1 = hn::Add(h1, b);
      h2 = hn::Add(h2, c);
      h3 = hn::Add(h3, d);
      h4 = hn::Add(h4, e);
    }
    hn::StoreU(h0, lanes, first + lane);
    hn::StoreU(h1, lanes, second + lane);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace twinset::python
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::python {
namespace {

HWY_EXPORT(FoldAffine32);
HWY_EXPORT(FoldAffine64);
HWY_EXPORT(FoldLegacy);
HWY_EXPORT(HashLanes);

std::uint32_t big_endian(const char* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return __builtin_bswap32(word);
}

}  // namespace

void fold_minima32(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> a,
                   std::span<const std::uint32_t> b, std::span<std::uint32_t> values) {
  HWY_DYNAMIC_DISPATCH(FoldAffine32)(hashes, a.data(), b.data(), values.data(), values.size());
}

void fold_minima64(MinHashScheme scheme, std::span<const std::uint64_t> hashes,
                   std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                   std::span<std::uint64_t> values) {
  if (scheme == MinHashScheme::legacy) {
    HWY_DYNAMIC_DISPATCH(FoldLegacy)(hashes, a.data(), b.data(), values.data(), values.size());
  } else {
    HWY_DYNAMIC_DISPATCH(FoldAffine64)(hashes, a.data(), b.data(), values.data(), values.size());
  }
}

ShortSha1::ShortSha1(std::vector<std::uint64_t>& hashes) : hashes_(hashes) {
  static_assert(lanes == sha1_lanes);
}

bool ShortSha1::add(std::string_view element) {
  if (element.size() > most_bytes) return false;
  const std::size_t blocks = (element.size() + 9 + 63) / 64;
  Queue& queue = queues_.at(blocks - 1);
  if (queue.words.empty()) queue.words.resize(blocks * 16 * lanes);
  std::uint32_t* to = queue.words.data() + queue.size;
  std::uint32_t* const end = to + blocks * 16 * lanes;
  const char* from = element.data();
  std::size_t left = element.size();
  for (; left >= 4; left -= 4, from += 4, to += lanes) *to = big_endian(from);
  // The rest, and the bit that ends it. The last four bytes are read again where there are four.
  std::uint32_t rest = 0;
  if (left != 0 && element.size() >= 4) {
    rest = big_endian(from + left - 4) << (32 - 8 * left);
  } else {
    for (std::size_t i = 0; i < left; ++i) {
      rest |= std::uint32_t{static_cast<unsigned char>(from[i])} << (24 - 8 * i);
    }
  }
  *to = rest | std::uint32_t{0x80} << (24 - 8 * left);
  for (to += lanes; to < end - lanes; to += lanes) *to = 0;
  // Elements are so short that the high word of the length is zero.
  end[-static_cast<std::ptrdiff_t>(lanes)] = static_cast<std::uint32_t>(element.size() * 8);
  if (++queue.size == lanes) flush(queue, blocks);
  return true;
}

void ShortSha1::finish() {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (queues_.at(i).size != 0) flush(queues_.at(i), i + 1);
  }
}

void ShortSha1::flush(Queue& queue, std::size_t blocks) {
  std::array<std::uint32_t, sha1_lanes> first;
  std::array<std::uint32_t, sha1_lanes> second;
  HWY_DYNAMIC_DISPATCH(HashLanes)(queue.words.data(), blocks, first.data(), second.data());
  for (std::size_t i = 0; i < queue.size; ++i) {
    hashes_.push_back(__builtin_bswap32(first.at(i)) |
                      std::uint64_t{__builtin_bswap32(second.at(i))} << 32);
  }
  queue.size = 0;
}

}  // namespace twinset::python
#endif  // HWY_ONCE
