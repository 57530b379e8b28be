// A shingle's hash is a polynomial of its token hashes modulo 2^64, mixed:
//
//   mix64(t[0] * B^(w-1) + t[1] * B^(w-2) + ... + t[w-1])
//
// Token hashes are as good as random, so two different windows collide only by chance, even if they
// hold the same words in another order: B is 3 modulo 8, so two of its powers below 64 differ in a
// factor of at most 2^7.
//
// The portable way rolls it along a text, where each multiplication waits for the one before.
// Vectors do better with B's inverse, which exists because B is odd: from the sums
//
//   S(i) = t[0] * B^0 + t[1] * B^-1 + ... + t[i-1] * B^-(i-1)
//
// the window from i on is (S(i+w) - S(i)) * B^(i+w-1), which takes two multiplications by constants
// whatever w is, and only an addition waits. The text is cut into tiles, so that tables of the
// powers suffice.
//
// This file's interface is text/shingler.h; the rest is private.
#include "text/shingler.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/cpu.h"
#include "base/hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "text/shingler.cc"
// Two lanes without a 64-bit multiply are slower than the portable way.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef TWINSET_TEXT_SHINGLER_ONCE
#define TWINSET_TEXT_SHINGLER_ONCE
namespace twinset {
namespace {

constexpr std::uint64_t base = 0x9e3779b97f4a7c13ULL;
static_assert(base % 8 == 3);

/// B's inverse modulo 2^64, by Newton's steps, each of which doubles the correct bits.
constexpr std::uint64_t inverse = [] {
  std::uint64_t x = base;
  for (int step = 0; step < 6; ++step) x *= 2 - base * x;
  return x;
}();
static_assert(base * inverse == 1);

/// Tokens processed at a time; a tile yields width - 1 windows fewer.
constexpr std::size_t tile_tokens = 512;
static_assert(tile_tokens >= 2 * max_shingle_tokens);

constexpr std::size_t most_lanes = 8;

template <std::uint64_t factor>
constexpr auto powers_of = [] {
  std::array<std::uint64_t, tile_tokens + most_lanes> values{1};
  for (std::size_t n = 1; n < values.size(); ++n) values[n] = values[n - 1] * factor;
  return values;
}();
constexpr auto powers = powers_of<base>;
constexpr auto inverse_powers = powers_of<inverse>;

/// Separates texts shorter than a window from the windows, and by their length.
constexpr std::uint64_t short_salt = 0xd1342543de82ef95ULL;

}  // namespace
}  // namespace twinset
#endif  // TWINSET_TEXT_SHINGLER_ONCE

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words64 = hn::CappedTag<std::uint64_t, most_lanes>;
using Vector = hn::Vec<Words64>;

/// x * factor modulo 2^64 in each lane, where `high` is x >> 32; without AVX-512 from 32-bit
/// products.
HWY_INLINE Vector multiply(Vector x, Vector high, Vector factor) {
#if HWY_TARGET == HWY_AVX2
  const hn::Repartition<std::uint32_t, Words64> d32;
  const auto x32 = hn::BitCast(d32, x);
  const auto factor32 = hn::BitCast(d32, factor);
  const auto factor_high32 = hn::BitCast(d32, hn::ShiftRight<32>(factor));
  const Vector cross =
      hn::Add(hn::MulEven(hn::BitCast(d32, high), factor32), hn::MulEven(x32, factor_high32));
  return hn::Add(hn::MulEven(x32, factor32), hn::ShiftLeft<32>(cross));
#else
  static_cast<void>(high);
  return hn::Mul(x, factor);
#endif
}

/// base/hash.h's mix64 in each lane.
HWY_INLINE Vector mix(Vector x) {
  const Vector factor = hn::Set(Words64(), 0xd6e8feb86659fd93ULL);
  Vector high = hn::ShiftRight<32>(x);
  x = multiply(hn::Xor(x, high), high, factor);
  high = hn::ShiftRight<32>(x);
  x = multiply(hn::Xor(x, high), high, factor);
  return hn::Xor(x, hn::ShiftRight<32>(x));
}

/// The windows of a tile of `width` to tile_tokens tokens.
HWY_INLINE void shingle_tile(const std::uint64_t* tokens, std::size_t count, std::size_t width,
                             std::uint64_t* out) {
  // S(i); the last vectors may reach past it.
  std::uint64_t sums[tile_tokens + 1 + most_lanes];
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] = sum;
    sum += tokens[i] * inverse_powers[i];
  }
  std::fill_n(sums + count, 1 + most_lanes, sum);

  const Words64 d;
  const std::size_t windows = count - width + 1;
  for (std::size_t i = 0; i < windows; i += hn::Lanes(d)) {
    const Vector difference = hn::Sub(hn::LoadU(d, sums + width + i), hn::LoadU(d, sums + i));
    const Vector power = hn::LoadU(d, &powers[width - 1 + i]);
    const Vector shingles = mix(multiply(difference, hn::ShiftRight<32>(difference), power));
    if (windows - i >= hn::Lanes(d)) {
      hn::StoreU(shingles, d, out + i);
    } else {
      std::uint64_t last[most_lanes];
      hn::StoreU(shingles, d, last);
      std::copy_n(last, windows - i, out + i);
    }
  }
}

void Shingles(const std::uint64_t* tokens, std::size_t count, std::size_t width,
              std::uint64_t* out) {
  const std::size_t step = tile_tokens - width + 1;
  for (std::size_t i = 0; i + width <= count; i += step) {
    shingle_tile(tokens + i, std::min(tile_tokens, count - i), width, out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {
namespace {
HWY_EXPORT(Shingles);

std::uint64_t polynomial(std::span<const std::uint64_t> tokens) {
  std::uint64_t sum = 0;
  for (const std::uint64_t token : tokens) sum = sum * base + token;
  return sum;
}

void shingles_portable(std::span<const std::uint64_t> tokens, std::size_t width,
                       std::uint64_t* out) {
  std::uint64_t leaving = 1;
  for (std::size_t i = 0; i < width; ++i) leaving *= base;
  std::uint64_t sum = polynomial(tokens.first(width));
  *out++ = mix64(sum);
  for (std::size_t i = width; i < tokens.size(); ++i) {
    sum = sum * base + tokens[i] - tokens[i - width] * leaving;
    *out++ = mix64(sum);
  }
}

}  // namespace

void shingle(std::span<const std::uint64_t> tokens, unsigned width,
             std::vector<std::uint64_t>& out) {
  assert(width >= 1 && width <= max_shingle_tokens);
  if (tokens.empty()) {
    out.clear();
  } else if (tokens.size() < width) {
    out.assign(1, mix64(polynomial(tokens) + short_salt * tokens.size()));
  } else {
    out.resize(tokens.size() - width + 1);
    if (simd_level() < SimdLevel::avx2) {
      shingles_portable(tokens, width, out.data());
    } else {
      HWY_DYNAMIC_DISPATCH(Shingles)(tokens.data(), tokens.size(), width, out.data());
    }
  }
}

}  // namespace twinset
#endif  // HWY_ONCE
