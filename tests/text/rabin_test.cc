#include "text/rabin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>

#include "base/hash.h"
#include "support/tries.h"

namespace twinset {
namespace {

/// Coefficients, that of t^0 first: a polynomial as one would write it down.
using Coefficients = std::vector<bool>;

Coefficients coefficients_of(const BinaryPolynomial& polynomial) {
  Coefficients out;
  for (unsigned i = 0; i < polynomial.degree; ++i) out.push_back((polynomial.low >> i & 1) != 0);
  out.push_back(true);
  return out;
}

/// The rest of a long division, without leading zeros.
Coefficients rest_of(Coefficients x, const Coefficients& divisor) {
  while (!x.empty() && !x.back()) x.pop_back();
  while (x.size() >= divisor.size()) {
    const std::size_t shift = x.size() - divisor.size();
    for (std::size_t i = 0; i < divisor.size(); ++i) x[shift + i] = x[shift + i] != divisor[i];
    while (!x.empty() && !x.back()) x.pop_back();
  }
  return x;
}

bool has_divisor(const BinaryPolynomial& polynomial) {
  const Coefficients whole = coefficients_of(polynomial);
  for (unsigned degree = 1; 2 * degree <= polynomial.degree; ++degree) {
    for (std::uint64_t low = 0; low < std::uint64_t{1} << degree; ++low) {
      if (rest_of(whole, coefficients_of({degree, low})).empty()) return true;
    }
  }
  return false;
}

/// Gauss: sum of moebius(d) * 2^(n / d) over the divisors d of n, divided by n.
std::uint64_t irreducible_of_degree(unsigned n) {
  const auto moebius = [](unsigned d) {
    int sign = 1;
    for (unsigned p = 2; p <= d; ++p) {
      if (d % p != 0) continue;
      d /= p;
      if (d % p == 0) return 0;
      sign = -sign;
    }
    return sign;
  };
  std::int64_t sum = 0;
  for (unsigned d = 1; d <= n; ++d) {
    if (n % d == 0) sum += moebius(d) * (std::int64_t{1} << (n / d));
  }
  return static_cast<std::uint64_t>(sum) / n;
}

TEST(Rabin, IrreducibleIsWhatNothingDivides) {
  for (unsigned degree = 1; degree <= 10; ++degree) {
    std::uint64_t found = 0;
    for (std::uint64_t low = 0; low < std::uint64_t{1} << degree; ++low) {
      const BinaryPolynomial polynomial{degree, low};
      ASSERT_EQ(is_irreducible(polynomial), !has_divisor(polynomial)) << degree << " " << low;
      found += is_irreducible(polynomial) ? 1 : 0;
    }
    EXPECT_EQ(found, irreducible_of_degree(degree)) << degree;
  }
}

/// The number of different irreducible factors of a polynomial without a square, by Berlekamp: the
/// dimension of the x with x^2 = x modulo it. A method that has nothing in common with Rabin's.
unsigned factors_by_berlekamp(const BinaryPolynomial& polynomial) {
  const Coefficients modulus = coefficients_of(polynomial);
  std::vector<std::uint64_t> rows;
  for (unsigned i = 0; i < polynomial.degree; ++i) {
    Coefficients power(2 * i + 1);
    power.back() = true;
    const Coefficients square = rest_of(power, modulus);
    std::uint64_t row = std::uint64_t{1} << i;
    for (std::size_t j = 0; j < square.size(); ++j) row ^= std::uint64_t{square[j]} << j;
    rows.push_back(row);
  }
  unsigned rank = 0;
  for (unsigned bit = 0; bit < polynomial.degree; ++bit) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && (rows[pivot] >> bit & 1) == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[rank], rows[pivot]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i != rank && (rows[i] >> bit & 1) != 0) rows[i] ^= rows[rank];
    }
    ++rank;
  }
  return polynomial.degree - rank;
}

/// Has it a square as a factor? Then it has a common divisor with its derivative.
bool has_square(const BinaryPolynomial& polynomial) {
  Coefficients a = coefficients_of(polynomial);
  Coefficients b(polynomial.degree);
  for (unsigned i = 1; i <= polynomial.degree; i += 2) b[i - 1] = a[i];
  while (!b.empty() && !b.back()) b.pop_back();
  while (!b.empty()) {
    const Coefficients rest = rest_of(a, b);
    a = b;
    b = rest;
  }
  return a.size() > 1;
}

TEST(Rabin, IrreducibleOf40And64BitsIsWhatBerlekampSays) {
  std::mt19937_64 random(7);
  for (const unsigned degree : {32U, 40U, 41U, 63U, 64U}) {
    int irreducible = 0;
    for (int i = 0; i < tries(2000); ++i) {
      const BinaryPolynomial polynomial{degree, random() >> (64 - degree) | 1};
      const bool expected = !has_square(polynomial) && factors_by_berlekamp(polynomial) == 1;
      ASSERT_EQ(is_irreducible(polynomial), expected) << degree << " " << polynomial.low;
      irreducible += expected ? 1 : 0;
    }
    EXPECT_GT(irreducible, 0) << degree;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const BinaryPolynomial drawn = random_irreducible(degree, seed);
      EXPECT_EQ(drawn.degree, degree);
      EXPECT_FALSE(has_square(drawn));
      EXPECT_EQ(factors_by_berlekamp(drawn), 1U) << drawn.low;
    }
  }
}

