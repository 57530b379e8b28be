// Differing bits are counted in each lane, and the places of those within the distance are packed
// without a branch.
//
// This file's interface is scheme/kernels/near_signatures.h; the rest is private.
#include "scheme/kernels/near_signatures.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scheme/kernels/near_signatures.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::size_t SelectNear(std::uint64_t signature, const std::uint64_t* others, std::size_t size,
                       unsigned distance, std::uint64_t* out) {
  std::size_t count = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<std::uint64_t, 8> d;
  const auto one = hn::Set(d, signature);
  const auto limit = hn::Set(d, distance);
  const auto step = hn::Set(d, hn::Lanes(d));
  auto place = hn::Iota(d, 0);
  // Writes a whole vector at the count, which is never after i.
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    const auto bits = hn::PopulationCount(hn::Xor(hn::LoadU(d, others + i), one));
    count += hn::CompressBlendedStore(place, hn::Not(hn::Lt(limit, bits)), d, out + count);
    place = hn::Add(place, step);
  }
#endif
  for (; i < size; ++i) {
    out[count] = i;
    count += static_cast<unsigned>(std::popcount(others[i] ^ signature)) <= distance ? 1 : 0;
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

std::size_t select_near_portable(std::uint64_t signature, std::span<const Signature<1>> others,
                                 unsigned distance, std::uint64_t* out) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    out[count] = i;
    count += differing_bits<1>({signature}, others[i]) <= distance ? 1 : 0;
  }
  return count;
}

}  // namespace

std::size_t select_near(std::uint64_t signature, std::span<const Signature<1>> others,
                        unsigned distance, std::uint64_t* out, SimdLevel level) {
  if (level < SimdLevel::avx2) return select_near_portable(signature, others, distance, out);
  static_assert(sizeof(Signature<1>) == sizeof(std::uint64_t));
  return HWY_DYNAMIC_DISPATCH(SelectNear)(signature, &others.data()->front(), others.size(),
                                          distance, out);
}

}  // namespace twinset
#endif  // HWY_ONCE
