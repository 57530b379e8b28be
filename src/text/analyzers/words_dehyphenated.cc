// The analyzer `words` for scanned books, PDF and other texts whose lines a printer ended: a word
// that a hyphen cuts at the end of a line is one word.
//
// Before the words are found, a hyphen between a letter and the end of its line is taken out with
// that end and the space around it, if the next line goes on with a small letter. Whether the
// hyphen belongs to the word is not known without a lexicon: "well-" and "known" on the next
// line become "wellknown", while "well-known" within a line stays two words. Ligatures and the long
// s need no more: `words` folds them.
//
// This file's interface is text/analyzer.h; the rest is private.
#include <cstdint>
#include <optional>

#include "base/characters.h"
#include "text/analyzer_list.h"
#include "text/canonical_table.h"
#include "text/rewriting.h"
#include "text/utf8.h"
#include "text/words_kernel.h"

namespace twinset {
namespace {

constexpr std::uint32_t soft_hyphen = 0xAD;
constexpr std::uint32_t long_s = 0x17F;

/// Printers' hyphens, and the sign that programs of character recognition write for one.
bool is_hyphen(std::uint32_t code_point) {
  constexpr std::uint32_t not_sign = 0xAC;
  constexpr std::uint32_t hyphen = 0x2010;
  constexpr std::uint32_t double_oblique_hyphen = 0x2E17;
  return code_point == '-' || code_point == soft_hyphen || code_point == not_sign ||
         code_point == hyphen || code_point == double_oblique_hyphen;
}

bool is_space_in_line(char c) { return c == ' ' || c == '\t'; }

/// A letter or a mark of one; digits are neither.
bool is_letter_or_mark(std::uint32_t code_point) {
  const unicode::WordClass is = unicode::word_class(code_point);
  const bool digit = code_point < 0x80 && is_digit(static_cast<char>(code_point));
  return (is == unicode::WordClass::word && !digit) || is == unicode::WordClass::mark;
}

/// A letter that case folding makes another one, except the long s, which is small.
bool is_capital(std::uint32_t code_point) {
  const std::uint16_t folded = unicode::canonical_record(code_point).folded;
  return folded != 0 && code_point != long_s && unicode::canonical_sequence(folded).size() == 1;
}

/// The character that ends at `end`, and where it begins.
struct Before {
  std::uint32_t code_point;
  std::size_t begin;
};
std::optional<Before> character_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && end - begin < utf8::max_bytes) {
    --begin;
    if ((static_cast<std::uint8_t>(text[begin]) & 0xC0) != 0x80) break;
  }
  if (begin == end) return std::nullopt;
  const utf8::Decoded decoded = utf8::decode(text, begin);
  if (!decoded.valid || begin + decoded.bytes != end) return std::nullopt;
  return Before{decoded.code_point, begin};
}

/// Bytes [begin, end): from a hyphen to the next line's first letter.
struct Cut {
  std::size_t begin;
  std::size_t end;
};

/// The cut of a word around the line end at `line_end`, if one is.
std::optional<Cut> cut_at(std::string_view text, std::size_t line_end) {
  std::size_t before = line_end;
  if (before > 0 && text[before - 1] == '\r') --before;
  while (before > 0 && is_space_in_line(text[before - 1])) --before;
  const std::optional<Before> hyphen = character_before(text, before);
  if (!hyphen || !is_hyphen(hyphen->code_point)) return std::nullopt;
  const std::optional<Before> letter = character_before(text, hyphen->begin);
  if (!letter || !is_letter_or_mark(letter->code_point)) return std::nullopt;
  std::size_t next = line_end + 1;
  while (next < text.size() && is_space_in_line(text[next])) ++next;
  if (next == text.size()) return std::nullopt;
  const utf8::Decoded first = utf8::decode(text, next);
  const bool goes_on =
      first.valid && is_letter_or_mark(first.code_point) && !is_capital(first.code_point);
  return goes_on ? std::optional<Cut>({hyphen->begin, next}) : std::nullopt;
}

/// Sets `out` to `text` without its cuts. False if there are none: then ignore `out`.
bool join_words(std::string_view text, HtmlText& out) {
  Rewriting rewriting(text, out);
  for (std::size_t line_end = text.find('\n'); line_end != std::string_view::npos;
       line_end = text.find('\n', line_end + 1)) {
    const std::optional<Cut> cut = cut_at(text, line_end);
    if (cut) rewriting.replace(cut->begin, cut->end, "");
  }
  return rewriting.finish();
}

class WordsDehyphenated final : public Analyzer {
 public:
  std::string_view name() const override { return "words_dehyphenated"; }
  std::uint32_t version() const override { return 1; }
  std::string_view summary() const override {
    return "words, and one word of what a hyphen cuts at the end of a line, if the next one goes "
           "on with a small letter";
  }

  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    if (!join_words(text, out.compatible)) return words_simd(text, offsets, out);
    words_simd(out.compatible.view(), offsets, out);
    map_to_page(out.compatible, out.offsets);
    out.compatible.release_large();
  }

  void append_token(std::string_view text, TokenOffsets token, std::string& out) const override {
    const std::string_view bytes = text.substr(token.begin, token.end - token.begin);
    HtmlText joined;
    if (!join_words(bytes, joined)) return Analyzer::append_token(text, token, out);
    const auto end = static_cast<std::uint32_t>(joined.size);
    Analyzer::append_token(joined.view(), {0, end}, out);
  }
};

const WordsDehyphenated words_dehyphenated;

}  // namespace

extern const AnalyzerEntry words_dehyphenated_analyzer;
const AnalyzerEntry words_dehyphenated_analyzer{words_dehyphenated};

}  // namespace twinset
