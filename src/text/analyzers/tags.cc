// The tags of a page instead of its words: each start tag is a token, its name in small letters.
// In shingles of five they tell pages of one template from others, whatever the pages say
// (docs/analyzers.md). A text without tags has no token.
//
// This file's interface is text/analyzer.h; the rest is private.
#include <string>
#include <vector>

#include "text/analyzer_list.h"
#include "text/html_tags.h"
#include "text/token_hash.h"
#include "text/xhtml.h"

namespace twinset {
namespace {

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

class Tags final : public Analyzer {
 public:
  std::string_view name() const override { return "tags"; }
  std::uint32_t version() const override { return 2; }
  std::string_view summary() const override {
    return "the names of a page's tags: pages of one template, whatever their text is";
  }
  bool reads_markup() const override { return true; }

  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    out.tokens.clear();
    out.replaced = 0;
    out.offsets.clear();
    std::vector<HtmlTag> found;
    extract_html_tags(text, out.html, found, says_xhtml(text) ? xhtml_rules(text) : Markup::html);
    std::string name;
    for (const HtmlTag& tag : found) {
      if (tag.is_end) continue;
      name.clear();
      append_token(text, tag.name, name);
      out.tokens.push_back(token_hash(name));
      if (offsets == Offsets::keep) out.offsets.push_back(tag.name);
    }
    out.html.release_large();
  }

  void append_token(std::string_view text, TokenOffsets token, std::string& out) const override {
    for (std::size_t i = token.begin; i < token.end; ++i) out += small_letter(text[i]);
  }
};

const Tags tags;

}  // namespace

extern const AnalyzerEntry tags_analyzer;
const AnalyzerEntry tags_analyzer{tags};

}  // namespace twinset
