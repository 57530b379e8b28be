// This file's interface is text/word_rule.h; the rest is private.
#include "text/word_rule.h"

#include <array>
#include <string>

#include "base/characters.h"
#include "text/canonical.h"
#include "text/canonical_table.h"
#include "text/unicode_table.h"
#include "text/utf8.h"

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

/// For each 16 code points, a bit for each decimal digit.
constexpr auto digits = [] {
  std::array<std::uint16_t, 0x1FC0> bits{};
  for (const std::uint32_t zero : zeros) {
    for (std::uint32_t at = zero; at < zero + 10; ++at) {
      bits[at / 16] = static_cast<std::uint16_t>(bits[at / 16] | 1U << at % 16);
    }
  }
  return bits;
}();

}  // namespace

bool is_decimal_digit(std::uint32_t code_point) {
  return code_point / 16 < digits.size() && (digits[code_point / 16] >> code_point % 16 & 1) != 0;
}

bool is_inside_word(std::uint32_t code_point) {
  const unicode::WordClass is = unicode::word_class(code_point);
  return is == unicode::WordClass::mark || is == unicode::WordClass::ignorable ||
         (is == unicode::WordClass::separator && code_point != utf8::replacement &&
          unicode::is_symbol(code_point));
}

bool takes_words(const Analyzer& analyzer) {
  const std::string_view name = analyzer.name();
  return name == "words" ||
         (name.starts_with("words(") && name.find("punctuation") == std::string_view::npos);
}

bool begins_keycap(std::string_view text) {
  if (text.empty() || !(text[0] == '#' || text[0] == '*' || is_digit(text[0]))) return false;
  const std::string_view after = text.substr(1);
  return after.starts_with("\u20E3") || after.starts_with("\uFE0F\u20E3");
}

bool is_run(std::string_view token) {
  const std::uint32_t first = utf8::decode(token, 0).code_point;
  if (unicode::rule(first) == unicode::rules::iota) return true;
  return unicode::word_class(first) == unicode::WordClass::word && !begins_keycap(token);
}

bool WordRule::keeps(std::string_view token) const {
  if (keeps_all() || !is_run(token)) return true;
  std::string canonical;
  append_joined(token, *this, canonical);
  std::uint32_t chars = 0;
  std::uint32_t decimals = 0;
  for (std::size_t at = 0; at < canonical.size();) {
    const utf8::Decoded decoded = utf8::decode(canonical, at);
    at += decoded.bytes;
    if (unicode::word_class(decoded.code_point) != unicode::WordClass::word) continue;
    ++chars;
    decimals += is_decimal_digit(decoded.code_point) ? 1 : 0;
  }
  return keeps(chars, decimals);
}

void append_joined(std::string_view token, const WordRule& rule, std::string& out) {
  if (rule.punctuation != Punctuation::drop || !is_run(token)) {
    return append_canonical(token, LetterCase::fold, out);
  }
  // Marks on punctuation go with it.
  std::string joined;
  bool inside = true;
  for (std::size_t at = 0; at < token.size();) {
    const utf8::Decoded decoded = utf8::decode(token, at);
    const std::uint8_t rule_of = unicode::rule(decoded.code_point);
    const unicode::WordClass is = unicode::class_of_rule(rule_of);
    if (is == unicode::WordClass::separator) inside = false;
    inside |= is == unicode::WordClass::word || rule_of == unicode::rules::iota;
    if (inside) joined += token.substr(at, decoded.bytes);
    at += decoded.bytes;
  }
  append_canonical(joined, LetterCase::fold, out);
}

}  // namespace twinset
