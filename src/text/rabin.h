// Rabin's fingerprints of shingles: the tokens of a window, as one polynomial over two elements,
// modulo an irreducible polynomial (M. O. Rabin, "Fingerprinting by random polynomials", 1981).
//
//   const BinaryPolynomial p = random_irreducible(40, seed);
//   RabinShingles fingerprints(p, 10);
//   fingerprints(tokens, out);              // 40 bits of each window of 10 tokens
//
// The polynomial of a window is a leading 1, then its tokens' hashes, 64 coefficients each, then 64
// zeros, so that windows of one token, too, depend on the modulus. Of n windows that were chosen
// without knowledge of the modulus, two unlike ones of w tokens are equal with a chance of at most
// 64 (w + 2) / 2^k for a random irreducible polynomial of degree k: this is proved, for any
// windows, where other hashes are only seen to behave so. But the fingerprint is linear: whoever
// knows the modulus makes windows of any fingerprint, and the fingerprints of four windows whose
// tokens cancel out cancel out, too. So it tells windows apart, and does not choose among them: a
// sample is taken by a mixed value of it.
//
// Threads: pure functions; a RabinShingles is immutable and shared.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace twinset {

/// A polynomial over two elements: t^degree, and in `low` the coefficients below it, that of t^i
/// being bit i.
struct BinaryPolynomial {
  unsigned degree = 0;  ///< 1 to 64
  std::uint64_t low = 0;
  bool operator==(const BinaryPolynomial&) const = default;
};

/// A polynomial in hexadecimal digits, lower case, its leading coefficient included: "11b" is t^8 +
/// t^4 + t^3 + t + 1. Nullopt if it is none, or of degree 0 or more than 64.
std::optional<BinaryPolynomial> parse_polynomial(std::string_view digits);

/// Is it no product of others? Rabin's test. O(degree^3).
bool is_irreducible(const BinaryPolynomial& polynomial);

/// One of all irreducible polynomials of this degree, which the seed decides.
BinaryPolynomial random_irreducible(unsigned degree, std::uint64_t seed);

class RabinShingles {
 public:
  /// `modulus` is irreducible; `width` is 1 at least.
  RabinShingles(const BinaryPolynomial& modulus, unsigned width);

  /// The fingerprint of each window, in order, below 2^degree; `out` is replaced. Fewer tokens than
  /// a window has are one window, as in shingle(). O(tokens).
  void operator()(std::span<const std::uint64_t> tokens, std::vector<std::uint64_t>& out) const;

 private:
  /// For each byte of a word, and each value of it, its share of the result: of a linear map.
  using Table = std::array<std::array<std::uint64_t, 256>, 8>;
  static std::uint64_t map(const Table& table, std::uint64_t word);
  static Table table_of(const BinaryPolynomial& modulus, std::uint64_t power);

  unsigned width_;
  std::uint64_t empty_;  ///< the fingerprint of no token
  Table append_;         ///< word * t^64
  Table drop_;           ///< word * t^(64 * (width + 1)), and the move of the leading 1
};

}  // namespace twinset
