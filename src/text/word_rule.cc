// This file's interface is text/word_rule.h; the rest is private.
#include "text/word_rule.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "text/canonical.h"
#include "text/canonical_table.h"
#include "text/token_hash.h"
#include "text/unicode_table.h"
#include "text/utf8.h"
#include "text/words_kernel.h"

namespace twinset {
namespace {

/// The digit zero of each script of Unicode 15.0.0; the other nine follow it.
constexpr std::uint32_t zeros[] = {
    0x30,    0x660,   0x6F0,   0x7C0,   0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,   0xBE6,
    0xC66,   0xCE6,   0xD66,   0xDE6,   0xE50,   0xED0,   0xF20,   0x1040,  0x1090,  0x17E0,
    0x1810,  0x1946,  0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,  0xA620,
    0xA8D0,  0xA900,  0xA9D0,  0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066,
    0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0,
    0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8,
    0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950, 0x1FBF0};

constexpr std::uint32_t replacement_character = 0xFFFD;

/// Is `gap`, which stands between two words, inside a word?
bool is_inside_word(std::string_view gap) {
  for (std::size_t at = 0; at < gap.size();) {
    const utf8::Decoded decoded = utf8::decode(gap, at);
    at += decoded.bytes;
    const unicode::WordClass is = unicode::word_class(decoded.code_point);
    const bool passes =
        is == unicode::WordClass::mark || is == unicode::WordClass::ignorable ||
        (decoded.code_point != replacement_character && unicode::is_symbol(decoded.code_point));
    if (!decoded.valid || !passes) return false;
  }
  return !gap.empty();
}

std::string_view part(std::string_view text, TokenOffsets range) {
  return text.substr(range.begin, range.end - range.begin);
}

}  // namespace

bool is_decimal_digit(std::uint32_t code_point) {
  if (code_point < zeros[1]) return code_point - '0' < 10;
  return code_point - *std::prev(std::upper_bound(std::begin(zeros), std::end(zeros), code_point)) <
         10;
}

bool takes_words(const Analyzer& analyzer) {
  const std::string_view name = analyzer.name();
  return name == "words" ||
         (name.starts_with("words(") && name.find("punctuation") == std::string_view::npos);
}

bool is_run(std::string_view token) {
  const std::uint32_t first = utf8::decode(token, 0).code_point;
  if (unicode::rule(first) == unicode::rules::iota) return true;
  if (unicode::word_class(first) != unicode::WordClass::word) return false;
  if (first - '0' >= 10) return true;
  // A digit with a keycap is an emoji.
  const std::string_view after = token.substr(1);
  return !after.starts_with("\u20E3") && !after.starts_with("\uFE0F\u20E3");
}

bool WordRule::keeps_canonical(std::string_view word) const {
  std::uint32_t chars = 0;
  std::uint32_t digits = 0;
  for (std::size_t at = 0; at < word.size();) {
    const utf8::Decoded decoded = utf8::decode(word, at);
    at += decoded.bytes;
    if (unicode::word_class(decoded.code_point) != unicode::WordClass::word) continue;
    ++chars;
    digits += is_decimal_digit(decoded.code_point) ? 1 : 0;
  }
  return keeps(chars, digits);
}

bool WordRule::keeps(std::string_view token) const {
  if (keeps_all() || !is_run(token)) return true;
  std::string canonical;
  append_canonical(token, LetterCase::fold, canonical);
  return keeps_canonical(canonical);
}

void append_joined(std::string_view token, const WordRule& rule, std::string& out) {
  if (rule.punctuation != Punctuation::drop) return append_canonical(token, LetterCase::fold, out);
  Analysis words;
  words_simd(token, Offsets::keep, words);
  std::string joined;
  for (const TokenOffsets range : words.offsets) joined += part(token, range);
  append_canonical(joined, LetterCase::fold, out);
}

void join_punctuated(std::string_view text, const WordRule& rule, Analysis& analysis) {
  std::vector<TokenOffsets>& ranges = analysis.offsets;
  std::size_t kept = 0;
  std::string canonical;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    TokenOffsets range = ranges[i];
    std::uint64_t token = analysis.tokens[i];
    const std::size_t first = i;
    while (i + 1 < ranges.size() && range.end < ranges[i + 1].begin &&
           is_inside_word(text.substr(range.end, ranges[i + 1].begin - range.end)) &&
           is_run(part(text, ranges[i])) && is_run(part(text, ranges[i + 1]))) {
      range.end = ranges[++i].end;
    }
    bool keeps = true;
    if (i == first) {
      keeps = rule.keeps(part(text, range));
    } else {
      canonical.clear();
      append_joined(part(text, range), rule, canonical);
      token = token_hash(canonical);
      keeps = rule.keeps_canonical(canonical);
    }
    if (!keeps) continue;
    analysis.tokens[kept] = token;
    ranges[kept++] = range;
  }
  analysis.tokens.resize(kept);
  ranges.resize(kept);
}

}  // namespace twinset
