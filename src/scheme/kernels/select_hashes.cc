// In each lane four products of 32 by 32 bits make one of 64 by 64. Hashes up to the limit are
// packed without a branch, because which of them pass is unpredictable.
//
// This file's interface is scheme/kernels/select_hashes.h; the rest is private.
#include "scheme/kernels/select_hashes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scheme/kernels/select_hashes.cc"
// Two lanes are slower than 64-bit multiplications one by one.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
/// base/hash.h's multiply_fold in each lane, `factor_high` being factor >> 32.
template <class D, class V>
HWY_INLINE V fold_product(D d, V x, V factor, V factor_high) {
  const hn::Repartition<std::uint32_t, D> d32;
  const auto product = [&](V a, V b) HWY_ATTR {
    return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
  };
  const V low_half = hn::Set(d, UINT32_MAX);
  const V x_high = hn::ShiftRight<32>(x);
  const V lowest = product(x, factor);
  // Neither sum overflows: (2^32 - 1)^2 + 2 (2^32 - 1) is below 2^64.
  const V middle = hn::Add(product(x_high, factor), hn::ShiftRight<32>(lowest));
  const V other = hn::Add(product(x, factor_high), hn::And(middle, low_half));
  const V high = hn::Add(hn::Add(product(x_high, factor_high), hn::ShiftRight<32>(middle)),
                         hn::ShiftRight<32>(other));
  const V low = hn::Or(hn::ShiftLeft<32>(other), hn::And(lowest, low_half));
  return hn::Xor(low, high);
}
#endif

std::size_t SelectHashes(const ShingleHash& hash, const std::uint64_t* shingles, std::size_t size,
                         std::uint64_t limit, std::uint64_t* out) {
  std::size_t count = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<std::uint64_t, 8> d;
  const auto key = hn::Set(d, hash.key);
  const auto factor = hn::Set(d, hash.multiplier);
  const auto factor_high = hn::ShiftRight<32>(factor);
  const auto kept_bits = hn::Set(d, hash.kept_bits);
  const auto limits = hn::Set(d, limit);
  // Writes a whole vector at the count, which is never after i.
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    const auto x = hn::Xor(hn::LoadU(d, shingles + i), key);
    const auto value = hn::And(fold_product(d, x, factor, factor_high), kept_bits);
    count += hn::CompressBlendedStore(value, hn::Not(hn::Lt(limits, value)), d, out + count);
  }
#endif
  for (; i < size; ++i) {
    const std::uint64_t value = hash(shingles[i]);
    out[count] = value;
    count += value <= limit ? 1 : 0;
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

HWY_EXPORT(SelectHashes);

std::size_t select_hashes_portable(const ShingleHash& hash, std::span<const std::uint64_t> shingles,
                                   std::uint64_t limit, std::uint64_t* out) {
  std::size_t count = 0;
  for (const std::uint64_t shingle : shingles) {
    const std::uint64_t value = hash(shingle);
    out[count] = value;
    count += value <= limit ? 1 : 0;
  }
  return count;
}

}  // namespace

std::size_t select_hashes(const ShingleHash& hash, std::span<const std::uint64_t> shingles,
                          std::uint64_t limit, std::uint64_t* out, SimdLevel level) {
  if (level < SimdLevel::avx2) return select_hashes_portable(hash, shingles, limit, out);
  return HWY_DYNAMIC_DISPATCH(SelectHashes)(hash, shingles.data(), shingles.size(), limit, out);
}

}  // namespace twinset
#endif  // HWY_ONCE
