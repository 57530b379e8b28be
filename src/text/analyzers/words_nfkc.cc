// The analyzer `words` for texts whose characters have several forms: full-width
// and half-width letters, ligatures, superscripts, circled numbers, Arabic letters by
// their shapes. Two texts that are a compatibility caseless match (Unicode, D146)
// have the same tokens.
//
// Each character that has a compatibility decomposition is replaced by it, and the words of the
// result are found; the canonical caseless form of the result is the compatibility caseless form
// (tools/unicode_table.py checks it for each character). Ranges are those of the original
// characters: U+00BD, one half, is the words "1" and "2", and both have its
// range.
//
// This file's interface is text/analyzer.h; the rest is private.
#include <cstring>

#include "text/analyzer_list.h"
#include "text/canonical_table.h"
#include "text/utf8.h"
#include "text/words_kernel.h"

namespace twinset {
namespace {

/// The longest text (text/analyzer.h).
constexpr std::size_t most_bytes = (std::size_t{1} << 32) - 64;

/// The first byte from `position` on that is not ASCII, or the end.
std::size_t skip_ascii(std::string_view text, std::size_t position) {
  for (std::uint64_t word; text.size() - position >= sizeof word; position += sizeof word) {
    std::memcpy(&word, text.data() + position, sizeof word);
    if ((word & 0x8080808080808080) != 0) break;
  }
  while (position < text.size() && static_cast<std::uint8_t>(text[position]) < 0x80) ++position;
  return position;
}

void append(std::string_view bytes, HtmlText& out) {
  out.bytes.insert(out.bytes.end(), bytes.begin(), bytes.end());
  out.size = out.bytes.size();
}

/// Sets `out` to `text` with its compatibility characters replaced, and notes where each byte comes
/// from. False if there are none: then ignore `out`. Replacements that would make the text too long
/// are left out.
bool replace_compatible(std::string_view text, HtmlText& out) {
  out.bytes.clear();
  out.segments.clear();
  out.size = 0;
  const auto begin_segment = [&](std::size_t from, std::size_t bytes) {
    out.segments.push_back({static_cast<std::uint32_t>(out.size), static_cast<std::uint32_t>(from),
                            static_cast<std::uint32_t>(bytes)});
  };
  std::size_t copied = 0;
  const auto copy_until = [&](std::size_t position) {
    if (copied == position) return;
    begin_segment(copied, 0);
    append(text.substr(copied, position - copied), out);
  };
  std::string replacement;
  for (std::size_t position = skip_ascii(text, 0); position < text.size();
       position = skip_ascii(text, position)) {
    const utf8::Decoded decoded = utf8::decode(text, position);
    const std::size_t begin = position;
    position += decoded.bytes;
    const std::uint16_t place = unicode::canonical_record(decoded.code_point).compatible;
    if (place == 0) continue;
    replacement.clear();
    for (const std::uint32_t part : unicode::canonical_sequence(place)) {
      std::uint8_t bytes[utf8::max_bytes];
      replacement.append(reinterpret_cast<const char*>(bytes), utf8::encode(part, bytes));
    }
    if (out.size + (text.size() - copied) + replacement.size() > most_bytes) continue;
    copy_until(begin);
    begin_segment(begin, decoded.bytes);
    append(replacement, out);
    copied = position;
  }
  if (out.segments.empty()) return false;
  copy_until(text.size());
  return true;
}

class WordsNfkc final : public Analyzer {
 public:
  std::string_view name() const override { return "words_nfkc"; }
  std::uint32_t version() const override { return 2; }
  std::string_view summary() const override {
    return "words, with full-width letters, ligatures, superscripts and the like as plain letters "
           "and digits";
  }

  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    if (!replace_compatible(text, out.compatible)) return words_simd(text, offsets, out);
    words_simd(out.compatible.view(), offsets, out);
    map_to_page(out.compatible, out.offsets);
    out.compatible.release_large();
  }

  /// If the range holds several words, a space separates them.
  void append_token(std::string_view text, TokenOffsets token, std::string& out) const override {
    const std::string_view bytes = text.substr(token.begin, token.end - token.begin);
    HtmlText plain;
    if (!replace_compatible(bytes, plain)) return Analyzer::append_token(text, token, out);
    Analysis words;
    words_simd(plain.view(), Offsets::keep, words);
    for (std::size_t i = 0; i < words.offsets.size(); ++i) {
      if (i > 0) out += ' ';
      Analyzer::append_token(plain.view(), words.offsets[i], out);
    }
  }
};

const WordsNfkc words_nfkc;

}  // namespace

extern const AnalyzerEntry words_nfkc_analyzer;
const AnalyzerEntry words_nfkc_analyzer{words_nfkc};

}  // namespace twinset
