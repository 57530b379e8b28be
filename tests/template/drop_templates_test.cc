// Each step of the rule on a page made by hand: frequencies are given, so that a step can be seen
// alone. tests/templates/ compares the whole rule with an oracle.
#include "template/drop_templates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace twinset {
namespace {

/// 100 pages of a site: common is more than 10 of them, for link blocks 15 and more.
constexpr TemplateSite site{100, 15};

struct Part {
  std::size_t tokens;
  bool links;
  std::uint64_t frequency;  ///< of all its windows
  std::uint64_t block_pages = 0;
  std::uint64_t text = 0;  ///< equal texts have equal tokens; 0: its own
};

/// Page of these blocks; returns which stay.
std::vector<bool> stay(const std::vector<Part>& parts, const TemplateSite& of = site,
                       bool* at_floor = nullptr) {
  std::vector<std::uint64_t> tokens;
  std::vector<PageBlock> blocks;
  PageFrequencies frequencies;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto begin = static_cast<std::uint32_t>(tokens.size());
    const std::uint64_t text = parts[i].text != 0 ? parts[i].text : 1000 + i;
    for (std::size_t j = 0; j < parts[i].tokens; ++j) tokens.push_back(text * 100 + j);
    blocks.push_back({begin, static_cast<std::uint32_t>(tokens.size()), parts[i].links});
    frequencies.tokens.resize(tokens.size(), parts[i].frequency);
    frequencies.blocks.push_back(parts[i].block_pages);
  }
  PageRest rest;
  drop_templates(of, tokens, blocks, frequencies, rest);
  if (at_floor != nullptr) *at_floor = rest.at_floor;
  std::vector<std::uint64_t> expected;
  std::vector<bool> stays;
  for (const PageBlock& block : blocks) {
    stays.push_back(!rest.dropped[block.begin]);
    for (std::uint32_t token = block.begin; token < block.end; ++token) {
      EXPECT_EQ(rest.dropped[token], rest.dropped[block.begin]);
      if (!rest.dropped[token]) expected.push_back(tokens[token]);
    }
  }
  EXPECT_EQ(rest.tokens, expected);
  return stays;
}

/// What stays of a page of 37 different tokens, the last 30 of which are of no other page.
std::vector<bool> tokens_that_stay(std::vector<PageBlock> blocks,
                                   const std::vector<std::uint64_t>& frequencies_of_first,
                                   std::uint64_t first_block_pages = 0) {
  std::vector<std::uint64_t> tokens(37);
  std::iota(tokens.begin(), tokens.end(), 1);
  PageFrequencies frequencies{frequencies_of_first, {first_block_pages}};
  frequencies.tokens.resize(37);
  frequencies.blocks.resize(blocks.size());
  PageRest rest;
  drop_templates(site, tokens, blocks, frequencies, rest);
  EXPECT_EQ(rest.dropped.size(), 37U);
  rest.dropped.flip();
  EXPECT_EQ(std::vector<bool>(rest.dropped.begin() + 7, rest.dropped.end()),
            std::vector<bool>(30, true));
  rest.dropped.resize(7);
  return rest.dropped;
}

using Stay = std::vector<bool>;
const Part own{30, false, 0};

TEST(DropTemplates, CommonBlocksGo) {
  EXPECT_EQ(stay({{8, false, 11}, own, {8, false, 10}}), Stay({false, true, true}));
}

TEST(DropTemplates, TwoPercentDecideOnALargeSite) {
  const TemplateSite large{5000, 15};
  EXPECT_EQ(stay({{8, false, 100}, own, {8, false, 101}}, large), Stay({true, true, false}));
  const TemplateSite between{5049, 15};  // 101 of 5,049 pages are more than 2 %.
  EXPECT_EQ(stay({{8, false, 100}, own, {8, false, 101}}, between), Stay({true, true, false}));
}

TEST(DropTemplates, EqualBlocksCountToo) {
  EXPECT_EQ(stay({{2, false, 0, 11}, own, {2, false, 0, 10}}), Stay({false, true, true}));
}

TEST(DropTemplates, HalfOfTheTokensIsEnough) {
  // 2 of 4 tokens are common, and 1 of 3.
  EXPECT_EQ(tokens_that_stay({{0, 4, false}, {4, 7, false}, {7, 37, false}}, {50, 50, 0, 0, 50}),
            Stay({false, false, true, true, true, true, true}));
}

TEST(DropTemplates, RareWordsOfACommonBlockStay) {
  const std::vector<PageBlock> blocks{{0, 7, false}, {7, 37, false}};
  EXPECT_EQ(tokens_that_stay(blocks, {50, 11, 10, 0, 50, 50, 0}),
            Stay({false, false, true, true, false, false, true}));
  // The block itself stands on many pages, or is an entry of a menu: it goes whole.
  EXPECT_EQ(tokens_that_stay(blocks, {50, 11, 10, 0, 50, 50, 0}, 11), Stay(7, false));
  EXPECT_EQ(tokens_that_stay({{0, 7, true}, {7, 37, false}}, {50, 11, 10, 0, 50, 50, 0}),
            Stay(7, false));
}

