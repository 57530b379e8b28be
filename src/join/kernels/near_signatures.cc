// Differing bits are counted in each lane. Hardly any are within the distance, so that a branch on
// the whole vector is predicted. Signatures of one bucket are neighbors, so that shifting all by
// one place, by two and so on compares each with each, whatever the sizes of the buckets.
//
// This file's interface is join/kernels/near_signatures.h; the rest is private.
#include "join/kernels/near_signatures.h"

#include <algorithm>

#define HWY_WANT_AVX3_DL  // Its instruction counts bits of 64.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "join/kernels/near_signatures.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Compiled for the target, whose instruction counts bits.
HWY_INLINE unsigned bits_between(std::uint64_t a, std::uint64_t b) {
  return static_cast<unsigned>(std::popcount(a ^ b));
}

std::size_t SelectNear(std::uint64_t signature, const std::uint64_t* others, std::size_t size,
                       unsigned distance, std::uint64_t* out) {
  std::size_t count = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<std::uint64_t, 8> d;
  const auto one = hn::Set(d, signature);
  const auto limit = hn::Set(d, distance);
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    const auto bits = hn::PopulationCount(hn::Xor(hn::LoadU(d, others + i), one));
    if (hn::AllTrue(d, hn::Lt(limit, bits))) continue;
    for (std::size_t j = i; j < i + hn::Lanes(d); ++j) {
      if (bits_between(others[j], signature) <= distance) out[count++] = j;
    }
  }
#endif
  for (; i < size; ++i) {
    if (bits_between(others[i], signature) <= distance) out[count++] = i;
  }
  return count;
}

std::size_t NearWithinReach(const std::uint64_t* signatures, std::size_t size, std::size_t reach,
                            unsigned distance, std::span<PlacePair> out, std::size_t& next) {
  std::size_t count = 0;
  const auto add_pairs = [&](std::size_t begin, std::size_t end, std::size_t apart) {
    for (std::size_t i = begin; i < end; ++i) {
      if (bits_between(signatures[i], signatures[i + apart]) > distance) continue;
      out[count++] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + apart)};
    }
  };
  while (next < size && out.size() - count >= reach_block * reach) {
    const std::size_t end = std::min(next + reach_block, size);
    std::size_t apart = 1;
#if HWY_TARGET != HWY_SCALAR
    const hn::CappedTag<std::uint64_t, reach_block> d;
    const auto limit = hn::Set(d, distance);
    for (; apart <= reach && next + reach_block + apart <= size; ++apart) {
      for (std::size_t i = next; i < end; i += hn::Lanes(d)) {
        const auto bits = hn::PopulationCount(
            hn::Xor(hn::LoadU(d, signatures + i), hn::LoadU(d, signatures + i + apart)));
        if (!hn::AllTrue(d, hn::Lt(limit, bits))) add_pairs(i, i + hn::Lanes(d), apart);
      }
    }
#endif
    for (; apart <= reach && next + apart < size; ++apart) {
      add_pairs(next, std::min(end, size - apart), apart);
    }
    next = end;
  }
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {

HWY_EXPORT(SelectNear);
HWY_EXPORT(NearWithinReach);
static_assert(sizeof(Signature<1>) == sizeof(std::uint64_t));

std::size_t select_near_portable(std::uint64_t signature, std::span<const Signature<1>> others,
                                 unsigned distance, std::uint64_t* out) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (differing_bits<1>({signature}, others[i]) <= distance) out[count++] = i;
  }
  return count;
}

}  // namespace

std::size_t select_near(std::uint64_t signature, std::span<const Signature<1>> others,
                        unsigned distance, std::uint64_t* out, SimdLevel level) {
  if (others.empty()) return 0;
  if (level < SimdLevel::avx2) return select_near_portable(signature, others, distance, out);
  return HWY_DYNAMIC_DISPATCH(SelectNear)(signature, &others.data()->front(), others.size(),
                                          distance, out);
}

std::size_t near_within_reach(std::span<const Signature<1>> signatures, std::size_t reach,
                              unsigned distance, std::span<PlacePair> out, std::size_t& next,
                              SimdLevel level) {
  const std::uint64_t* const words = signatures.empty() ? nullptr : &signatures.data()->front();
  if (level < SimdLevel::avx2)
    return HWY_STATIC_DISPATCH(NearWithinReach)(words, signatures.size(), reach, distance, out,
                                                next);
  return HWY_DYNAMIC_DISPATCH(NearWithinReach)(words, signatures.size(), reach, distance, out,
                                               next);
}

}  // namespace twinset
#endif  // HWY_ONCE
