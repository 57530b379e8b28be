// A few vectors of slots stay in registers while all values of a tile go by: three instructions a
// vector and value; the multiplication is the bottleneck.
//
// This file's interface is scheme/kernels/minhash_slots.h; the rest is private.
#include "scheme/kernels/minhash_slots.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scheme/kernels/minhash_slots.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void LowerMinima(const MinHashSlots& slots, const std::uint32_t* values, std::size_t count,
                 std::uint32_t* minima) {
  // At most 16 lanes, so that four vectors are at most a block.
  const hn::CappedTag<std::uint32_t, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t slot = 0; slot < slots.padded(); slot += 4 * lanes) {
    const std::uint32_t* masks = slots.masks.data() + slot;
    const std::uint32_t* multipliers = slots.multipliers.data() + slot;
    std::uint32_t* out = minima + slot;
    const auto mask0 = hn::LoadU(d, masks);
    const auto mask1 = hn::LoadU(d, masks + lanes);
    const auto mask2 = hn::LoadU(d, masks + 2 * lanes);
    const auto mask3 = hn::LoadU(d, masks + 3 * lanes);
    const auto multiplier0 = hn::LoadU(d, multipliers);
    const auto multiplier1 = hn::LoadU(d, multipliers + lanes);
    const auto multiplier2 = hn::LoadU(d, multipliers + 2 * lanes);
    const auto multiplier3 = hn::LoadU(d, multipliers + 3 * lanes);
    auto least0 = hn::LoadU(d, out);
    auto least1 = hn::LoadU(d, out + lanes);
    auto least2 = hn::LoadU(d, out + 2 * lanes);
    auto least3 = hn::LoadU(d, out + 3 * lanes);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = hn::Set(d, values[i]);
      least0 = hn::Min(least0, hn::Mul(hn::Xor(value, mask0), multiplier0));
      least1 = hn::Min(least1, hn::Mul(hn::Xor(value, mask1), multiplier1));
      least2 = hn::Min(least2, hn::Mul(hn::Xor(value, mask2), multiplier2));
      least3 = hn::Min(least3, hn::Mul(hn::Xor(value, mask3), multiplier3));
    }
    hn::StoreU(least0, d, out);
    hn::StoreU(least1, d, out + lanes);
    hn::StoreU(least2, d, out + 2 * lanes);
    hn::StoreU(least3, d, out + 3 * lanes);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {

HWY_EXPORT(LowerMinima);

constexpr std::uint64_t shingle_multiplier = 0xa0761d6478bd642fULL;

void lower_minima_portable(const MinHashSlots& slots, std::span<const std::uint32_t> values,
                           std::uint32_t* minima) {
  for (std::size_t slot = 0; slot < slots.padded(); ++slot) {
    const std::uint32_t mask = slots.masks[slot];
    const std::uint32_t multiplier = slots.multipliers[slot];
    std::uint32_t least = minima[slot];
    for (const std::uint32_t value : values) least = std::min(least, (value ^ mask) * multiplier);
    minima[slot] = least;
  }
}

}  // namespace

MinHashSlots::MinHashSlots(std::size_t slots, std::uint64_t seed) : count(slots) {
  const std::size_t size = (slots + block - 1) / block * block;
  for (std::size_t slot = 0; slot < size; ++slot) {
    const std::uint64_t constants = mix64(mix64(seed + 0x9e3779b97f4a7c15ULL) + slot);
    masks.push_back(static_cast<std::uint32_t>(constants));
    multipliers.push_back(static_cast<std::uint32_t>(constants >> 32) | 1);
  }
}

void lower_minima(const MinHashSlots& slots, std::span<const std::uint32_t> values,
                  std::span<std::uint32_t> minima, SimdLevel level) {
  assert(minima.size() == slots.padded());
  if (level == SimdLevel::portable) {
    lower_minima_portable(slots, values, minima.data());
  } else {
    HWY_DYNAMIC_DISPATCH(LowerMinima)(slots, values.data(), values.size(), minima.data());
  }
}

void find_minima(const MinHashSlots& slots, std::uint64_t shingle_key,
                 std::span<const std::uint64_t> shingles, std::span<std::uint32_t> minima,
                 SimdLevel level) {
  std::ranges::fill(minima, UINT32_MAX);
  std::array<std::uint32_t, 512> tile;
  for (std::size_t begin = 0; begin < shingles.size(); begin += tile.size()) {
    const auto part = shingles.subspan(begin, std::min(tile.size(), shingles.size() - begin));
    std::ranges::transform(part, tile.begin(), [=](std::uint64_t shingle) {
      return static_cast<std::uint32_t>(multiply_fold(shingle ^ shingle_key, shingle_multiplier));
    });
    lower_minima(slots, {tile.data(), part.size()}, minima, level);
  }
}

}  // namespace twinset
#endif  // HWY_ONCE
