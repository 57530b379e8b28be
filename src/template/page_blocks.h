// A page's tokens by blocks: what the rule of templates counts and drops.
//
//   read_page_blocks(analyzer, "<p>Fish and<li><a href=x>Chips</a>", analysis, blocks);
//   // analysis.tokens.size() == 3; blocks == {{0, 2, false}, {2, 3, true}}
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/analyzer.h"
#include "text/html_blocks.h"

namespace twinset {

/// Tokens [begin, end), at least one.
struct PageBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool links = false;  ///< HtmlBlock::is_links()

  std::uint32_t size() const { return end - begin; }
  bool operator==(const PageBlock&) const = default;
};

/// A page as it was read once, to be looked at again without its text.
struct PageTokens {
  std::uint64_t site = 0;      ///< site_hash() of its host
  std::uint32_t rank = 0;      ///< of its tokens' hash
  std::uint64_t replaced = 0;  ///< Analysis::replaced
  std::vector<std::uint64_t> tokens;
  std::vector<PageBlock> blocks;
};

/// Replaces both. The blocks cover all tokens, in order; a token belongs to the block in which it
/// begins. The analysis has offsets, in the page's text.
void read_page_blocks(const Analyzer& analyzer, std::string_view page, Analysis& analysis,
                      std::vector<PageBlock>& blocks, Markup markup = Markup::html);

}  // namespace twinset
