// The analyzer `words` for texts whose authors hide their words from filters: look-alikes of other
// scripts, invisible characters, accents, full-width and mathematical letters.
//
// Before the words are found, each character is replaced by what it looks like
// (text/skeleton_table.h: the skeletons of UTS #39, in small letters, without marks). Where
// capitals and small letters are one, I, l, L and i look like one letter, which is i here; and rn
// is m, before or after these replacements. So texts that look alike have equal tokens, and some
// words that differ have, too: docs/analyzers.md counts them.
//
// In ASCII almost nothing changes its length: blocks of it are copied, and only what else there is
// makes segments of a text that is mapped back.
//
// This file's interface is text/analyzer.h; the rest is private.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "text/analyzer_list.h"
#include "text/canonical.h"
#include "text/rewriting.h"
#include "text/skeleton_table.h"
#include "text/token_hash.h"
#include "text/utf8.h"
#include "text/words_kernel.h"

namespace twinset {
namespace {

constexpr std::array<std::string_view, 2> digit_choices{"keep", "letters"};
constexpr std::array<std::string_view, 2> spaced_choices{"split", "join"};
constexpr std::array<ParameterDeclaration, 2> skeleton_parameters{{
    {"digits", 0, 0, 0,
     "digits and signs in words: keep them, or take them for the letters they look like (v1@gra)",
     ParameterKind::choice, "keep", digit_choices},
    {"spaced", 0, 0, 0,
     "four and more letters with one separator each between (v.i.a.g.r.a): split or join them",
     ParameterKind::choice, "split", spaced_choices},
}};

constexpr std::size_t block = 64;

/// Predicates of bytes are numbers, 0 or not, and have no jumps, so that a compiler makes vectors
/// of the loops over them.
using Holds = std::uint8_t;

constexpr char small(char c) { return static_cast<char>(c | 0x20); }
constexpr Holds is_high(char c) { return static_cast<std::uint8_t>(c) & 0x80; }
constexpr Holds is_letter(char c) { return static_cast<std::uint8_t>(small(c) - 'a') < 26; }
constexpr Holds is_rn(char first, char second) {
  const Holds r = small(first) == 'r';
  return static_cast<Holds>(r & (small(second) == 'n'));
}

/// The first position from `at` on where `holds`, or the end; `holds` reads `ahead` bytes from
/// there on, so the last ahead - 1 positions are not looked at.
template <class Predicate>
std::size_t find_position(std::string_view text, std::size_t at, std::size_t ahead,
                          Predicate&& holds) {
  if (text.size() < at + ahead) return text.size();
  const char* const bytes = text.data();
  const std::size_t end = text.size() - ahead + 1;
  for (std::size_t near = std::min(end, at + 4); at < near; ++at) {
    if (holds(bytes + at) != 0) return at;
  }
  for (; at + block <= end; at += block) {
    Holds any = 0;
    for (std::size_t i = 0; i < block; ++i) {
      any = static_cast<Holds>(any | holds(bytes + at + i));
    }
    if (any != 0) break;
  }
  while (at < end && holds(bytes + at) == 0) ++at;
  return at < end ? at : text.size();
}

/// Writes the skeleton of a text, and where it comes from if that is asked for.
class Writer {
 public:
  Writer(std::string_view text, Offsets offsets, HtmlText& out)
      : text_(text), keeps_(offsets == Offsets::keep), out_(out) {
    out.segments.clear();
    out.size = 0;
    reserve(text.size());
  }

  /// Copies [begin, end): ASCII without rn.
  void copy(std::size_t begin, std::size_t end) {
    if (begin < end && joins(text_[begin])) {
      put(begin, begin + 1, text_.substr(begin, 1));
      ++begin;
    }
    if (begin == end) return;
    copy_bytes(begin, end);
    char* const copied = out_.bytes.data() + out_.size - (end - begin);
    for (std::size_t i = 0; i < end - begin; ++i) {
      copied[i] = small(copied[i]) == 'l' ? 'i' : copied[i];
    }
  }

  /// Copies [begin, end), one character.
  void keep(std::size_t begin, std::size_t end) { copy_bytes(begin, end); }

