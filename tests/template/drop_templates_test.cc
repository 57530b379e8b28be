// Each step of the rule on a page made by hand: frequencies are given, so that a step can be seen
// alone. tests/templates/ compares the whole rule with an oracle.
#include "template/drop_templates.h"

#include <gtest/gtest.h>

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
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (rest.dropped[i]) continue;
    expected.insert(expected.end(), tokens.begin() + blocks[i].begin,
                    tokens.begin() + blocks[i].end);
  }
  EXPECT_EQ(rest.tokens, expected);
  rest.dropped.flip();
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
  const std::vector<PageBlock> blocks{{0, 4, false}, {4, 7, false}, {7, 37, false}};
  std::vector<std::uint64_t> tokens(37);
  std::iota(tokens.begin(), tokens.end(), 1);
  PageFrequencies frequencies{std::vector<std::uint64_t>(37, 0), {0, 0, 0}};
  frequencies.tokens[0] = frequencies.tokens[1] = 50;  // 2 of 4
  frequencies.tokens[4] = 50;                          // 1 of 3
  PageRest rest;
  drop_templates(site, tokens, blocks, frequencies, rest);
  EXPECT_EQ(rest.dropped, Stay({true, false, false}));
}

TEST(DropTemplates, LinkBlocksGoFromTheirOwnCount) {
  const TemplateSite large{10'000, 15};
  EXPECT_EQ(stay({{8, true, 15}, own, {8, true, 14}, {8, false, 15}}, large),
            Stay({false, true, true, true}));
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

}  // namespace
}  // namespace twinset
