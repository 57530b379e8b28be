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
#include "text/rewriting.h"
#include "text/utf8.h"
#include "text/words_kernel.h"

namespace twinset {
namespace {

/// The first byte from `position` on that is not ASCII, or the end.
std::size_t skip_ascii(std::string_view text, std::size_t position) {
  for (std::uint64_t word; text.size() - position >= sizeof word; position += sizeof word) {
    std::memcpy(&word, text.data() + position, sizeof word);
    if ((word & 0x8080808080808080) != 0) break;
  }
  while (position < text.size() && static_cast<std::uint8_t>(text[position]) < 0x80) ++position;
  return position;
}

/// Sets `out` to `text` with its compatibility characters replaced. False if there are none: then
/// ignore `out`.
bool replace_compatible(std::string_view text, HtmlText& out) {
  Rewriting rewriting(text, out);
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
    rewriting.replace(begin, position, replacement);
  }
  return rewriting.finish();
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
    append_words(plain.view(), out);
  }
};

const WordsNfkc words_nfkc;

}  // namespace

extern const AnalyzerEntry words_nfkc_analyzer;
const AnalyzerEntry words_nfkc_analyzer{words_nfkc};

}  // namespace twinset
