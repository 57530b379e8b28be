// Two shapes of the same loop. With at least a vector of shingles, a vector holds shingles of one
// round; with fewer, it holds rounds of one shingle. Either way all hashes are computed, and a
// bitmap held in byte tables selects the hashes (mostly few) that fall into a bin that is still
// empty, so that only these take the slow part, a memory update each. A bin filled during a round
// or a block of rounds stays in the bitmap until its end; a later word is larger and loses.
//
// This file's interface is scheme/kernels/fss_rounds.h; the rest is private.
#include "scheme/kernels/fss_rounds.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scheme/kernels/fss_rounds.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TWINSET_FSS_ROUNDS_SHARED
#define TWINSET_FSS_ROUNDS_SHARED
namespace twinset {
namespace {

constexpr std::size_t widest_vector = 64;  ///< u32 lanes of any target, with a margin

/// Most hashes in a block of rounds.
constexpr std::size_t most_by_rounds = widest_vector * widest_vector;

/// For each mask of eight lanes the lanes that are set, in order, then zeros.
constexpr auto set_lanes = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned count = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) table[mask][count++] = static_cast<std::uint8_t>(lane);
    }
  }
  return table;
}();

/// The bins while they are filled.
struct FssFill {
  FssFill(const FssRounds& round_constants, std::span<const std::uint64_t> input,
          std::span<const std::uint16_t> empty, std::span<std::uint32_t> out)
      : rounds(round_constants),
        shingles(input),
        words(out.data()),
        remaining(static_cast<std::uint32_t>(empty.size())) {
    std::fill(out.begin(), out.end(), fss_empty);
    for (const std::uint16_t bin : empty) {
      bitmap[bin >> 3] = static_cast<std::uint8_t>(bitmap[bin >> 3] | 1U << (bin & 7));
    }
  }

  bool is_empty(std::uint32_t bin) const { return (bitmap[bin >> 3] >> (bin & 7) & 1) != 0; }

  /// Takes hashes that fell into bins empty at the start; hash i is of round round_of(i).
  template <class RoundOf>
  void put(const std::uint32_t* hashes, std::size_t count, RoundOf round_of) {
    std::uint32_t* const out = words;  // kept out of the loop: out[] might alias *this
    const unsigned log2_bins = rounds.log2_bins;
    std::uint32_t new_bins = filled_count;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t bin = fss_bin(hashes[i], log2_bins);
      const std::uint32_t word = fss_word(round_of(i), hashes[i], log2_bins);
      filled[new_bins] = static_cast<std::uint16_t>(bin);
      new_bins += out[bin] == fss_empty ? 1 : 0;
      out[bin] = std::min(out[bin], word);
    }
    filled_count = new_bins;
  }

  /// Takes one word of the last rounds, which fill one bin each.
  void put_last(std::uint32_t bin, std::uint32_t word) {
    filled[0] = static_cast<std::uint16_t>(bin);
    filled_count = 1;
    words[bin] = std::min(words[bin], word);
  }

  /// Ends a round, or a block of rounds.
  void settle() {
    for (std::uint32_t i = 0; i < filled_count; ++i) {
      const std::uint32_t bin = filled[i];
      bitmap[bin >> 3] = static_cast<std::uint8_t>(bitmap[bin >> 3] & ~(1U << (bin & 7)));
    }
    remaining -= filled_count;
    filled_count = 0;
  }

  const FssRounds& rounds;
  std::span<const std::uint64_t> shingles;
  std::uint32_t* words;
  std::uint32_t remaining;
  std::uint32_t filled_count = 0;
  std::uint16_t filled[max_fss_bins + 1];
  alignas(16) std::uint8_t bitmap[max_fss_bins / 8] = {};
};

}  // namespace
}  // namespace twinset
#endif  // TWINSET_FSS_ROUNDS_SHARED

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

/// Without vectors the portable rounds do all the work.
unsigned FillBins(FssFill&) { return 1; }

#else

namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::uint32_t>;
using D64 = hn::ScalableTag<std::uint64_t>;
using D8 = hn::ScalableTag<std::uint8_t>;
using V32 = hn::Vec<D32>;

