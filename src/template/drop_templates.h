// The rule of templates: which blocks of a page are its site's and not its own (docs/templates.md).
//
//   PageFrequencies frequencies = ...;                  // of template/template_table.h
//   drop_templates(site, tokens, blocks, frequencies, page);
//   // page.tokens: what is compared
//
// A block is dropped if
//   a. it is common: at least half of its tokens, or the block itself, stand in more than 10 of
//      the site's pages that were counted, and in more than 2 % of them; but of a block that is no
//      link block, and not itself common, the tokens that are not so common stay: a name, a number;
//   b. at least half of it is links, and it is common in `link_pages` pages;
//   c. it is one of three or more link blocks in a row, each common in more than 10 pages: a menu;
//   d. it belongs to three or more link blocks in a row, half of whose tokens a to c drop;
//   e. it is a link block whose tokens are those of another block of the page, no link block: an
//      entry of a contents list.
// Then a page with fewer than 20 tokens left gets blocks back, rarest first, until it has them.
//
// A text without markup has no blocks: each token is dropped that stands in so many texts as in a.
// It gets none back, so that texts of one form which differ in a word are not the same.
//
// Everything is counted in integers, so that all machines drop the same.
//
// Threads: pure functions; a PageRest belongs to one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "template/page_blocks.h"

namespace twinset {

/// Raised when the rule drops other blocks than before; part of a run's identity.
inline constexpr std::uint32_t template_rule_version = 2;

/// Windows of so many tokens are counted.
inline constexpr unsigned template_window_tokens = 5;
/// A page keeps at least so many tokens, if it has them.
inline constexpr std::size_t template_floor_tokens = 20;
/// No block is common that stands in no more pages than these.
inline constexpr std::uint64_t template_rare_pages = 10;
/// A site with fewer survivors is left alone, and so is a group of fewer texts.
inline constexpr std::uint64_t template_least_pages = 50;
inline constexpr std::uint64_t template_least_texts = template_rare_pages + 1;

/// What is known of a site.
struct TemplateSite {
  std::uint64_t pages = 0;       ///< that were counted
  std::uint64_t link_pages = 0;  ///< a link block in so many of them is common
  bool texts = false;            ///< a group of texts without markup

  bool operator==(const TemplateSite&) const = default;
};

/// How many of the counted pages have a page's parts; 0 where these are too few to matter.
struct PageFrequencies {
  /// For each token the highest count of the windows that cover it.
  std::vector<std::uint64_t> tokens;
  std::vector<std::uint64_t> blocks;  ///< for each block the pages that have an equal one
};

/// Page without its templates. Reuse one per thread.
struct PageRest {
  std::vector<std::uint64_t> tokens;  ///< that stay, in order
  std::vector<bool> dropped;          ///< for each token of the page
  bool at_floor = false;              ///< blocks came back, so that it has 20 tokens

  std::vector<bool> dropped_blocks;  ///< scratch
};

/// The hash of a block's tokens.
std::uint64_t block_hash(std::span<const std::uint64_t> tokens);

/// Replaces `rest`. The blocks must cover `tokens`.
void drop_templates(const TemplateSite& site, std::span<const std::uint64_t> tokens,
                    std::span<const PageBlock> blocks, const PageFrequencies& frequencies,
                    PageRest& rest);

/// 2^20 log2(value) of a value above 0, cut off; the same on all machines.
std::uint64_t fixed_log2(std::uint64_t value);

}  // namespace twinset