TEST(Rabin, IsReadFromHexadecimalDigits) {
  EXPECT_EQ(parse_polynomial("11b"), (BinaryPolynomial{8, 0x1b}));
  EXPECT_EQ(parse_polynomial("10000000039"), (BinaryPolynomial{40, 0x39}));
  EXPECT_EQ(parse_polynomial("1000000000000001b"), (BinaryPolynomial{64, 0x1b}));
  EXPECT_TRUE(is_irreducible(*parse_polynomial("10000000039")));
  EXPECT_TRUE(is_irreducible(*parse_polynomial("1000000000000001b")));
  for (const char* bad : {"", "0", "1", "01b", "11B", "0x11b", "2000000000000001b", "11b ", "-1",
                          "1000000000000000000000000000001b"}) {
    EXPECT_FALSE(parse_polynomial(bad)) << bad;
  }
}

TEST(Rabin, AnotherSeedIsAnotherPolynomial) {
  std::set<std::uint64_t> drawn;
  for (std::uint64_t seed = 0; seed < 200; ++seed) drawn.insert(random_irreducible(40, seed).low);
  EXPECT_EQ(drawn.size(), 200U);
}

/// By long division of all coefficients.
std::uint64_t slow_fingerprint(const BinaryPolynomial& modulus,
                               std::span<const std::uint64_t> tokens) {
  Coefficients window(64);
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
    for (unsigned bit = 0; bit < 64; ++bit) window.push_back((*token >> bit & 1) != 0);
  }
  window.push_back(true);
  const Coefficients rest = rest_of(window, coefficients_of(modulus));
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) out |= std::uint64_t{rest[i]} << i;
  return out;
}

TEST(Rabin, FingerprintsAreTheRestsOfADivision) {
  std::mt19937_64 random(3);
  for (const unsigned degree : {1U, 8U, 32U, 40U, 63U, 64U}) {
    const BinaryPolynomial modulus = random_irreducible(degree, degree);
    for (const unsigned width : {1U, 2U, 10U, 64U}) {
      const RabinShingles fingerprints(modulus, width);
      for (const std::size_t size : {0U, 1U, 2U, 9U, 10U, 11U, 80U}) {
        std::vector<std::uint64_t> tokens(size);
        for (std::uint64_t& token : tokens) token = random();
        std::vector<std::uint64_t> found{1, 2, 3};
        fingerprints(tokens, found);
        std::vector<std::uint64_t> expected;
        const std::size_t windows = size == 0 ? 0 : size < width ? 1 : size - width + 1;
        for (std::size_t i = 0; i < windows; ++i) {
          expected.push_back(slow_fingerprint(
              modulus, std::span(tokens).subspan(i, std::min<std::size_t>(width, size))));
        }
        ASSERT_EQ(found, expected) << degree << " " << width << " " << size;
      }
    }
  }
}

TEST(Rabin, FingerprintsAreLinear) {
  const RabinShingles fingerprints(random_irreducible(64, 5), 2);
  const auto print = [&](std::uint64_t first, std::uint64_t second) {
    std::vector<std::uint64_t> out;
    fingerprints(std::array{first, second}, out);
    return out.front();
  };
  const std::uint64_t a = mix64(1), b = mix64(2), c = mix64(3);
  EXPECT_EQ(print(a, b) ^ print(a, c) ^ print(b, b) ^ print(b, c), 0U);
  EXPECT_NE(print(a, b), print(b, a));
}

// B-07: unlike windows are equal as often as chance says, whatever the windows: of random words,
// and of words that differ in a bit, for which nothing but the polynomial is random.
TEST(Rabin, UnlikeWindowsAreRarelyEqual) {
  constexpr unsigned degree = 26;
  const int windows = tries(100'000);
  for (const bool similar : {false, true}) {
    double pairs = 0;
    constexpr int polynomials = 5;
    for (int seed = 0; seed < polynomials; ++seed) {
      const RabinShingles fingerprints(
          random_irreducible(degree, static_cast<std::uint64_t>(seed) + (similar ? 100 : 0)), 2);
      std::map<std::uint64_t, int> seen;
      std::vector<std::uint64_t> out;
      for (int i = 0; i < windows; ++i) {
        const auto number = static_cast<std::uint64_t>(i);
        fingerprints(std::array{similar ? number << 30 : mix64(number), similar ? 7 : number}, out);
        pairs += seen[out.front()]++;
      }
    }
    const double n = windows;
    const double expected = polynomials * n * (n - 1) / 2 / std::exp2(degree);
    if (similar) {
      // A linear map of numbers below 2^17 into 2^26 has no two equal, unless it has very many.
      EXPECT_EQ(pairs, 0);
    } else {
      EXPECT_NEAR(pairs, expected, 6 * std::sqrt(expected));
    }
  }
}

}  // namespace
}  // namespace twinset