  /// Puts `by`, without rn, in the place of [begin, end).
  void put(std::size_t begin, std::size_t end, std::string_view by) {
    if (by.empty()) return extend(end);
    if (out_.size + by.size() + (text_.size() - end) > Rewriting::most_bytes) {
      return copy_bytes(begin, end);
    }
    const bool joined = joins(by[0]);
    if (joined) begin = take_last();
    add_segment(begin, end - begin);
    append(by);
    if (joined) out_.bytes[out_.size - by.size()] = 'm';
  }

  /// Is the last character written one of ASCII?
  bool after_ascii() const { return out_.size > 0 && !is_high(out_.bytes[out_.size - 1]); }

 private:
  bool joins(char next) const {
    return out_.size > 0 && is_rn(out_.bytes[out_.size - 1], next) != 0;
  }

  void reserve(std::size_t bytes) {
    if (out_.bytes.size() < bytes) out_.bytes.resize(std::max(bytes, out_.bytes.size() * 2));
  }

  void append(std::string_view bytes) {
    reserve(out_.size + bytes.size());
    char* const to = out_.bytes.data() + out_.size;
    if (bytes.size() <= utf8::max_bytes) {  // a character: no call
      for (std::size_t i = 0; i < bytes.size(); ++i) to[i] = bytes[i];
    } else {
      std::memcpy(to, bytes.data(), bytes.size());
    }
    out_.size += bytes.size();
  }

  void copy_bytes(std::size_t begin, std::size_t end) {
    if (keeps_ && (out_.segments.empty() || out_.segments.back().page_bytes != 0 ||
                   place_of(out_.size) != begin)) {
      add_segment(begin, 0);
    }
    append(text_.substr(begin, end - begin));
  }

  void add_segment(std::size_t from, std::size_t whole) {
    if (!keeps_) return;
    out_.segments.push_back({static_cast<std::uint32_t>(out_.size),
                             static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(whole)});
  }

  /// Where byte `at` comes from, which the last segment has or would have next.
  std::size_t place_of(std::size_t at) const {
    const HtmlSegment& last = out_.segments.back();
    return last.page_bytes != 0 ? last.page_begin : last.page_begin + (at - last.text_begin);
  }

  /// Takes the last byte, a letter of ASCII, back; returns where it comes from.
  std::size_t take_last() {
    --out_.size;
    if (!keeps_) return 0;
    const std::size_t place = place_of(out_.size);
    if (out_.segments.back().text_begin == out_.size) out_.segments.pop_back();
    return place;
  }

  /// What stood up to `end` belongs to the last character.
  void extend(std::size_t end) {
    if (!keeps_ || out_.size == 0) return;
    if (out_.segments.back().page_bytes == 0) {
      std::size_t begin = out_.size - 1;
      while ((static_cast<std::uint8_t>(out_.bytes[begin]) & 0xC0) == 0x80) --begin;
      const std::size_t place = place_of(begin);
      if (out_.segments.back().text_begin == begin) out_.segments.pop_back();
      out_.segments.push_back(
          {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(place), 1});
    }
    HtmlSegment& last = out_.segments.back();
    last.page_bytes = static_cast<std::uint32_t>(end - last.page_begin);
  }

