#include "join/shingle_classes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

namespace twinset {
namespace {

using Family = std::vector<std::vector<std::uint64_t>>;

/// The distinct values of a list, ascending.
std::vector<std::uint64_t> set_of(std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Overlap exact(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::vector<std::uint64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return {static_cast<std::uint32_t>(both.size()), static_cast<std::uint32_t>(a.size()),
          static_cast<std::uint32_t>(b.size())};
}

void expect_exact(ShingleClasses& classes, const Family& family) {
  classes.clear();
  for (const auto& shingles : family) classes.add(shingles);
  classes.finish();
  ASSERT_EQ(classes.documents(), family.size());
  Family sets;
  for (const auto& shingles : family) sets.push_back(set_of(shingles));
  ShingleClasses::Weights weights;
  for (std::uint32_t i = 0; i < family.size(); ++i) {
    for (std::uint32_t j = 0; j < family.size(); ++j) {
      const Overlap found = classes.overlap(i, j, weights);
      const Overlap wanted = exact(sets[i], sets[j]);
      ASSERT_EQ(found.shared, wanted.shared) << i << " " << j;
      ASSERT_EQ(found.later, wanted.later);
      ASSERT_EQ(found.earlier, wanted.earlier);
    }
  }
}

TEST(ShingleClasses, CountAsSetsDo) {
  std::mt19937_64 random(1);
  ShingleClasses classes(1 << 20);
  for (int round = 0; round < 300; ++round) {
    // Few values in many documents, or many in few; empty documents and repeats among them.
    const std::uint64_t values = 1 + random() % (round % 3 == 0 ? 20 : 3000);
    Family family(1 + random() % 12);
    for (auto& shingles : family) {
      shingles.resize(random() % 4 == 0 ? 0 : random() % 400);
      for (auto& shingle : shingles) shingle = random() % values;
    }
    expect_exact(classes, family);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

TEST(ShingleClasses, FollowVersionsThatLoseAndRegainParts) {
  std::mt19937_64 random(2);
  Family family{{}};
  for (std::uint64_t i = 0; i < 3000; ++i) family[0].push_back(random());
  for (int version = 1; version < 60; ++version) {
    family.push_back(family[version % 7 == 0 ? random() % family.size() : family.size() - 1]);
    auto& text = family.back();
    const std::size_t at = random() % text.size();
    text.erase(text.begin() + static_cast<std::ptrdiff_t>(at),
               text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), at + 40)));
    for (std::uint64_t i = random() % 60; i > 0; --i) text.push_back(random());
  }
  ShingleClasses classes(1 << 20);
  expect_exact(classes, family);
}

TEST(ShingleClasses, ShinglesWithoutOrderAreCountedToo) {
  // Values 0 and 2^64 - 1, and such as differ in one bit.
  Family family{{0, ~std::uint64_t{0}}, {0}, {~std::uint64_t{0}}, {}};
  for (int bit = 0; bit < 64; ++bit) family[0].push_back(std::uint64_t{1} << bit);
  family.push_back(family[0]);
  ShingleClasses classes(1 << 20);
  expect_exact(classes, family);
}

TEST(ShingleClasses, SayWhenTheyAreFull) {
  std::mt19937_64 random(3);
  constexpr std::uint64_t memory = 1 << 20;
  ShingleClasses classes(memory);
  std::vector<std::uint64_t> shingles(1000);
  std::uint32_t added = 0;
  while (!classes.full()) {
    for (auto& shingle : shingles) shingle = random();
    classes.add(shingles);
    ASSERT_LT(++added, 1000U);
  }
  // 12 bytes a place; the table is between a quarter and half full.
  EXPECT_GE(added, memory / 1000 / 12 / 4);
  classes.clear();
  EXPECT_FALSE(classes.full());
  // Versions of one text take next to nothing.
  for (int i = 0; i < 1000; ++i) {
    shingles[static_cast<std::size_t>(i)] = random();
    classes.add(shingles);
    if (classes.full()) FAIL() << i;
    if (i == 100) break;
  }
}

}  // namespace
}  // namespace twinset
