// Which words count: the preparation of texts for methods that compare sets of words, as 002
// section 6.3 prepares its mails and pages ("at least four characters, at most one digit").
//
//   WordRule rule{.min_chars = 4, .max_digits = 1};
//   rule.keeps("Ab12");   // false: two digits
//   rule.keeps("caf\u00E9");  // true, whether its accent is composed or not
//
// The rule is of words, runs of letters and digits. Ideographs, pairs of letters of scripts without
// spaces, and emoji stay whatever it says: their number of characters tells nothing.
//
// Threads: a rule is a value; pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "text/analyzer.h"

namespace twinset {

/// Punctuation inside a word: between two words, punctuation and symbols alone.
enum class Punctuation : std::uint8_t {
  split,  ///< separates: "don't" is "don" and "t"
  keep,   ///< belongs to the word: "don't"
  drop    ///< is left out: "dont"
};

struct WordRule {
  static constexpr std::uint32_t any_digits = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t min_chars = 1;  ///< letters and digits of a word's canonical form, at least
  std::uint32_t max_digits = any_digits;  ///< decimal digits of any script in it, at most
  Punctuation punctuation = Punctuation::split;

  bool keeps_all() const { return min_chars <= 1 && max_digits == any_digits; }
  bool keeps(std::uint32_t chars, std::uint32_t digits) const {
    return static_cast<bool>((chars >= min_chars) & (digits <= max_digits));  // no jump
  }
  /// Does a token stay? `token`: its bytes in the text.
  bool keeps(std::string_view token) const;
};

/// Are the tokens of `analyzer` some of those of `words`, and each the same token there?
bool takes_words(const Analyzer& analyzer);

/// Is the token a word, not an ideograph, letters of a script without spaces or an emoji? `token`:
/// its bytes, or the text from there on.
bool is_run(std::string_view token);

/// Does a keycap, an emoji made of a digit, '#' or '*', begin there?
bool begins_keycap(std::string_view text);

/// Punctuation, a symbol or a mark on one, which between two words is inside a word?
bool is_inside_word(std::uint32_t code_point);

/// A decimal digit of any script (Unicode's general category Nd)?
bool is_decimal_digit(std::uint32_t code_point);

/// Appends the canonical form of a token of such a rule.
void append_joined(std::string_view token, const WordRule& rule, std::string& out);

}  // namespace twinset
