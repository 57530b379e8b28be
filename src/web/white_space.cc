// A vector is copied with all its white space as spaces. Where a space follows another, copying
// stops, the rest of the run is skipped, and copying goes on after it: runs are few and short
// beside the text between them. The last bytes are moved into a vector of their own, since many
// pieces of text are hardly longer than one. Where an instruction packs bytes, nothing stops.
//
// This file's interface is web/white_space.h; the rest is private.
#include "web/white_space.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "web/white_space.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#define HWY_WANT_AVX3_DL  // It packs bytes.
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

/// Returns the end of what it wrote.
char* collapse_bytes(const char* at, const char* end, char* write) {
  bool spaced = false;
  for (; at != end; ++at) {
    const bool space = is_white_space(*at);
    if (!space || !spaced) *write++ = space ? ' ' : *at;
    spaced = space;
  }
  return write;
}

const char* find_by_bytes(const char* at, const char* end) {
  for (; at != end && end - at > 1; ++at) {
    if (*at == '\n' && is_white_space(at[1])) return at;
  }
  return end;
}

}  // namespace
}  // namespace twinset
#endif  // TWINSET_WEB_WHITE_SPACE_ONCE

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::CappedTag<std::uint8_t, 32>;

template <class D, class Vector>
hn::Mask<D> IsWhiteSpace(D d, Vector bytes) {
  const auto is = [&](char byte) {
    return hn::Eq(bytes, hn::Set(d, static_cast<std::uint8_t>(byte)));
  };
  return hn::Or(hn::Or(hn::Or(is(' '), is('\n')), hn::Or(is('\t'), is('\f'))), is('\r'));
}

std::uint32_t BitsOf(Bytes d, hn::Mask<Bytes> mask) {
  std::uint8_t stored[8] = {};
  hn::StoreMaskBits(d, mask, stored);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= std::uint32_t{stored[i]} << 8 * i;
  return bits;
}

#if HWY_TARGET == HWY_AVX3_DL

/// text[0] is no white space.
char* Collapse(const char* at, const char* end, char* write) {
  const hn::CappedTag<std::uint8_t, 64> d;
  std::uint64_t before = 0;  // 1: the last byte read is white space
  while (at != end) {
    const std::ptrdiff_t size = std::min<std::ptrdiff_t>(64, end - at);
    const std::uint64_t read = ~std::uint64_t{0} >> (64 - size);
    auto bytes = hn::Zero(d);
    bytes.raw = _mm512_maskz_loadu_epi8(read, at);
    const auto white = IsWhiteSpace(d, bytes);
    const std::uint64_t bits = white.raw;
    bytes = hn::IfThenElse(white, hn::Set(d, ' '), bytes);
    const std::uint64_t kept = read & ~(bits & (bits << 1 | before));
    bytes.raw = _mm512_maskz_compress_epi8(kept, bytes.raw);
    hn::StoreU(bytes, d, reinterpret_cast<std::uint8_t*>(write));
    write += std::popcount(kept);
    at += size;
    before = bits >> 63;
  }
  return write;
}

#else

/// text[0] is no white space.
char* Collapse(const char* at, const char* end, char* write) {
  const Bytes d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  std::uint32_t before = 0;  // 1: the last byte written is a space
  while (at != end) {
    const std::ptrdiff_t size = std::min(lanes, end - at);
    std::uint8_t last[32] = {};
    const auto* from = reinterpret_cast<const std::uint8_t*>(at);
    if (size < lanes) {
      std::memcpy(last, at, static_cast<std::size_t>(size));
      from = last;
    }
    const auto bytes = hn::LoadU(d, from);
    const auto white = IsWhiteSpace(d, bytes);
    hn::StoreU(hn::IfThenElse(white, hn::Set(d, ' '), bytes), d,
               reinterpret_cast<std::uint8_t*>(write));
    const std::uint32_t bits = BitsOf(d, white);
    const std::uint32_t dropped = bits & (bits << 1 | before);
    if (dropped == 0) {
      at += size;
      write += size;
      before = bits >> (size - 1) & 1;
      continue;
    }
    const int copied = std::countr_zero(dropped);
    at = skip_white_space(at + copied, end);
    write += copied;
    before = 1;
  }
  return write;
}

#endif  // HWY_TARGET

const char* FindLineBeforeWhiteSpace(const char* at, const char* end) {
  const Bytes d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  const auto line_end = hn::Set(d, '\n');
  for (; end - at > lanes; at += lanes) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(at);
    const auto found =
        hn::And(hn::Eq(hn::LoadU(d, from), line_end), IsWhiteSpace(d, hn::LoadU(d, from + 1)));
    if (!hn::AllFalse(d, found)) return at + std::countr_zero(BitsOf(d, found));
  }
  return find_by_bytes(at, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {
HWY_EXPORT(Collapse);
HWY_EXPORT(FindLineBeforeWhiteSpace);
}  // namespace

std::size_t collapse_white_space(std::string_view text, char* out) {
  const char* const end = text.data() + text.size();
  const char* const begin = skip_white_space(text.data(), end);
  char* const stop = simd_level() == SimdLevel::portable
                         ? collapse_bytes(begin, end, out)
                         : HWY_DYNAMIC_DISPATCH(Collapse)(begin, end, out);
  const auto size = static_cast<std::size_t>(stop - out);
  return size > 0 && out[size - 1] == ' ' ? size - 1 : size;
}

std::size_t find_line_before_white_space(std::string_view text, std::size_t from) {
  const char* const begin = text.data() + from;
  const char* const end = text.data() + text.size();
  const char* const found = simd_level() == SimdLevel::portable
                                ? find_by_bytes(begin, end)
                                : HWY_DYNAMIC_DISPATCH(FindLineBeforeWhiteSpace)(begin, end);
  return static_cast<std::size_t>(found - text.data());
}

}  // namespace twinset
#endif  // HWY_ONCE
