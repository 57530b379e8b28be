// An analyzer for programs, formulas and data, where signs, symbols and case carry
// the meaning:
//
//   if (max_size == -500) ++C;      if ( max_size == -500 ) ++ C ;
//   C++ and C# at 3.14              C++ and C# at 3.14
//
// A token is
// - an identifier: letters, digits, marks, underscores and dollar signs, not beginning
//   with a digit. A single capital letter followed by ++ or # is the name of a
//   language and one token;
// - a number: it begins with a digit, or a point and a digit, and goes on with
//   letters, digits, underscores, points and apostrophes before a digit, and the sign
//   of an exponent. A sign directly before it belongs to it unless the byte before the
//   sign ends an operand: "x = -500" has the number, "x-500" the operator;
// - an operator of the list below, the longest that fits; or four and more times the
//   same symbol; or any other symbol or punctuation by itself;
// - an ideograph, or two letters of a script without spaces, as in `words`.
// White space and control characters only separate. Comments and strings are text like everything
// else. Case is kept; ways of writing one character are one (NFC), and ignorable characters are
// dropped.
//
// This file's interface is text/analyzer.h; the rest is private.
#include <algorithm>
#include <array>
#include <vector>

#include "base/characters.h"
#include "text/analyzer_list.h"
#include "text/canonical.h"
#include "text/canonical_table.h"
#include "text/token_hash.h"
#include "text/unicode_table.h"
#include "text/utf8.h"
#include "text/words_reference.h"

namespace twinset {
namespace {

/// Longest first.
constexpr std::array<std::string_view, 52> operators{
    "<<=", ">>=", ">>>", "...", "<=>", "===", "!==", "->*", "**=", "//=", "&&=", "||=", "?\?=",
    "..=", "::=", "-->", "->",  "==",  "!=",  "<=",  ">=",  "&&",  "||",  "++",  "--",  "+=",
    "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",  "<<",  ">>",  "::",  "..",  "=>",  "**",
    "//",  "/*",  "*/",  "??",  "?.",  ":=",  "|>",  "<-",  "##",  "=~",  "!~",  "&^",  "<>"};

/// This many or more of one symbol in a row are a rule across the page, and one token.
constexpr std::size_t rule_symbols = 4;
constexpr std::string_view never_rules = "()[]{};`'\"";

bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool is_ascii(char c) { return static_cast<std::uint8_t>(c) < 0x80; }
bool is_ascii_symbol(char c) {
  return c > ' ' && c < '\x7F' && !is_digit(c) && !is_letter(c) && c != '_';
}

class Scanner {
 public:
  Scanner(std::string_view text, std::vector<WordPiece>& pieces) : text_(text), pieces_(pieces) {}

  /// Finds the pieces; returns how many sequences were not UTF-8.
  std::uint64_t run() {
    pieces_.clear();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (!is_ascii(c)) {
        read_wide();
      } else if (is_digit(c) || (c == '.' && is_digit(byte(at_ + 1)) && !after_operand())) {
        read_number(at_);
      } else if (is_letter(c) || c == '_' || (c == '$' && !is_digit(byte(at_ + 1)))) {
        read_identifier();
      } else if (is_ascii_symbol(c)) {
        read_symbol(c);
      } else {
        ++at_;
      }
    }
    return replaced_;
  }

 private:
  char byte(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  utf8::Decoded decoded(std::size_t at) const { return utf8::decode(text_, at); }

  /// Does the previous piece end here, and can a value end there?
  bool after_operand() const {
    if (pieces_.empty() || pieces_.back().range.end != at_) return false;
    const char last = text_[at_ - 1];
    return pieces_.back().run || last == ')' || last == ']' || last == '}' || last == '.';
  }

  /// Ends the piece that began at `begin`, with the marks and ignorables after it. A
  /// `run` is an operand.
  void add(std::size_t begin, bool run, bool unspaced = false) {
    at_ = behind_joining(at_, unspaced);
    pieces_.push_back(
        {{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)}, unspaced, run});
  }

  /// After the marks and ignorables at `at`, and zero width spaces if these follow an unspaced
  /// letter.
  std::size_t behind_joining(std::size_t at, bool unspaced = false) const {
    while (at < text_.size() && !is_ascii(text_[at])) {
      const utf8::Decoded next = decoded(at);
      const unicode::WordClass kind = unicode::word_class(next.code_point);
      const bool hint = unspaced && next.code_point == unicode::zero_width_space;
      if (kind != unicode::WordClass::mark && kind != unicode::WordClass::ignorable && !hint) break;
      at += next.bytes;
    }
    return at;
  }

  bool joins(std::size_t at) const { return behind_joining(at) != at; }