  std::string_view text_;
  const bool keeps_;
  HtmlText& out_;
};

/// Sets `out` to what `text` looks like; returns how many sequences were invalid. Each is a space
/// there, which separates as it does: the bytes beside it must not become one with it.
std::uint64_t write_skeleton(std::string_view text, Offsets offsets, HtmlText& out) {
  Writer writer(text, offsets, out);
  std::uint64_t replaced = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (is_high(text[at]) == 0) {
      std::size_t next = find_position(text, at, 2, [](const char* c) {
        return static_cast<Holds>(is_high(c[0]) | is_rn(c[0], c[1]));
      });
      if (next == text.size() && is_high(text[next - 1]) != 0) --next;
      writer.copy(at, next);
      at = next;
      if (at == text.size()) break;
      if (is_high(text[at]) == 0) {
        writer.put(at, at + 2, "m");
        at += 2;
        continue;
      }
    }
    const utf8::Decoded decoded = utf8::decode(text, at);
    const std::size_t begin = std::exchange(at, at + decoded.bytes);
    if (!decoded.valid) {
      writer.put(begin, at, " ");
      ++replaced;
      continue;
    }
    const std::uint16_t place = unicode::skeleton(decoded.code_point);
    if (place == unicode::skeleton_dropped ||
        (place == unicode::skeleton_mark && writer.after_ascii())) {
      writer.put(begin, at, "");
    } else if (place == unicode::skeleton_stays || place == unicode::skeleton_mark) {
      writer.keep(begin, at);
    } else {
      writer.put(begin, at, unicode::skeleton_string(place));
    }
  }
  return replaced;
}

/// Digits and signs that stand for letters, in place.
namespace leet {

/// By character; 0 if it is no such sign. 6 is b, as the Cyrillic letter that looks like both.
constexpr auto letter_of = [] {
  std::array<char, 128> letters{};
  constexpr std::string_view signs = "01234567890@$!|";
  constexpr std::string_view stand_for = "oizeasbtbgoasii";
  for (std::size_t i = 0; i < signs.size(); ++i) {
    letters[static_cast<std::size_t>(signs[i])] = stand_for[i];
  }
  return letters;
}();

Holds stands_for_letter(char c) {
  return static_cast<Holds>((static_cast<std::uint8_t>(c - '0') < 10) | (c == '@') | (c == '$') |
                            (c == '!') | (c == '|'));
}

/// Does the domain of an address follow the sign at `at`: a word, a dot and a letter or digit?
bool is_address(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  const auto in_name = [&] {
    return end < text.size() &&
           (is_letter(text[end]) || is_digit(text[end]) || text[end] == '-' || text[end] == '_');
  };
  while (in_name()) ++end;
  if (end == at + 1 || end >= text.size() || text[end] != '.') return false;
  ++end;
  return in_name();
}

/// A run of letters, digits and signs.
struct Run {
  std::size_t end;
  std::size_t letters_end;  ///< of its last letter; the begin if it has none
};

Run run_at(std::string_view text, std::size_t begin) {
  Run run{begin, begin};
  while (run.end < text.size()) {
    const char c = text[run.end];
    if (is_letter(c)) {
      run.letters_end = ++run.end;
    } else if (is_high(c)) {
      const utf8::Decoded decoded = utf8::decode(text, run.end);
      const unicode::WordClass is = unicode::word_class(decoded.code_point);
      if (is != unicode::WordClass::word && is != unicode::WordClass::mark) break;
      run.letters_end = run.end += decoded.bytes;
    } else if (stands_for_letter(c) && !(c == '@' && is_address(text, run.end))) {
      ++run.end;
    } else {
      break;
    }
  }
  return run;
}

/// Makes letters of the digits and signs in [begin, end of its run), if that has a letter: of signs
/// only those before one, and of ! and | only those after a letter, digit, @ or $.
void fold_run(char* bytes, std::size_t begin, Run run) {
  if (run.letters_end == begin) return;
  while (bytes[begin] == '!' || bytes[begin] == '|') ++begin;
  std::size_t end = run.letters_end;
  while (end < run.end && is_digit(bytes[end])) ++end;
  for (std::size_t i = begin; i < end; ++i) {
    if (stands_for_letter(bytes[i])) bytes[i] = letter_of[static_cast<std::size_t>(bytes[i])];
  }
}

void fold(HtmlText& out) {
  const std::string_view text = out.view();
  for (std::size_t done = 0;;) {
    const std::size_t at =
        find_position(text, done, 1, [](const char* c) { return stands_for_letter(*c); });
    if (at == text.size()) return;
    std::size_t begin = at;
    while (begin > done && (is_letter(text[begin - 1]) || is_high(text[begin - 1]))) --begin;
    while (begin <= at) {
      const Run run = run_at(text, begin);
      fold_run(out.bytes.data(), begin, run);
      const std::size_t after = run.end < text.size() ? utf8::decode(text, run.end).bytes : 0;
      begin = run.end + after;
      if (after == 0) break;
    }
    done = std::min(begin, text.size());
  }
}

}  // namespace leet

/// Letters that one separator each keeps apart.
namespace spaced {

constexpr std::size_t least = 4;

Holds is_word_byte(char c) {
  return static_cast<Holds>(is_letter(c) | (static_cast<std::uint8_t>(c - '0') < 10) | is_high(c));
}

/// Is c[1] between two letters, and the separator of the next ones, too?
bool begins(const char* c) {
  static_assert(least == 4);
  return is_letter(c[0]) & !is_word_byte(c[1]) & (c[1] != '\n') & is_letter(c[2]) & (c[3] == c[1]) &
         is_letter(c[4]) & (c[5] == c[1]) & is_letter(c[6]);
}

/// The ranges of such letters, in order.
void find(std::string_view text, std::vector<TokenOffsets>& out) {
  out.clear();
  for (std::size_t at = 0;;) {
    at = find_position(text, at, 2 * least - 1, begins);
    if (at == text.size()) return;
    const std::size_t begin = at++;
    if (begin > 0 && is_word_byte(text[begin - 1])) continue;
    const char separator = text[begin + 1];
    std::size_t end = begin + 1;
    while (end + 1 < text.size() && text[end] == separator && is_letter(text[end + 1]) &&
           (end + 2 == text.size() || !is_word_byte(text[end + 2]))) {
      end += 2;
    }
    if (end - begin < 2 * least - 1) continue;
    out.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    at = end;
  }
}

/// The letters in `range` as one word.
std::string word_of(std::string_view text, TokenOffsets range) {
  std::string word;
  for (std::size_t i = range.begin; i < range.end; i += 2) {
    if (!word.empty() && is_rn(word.back(), text[i])) {
      word.back() = 'm';
    } else {
      word += text[i];
    }
  }
  return word;
}

/// Makes one token of those in each range.
void join(std::string_view text, const std::vector<TokenOffsets>& ranges, Analysis& out) {
  std::size_t kept = 0;
  auto range = ranges.begin();
  for (std::size_t i = 0; i < out.tokens.size(); ++i) {
    while (range != ranges.end() && range->end <= out.offsets[i].begin) ++range;
    if (range == ranges.end() || out.offsets[i].begin < range->begin) {
      out.tokens[kept] = out.tokens[i];
      out.offsets[kept++] = out.offsets[i];
    } else if (out.offsets[i].begin == range->begin) {
      out.tokens[kept] = canonical_hash(word_of(text, *range), LetterCase::fold);
      out.offsets[kept++] = *range;
    }
  }
  out.tokens.resize(kept);
  out.offsets.resize(kept);
}

}  // namespace spaced

class Skeleton final : public Analyzer {
 public:
  Skeleton(bool folds_digits, bool joins_spaced)
      : folds_digits_(folds_digits),
        joins_spaced_(joins_spaced),
        name_(analyzer_name("skeleton", skeleton_parameters,
                            std::array<std::uint64_t, 2>{folds_digits, joins_spaced})) {}

