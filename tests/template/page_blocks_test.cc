#include "template/page_blocks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twinset {
namespace {

std::vector<PageBlock> blocks_of(std::string_view page, const char* analyzer = "words") {
  Analysis analysis;
  std::vector<PageBlock> blocks;
  read_page_blocks(*find_analyzer(analyzer), page, analysis, blocks);
  Analysis expected;
  analyze(*find_analyzer(analyzer), page, Markup::html, Offsets::drop, expected);
  EXPECT_EQ(analysis.tokens, expected.tokens) << page;
  std::uint32_t end = 0;
  for (const PageBlock& block : blocks) {
    EXPECT_EQ(block.begin, end) << page;
    EXPECT_LT(block.begin, block.end) << page;
    end = block.end;
  }
  EXPECT_EQ(end, analysis.tokens.size()) << page;
  return blocks;
}

TEST(PageBlocks, HaveTokensOfTheirOwn) {
  EXPECT_EQ(blocks_of("<p>Fish and<li><a href=x>Chips</a>"),
            (std::vector<PageBlock>{{0, 2, false}, {2, 3, true}}));
}

TEST(PageBlocks, WithoutATokenAreNone) {
  EXPECT_TRUE(blocks_of("").empty());
  EXPECT_TRUE(blocks_of("<p>,<p>...").empty());
  EXPECT_EQ(blocks_of("<p>,<p>a").size(), 1U);
}

TEST(PageBlocks, CoverTheTokensOfAnyAnalyzer) {
  const std::string page =
      "<title>a b</title> <p>c <a href=x>d</a>\n\xC2\xA0<td> e\xFF<p>\xE4\xB8\xAD\xE6\x96\x87";
  for (const Analyzer* analyzer : analyzers()) {
    if (analyzer->takes_features() || analyzer->reads_markup()) continue;
    blocks_of(page, std::string(analyzer->name()).c_str());
  }
}

}  // namespace
}  // namespace twinset