  /// Skips letters, digits, underscores and the characters that join them.
  void skip_word() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_ascii(c)) {
        if (!is_digit(c) && !is_letter(c) && c != '_' && c != '$') return;
        ++at_;
        continue;
      }
      const utf8::Decoded next = decoded(at_);
      const unicode::WordClass kind = unicode::word_class(next.code_point);
      if (kind != unicode::WordClass::word && kind != unicode::WordClass::mark &&
          kind != unicode::WordClass::ignorable) {
        return;
      }
      at_ += next.bytes;
    }
  }

  void read_identifier() {
    const std::size_t begin = at_;
    skip_word();
    const char first = text_[begin];
    if (at_ == begin + 1 && first >= 'A' && first <= 'Z') {
      const std::size_t behind = text_.substr(at_, 2) == "++"               ? at_ + 2
                                 : byte(at_) == '#' && byte(at_ + 1) != '#' ? at_ + 1
                                                                            : at_;
      if (!joins(behind)) at_ = behind;
    }
    add(begin, true);
  }

  /// Reads the number whose digits or point begin at `at_`.
  void read_number(std::size_t begin) {
    const bool hexadecimal = text_[at_] == '0' && (byte(at_ + 1) | 0x20) == 'x';
    if (text_[at_] == '.') ++at_;
    while (true) {
      skip_word();
      const char c = byte(at_);
      const char before = text_[at_ - 1];
      const bool exponent = (before | 0x20) == (hexadecimal ? 'p' : 'e');
      const bool goes_on =
          c == '.' || (c == '\'' && is_digit(before)) || ((c == '-' || c == '+') && exponent);
      if (!goes_on || !is_digit(byte(at_ + 1))) break;
      ++at_;
    }
    add(begin, true);
  }

  void read_symbol(char c) {
    const std::size_t begin = at_;
    if ((c == '-' || c == '+') && !after_operand()) {
      const char next = byte(at_ + 1);
      if (is_digit(next) || (next == '.' && is_digit(byte(at_ + 2)))) {
        ++at_;
        return read_number(begin);
      }
    }
    at_ += symbol_bytes(c);
    add(begin, false);
  }

  /// The length of the token of symbols at `at_`. A symbol followed by a mark is a token with it.
  std::size_t symbol_bytes(char c) const {
    std::size_t same = 1;
    while (byte(at_ + same) == c) ++same;
    if (joins(at_ + same)) --same;
    if (same >= rule_symbols && never_rules.find(c) == std::string_view::npos) return same;
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view known : operators) {
      if (rest.starts_with(known) && !joins(at_ + known.size())) return known.size();
    }
    return 1;
  }

  void read_wide() {
    const std::size_t begin = at_;
    const utf8::Decoded next = decoded(at_);
    replaced_ += next.valid ? 0 : 1;
    switch (unicode::word_class(next.code_point)) {
      case unicode::WordClass::word:
        return read_identifier();
      case unicode::WordClass::ideograph:
      case unicode::WordClass::unspaced:
        at_ += next.bytes;
        return add(begin, false,
                   unicode::word_class(next.code_point) == unicode::WordClass::unspaced);
      case unicode::WordClass::separator:
      case unicode::WordClass::emoji:
      case unicode::WordClass::regional:
      case unicode::WordClass::modifier:
        at_ += next.bytes;
        if (next.valid && unicode::is_symbol(next.code_point)) add(begin, false);
        return;
      case unicode::WordClass::ignorable:
      case unicode::WordClass::mark:
        at_ += next.bytes;
        return;
    }
  }

  const std::string_view text_;
  std::vector<WordPiece>& pieces_;
  std::size_t at_ = 0;
  std::uint64_t replaced_ = 0;
};

std::uint64_t hash_of(std::string_view token) {
  return std::ranges::all_of(token, is_ascii) ? token_hash(token)
                                              : canonical_hash(token, LetterCase::keep);
}

class Code final : public Analyzer {
 public:
  std::string_view name() const override { return "code"; }
  std::uint32_t version() const override { return 2; }
  std::string_view summary() const override {
    return "programs and data: whole identifiers, numbers with their signs, operators and each "
           "other symbol, case kept";
  }

  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    out.tokens.clear();
    out.offsets.clear();
    std::vector<WordPiece> pieces;
    out.replaced = Scanner(text, pieces).run();
    out.tokens.reserve(pieces.size());
    for_each_token(pieces, [&](TokenOffsets range) {
      out.tokens.push_back(hash_of(text.substr(range.begin, range.end - range.begin)));
      if (offsets == Offsets::keep) out.offsets.push_back(range);
    });
  }

  void append_token(std::string_view text, TokenOffsets token, std::string& out) const override {
    append_canonical(text.substr(token.begin, token.end - token.begin), LetterCase::keep, out);
  }
};

const Code code;

}  // namespace

extern const AnalyzerEntry code_analyzer;
const AnalyzerEntry code_analyzer{code};

}  // namespace twinset
