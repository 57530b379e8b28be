// Squarified treemaps: areas are shares, tiles fill the box and never overlap.
#include "report/treemap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "report/documents.h"
#include "report/page_check.h"

namespace twinset {
namespace {

constexpr double tolerance = 1e-6;

std::vector<std::uint64_t> random_sizes(std::mt19937_64& random) {
  std::vector<std::uint64_t> sizes(1 + random() % 60);
  for (std::uint64_t& size : sizes) size = 1 + (random() >> (random() % 60));
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

double overlap(double a, double a_length, double b, double b_length) {
  return std::min(a + a_length, b + b_length) - std::max(a, b);
}

TEST(Treemap, AreasAreSharesOfTheBoxAndTilesDoNotOverlap) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::vector<std::uint64_t> sizes = random_sizes(random);
    const Rectangle box{10, 20, 1.0 + static_cast<double>(random() % 1000),
                        1.0 + static_cast<double>(random() % 1000)};
    const double whole = box.width * box.height;
    double sum = 0;
    for (const std::uint64_t size : sizes) sum += static_cast<double>(size);
    const std::vector<Rectangle> tiles = squarify(sizes, box);
    ASSERT_EQ(tiles.size(), sizes.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const Rectangle& tile = tiles[i];
      ASSERT_NEAR(tile.width * tile.height / whole, static_cast<double>(sizes[i]) / sum, tolerance);
      ASSERT_GE(tile.x, box.x - tolerance);
      ASSERT_GE(tile.y, box.y - tolerance);
      ASSERT_LE(tile.x + tile.width, box.x + box.width + tolerance);
      ASSERT_LE(tile.y + tile.height, box.y + box.height + tolerance);
      for (std::size_t j = 0; j < i; ++j) {
        const Rectangle& other = tiles[j];
        const bool apart = overlap(tile.x, tile.width, other.x, other.width) < tolerance ||
                           overlap(tile.y, tile.height, other.y, other.height) < tolerance;
        ASSERT_TRUE(apart) << i << " and " << j << " of round " << round;
      }
    }
  }
}

TEST(Treemap, EqualSizesAreNearlySquare) {
  const std::vector<std::uint64_t> sizes(12, 7);
  for (const Rectangle& tile : squarify(sizes, {0, 0, 400, 300})) {
    EXPECT_LT(std::max(tile.width / tile.height, tile.height / tile.width), 1.6);
  }
}

// The example of the paper: 6, 6, 4, 3, 2, 2, 1 in 6 by 4, laid out by hand there.
TEST(Treemap, ThePapersExample) {
  const std::vector<std::uint64_t> sizes = {6, 6, 4, 3, 2, 2, 1};
  const std::vector<Rectangle> tiles = squarify(sizes, {0, 0, 6, 4});
  const auto expect = [&](std::size_t i, const Rectangle& expected) {
    EXPECT_NEAR(tiles[i].x, expected.x, tolerance) << i;
    EXPECT_NEAR(tiles[i].y, expected.y, tolerance) << i;
    EXPECT_NEAR(tiles[i].width, expected.width, tolerance) << i;
    EXPECT_NEAR(tiles[i].height, expected.height, tolerance) << i;
  };
  expect(0, {0, 0, 3, 2});
  expect(1, {0, 2, 3, 2});
  expect(2, {3, 0, 12.0 / 7, 7.0 / 3});
  expect(3, {3 + 12.0 / 7, 0, 9.0 / 7, 7.0 / 3});
}

TEST(Treemap, NothingHasNoArea) {
  EXPECT_TRUE(squarify({}, {0, 0, 10, 10}).empty());
  const std::vector<std::uint64_t> none = {0, 0};
  for (const Rectangle& tile : squarify(none, {0, 0, 10, 10})) {
    EXPECT_EQ(tile.width * tile.height, 0);
  }
  const std::vector<std::uint64_t> some = {5, 0};
  const std::vector<Rectangle> tiles = squarify(some, {0, 0, 10, 10});
  EXPECT_NEAR(tiles[0].width * tiles[0].height, 100, tolerance);
  EXPECT_NEAR(tiles[1].width * tiles[1].height, 0, tolerance);
}

TEST(Treemap, HostileLabelsAddNoTag) {
  const auto drawn = [](const std::string& text) {
    std::string out;
    const std::vector<TreemapTile> tiles = {{9, "cluster-1", text, text, false},
                                            {4, "cluster-2", text, text, true}};
    append_treemap(out, tiles, "A map");
    return out;
  };
  const auto expected = PageCheck(drawn("x"), false).tags;
  for (const std::string& evil : hostile_strings()) {
    const PageCheck check(drawn(evil), false);
    ASSERT_TRUE(check.errors.empty()) << check.errors.front();
    ASSERT_EQ(check.tags, expected) << evil.substr(0, 80);
  }
}

}  // namespace
}  // namespace twinset
