// Majority: 64 counters side by side, as bits of words. Plane p holds bit p of every counter, so a
// hash is added to all of them by a ripple of exclusive ors and ands. A vector has such counters in
// each of its lanes, and carry-save adders take eight vectors of hashes at a time before any ripple
// (Harley and Seal; Mula, Kurz, Lemire, "Faster population counts using AVX2 instructions", 2018).
// At the end the lanes are added up in planes, too, and compared with half of the hashes.
//
// Weighted sums: a vector of 16-bit counters for several bits at a time. A weight is added in
// digits of 12 bits, so that 16 hashes fit before the counters move to wider ones; most weights
// have one digit, and hashes whose weight has more are few and taken again for the next.
//
// This file's interface is scheme/kernels/bit_sums.h; the rest is private.
#include "scheme/kernels/bit_sums.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scheme/kernels/bit_sums.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef TWINSET_BIT_SUMS_SHARED
#define TWINSET_BIT_SUMS_SHARED
namespace twinset {
namespace {

constexpr std::size_t most_lanes = 8;  ///< of 64 bits, in any vector used here
constexpr std::size_t block_vectors = 8;
/// Bits of a counter: lists have fewer than 2^48 hashes.
constexpr std::size_t most_planes = 48;

std::size_t width_of(std::uint64_t number) {
  return static_cast<std::size_t>(std::bit_width(number));
}

/// 64 counters: bit i of planes[p] is bit p of counter i.
struct BitPlanes {
  std::array<std::uint64_t, most_planes> planes{};

  /// The counters above `limit`.
  std::uint64_t above(std::uint64_t limit) const {
    std::uint64_t above = 0;
    std::uint64_t equal = ~std::uint64_t{0};
    for (std::size_t p = most_planes; p-- > 0;) {
      const std::uint64_t limit_bit = (limit >> p & 1) != 0 ? ~std::uint64_t{0} : 0;
      above |= equal & planes[p] & ~limit_bit;
      equal &= ~(planes[p] ^ limit_bit);
    }
    return above;
  }
};

constexpr unsigned digit_bits = 12;
constexpr std::uint32_t digit_mask = (1U << digit_bits) - 1;
/// As many digits as a counter of 16 bits holds.
constexpr std::size_t digits_in_counter = 16;
static_assert(digits_in_counter * digit_mask <= UINT16_MAX);
/// Hashes taken at a time.
constexpr std::size_t chunk_hashes = 256;

/// The hashes of a chunk whose weight has more digits, and what is left of their weights.
struct HeavyHashes {
  std::array<std::uint64_t, chunk_hashes> hashes;
  std::array<std::uint32_t, chunk_hashes> weights;
  std::size_t size = 0;

  void take(const std::uint64_t* from, const std::uint32_t* from_weights, std::size_t count) {
    size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (from_weights[i] <= digit_mask) [[likely]]
        continue;
      // `from` may be this struct's own arrays; size never passes i.
      hashes[size] = from[i];
      weights[size] = from_weights[i] >> digit_bits;
      ++size;
    }
  }
};

}  // namespace
}  // namespace twinset
#endif  // TWINSET_BIT_SUMS_SHARED

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

using Words64 = hn::CappedTag<std::uint64_t, most_lanes>;
using Vector = hn::Vec<Words64>;
using Counters = hn::Repartition<std::uint16_t, Words64>;
using WideCounters = hn::Repartition<std::uint32_t, Words64>;

/// a + b + low, as sum bits in `low` and the carries returned.
HWY_INLINE Vector carry_save(Vector a, Vector b, Vector& low) {
  const Vector half = hn::Xor(a, b);
  const Vector carry = hn::Or(hn::And(a, b), hn::And(half, low));
  low = hn::Xor(half, low);
  return carry;
}

