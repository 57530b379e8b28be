// The check of Keiser and Lemire ("Validating UTF-8 in less than one instruction per byte", 2021):
// three tables of 16 entries say for each pair of neighboring bytes which errors both halves of the
// first and the upper half of the second allow; an error that all three allow is one. What these
// leave is whether a third or fourth byte is where the lead before asks for it.
//
// Blocks are loaded three more times, one to three bytes earlier, in place of shifting vectors. The
// beginning and the end are checked in a copy between zeros.
//
// This file's interface is text/utf8_check.h; the rest is private.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "text/utf8_check.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#include "text/utf8_check.h"

#ifndef TWINSET_TEXT_UTF8_CHECK_ONCE
#define TWINSET_TEXT_UTF8_CHECK_ONCE

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/cpu.h"
#include "text/utf8.h"

namespace twinset {
namespace {

/// No vector is longer.
constexpr std::size_t utf8_block_bytes = 64;

// The errors that a pair of bytes can have.
constexpr std::uint8_t too_short = 1 << 0;   ///< a lead, or ASCII, where a tail must be
constexpr std::uint8_t too_long = 1 << 1;    ///< a tail after ASCII
constexpr std::uint8_t overlong_3 = 1 << 2;  ///< E0 80 to E0 9F
constexpr std::uint8_t too_large = 1 << 3;   ///< F4 90 and more
constexpr std::uint8_t surrogate = 1 << 4;   ///< ED A0 and more
constexpr std::uint8_t overlong_2 = 1 << 5;  ///< C0 and C1
constexpr std::uint8_t too_large_or_overlong_4 = 1 << 6;
constexpr std::uint8_t two_tails = 1 << 7;  ///< right if a lead before asks for it
constexpr std::uint8_t any_low = too_short | too_long | two_tails;
constexpr std::uint8_t large_low = any_low | too_large | too_large_or_overlong_4;

alignas(16) constexpr std::uint8_t first_high[16] = {
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    two_tails,
    two_tails,
    two_tails,
    two_tails,
    too_short | overlong_2,
    too_short,
    too_short | overlong_3 | surrogate,
    too_short | too_large | too_large_or_overlong_4};
alignas(16) constexpr std::uint8_t first_low[16] = {
    any_low | overlong_3 | overlong_2 | too_large_or_overlong_4,
    any_low | overlong_2,
    any_low,
    any_low,
    any_low | too_large,
    large_low,
    large_low,
    large_low,
    large_low,
    large_low,
    large_low,
    large_low,
    large_low,
    large_low | surrogate,
    large_low,
    large_low};
constexpr std::uint8_t after_tail = too_long | overlong_2 | two_tails;
alignas(16) constexpr std::uint8_t second_high[16] = {
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    after_tail | overlong_3 | too_large_or_overlong_4,
    after_tail | overlong_3 | too_large,
    after_tail | surrogate | too_large,
    after_tail | surrogate | too_large,
    too_short,
    too_short,
    too_short,
    too_short};

}  // namespace
}  // namespace twinset
#endif  // TWINSET_TEXT_UTF8_CHECK_ONCE

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
bool IsUtf8(const char* begin, std::size_t size) {
  return is_utf8_portable({begin, size});  // a lane of one byte is no table
}
#else
namespace hn = hwy::HWY_NAMESPACE;
using Utf8Bytes = hn::CappedTag<std::uint8_t, utf8_block_bytes>;
using Utf8Vector = hn::Vec<Utf8Bytes>;

HWY_INLINE Utf8Vector load_utf8(const char* at) {
  return hn::LoadU(Utf8Bytes(), reinterpret_cast<const std::uint8_t*>(at));
}

/// Not zero where the vector at `at` is not UTF-8; three bytes before it are read.
HWY_INLINE Utf8Vector errors_at(const char* at) {
  const Utf8Bytes d;
  const auto bytes = load_utf8(at);
  const auto before = load_utf8(at - 1);
  const auto high = [&](Utf8Vector from)
                        HWY_ATTR { return hn::And(hn::ShiftRight<4>(from), hn::Set(d, 0x0F)); };
  const auto look_up = [&](const std::uint8_t* table, Utf8Vector index) HWY_ATTR {
    return hn::TableLookupBytes(hn::LoadDup128(d, table), index);
  };
  const auto pairs = hn::And(hn::And(look_up(first_high, high(before)),
                                     look_up(first_low, hn::And(before, hn::Set(d, 0x0F)))),
                             look_up(second_high, high(bytes)));
  const auto third = hn::SaturatedSub(load_utf8(at - 2), hn::Set(d, 0xE0 - 0x80));
  const auto fourth = hn::SaturatedSub(load_utf8(at - 3), hn::Set(d, 0xF0 - 0x80));
  const auto asked = hn::And(hn::Or(third, fourth), hn::Set(d, 0x80));
  return hn::Xor(asked, pairs);
}

/// Checks `size` bytes, whole blocks; a sequence that goes on past them is right so far.
HWY_INLINE bool check_blocks(const char* at, std::size_t size) {
  const Utf8Bytes d;
  const std::size_t lanes = hn::Lanes(d);
  auto errors = hn::Zero(d);
  for (const char* const end = at + size; at != end; at += utf8_block_bytes) {
    // Also the three bytes before: a sequence may begin there.
    auto all = load_utf8(at - 3);
    for (std::size_t i = 0; i < utf8_block_bytes; i += lanes) all = hn::Or(all, load_utf8(at + i));
    if (hn::AllTrue(d, hn::Lt(all, hn::Set(d, 0x80)))) continue;
    for (std::size_t i = 0; i < utf8_block_bytes; i += lanes) {
      errors = hn::Or(errors, errors_at(at + i));
    }
  }
  return hn::AllTrue(d, hn::Eq(errors, hn::Zero(d)));
}

bool IsUtf8(const char* begin, std::size_t size) {
  constexpr std::size_t block = utf8_block_bytes;
  char copy[4 * block] = {};
  const std::size_t head = std::min(size, block);
  std::memcpy(copy + block, begin, head);
  if (size <= block) return check_blocks(copy + block, 2 * block);
  if (!check_blocks(copy + block, block)) return false;
  const std::size_t middle = (size - block) / block * block;
  if (!check_blocks(begin + block, middle)) return false;
  const std::size_t last = block + middle;
  std::memset(copy, 0, sizeof copy);
  std::memcpy(copy, begin + last - block, size - last + block);
  return check_blocks(copy + block, 2 * block);
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {
HWY_EXPORT(IsUtf8);
}  // namespace

std::size_t ascii_prefix(std::string_view bytes) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::size_t at = 0;
  for (; at + 64 <= bytes.size(); at += 64) {
    std::uint64_t words[8];
    std::memcpy(words, bytes.data() + at, sizeof words);
    const std::uint64_t all =
        words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6] | words[7];
    if ((all & high_bits) != 0) break;
  }
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if ((word & high_bits) != 0) break;
  }
  while (at < bytes.size() && static_cast<std::uint8_t>(bytes[at]) < 0x80) ++at;
  return at;
}

bool is_utf8_portable(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const utf8::Decoded decoded = utf8::decode(bytes, i);
    if (!decoded.valid) return false;
    i += decoded.bytes;
  }
  return true;
}

bool is_utf8(std::string_view bytes) {
  const std::string_view rest = bytes.substr(ascii_prefix(bytes));
  if (rest.empty()) return true;
  if (simd_level() == SimdLevel::portable) return is_utf8_portable(rest);
  return HWY_DYNAMIC_DISPATCH(IsUtf8)(rest.data(), rest.size());
}

}  // namespace twinset
#endif  // HWY_ONCE