/// Which lanes' bins are in the bitmap, given as `tables` tables of 16 bytes.
template <int tables>
HWY_INLINE hn::Mask<D32> InBitmap(const std::uint8_t* bitmap, V32 bin) {
  const D32 d32;
  const D8 d8;
  alignas(16) static constexpr std::uint8_t bit_of[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                                          1, 2, 4, 8, 16, 32, 64, 128};
  const auto byte_index = hn::ShiftRight<3>(bin);
  const auto in_table = hn::BitCast(d8, hn::And(byte_index, hn::Set(d32, 15)));
  const auto lookup = [&](int table) HWY_ATTR {
    return hn::BitCast(d32,
                       hn::TableLookupBytes(hn::LoadDup128(d8, bitmap + 16 * table), in_table));
  };
  auto byte = lookup(0);
  if constexpr (tables >= 2) {
    const auto odd = hn::Ne(hn::And(byte_index, hn::Set(d32, 16)), hn::Zero(d32));
    byte = hn::IfThenElse(odd, lookup(1), byte);
    if constexpr (tables == 4) {
      const auto upper = hn::Ne(hn::And(byte_index, hn::Set(d32, 32)), hn::Zero(d32));
      byte = hn::IfThenElse(upper, hn::IfThenElse(odd, lookup(3), lookup(2)), byte);
    }
  }
  // The three high bytes of a lane look up entry 0 of both tables: masked off.
  const auto bit =
      hn::BitCast(d32, hn::TableLookupBytes(hn::LoadDup128(d8, bit_of),
                                            hn::BitCast(d8, hn::And(bin, hn::Set(d32, 7)))));
  return hn::Ne(hn::And(hn::And(byte, bit), hn::Set(d32, 0xff)), hn::Zero(d32));
}

HWY_INLINE V32 RoundHash(V32 shingle_low, V32 shingle_high, V32 low, V32 high) {
  const D32 d32;
  auto h = hn::Mul(hn::Xor(shingle_low, low), hn::Set(d32, fss_multiplier_low));
  h = hn::Xor(h, hn::ShiftRight<15>(h));
  h = hn::Xor(h, hn::Xor(shingle_high, high));
  return hn::Mul(h, hn::Set(d32, fss_multiplier_high));
}

/// The lanes of `v` in `mask`, moved together to the front. Highway's Compress
/// does this, but without AVX-512 it copies its table to the stack at each call.
HWY_INLINE V32 Squeeze(V32 v, hn::Mask<D32> mask) {
  const D32 d32;
  if constexpr (hn::MaxLanes(D32()) > 8) {
    return hn::Compress(v, mask);
  } else {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d32, mask, bits);
    const hn::Rebind<std::uint8_t, D32> d_index;
    const auto lanes = hn::PromoteTo(d32, hn::LoadU(d_index, set_lanes[bits[0]].data()));
    return hn::TableLookupLanes(v, hn::IndicesFromVec(d32, lanes));
  }
}

/// Rounds with a vector of shingles each. Returns the first round not run.
template <int tables>
unsigned FillByShingles(FssFill& fill) {
  const D32 d32;
  const D64 d64;
  const std::size_t lanes = hn::Lanes(d32);
  const std::size_t half = hn::Lanes(d64);
  constexpr std::size_t chunk = 512;
  std::uint32_t hits[chunk + widest_vector];
  const unsigned log2_bins = fill.rounds.log2_bins;
  const int bin_shift = static_cast<int>(32 - log2_bins);
  const std::uint64_t* shingles = fill.shingles.data();
  const std::size_t count = fill.shingles.size();

  unsigned round = 1;
  for (; round < fill.rounds.bins() && fill.remaining != 0; ++round) {
    const auto low = hn::Set(d32, fill.rounds.low[round]);
    const auto high = hn::Set(d32, fill.rounds.high[round]);
    for (std::size_t begin = 0; begin < count; begin += chunk) {
      const std::size_t end = std::min(count, begin + chunk);
      std::size_t hit_count = 0;
      for (std::size_t i = begin; i < end; i += lanes) {
        // The last vector reaches back over shingles already seen, which changes nothing: min() of
        // a word with itself.
        const std::uint64_t* from = shingles + std::min(i, count - lanes);
        const auto a = hn::LoadU(d64, from);
        const auto b = hn::LoadU(d64, from + half);
        const auto shingle_low =
            hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(b)), hn::BitCast(d32, a));
        const auto shingle_high =
            hn::OddEven(hn::BitCast(d32, b), hn::BitCast(d32, hn::ShiftRight<32>(a)));
        const auto hash = RoundHash(shingle_low, shingle_high, low, high);
        const auto hit = InBitmap<tables>(fill.bitmap, hn::ShiftRightSame(hash, bin_shift));
        hn::StoreU(Squeeze(hash, hit), d32, hits + hit_count);
        hit_count += hn::CountTrue(d32, hit);
      }
      fill.put(hits, hit_count, [round](std::size_t) { return round; });
    }
    fill.settle();
  }
  return round;
}