  std::string_view name() const override { return name_; }
  std::uint32_t version() const override { return 1; }
  std::string_view summary() const override {
    return "words by what they look like: letters of other scripts, accents and invisible "
           "characters do not count, and i and l are one";
  }

  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    const std::uint64_t replaced = write_skeleton(text, offsets, out.compatible);
    if (folds_digits_) leet::fold(out.compatible);
    const std::string_view seen = out.compatible.view();
    std::vector<TokenOffsets> ranges;
    if (joins_spaced_) spaced::find(seen, ranges);
    words_simd(seen, ranges.empty() ? offsets : Offsets::keep, out);
    if (!ranges.empty()) spaced::join(seen, ranges, out);
    if (offsets == Offsets::drop) out.offsets.clear();
    map_to_page(out.compatible, out.offsets);
    out.replaced = replaced;
    out.compatible.release_large();
  }

  /// If the range holds several words, a space separates them.
  void append_token(std::string_view text, TokenOffsets token, std::string& out) const override {
    HtmlText seen;
    write_skeleton(text.substr(token.begin, token.end - token.begin), Offsets::drop, seen);
    if (folds_digits_) leet::fold(seen);
    std::vector<TokenOffsets> ranges;
    if (joins_spaced_) spaced::find(seen.view(), ranges);
    if (!ranges.empty()) {
      return append_canonical(spaced::word_of(seen.view(), ranges[0]), LetterCase::fold, out);
    }
    append_words(seen.view(), out);
  }

 private:
  const bool folds_digits_;
  const bool joins_spaced_;
  const std::string name_;
};

const std::array<Skeleton, 4> skeletons{
    {{false, false}, {false, true}, {true, false}, {true, true}}};

const Analyzer& skeleton_with(std::span<const std::uint64_t> values) {
  return skeletons[values[0] * 2 + values[1]];
}

}  // namespace

extern const AnalyzerEntry skeleton_analyzer;
const AnalyzerEntry skeleton_analyzer{skeletons[0], skeleton_parameters, skeleton_with};

}  // namespace twinset
