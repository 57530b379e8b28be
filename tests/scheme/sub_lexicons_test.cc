#include "scheme/sub_lexicons.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

std::vector<std::uint32_t> bags(const SecretKey& key, std::size_t terms, unsigned lists) {
  std::vector<std::uint32_t> masks(terms, 1);
  bag_terms(key, "primary", lists, masks);
  return masks;
}

std::vector<std::uint64_t> made_hashes(std::size_t terms) {
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i < terms; ++i) hashes.push_back(mix64(i + 1));
  return hashes;
}

std::vector<std::uint32_t> drops(const SecretKey& key, const Ratio& share, std::size_t terms,
                                 unsigned lists) {
  std::vector<std::uint32_t> masks(terms, 1);
  drop_terms(key, share, lists, made_hashes(terms), masks);
  return masks;
}

std::uint64_t size_of(const std::vector<std::uint32_t>& masks, unsigned list) {
  std::uint64_t size = 0;
  for (const std::uint32_t mask : masks) size += mask >> list & 1;
  return size;
}

// A bootstrap of n terms keeps 1 - (1 - 1/n)^n of them, 63.2 %, not the 67 % that 002 prints.
// Tolerances: 5.73 standard deviations, at most sqrt(n) / 4 for bags.
// I-10.
TEST(Statistics, ABagKeepsTwoThirdsLessThree) {
  constexpr std::size_t terms = 100'000;
  const std::vector<std::uint32_t> masks =
      bags(SecretKey::of_seed(0x5eed), terms, most_sub_lexicons);
  EXPECT_EQ(size_of(masks, 0), terms);
  for (unsigned list = 1; list <= most_sub_lexicons; ++list) {
    EXPECT_NEAR(static_cast<double>(size_of(masks, list)), terms * (1 - std::exp(-1.0)),
                5.73 * std::sqrt(terms) * 0.32)
        << list;
  }
}

// I-10.
TEST(Statistics, DropLeavesOutTheShare) {
  constexpr std::size_t terms = 100'000;
  for (const Ratio& share : {Ratio(1, 3), Ratio(1, 100), Ratio(67, 100)}) {
    const std::vector<std::uint32_t> masks = drops(SecretKey::of_seed(0x5eed), share, terms, 31);
    for (unsigned list = 1; list <= 31; ++list) {
      const double p = share.value();
      EXPECT_NEAR(static_cast<double>(size_of(masks, list)), terms * (1 - p),
                  5.73 * std::sqrt(terms * p * (1 - p)))
          << share.text() << " " << list;
    }
  }
}

// Two lists, and the lists of two secrets, have no more terms in common than chance gives (I-25).
TEST(Statistics, ListsAreIndependent) {
  constexpr std::size_t terms = 100'000;
  const double p = 1.0 / 3;
  const double both = (1 - p) * (1 - p);
  const auto here = drops(SecretKey::of_seed(0x1), Ratio(1, 3), terms, 10);
  const auto there = drops(SecretKey::of_seed(0x2), Ratio(1, 3), terms, 10);
  const auto common = [&](const std::vector<std::uint32_t>& a, unsigned i,
                          const std::vector<std::uint32_t>& b, unsigned j) {
    std::uint64_t count = 0;
    for (std::size_t term = 0; term < terms; ++term) count += a[term] >> i & b[term] >> j & 1;
    return static_cast<double>(count);
  };
  const double tolerance = 5.73 * std::sqrt(terms * both * (1 - both));
  for (unsigned i = 1; i <= 10; ++i) {
    for (unsigned j = 1; j <= 10; ++j) {
      EXPECT_NEAR(common(here, i, there, j), terms * both, tolerance) << i << " " << j;
      if (i != j) {
        EXPECT_NEAR(common(here, i, here, j), terms * both, tolerance) << i << " " << j;
      }
    }
  }
}

TEST(SubLexicons, MoreListsChangeNoEarlierOne) {
  const auto few = bags(SecretKey::of_seed(0x7), 1001, 3);
  const auto many = bags(SecretKey::of_seed(0x7), 1001, 31);
  const auto few_kept = drops(SecretKey::of_seed(0x7), Ratio(1, 3), 1001, 3);
  const auto many_kept = drops(SecretKey::of_seed(0x7), Ratio(1, 3), 1001, 31);
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i], many[i] & 15U);
    EXPECT_EQ(few_kept[i], many_kept[i] & 15U);
  }
  EXPECT_EQ(bags(SecretKey::of_seed(0x7), 100, 0), std::vector<std::uint32_t>(100, 1));
  EXPECT_TRUE(bags(SecretKey::of_seed(0x7), 0, 5).empty());
}

// A term's lists under `drop` do not depend on the other terms: a lexicon that grows keeps them.
TEST(SubLexicons, DropDependsOnTheTermAlone) {
  const auto few = drops(SecretKey::of_seed(0x7), Ratio(1, 3), 100, 10);
  const auto many = drops(SecretKey::of_seed(0x7), Ratio(1, 3), 1000, 10);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], many[i]);
}

}  // namespace
}  // namespace twinset