TEST(DropTemplates, LinkBlocksGoFromTheirOwnCount) {
  const TemplateSite large{10'000, 15};
  EXPECT_EQ(stay({{8, true, 15}, own, {8, true, 14}, {8, false, 15}}, large),
            Stay({false, true, true, true}));
}

TEST(DropTemplates, MenusGoFromASmallerCount) {
  const TemplateSite large{10'000, 15};
  const Part entry{3, true, 11};
  EXPECT_EQ(stay({entry, entry, {3, true, 0, 11}, own, entry, entry, own}, large),
            Stay({false, false, false, true, true, true, true}));
  // Too rare, or no link: no menu. A dropped block counts.
  EXPECT_EQ(stay({entry, entry, {3, true, 10}, {30, false, 11}, entry, entry, own}, large),
            Stay({true, true, true, true, true, true, true}));
  EXPECT_EQ(stay({entry, {8, true, 15}, entry, own}, large), Stay({false, false, false, true}));
  // 201 pages of 10,000 are many; a paragraph between the entries ends the menu.
  EXPECT_EQ(stay({entry, {8, false, 201}, entry, entry, own}, large),
            Stay({true, false, true, true, true}));
}

TEST(DropTemplates, RunsOfLinksGoWhole) {
  // A new entry of a menu goes with its menu, a list of other links stays.
  EXPECT_EQ(stay({{3, true, 90},
                  {3, true, 0},
                  {3, true, 90},
                  own,
                  {3, true, 90},
                  {3, true, 0},
                  {4, true, 0}}),
            Stay({false, false, false, true, false, true, true}));
}

TEST(DropTemplates, TwoLinksAreNoRun) {
  EXPECT_EQ(stay({{3, true, 90}, {3, true, 0}, own}), Stay({false, true, true}));
}

TEST(DropTemplates, ContentsListsGo) {
  EXPECT_EQ(stay({{3, true, 0, 0, 7}, {4, true, 0, 0, 8}, {3, false, 0, 0, 7}, own}),
            Stay({false, true, true, true}));
}

TEST(DropTemplates, FloorGivesBackTheRarest) {
  bool at_floor = false;
  EXPECT_EQ(stay({{8, false, 90}, {8, false, 40}, {8, true, 60}, {5, false, 0}}, site, &at_floor),
            Stay({false, true, true, true}));
  EXPECT_TRUE(at_floor);
}

TEST(DropTemplates, FloorTakesTheFirstOfEquallyCommon) {
  EXPECT_EQ(stay({{10, false, 90}, {10, false, 90}, {10, false, 90}}), Stay({true, true, false}));
}

TEST(DropTemplates, FloorCountsTheWordsThatStay) {
  std::vector<std::uint64_t> tokens(40);
  std::iota(tokens.begin(), tokens.end(), 1);
  // Of the first block 10 words stay, so that the page lacks 10: the rest of that block, which is
  // rarer, and no more.
  PageFrequencies frequencies{std::vector<std::uint64_t>(40, 90), {0, 0}};
  std::fill_n(frequencies.tokens.begin(), 10, 0);
  PageRest rest;
  drop_templates(site, tokens, std::vector<PageBlock>{{0, 20, false}, {20, 40, false}}, frequencies,
                 rest);
  EXPECT_TRUE(rest.at_floor);
  EXPECT_EQ(rest.tokens, std::vector<std::uint64_t>(tokens.begin(), tokens.begin() + 20));
  // Twenty stay: nothing comes back.
  std::fill_n(frequencies.tokens.begin() + 20, 10, 0);
  drop_templates(site, tokens, std::vector<PageBlock>{{0, 20, false}, {20, 40, false}}, frequencies,
                 rest);
  EXPECT_FALSE(rest.at_floor);
  EXPECT_EQ(rest.tokens.size(), 20U);
  EXPECT_EQ(rest.tokens[10], 21U);
}

TEST(DropTemplates, ShortPageStaysWhole) {
  bool at_floor = false;
  EXPECT_EQ(stay({{8, false, 90}, {8, true, 90}}, site, &at_floor), Stay({true, true}));
  EXPECT_TRUE(at_floor);
  EXPECT_EQ(stay({}, site, &at_floor), Stay());
  EXPECT_FALSE(at_floor);
}

TEST(FixedLog2, IsTheLogarithmCutOff) {
  EXPECT_EQ(fixed_log2(1), 0U);
  EXPECT_EQ(fixed_log2(2), std::uint64_t{1} << 20);
  EXPECT_EQ(fixed_log2(std::uint64_t{1} << 63), std::uint64_t{63} << 20);
  std::mt19937_64 random(11);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t value = random() >> (random() % 64) | 1;
    const double expected = std::log2(static_cast<double>(value)) * (1 << 20);
    EXPECT_NEAR(static_cast<double>(fixed_log2(value)), expected, 2.0) << value;
  }
}

// A text has no blocks to be common and gets none back: the words of its own stay, be they few.
TEST(DropTemplates, OfTextsEachCommonWordGoes) {
  const TemplateSite texts{100, 15, true};
  PageFrequencies frequencies;
  frequencies.tokens = {40, 40, 11, 10, 0, 40, 40, 40};
  frequencies.blocks = {0};
  std::vector<std::uint64_t> tokens(frequencies.tokens.size());
  std::iota(tokens.begin(), tokens.end(), 100);
  const std::vector<PageBlock> whole{{0, static_cast<std::uint32_t>(tokens.size()), false}};
  PageRest rest;
  drop_templates(texts, tokens, whole, frequencies, rest);
  EXPECT_EQ(rest.tokens, (std::vector<std::uint64_t>{103, 104}));
  EXPECT_EQ(rest.dropped, (std::vector<bool>{true, true, true, false, false, true, true, true}));
  EXPECT_FALSE(rest.at_floor);
  // A fiftieth of 1,000 texts is more than 10.
  drop_templates({1000, 15, true}, tokens, whole, frequencies, rest);
  EXPECT_EQ(rest.tokens, (std::vector<std::uint64_t>{102, 103, 104}));
  frequencies.tokens.assign(tokens.size(), 40);
  drop_templates(texts, tokens, whole, frequencies, rest);
  EXPECT_TRUE(rest.tokens.empty());
}

}  // namespace
}  // namespace twinset
