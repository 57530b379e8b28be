// The blocks of a page: the stretches of its text between tags that stand apart (a paragraph, an
// entry of a menu, a cell), and how much of each is links. Templates are found by blocks
// (template/page_blocks.h).
//
//   std::vector<HtmlBlock> blocks;
//   extract_html_blocks("<p>Fish<li><a href=x>Chips</a>", text, blocks);
//   // text.view() == "Fish\nChips"; blocks[1].is_links()
//
// Every tag that breaks the line in the text ends a block: those of blocks, cells, list items,
// controls, the title, and br (text/html_elements.h). A link goes from the start tag of an `a` with
// a href to its end tag, to the next `a`, or to the end of the page.
//
// Threads: a pure function.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/html.h"
#include "text/offsets.h"

namespace twinset {

struct HtmlBlock {
  TokenOffsets text;                  ///< its range of the text
  std::uint32_t characters = 0;       ///< code points, white space and U+00A0 not counted; not 0
  std::uint32_t link_characters = 0;  ///< those of them within links

  /// At least half of it is links.
  bool is_links() const { return link_characters >= characters - link_characters; }
  bool operator==(const HtmlBlock&) const = default;
};

/// Replaces both: `text` is as extract_html() makes it, without segments; the blocks are in order
/// and leave out those without a character. `page` as for extract_html().
void extract_html_blocks(std::string_view page, HtmlText& text, std::vector<HtmlBlock>& blocks,
                         Markup markup = Markup::html);

}  // namespace twinset