/// Rounds with a vector of rounds for each shingle. Returns the first not run.
template <int tables>
unsigned FillByRounds(FssFill& fill) {
  const D32 d32;
  const auto lanes = static_cast<unsigned>(hn::Lanes(d32));
  std::uint32_t hits[most_by_rounds + widest_vector];
  std::uint32_t hit_rounds[most_by_rounds + widest_vector];
  const int bin_shift = static_cast<int>(32 - fill.rounds.log2_bins);

  unsigned round = 1;
  for (; round + lanes <= fill.rounds.bins() && fill.remaining != 0; round += lanes) {
    const auto low = hn::LoadU(d32, fill.rounds.low.data() + round);
    const auto high = hn::LoadU(d32, fill.rounds.high.data() + round);
    const auto numbers = hn::Iota(d32, round);
    std::size_t hit_count = 0;
    for (const std::uint64_t shingle : fill.shingles) {
      const auto hash =
          RoundHash(hn::Set(d32, static_cast<std::uint32_t>(shingle)),
                    hn::Set(d32, static_cast<std::uint32_t>(shingle >> 32)), low, high);
      const auto hit = InBitmap<tables>(fill.bitmap, hn::ShiftRightSame(hash, bin_shift));
      hn::StoreU(Squeeze(hash, hit), d32, hits + hit_count);
      hn::StoreU(Squeeze(numbers, hit), d32, hit_rounds + hit_count);
      hit_count += hn::CountTrue(d32, hit);
    }
    fill.put(hits, hit_count, [&hit_rounds](std::size_t i) { return hit_rounds[i]; });
    fill.settle();
  }
  return round;
}

template <int tables>
unsigned Fill(FssFill& fill) {
  // A block of rounds tests size * lanes hashes against a bitmap that does not change meanwhile.
  const std::size_t lanes = hn::Lanes(D32());
  const std::size_t size = fill.shingles.size();
  return size < lanes || size * lanes <= fill.rounds.bins() ? FillByRounds<tables>(fill)
                                                            : FillByShingles<tables>(fill);
}

unsigned FillBins(FssFill& fill) {
  switch (fill.rounds.log2_bins) {
    case 8:
      return Fill<2>(fill);
    case 9:
      return Fill<4>(fill);
    default:
      return Fill<1>(fill);
  }
}

#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {

HWY_EXPORT(FillBins);

/// Runs the rounds from `round` to the last; after that no bin is empty.
void fill_portable(FssFill& fill, unsigned round) {
  const unsigned bins = fill.rounds.bins();
  const unsigned log2_bins = fill.rounds.log2_bins;
  for (; round < fill.rounds.count() && fill.remaining != 0; ++round) {
    const std::uint32_t low = fill.rounds.low[round];
    const std::uint32_t high = fill.rounds.high[round];
    const bool last_rounds = round >= bins;
    if (last_rounds && !fill.is_empty(round - bins)) continue;
    for (const std::uint64_t shingle : fill.shingles) {
      const std::uint32_t hash = fss_round_hash(shingle, low, high);
      if (last_rounds) {
        fill.put_last(round - bins, fss_word(round, hash, log2_bins));
      } else if (fill.is_empty(fss_bin(hash, log2_bins))) {
        fill.put(&hash, 1, [round](std::size_t) { return round; });
      }
    }
    fill.settle();
  }
}

}  // namespace

FssRounds::FssRounds(unsigned log2_of_bins, std::uint64_t seed) : log2_bins(log2_of_bins) {
  const std::size_t size = count() + widest_vector;
  for (std::size_t round = 0; round < size; ++round) {
    const std::uint64_t constants = mix64(mix64(seed + 0x9e3779b97f4a7c15ULL) + round);
    low.push_back(static_cast<std::uint32_t>(constants));
    high.push_back(static_cast<std::uint32_t>(constants >> 32));
  }
}

void fill_fss_bins(const FssRounds& rounds, std::span<const std::uint64_t> shingles,
                   std::span<const std::uint16_t> empty, std::span<std::uint32_t> words,
                   SimdLevel level) {
  assert(!shingles.empty() && words.size() == rounds.bins() && words.size() <= max_fss_bins);
  FssFill fill(rounds, shingles, empty, words);
  const unsigned next = level == SimdLevel::portable ? 1 : HWY_DYNAMIC_DISPATCH(FillBins)(fill);
  fill_portable(fill, next);
}

}  // namespace twinset
#endif  // HWY_ONCE
