// Random parts of a list of terms, for I-Match with several lexicons (paper 002, section 4): each
// list 1..K has some of the terms, list 0 has all.
//
//   SecretKey key = SecretKey::load(files, "mail.secret").value();
//   bag_terms(key, "primary", 10, masks);                  // draws as many terms as there are
//   drop_terms(key, Ratio(1, 3), 10, hashes, masks);       // leaves out each with a chance of 1/3
//
// Which terms a list has is decided by the key, so that nobody who sees signatures, and knows the
// lexicon, can tell which words to change.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "scheme/secret_key.h"
#include "twinset/ratio.h"

namespace twinset {

/// Lists besides the one that has all terms: a mask has 32 bits.
inline constexpr unsigned most_sub_lexicons = 31;

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
