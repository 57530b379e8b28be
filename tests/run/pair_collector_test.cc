#include "run/pair_collector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace twinset {
namespace {

SeenPair pair_of(std::uint64_t earlier, std::uint64_t later, const Overlap& sizes,
                 Fate fate = Fate::near) {
  return {earlier, later, fate, Link::exact(sizes), false};
}

std::vector<SeenPair> random_pairs(std::size_t count) {
  std::mt19937_64 random(9);
  std::vector<SeenPair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto shared = static_cast<std::uint32_t>(900 + random() % 100);
    const auto later = static_cast<std::uint32_t>(shared + random() % 200);
    const auto earlier = static_cast<std::uint32_t>(shared + random() % 25);
    SeenPair pair = pair_of(random() % 500, 1000 + random() % 500, {shared, later, earlier},
                            removed_fates[random() % 4]);
    pair.apart = random() % 2 == 0;
    pairs.push_back(pair);
  }
  return pairs;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> names(const std::vector<SeenPair>& pairs) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> result;
  for (const SeenPair& pair : pairs) result.emplace_back(pair.earlier, pair.later);
  return result;
}

TEST(PairCollector, OddIsLowContainmentBothWaysUnlikeLengthsAndOtherFiles) {
  // Of 100 shingles each, 90 shared: neither contains more than 0.9 of the other.
  EXPECT_DOUBLE_EQ(oddness(pair_of(1, 2, {90, 100, 100})), 0.2);
  // One whole within the other, which is 100 of 125: only the lengths differ.
  EXPECT_DOUBLE_EQ(oddness(pair_of(1, 2, {100, 100, 125})), 0.2);
  // A contained passage is naturally shorter.
  EXPECT_DOUBLE_EQ(oddness(pair_of(1, 2, {10, 10, 1000}, Fate::contained)), 0);
  SeenPair apart = pair_of(1, 2, {100, 100, 100});
  EXPECT_DOUBLE_EQ(oddness(apart), 0);
  apart.apart = true;
  EXPECT_DOUBLE_EQ(oddness(apart), 0.1);
  const SeenPair estimated{1, 2, Fate::near, Link::estimated(0.8, 0), false};
  EXPECT_DOUBLE_EQ(oddness(estimated), 1 - 0.8);
}

TEST(PairCollector, TheOddestAreThoseByDefinitionNoDocumentTwice) {
  const std::vector<SeenPair> pairs = random_pairs(3000);
  PairCollector collector(0.8);
  for (const SeenPair& pair : pairs) collector.add(pair);
  std::vector<SeenPair> left;
  for (const SeenPair& pair : pairs) {
    if (!is_copy(pair.fate)) left.push_back(pair);
  }
  std::sort(left.begin(), left.end(),
            [](const SeenPair& a, const SeenPair& b) { return oddness(a) > oddness(b); });
  std::set<std::uint64_t> seen;
  std::vector<SeenPair> expected;
  for (const SeenPair& pair : left) {
    if (seen.contains(pair.earlier) || seen.contains(pair.later)) continue;
    seen.insert({pair.earlier, pair.later});
    if (expected.size() < PairCollector::most_odd) expected.push_back(pair);
  }
  const std::vector<SeenPair> found = collector.oddest();
  ASSERT_EQ(found.size(), PairCollector::most_odd);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_DOUBLE_EQ(oddness(found[i]), oddness(expected[i])) << i;
  }
}

TEST(PairCollector, TheOrderOfPairsChangesNothing) {
  std::vector<SeenPair> pairs = random_pairs(2000);
  PairCollector first(0.8);
  for (const SeenPair& pair : pairs) first.add(pair);
  std::mt19937_64 random(4);
  for (int round = 0; round < 5; ++round) {
    std::shuffle(pairs.begin(), pairs.end(), random);
    PairCollector again(0.8);
    for (const SeenPair& pair : pairs) again.add(pair);
    EXPECT_EQ(names(again.oddest()), names(first.oddest()));
    EXPECT_EQ(names(again.sample()), names(first.sample()));
  }
}

TEST(PairCollector, SamplesOneOfEachBandAndKind) {
  PairCollector collector(0.8);
  for (const SeenPair& pair : random_pairs(3000)) collector.add(pair);
  const std::vector<SeenPair> sample = collector.sample();
  ASSERT_EQ(sample.size(), PairCollector::bands + 3);
  for (std::size_t i = 0; i < PairCollector::bands; ++i) {
    EXPECT_EQ(sample[i].fate, Fate::near);
    const double least = 0.8 + 0.04 * static_cast<double>(i);
    EXPECT_LT(sample[i].link.resemblance(), least + 0.04);
    // The lowest band takes all below the threshold, too.
    EXPECT_TRUE(i == 0 || sample[i].link.resemblance() >= least);
  }
  EXPECT_EQ(sample[PairCollector::bands].fate, Fate::identical);
  EXPECT_EQ(sample[PairCollector::bands + 1].fate, Fate::lexical);
  EXPECT_EQ(sample[PairCollector::bands + 2].fate, Fate::contained);
}

TEST(PairCollector, APairToldAgainIsKeptOnce) {
  PairCollector collector(0.8);
  for (int i = 0; i < 50; ++i) collector.add(pair_of(1, 2, {85, 100, 85}));
  EXPECT_EQ(collector.sample().size(), 1U);
  EXPECT_EQ(collector.oddest().size(), 1U);
}

TEST(PairCollector, ABoundedListKeepsTheFirstOfEach) {
  std::vector<int> list;
  for (const int number : {5, 3, 9, 3, 1, 7, 1}) insert_bounded(list, number, 3, std::less<>());
  EXPECT_EQ(list, (std::vector<int>{1, 3, 5}));
  insert_bounded(list, 0, 0, std::less<>());
  EXPECT_EQ(list.size(), 3U);
}

TEST(PairCollector, ResemblancesFallIntoTheirHundredth) {
  for (unsigned i = 0; i < 100; ++i) {
    ResemblanceBins bins;
    bins.add(static_cast<double>(i) / 100);
    bins.add((static_cast<double>(i) + 0.999) / 100);
    EXPECT_EQ(bins.bins[i], 2U) << i;
  }
  ResemblanceBins bins;
  for (const double share : {1.0, 0.9999999, -1.0}) bins.add(share);
  EXPECT_EQ(bins.bins[100], 1U);
  EXPECT_EQ(bins.bins[99], 1U);
  EXPECT_EQ(bins.bins[0], 1U);
}

}  // namespace
}  // namespace twinset
