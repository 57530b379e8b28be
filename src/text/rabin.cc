// The fingerprint f of a window and the next one differ by the token that leaves and the one that
// comes. With N = t^(64 w) + a_1 t^(64 (w-1)) + ... + a_w and f = N t^64:
//
//   next f = (f + a_new) t^64 + a_1 t^(64 (w+1)) + t^(64 (w+2)) + t^(64 (w+1))
//
// Both products are linear in a word of 64 bits, and so a sum of eight looked-up values, one a
// byte.
//
// This file's interface is text/rabin.h; the rest is private.
#include "text/rabin.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/hash.h"

namespace twinset {
namespace {

__extension__ typedef unsigned __int128 Polynomial;  // one of degree 64 has 65 coefficients

int degree_of(Polynomial x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 128 - std::countl_zero(high) - 1
                   : 64 - std::countl_zero(static_cast<std::uint64_t>(x)) - 1;
}

Polynomial common_divisor(Polynomial a, Polynomial b) {
  while (b != 0) {
    while (degree_of(a) >= degree_of(b)) a ^= b << (degree_of(a) - degree_of(b));
    const Polynomial rest = a;
    a = b;
    b = rest;
  }
  return a;
}

std::uint64_t times_t(std::uint64_t x, const BinaryPolynomial& modulus) {
  const bool leaves = (x >> (modulus.degree - 1) & 1) != 0;
  const std::uint64_t most = UINT64_MAX >> (64 - modulus.degree);
  return (x << 1 & most) ^ (leaves ? modulus.low : 0);
}

std::uint64_t squared(std::uint64_t x, const BinaryPolynomial& modulus) {
  std::uint64_t product = 0;
  for (unsigned bit = modulus.degree; bit-- > 0;) {
    product = times_t(product, modulus) ^ ((x >> bit & 1) != 0 ? x : 0);
  }
  return product;
}

bool is_prime(unsigned n) {
  for (unsigned d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

std::uint64_t power_of_t(std::uint64_t exponent, const BinaryPolynomial& modulus) {
  std::uint64_t power = 1;
  for (; exponent > 0; --exponent) power = times_t(power, modulus);
  return power;
}

}  // namespace

std::optional<BinaryPolynomial> parse_polynomial(std::string_view digits) {
  Polynomial value = 0;
  if (digits.empty() || digits.size() > 17) return std::nullopt;
  for (const char c : digits) {
    const bool decimal = c >= '0' && c <= '9';
    if (!decimal && !(c >= 'a' && c <= 'f')) return std::nullopt;
    value = value << 4 | static_cast<unsigned>(decimal ? c - '0' : c - 'a' + 10);
  }
  const int degree = value == 0 ? 0 : degree_of(value);
  if (digits.front() == '0' || degree < 1 || degree > 64) return std::nullopt;
  return BinaryPolynomial{static_cast<unsigned>(degree),
                          static_cast<std::uint64_t>(value ^ Polynomial{1} << degree)};
}

// t^(2^k) - t is the product of all irreducible polynomials whose degree divides k. So P of degree
// k is irreducible if it divides that, and has no factor in common with t^(2^(k/q)) - t for any
// prime q that divides k.
bool is_irreducible(const BinaryPolynomial& polynomial) {
  const unsigned k = polynomial.degree;
  assert(k >= 1 && k <= 64);
  if (k == 1) return true;
  const Polynomial whole = Polynomial{1} << k | polynomial.low;
  constexpr std::uint64_t t = 2;
  std::uint64_t x = t;
  for (unsigned i = 1; i <= k; ++i) {
    x = squared(x, polynomial);
    if (i < k && k % i == 0 && is_prime(k / i) && common_divisor(whole, x ^ t) != 1) return false;
  }
  return x == t;
}

BinaryPolynomial random_irreducible(unsigned degree, std::uint64_t seed) {
  assert(degree >= 1 && degree <= 64);
  // About one in degree / 2 of those with a constant term is irreducible.
  for (std::uint64_t state = mix64(seed ^ 0x7261626961ULL);; ++state) {
    const BinaryPolynomial drawn{degree, mix64(state) >> (64 - degree) | 1};
    if (is_irreducible(drawn)) return drawn;
  }
}

RabinShingles::RabinShingles(const BinaryPolynomial& modulus, unsigned width)
    : width_(width),
      empty_(power_of_t(64, modulus)),
      append_(table_of(modulus, empty_)),
      drop_(table_of(modulus, power_of_t(std::uint64_t{64} * (width + 1), modulus))) {
  const std::uint64_t leading = power_of_t(std::uint64_t{64} * (width + 1), modulus) ^
                                power_of_t(std::uint64_t{64} * (width + 2), modulus);
  for (std::uint64_t& entry : drop_.front()) entry ^= leading;
}

RabinShingles::Table RabinShingles::table_of(const BinaryPolynomial& modulus, std::uint64_t power) {
  Table table{};
  for (auto& of_byte : table) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const unsigned begin = 1U << bit;
      for (unsigned rest = 0; rest < begin; ++rest) of_byte[begin + rest] = power ^ of_byte[rest];
      power = times_t(power, modulus);
    }
  }
  return table;
}

std::uint64_t RabinShingles::map(const Table& table, std::uint64_t word) {
  std::uint64_t sum = 0;
  for (unsigned byte = 0; byte < 8; ++byte) sum ^= table[byte][word >> 8 * byte & 255];
  return sum;
}

void RabinShingles::operator()(std::span<const std::uint64_t> tokens,
                               std::vector<std::uint64_t>& out) const {
  out.clear();
  if (tokens.empty()) return;
  std::uint64_t print = empty_;
  for (const std::uint64_t token : tokens.first(std::min<std::size_t>(width_, tokens.size()))) {
    print = map(append_, print ^ token);
  }
  out.reserve(tokens.size());
  out.push_back(print);
  for (std::size_t i = width_; i < tokens.size(); ++i) {
    print = map(append_, print ^ tokens[i]) ^ map(drop_, tokens[i - width_]);
    out.push_back(print);
  }
}

}  // namespace twinset
