#include "template/page_blocks.h"

namespace twinset {

void read_page_blocks(const Analyzer& analyzer, std::string_view page, Analysis& analysis,
                      std::vector<PageBlock>& blocks, Markup markup) {
  std::vector<HtmlBlock> places;
  extract_html_blocks(page, analysis.html, places, markup);
  analyzer.analyze(analysis.html.view(), Offsets::keep, analysis);
  blocks.clear();
  std::size_t token = 0;
  for (const HtmlBlock& place : places) {
    const std::size_t begin = token;
    while (token < analysis.tokens.size() && analysis.offsets[token].begin < place.text.end) {
      ++token;
    }
    if (begin == token) continue;
    blocks.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(token), place.is_links()});
  }
  // An analyzer may take white space for a token, behind the last block.
  if (token < analysis.tokens.size()) {
    blocks.push_back({static_cast<std::uint32_t>(token),
                      static_cast<std::uint32_t>(analysis.tokens.size()), false});
  }
  analysis.html.release_large();
}

}  // namespace twinset