void CountBits(const std::uint64_t* hashes, std::size_t count, BitPlanes& out) {
  const Words64 d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t block = block_vectors * lanes;
  Vector ones = hn::Zero(d);
  Vector twos = ones;
  Vector fours = ones;
  // Planes from the eights on, a vector each.
  HWY_ALIGN std::uint64_t eights[most_planes * most_lanes] = {};
  const auto add_block = [&](const std::uint64_t* from, std::size_t depth) HWY_ATTR {
    const auto load = [&](std::size_t i) HWY_ATTR { return hn::LoadU(d, from + i * lanes); };
    const Vector two_a = carry_save(load(0), load(1), ones);
    const Vector two_b = carry_save(load(2), load(3), ones);
    const Vector four_a = carry_save(two_a, two_b, twos);
    const Vector two_c = carry_save(load(4), load(5), ones);
    const Vector two_d = carry_save(load(6), load(7), ones);
    const Vector four_b = carry_save(two_c, two_d, twos);
    Vector carry = carry_save(four_a, four_b, fours);
    for (std::size_t p = 0; p < depth; ++p) {
      const Vector plane = hn::Load(d, eights + p * lanes);
      hn::Store(hn::Xor(plane, carry), d, eights + p * lanes);
      carry = hn::And(plane, carry);
    }
  };
  std::size_t blocks = 0;
  std::size_t i = 0;
  // After n blocks a counter of eights is at most n, so its carries end in that many planes.
  for (; i + block <= count; i += block) add_block(hashes + i, width_of(++blocks));
  if (i < count) {
    HWY_ALIGN std::uint64_t last[block_vectors * most_lanes] = {};
    std::copy(hashes + i, hashes + count, last);
    add_block(last, width_of(++blocks));
  }
  // Adds up the lanes.
  const std::size_t planes = 3 + width_of(blocks);
  HWY_ALIGN std::uint64_t lowest[3 * most_lanes];
  hn::Store(ones, d, lowest);
  hn::Store(twos, d, lowest + lanes);
  hn::Store(fours, d, lowest + 2 * lanes);
  const std::size_t wider = planes + width_of(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::uint64_t carry = 0;
    for (std::size_t p = 0; p < wider; ++p) {
      const std::uint64_t added = p < 3        ? lowest[p * lanes + lane]
                                  : p < planes ? eights[(p - 3) * lanes + lane]
                                               : 0;
      const std::uint64_t half = out.planes[p] ^ added;
      const std::uint64_t next = (out.planes[p] & added) | (half & carry);
      out.planes[p] = half ^ carry;
      carry = next;
    }
  }
}

/// Lane m of vector q counts a bit of the lane's quarter of the hash: bit_of_lane().
HWY_INLINE std::size_t bit_of_lane(std::size_t lanes, std::size_t vector, std::size_t lane) {
  return 16 * (lane % 4) + vector * (lanes / 4) + lane / 4;
}

