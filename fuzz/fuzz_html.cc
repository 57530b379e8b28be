// Any bytes as a page of HTML: each SIMD level gives the text of the reference and maps each byte
// of the text to the same bytes of the page, in order and in range.
//
// The first byte chooses the level, mostly the highest, because changing it is slow. Some values
// repeat the page, so that a few bytes make long runs.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "fuzz/input.h"
#include "support/html_reference.h"
#include "template/page_blocks.h"
#include "text/analyzer.h"
#include "text/html.h"
#include "text/html_blocks.h"
#include "text/html_fields.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  if (size < 2) return 0;
  static const std::vector<SimdLevel> levels = supported_simd_levels();
  const SimdLevel level = data[0] < 220 ? levels.back() : levels[data[0] % levels.size()];
  if (simd_level() != level) require(limit_simd(level).ok());
  const std::size_t once = size - 1;
  const std::size_t bytes = data[0] >= 250 ? 3 * once : once;
  // Exactly as long as the page, so that the sanitizer sees reads beyond it.
  const std::unique_ptr<char[]> copy(new char[bytes]);
  for (std::size_t i = 0; i < bytes; ++i) copy[i] = static_cast<char>(data[1 + i % once]);
  const std::string_view page(copy.get(), bytes);

  const html::ReferenceText expected = html::html_reference(page);
  HtmlText text;
  extract_html(page, Offsets::drop, text);
  require(text.view() == expected.text && text.segments.empty());
  extract_html(page, Offsets::keep, text);
  require(text.view() == expected.text);

  HtmlFields fields;
  extract_html_fields(page, text, fields);
  require(text.view() == expected.text && fields == expected.fields);

  std::vector<HtmlBlock> blocks;
  extract_html_blocks(page, text, blocks);
  require(text.view() == expected.text);
  std::uint32_t block_end = 0;
  for (const HtmlBlock& block : blocks) {
    require(block.text.begin >= block_end && block.text.begin < block.text.end);
    require(block.characters > 0 && block.link_characters <= block.characters);
    require(block.characters <= block.text.end - block.text.begin);
    block_end = block.text.end;
  }
  require(block_end <= text.size);
  extract_html(page, Offsets::keep, text);

  std::vector<TokenOffsets> sources;
  for (std::uint32_t i = 0; i < text.size; ++i) sources.push_back({i, i + 1});
  map_to_page(text, sources);
  require(sources == expected.sources);
  // Shadow trees show a page in another order.
  const bool in_order = std::ranges::is_sorted(text.segments, {}, &HtmlSegment::page_begin);
  TokenOffsets before;
  for (const TokenOffsets& source : sources) {
    require(!in_order || (source.begin >= before.begin && source.end >= before.end));
    require(source.end <= bytes);
    require(source.end > source.begin);
    before = source;
  }

  Analysis analysis;
  analyze(*find_analyzer("words"), page, Markup::html, Offsets::keep, analysis);
  Analysis by_blocks;
  std::vector<PageBlock> page_blocks;
  read_page_blocks(*find_analyzer("words"), page, by_blocks, page_blocks);
  require(by_blocks.tokens == analysis.tokens);
  std::uint32_t tokens_end = 0;
  for (const PageBlock& block : page_blocks) {
    require(block.begin == tokens_end && block.end > block.begin);
    tokens_end = block.end;
  }
  require(tokens_end == by_blocks.tokens.size());

  before = {};
  for (const TokenOffsets& token : analysis.offsets) {
    require(!in_order || (token.begin >= before.begin && token.end >= before.end));
    require(token.end > token.begin && token.end <= bytes);
    before = token;
  }
  return 0;
}
