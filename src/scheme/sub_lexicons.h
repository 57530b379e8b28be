// Random parts of a list of terms, for I-Match with several lexicons (paper 002, section 4): each
// list 1..K has some of the terms, list 0 has all.
//
//   SecretKey key = SecretKey::parse("243f6a8885a308d3").value();
//   bag_terms(key, "primary", 10, masks);                  // draws as many terms as there are
//   drop_terms(key, Ratio(1, 3), 10, hashes, masks);       // leaves out each with a chance of 1/3
//
// Which terms a list has is decided by SHA-1 of the secret, so that nobody who sees signatures, and
// knows the lexicon, can tell which words to change. The default secret is public: whoever must
// resist an adversary gives 128 random bits of their own.
//
// Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// Lists besides the one that has all terms: a mask has 32 bits.
inline constexpr unsigned most_sub_lexicons = 31;

/// A secret of 128 bits.
struct SecretKey {
  std::array<std::uint8_t, 16> bytes{};

  /// 1 to 32 hexadecimal digits; missing ones in front are 0. Error (usage) otherwise.
  static Result<SecretKey> parse(std::string_view digits);
  /// A number for one purpose: SHA-1 of the secret, `purpose` and `counter`.
  std::uint64_t number(std::string_view purpose, std::uint64_t counter) const;
};

/// Draws masks.size() terms with replacement for each list from 1 to `lists` and sets bit k of
/// those that list k drew: 63.2 % of many terms, of which there are less than 2^32. `part` tells
/// the lists of several parts apart.
void bag_terms(const SecretKey& key, std::string_view part, unsigned lists,
               std::span<std::uint32_t> masks);

/// Sets bit k of each term that list k keeps. A term is left out of a list with chance `share`,
/// whatever the other terms are.
void drop_terms(const SecretKey& key, const Ratio& share, unsigned lists,
                std::span<const std::uint64_t> hashes, std::span<std::uint32_t> masks);

}  // namespace twinset
