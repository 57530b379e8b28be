#include "evaluate/labels.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "evaluate/random.h"
#include "evaluate/trial_for_tests.h"

namespace twinset {
namespace {

using Names = std::vector<std::uint32_t>;
using Sizes = std::vector<std::uint64_t>;

LabelMeasures measured(const Names& clusters, const Names& labels, const Sizes& bytes) {
  auto measures = measure_labels(clusters, labels, bytes, 1, {});
  EXPECT_TRUE(measures.ok());
  return measures.value();
}

/// Each measure by its definition, pair by pair and document by document.
struct SlowMeasures {
  std::uint64_t both = 0;
  std::uint64_t clustered = 0;
  std::uint64_t labeled = 0;
  double adjusted_rand = 1;
  double bcubed_precision = 0;
  double bcubed_recall = 0;
  std::uint64_t lost_bytes = 0;
};

SlowMeasures measure_slowly(const Names& clusters, const Names& labels,
                            const std::vector<std::uint64_t>& bytes) {
  SlowMeasures out;
  const std::size_t n = clusters.size();
  double pairs = 0;
  for (std::size_t a = 0; a < n; ++a) {
    std::size_t in_cluster = 0;
    std::size_t in_label = 0;
    std::size_t in_both = 0;
    bool first = true;
    for (std::size_t b = 0; b < n; ++b) {
      const bool cluster = clusters[a] == clusters[b];
      const bool label = labels[a] == labels[b];
      in_cluster += cluster ? 1 : 0;
      in_label += label ? 1 : 0;
      in_both += cluster && label ? 1 : 0;
      if (b < a && cluster) first = false;
      if (b <= a) continue;
      ++pairs;
      out.both += cluster && label ? 1 : 0;
      out.clustered += cluster ? 1 : 0;
      out.labeled += label ? 1 : 0;
    }
    out.bcubed_precision +=
        static_cast<double>(in_both) / static_cast<double>(in_cluster) / static_cast<double>(n);
    out.bcubed_recall +=
        static_cast<double>(in_both) / static_cast<double>(in_label) / static_cast<double>(n);
    if (first) continue;
    bool kept = false;
    for (std::size_t b = 0; b < n && !kept; ++b) {
      bool stays = true;
      for (std::size_t c = 0; c < b; ++c) stays = stays && clusters[c] != clusters[b];
      kept = stays && labels[b] == labels[a];
    }
    if (!kept) out.lost_bytes += bytes[a];
  }
  const double expected =
      static_cast<double>(out.clustered) * static_cast<double>(out.labeled) / pairs;
  const double most = static_cast<double>(out.clustered + out.labeled) / 2;
  if (most != expected) {
    out.adjusted_rand = (static_cast<double>(out.both) - expected) / (most - expected);
  }
  return out;
}

TEST(MeasureLabels, EqualsTheDefinitions) {
  SeededRandom random(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random.below(40);
    const std::uint64_t cluster_names = 1 + random.below(n);
    const std::uint64_t label_names = 1 + random.below(n);
    Names clusters;
    Names labels;
    std::vector<std::uint64_t> bytes;
    for (std::size_t d = 0; d < n; ++d) {
      clusters.push_back(static_cast<std::uint32_t>(random.below(cluster_names)));
      labels.push_back(static_cast<std::uint32_t>(random.below(label_names) * 1'000'003));
      bytes.push_back(random.below(1000));
    }
    const LabelMeasures fast = measured(clusters, labels, bytes);
    const SlowMeasures slow = measure_slowly(clusters, labels, bytes);
    EXPECT_EQ(tally(fast.pair_precision), (Tally{slow.both, slow.clustered}));
    EXPECT_EQ(tally(fast.pair_recall), (Tally{slow.both, slow.labeled}));
    EXPECT_NEAR(fast.adjusted_rand.value, slow.adjusted_rand, 1e-12);
    EXPECT_NEAR(fast.bcubed_precision.value, slow.bcubed_precision, 1e-12);
    EXPECT_NEAR(fast.bcubed_recall.value, slow.bcubed_recall, 1e-12);
    EXPECT_EQ(fast.lost_bytes, slow.lost_bytes);
    EXPECT_EQ(fast.clusters, std::set<std::uint32_t>(clusters.begin(), clusters.end()).size());
    EXPECT_EQ(fast.labels, std::set<std::uint32_t>(labels.begin(), labels.end()).size());
    EXPECT_EQ(fast.removed_documents, n - fast.clusters);
  }
}

// By hand: clusters {0,1,2} {3,4,5}, labels aab bbb. Of six clustered pairs four
// agree, of seven pairs of one label (1 + 6) four; expected 6 * 7 / 15 = 2.8, most
// 6.5. B-cubed precision (2 * 2/3 + 1/3 + 3) / 6, recall (2 + 1/4 + 3 * 3/4) / 6.
TEST(MeasureLabels, HandComputed) {
  const Names clusters = {0, 0, 0, 3, 3, 3};
  const Names labels = {1, 1, 2, 2, 2, 2};
  const LabelMeasures measures = measured(clusters, labels, Sizes{1, 2, 4, 8, 16, 32});
  EXPECT_EQ(tally(measures.pair_precision), (Tally{4, 6}));
  EXPECT_EQ(tally(measures.pair_recall), (Tally{4, 7}));
  EXPECT_NEAR(measures.adjusted_rand.value, 1.2 / 3.7, 1e-12);
  EXPECT_NEAR(measures.bcubed_precision.value, (4.0 / 3 + 1.0 / 3 + 3) / 6, 1e-12);
  EXPECT_NEAR(measures.bcubed_recall.value, (2 + 0.25 + 2.25) / 6, 1e-12);
  EXPECT_EQ(measures.bytes, 63u);
  EXPECT_EQ(measures.removed_documents, 4u);
  EXPECT_EQ(measures.removed_bytes, 54u);
  EXPECT_EQ(measures.lost_documents, 0u);  // document 3 is kept and has label 2
}

TEST(MeasureLabels, AllSingletons) {
  const LabelMeasures measures = measured(Names{0, 1, 2, 3}, Names{5, 5, 6, 6}, Sizes{1, 1, 1, 1});
  EXPECT_FALSE(measures.pair_precision.known());
  EXPECT_EQ(tally(measures.pair_recall), (Tally{0, 2}));
  EXPECT_EQ(measures.adjusted_rand.value, 0);
  EXPECT_EQ(measures.bcubed_precision.value, 1);
  EXPECT_EQ(measures.bcubed_recall.value, 0.5);
  EXPECT_EQ(measures.removed_documents, 0u);
  EXPECT_EQ(measures.lost_bytes, 0u);
}

TEST(MeasureLabels, OneClusterLosesEveryLabelButTheFirst) {
  const LabelMeasures measures =
      measured(Names{9, 9, 9, 9}, Names{5, 6, 5, 7}, Sizes{1, 10, 100, 1000});
  EXPECT_EQ(tally(measures.pair_precision), (Tally{1, 6}));
  EXPECT_EQ(tally(measures.pair_recall), (Tally{1, 1}));
  EXPECT_EQ(measures.adjusted_rand.value, 0);
  EXPECT_EQ(measures.bcubed_recall.value, 1);
  EXPECT_EQ(measures.removed_bytes, 1110u);
  EXPECT_EQ(measures.lost_documents, 2u);
  EXPECT_EQ(measures.lost_bytes, 1010u);
}

TEST(MeasureLabels, EqualPartitionsAgreeEvenWhereChanceLeavesNoRoom) {
  const std::vector<std::uint64_t> bytes = {1, 1, 1};
  EXPECT_EQ(measured(Names{0, 1, 2}, Names{2, 1, 0}, bytes).adjusted_rand.value, 1);
  EXPECT_EQ(measured(Names{0, 0, 0}, Names{2, 2, 2}, bytes).adjusted_rand.value, 1);
  EXPECT_EQ(measured(Names{0, 0, 1}, Names{7, 7, 3}, bytes).adjusted_rand.value, 1);
  EXPECT_EQ(measured(Names{0, 0, 1}, Names{7, 7, 3}, bytes).bcubed_f1.value, 1);
  const LabelMeasures none = measured({}, {}, {});
  EXPECT_EQ(none.adjusted_rand.value, 1);
  EXPECT_EQ(none.documents, 0u);
}

// Labels of five documents that are one cluster or five, with chance 0.8: the interval of the
// share of pairs found holds 0.8 in about 95 % of samples. 300 rounds: Hoeffding at 1e-8
// allows 0.179 below that. Pairs taken one by one would make it hold in half of them.
TEST(MeasureLabels, AnIntervalHoldsTheTruthAsOftenAsItSays) {
  SeededRandom random(3);
  constexpr int rounds = 300;
  constexpr std::uint32_t size = 5;
  int held = 0;
  for (int round = 0; round < rounds; ++round) {
    Names clusters;
    Names labels;
    for (std::uint32_t label = 0; label < 60; ++label) {
      const bool found = random.chance(4, 5);
      for (std::uint32_t i = 0; i < size; ++i) {
        labels.push_back(label);
        clusters.push_back(label * size + (found ? 0 : i));
      }
    }
    const Share recall = measured(clusters, labels, Sizes(labels.size(), 1)).pair_recall;
    held += recall.low <= 0.8 && 0.8 <= recall.high ? 1 : 0;
  }
  EXPECT_GE(static_cast<double>(held) / rounds, 0.95 - 0.179);
}

TEST(MeasureLabels, IntervalsHoldTheMeasureAndStop) {
  const Names clusters = {0, 0, 0, 3, 3, 3, 6, 7};
  const Names labels = {1, 1, 2, 2, 2, 2, 5, 5};
  const LabelMeasures measures = measured(clusters, labels, Sizes(8, 10));
  for (const Interval* each :
       {&measures.adjusted_rand, &measures.bcubed_precision, &measures.bcubed_recall,
        &measures.bcubed_f1, &measures.lost_share}) {
    EXPECT_LE(each->low, each->value);
    EXPECT_GE(each->high, each->value);
    EXPECT_LT(each->low, each->high);
  }
  EXPECT_EQ(measured(clusters, labels, Sizes(8, 10)).bcubed_f1.low, measures.bcubed_f1.low);
  // Nothing was lost among three labels: the high end is Wilson's for none of three.
  EXPECT_EQ(measures.lost_share.low, 0);
  EXPECT_NEAR(measures.lost_share.high, (Tally{0, 3}).interval().high, 1e-12);
  const auto stopped = measure_labels(clusters, labels, Sizes(8, 10), 1, [] {
    return Status(Error{ErrorCode::interrupted, "stop"});
  });
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

// Random labels have an expected adjusted Rand index of 0. Each round's index is in [-1/2, 1], so
// the mean of 20,000 is within 0.0326 of 0, except with probability 1e-8 (Hoeffding over a range of
// 1.5: 1.5 * sqrt(ln(2e8) / 40,000)).
TEST(MeasureLabels, RandomLabelsAgreeByChanceOnly) {
  SeededRandom random(11);
  const std::vector<std::uint64_t> bytes(30, 1);
  constexpr int rounds = 20'000;
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    Names clusters;
    Names labels;
    for (std::size_t d = 0; d < bytes.size(); ++d) {
      clusters.push_back(static_cast<std::uint32_t>(d % 5));
      labels.push_back(static_cast<std::uint32_t>(d % 3));
    }
    for (std::size_t i = labels.size(); i > 1; --i) {
      std::swap(labels[i - 1], labels[random.below(i)]);
    }
    sum += measured(clusters, labels, bytes).adjusted_rand.value;
  }
  EXPECT_NEAR(sum / rounds, 0, 0.0326);
}

}  // namespace
}  // namespace twinset
