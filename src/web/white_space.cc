// A vector is copied with all its white space as spaces. Where a space follows another, copying
// stops, the rest of the run is skipped, and copying goes on after it: runs are few and short
// beside the text between them.
//
// This file's interface is web/white_space.h; the rest is private.
#include "web/white_space.h"

#include <bit>
#include <cstdint>

#include "base/cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "web/white_space.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef TWINSET_WEB_WHITE_SPACE_ONCE
#define TWINSET_WEB_WHITE_SPACE_ONCE
namespace twinset {
namespace {

const char* skip_white_space(const char* at, const char* end) {
  while (at != end && is_white_space(*at)) ++at;
  return at;
}

/// From `at` on, with a space before it if `spaced`; returns the end of what it wrote.
char* collapse_bytes(const char* at, const char* end, bool spaced, char* write) {
  for (; at != end; ++at) {
    const bool space = is_white_space(*at);
    if (!space || !spaced) *write++ = space ? ' ' : *at;
    spaced = space;
  }
  return write;
}

}  // namespace
}  // namespace twinset
#endif  // TWINSET_WEB_WHITE_SPACE_ONCE

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// text[0] is no white space.
char* Collapse(const char* at, const char* end, char* write) {
  const hn::CappedTag<std::uint8_t, 32> d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  const auto space = hn::Set(d, ' ');
  std::uint32_t before = 0;  // 1: the last byte written is a space
  while (end - at >= lanes) {
    const auto bytes = hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(at));
    const auto is = [&](char byte) {
      return hn::Eq(bytes, hn::Set(d, static_cast<std::uint8_t>(byte)));
    };
    const auto white =
        hn::Or(hn::Or(hn::Or(is(' '), is('\n')), hn::Or(is('\t'), is('\f'))), is('\r'));
    hn::StoreU(hn::IfThenElse(white, space, bytes), d, reinterpret_cast<std::uint8_t*>(write));
    std::uint8_t stored[8] = {};
    hn::StoreMaskBits(d, white, stored);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) bits |= std::uint32_t{stored[i]} << 8 * i;
    const std::uint32_t dropped = bits & (bits << 1 | before);
    if (dropped == 0) {
      at += lanes;
      write += lanes;
      before = bits >> (lanes - 1) & 1;
      continue;
    }
    const int copied = std::countr_zero(dropped);
    at = skip_white_space(at + copied, end);
    write += copied;
    before = 1;
  }
  return collapse_bytes(at, end, before == 1, write);
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {
HWY_EXPORT(Collapse);
}  // namespace

std::size_t collapse_white_space(std::string_view text, char* out) {
  const char* const end = text.data() + text.size();
  const char* const begin = skip_white_space(text.data(), end);
  char* const stop = simd_level() == SimdLevel::portable
                         ? collapse_bytes(begin, end, false, out)
                         : HWY_DYNAMIC_DISPATCH(Collapse)(begin, end, out);
  const auto size = static_cast<std::size_t>(stop - out);
  return size > 0 && out[size - 1] == ' ' ? size - 1 : size;
}

}  // namespace twinset
#endif  // HWY_ONCE