/// Adds the lowest digits of the weights, shifted left by `shift`.
HWY_INLINE void add_digits(const std::uint64_t* hashes, const std::uint32_t* weights,
                           std::size_t count, unsigned shift, BitSums& sums) {
  const Words64 d64;
  const Counters d16;
  const WideCounters d32;
  constexpr std::size_t lanes = hn::MaxLanes(Counters());
  constexpr std::size_t vectors = 64 / lanes;
  const std::size_t half = hn::Lanes(d32);
  HWY_ALIGN std::uint16_t tested[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    tested[lane] = static_cast<std::uint16_t>(1U << lane / 4);
  }
  HWY_ALIGN std::uint32_t wide[64] = {};
  hn::Vec<Counters> bits[vectors];
  for (std::size_t q = 0; q < vectors; ++q) {
    bits[q] = hn::ShiftLeftSame(hn::Load(d16, tested), static_cast<int>(q * (lanes / 4)));
  }
  for (std::size_t begin = 0; begin < count; begin += digits_in_counter) {
    const std::size_t end = std::min(count, begin + digits_in_counter);
    hn::Vec<Counters> counters[vectors];
    for (std::size_t q = 0; q < vectors; ++q) counters[q] = hn::Zero(d16);
    for (std::size_t i = begin; i < end; ++i) {
      const auto hash = hn::BitCast(d16, hn::Set(d64, hashes[i]));
      const auto weight = hn::Set(d16, static_cast<std::uint16_t>(weights[i] & digit_mask));
      for (std::size_t q = 0; q < vectors; ++q) {
        counters[q] = hn::Add(counters[q], hn::IfThenElseZero(hn::TestBit(hash, bits[q]), weight));
      }
    }
    const hn::Half<Counters> d_half;
    for (std::size_t q = 0; q < vectors; ++q) {
      std::uint32_t* const low = wide + q * lanes;
      hn::Store(hn::Add(hn::Load(d32, low), hn::PromoteTo(d32, hn::LowerHalf(d_half, counters[q]))),
                d32, low);
      std::uint32_t* const high = low + half;
      hn::Store(
          hn::Add(hn::Load(d32, high), hn::PromoteTo(d32, hn::UpperHalf(d_half, counters[q]))), d32,
          high);
    }
  }
  for (std::size_t q = 0; q < vectors; ++q) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      sums[bit_of_lane(lanes, q, lane)] += std::uint64_t{wide[q * lanes + lane]} << shift;
    }
  }
}

void AddBitSums(const std::uint64_t* hashes, const std::uint32_t* weights, std::size_t count,
                BitSums& sums) {
  HeavyHashes heavy;
  for (std::size_t begin = 0; begin < count; begin += chunk_hashes) {
    const std::size_t size = std::min(chunk_hashes, count - begin);
    add_digits(hashes + begin, weights + begin, size, 0, sums);
    heavy.take(hashes + begin, weights + begin, size);
    for (unsigned shift = digit_bits; heavy.size > 0; shift += digit_bits) {
      add_digits(heavy.hashes.data(), heavy.weights.data(), heavy.size, shift, sums);
      heavy.take(heavy.hashes.data(), heavy.weights.data(), heavy.size);
    }
  }
}

#else

// Never called: without vectors the level is portable.
void CountBits(const std::uint64_t*, std::size_t, BitPlanes&) {}
void AddBitSums(const std::uint64_t*, const std::uint32_t*, std::size_t, BitSums&) {}

#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {

HWY_EXPORT(CountBits);
HWY_EXPORT(AddBitSums);

void count_bits_portable(std::span<const std::uint64_t> hashes, BitPlanes& out) {
  std::size_t added = 0;
  for (std::uint64_t carry : hashes) {
    const std::size_t planes = width_of(++added);
    for (std::size_t p = 0; p < planes; ++p) {
      const std::uint64_t next = out.planes[p] & carry;
      out.planes[p] ^= carry;
      carry = next;
    }
  }
}

void add_bit_sums_portable(std::span<const std::uint64_t> hashes,
                           std::span<const std::uint32_t> weights, BitSums& sums) {
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    for (std::size_t bit = 0; bit < sums.size(); ++bit) {
      sums[bit] += (hashes[i] >> bit & 1) * weights[i];
    }
  }
}

}  // namespace

std::uint64_t majority_bits(std::span<const std::uint64_t> hashes, SimdLevel level) {
  BitPlanes counts;
  if (level == SimdLevel::portable) {
    count_bits_portable(hashes, counts);
  } else {
    HWY_DYNAMIC_DISPATCH(CountBits)(hashes.data(), hashes.size(), counts);
  }
  return counts.above(hashes.size() / 2);
}

void add_bit_sums(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> weights,
                  BitSums& sums, SimdLevel level) {
  assert(hashes.size() == weights.size());
  if (level == SimdLevel::portable) {
    add_bit_sums_portable(hashes, weights, sums);
  } else {
    HWY_DYNAMIC_DISPATCH(AddBitSums)(hashes.data(), weights.data(), hashes.size(), sums);
  }
}

}  // namespace twinset
#endif  // HWY_ONCE
