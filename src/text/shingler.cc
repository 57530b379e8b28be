// A shingle's hash is a polynomial of its token hashes modulo 2^64, mixed:
//
//   mix64(t[0] * B^(w-1) + t[1] * B^(w-2) + ... + t[w-1])
//
// Token hashes are as good as random, so two different windows agree by chance
// alone, also where they hold the same words in another order: B is 3 modulo 8,
// so that two of its powers below 64 differ in a factor of at most 2^7.
//
// This file's interface is text/shingler.h; the rest is private.
#include "text/shingler.h"

#include <cassert>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr std::uint64_t base = 0x9e3779b97f4a7c13ULL;
static_assert(base % 8 == 3);

/// Parts the texts shorter than a window from the windows, and by their length.
constexpr std::uint64_t short_salt = 0xd1342543de82ef95ULL;

constexpr std::uint64_t power(std::uint64_t exponent) {
  std::uint64_t product = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) product *= base;
  return product;
}

std::uint64_t polynomial(std::span<const std::uint64_t> tokens) {
  std::uint64_t sum = 0;
  for (const std::uint64_t token : tokens) sum = sum * base + token;
  return sum;
}

void shingle_portable(std::span<const std::uint64_t> tokens, std::size_t width,
                      std::uint64_t* out) {
  const std::uint64_t leaving = power(width);
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
    shingle_portable(tokens, width, out.data());
  }
}

}  // namespace twinset
