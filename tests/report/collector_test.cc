#include "report/collector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace twinset {
namespace {

ReportCluster cluster(std::uint64_t record, std::uint64_t members, std::uint64_t sources,
                      double lowest) {
  ReportCluster result;
  result.survivor = {"id" + std::to_string(record), "a.jsonl", record};
  result.members = members;
  result.sources = sources;
  result.lowest_resemblance = lowest;
  return result;
}

std::vector<std::uint64_t> records(const std::vector<ReportCluster>& clusters) {
  std::vector<std::uint64_t> result;
  for (const ReportCluster& c : clusters) result.push_back(c.survivor.record);
  return result;
}

TEST(Collector, KeepsTheLargestTheLeastAlikeAndTheWidest) {
  ReportCollector collector(0.8, {.largest = 2, .least_alike = 2, .widest = 2});
  collector.cluster(cluster(1, 10, 1, 0.9));
  collector.cluster(cluster(2, 30, 5, 1.0));
  collector.cluster(cluster(3, 20, 3, 0.85));
  collector.cluster(cluster(4, 5, 1, 0.81));
  Report report;
  collector.finish(report);
  EXPECT_EQ(report.clusters, 4u);
  EXPECT_EQ(records(report.largest), (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(records(report.least_alike), (std::vector<std::uint64_t>{4, 3}));
  EXPECT_EQ(records(report.widest), (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(report.cluster_sizes.bins[3], 1u);  // 10
  EXPECT_EQ(report.cluster_sizes.bins[4], 2u);  // 20 and 30
}

TEST(Collector, OneFileIsNoSpreadAndEqualRecordsAreNoDoubt) {
  ReportCollector collector(0.8);
  collector.cluster(cluster(1, 10, 1, 1.0));
  Report report;
  collector.finish(report);
  EXPECT_EQ(report.largest.size(), 1u);
  EXPECT_TRUE(report.widest.empty());
  EXPECT_TRUE(report.least_alike.empty());
}

TEST(Collector, ExamplesAreTheLeastAlike) {
  ReportCollector collector(0.8, {.examples = 2});
  ReportCluster c = cluster(1, 4, 1, 0.82);
  c.examples = {{{"x", "f", 1}, Fate::near, 0.99, 1},
                {{"y", "f", 2}, Fate::near, 0.82, 1},
                {{"z", "f", 3}, Fate::contained, 0.1, 0.97}};
  collector.cluster(c);
  Report report;
  collector.finish(report);
  ASSERT_EQ(report.largest[0].examples.size(), 2u);
  EXPECT_EQ(report.largest[0].examples[0].document.id, "y");
  EXPECT_EQ(report.largest[0].examples[1].document.id, "z");
}

struct Removal {
  Fate kind;
  double resemblance;
  DocumentId survivor, document;
};

std::vector<Removal> removals(std::size_t count) {
  std::mt19937_64 random(9);
  std::vector<Removal> result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = removed_fates[random() % 4];
    const double share = static_cast<double>(random() % 1000) / 1000;
    const double resemblance = kind == Fate::near ? 0.8 + 0.2 * share : share;
    result.push_back({kind, resemblance, DocumentId(0, 1 + random() % 500), DocumentId(1, i + 1)});
  }
  return result;
}

void expect_equal(const ReportCollector& x, const ReportCollector& y) {
  Report a, b;
  x.finish(a);
  y.finish(b);
  EXPECT_EQ(a.clusters, b.clusters);
  EXPECT_EQ(records(a.largest), records(b.largest));
  EXPECT_EQ(records(a.least_alike), records(b.least_alike));
  EXPECT_EQ(records(a.widest), records(b.widest));
  EXPECT_EQ(a.cluster_sizes.bins, b.cluster_sizes.bins);
  EXPECT_EQ(a.near_resemblance.bins, b.near_resemblance.bins);
  EXPECT_EQ(a.contained_resemblance.bins, b.contained_resemblance.bins);
  const std::vector<PairChoice> p = x.pairs(), q = y.pairs();
  ASSERT_EQ(p.size(), q.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_EQ(p[i].removed, q[i].removed);
    EXPECT_EQ(p[i].survivor, q[i].survivor);
  }
}

TEST(Collector, NeitherOrderNorThreadsChangeWhatIsKept) {
  std::mt19937_64 random(4);
  std::vector<Removal> removed = removals(3000);
  std::vector<ReportCluster> clusters;
  for (std::uint64_t i = 1; i <= 400; ++i) {
    clusters.push_back(cluster(i, 2 + random() % 20, 1 + random() % 4,
                               0.8 + static_cast<double>(random() % 21) / 100));
  }
  ReportCollector first(0.8);
  for (const Removal& r : removed) first.removed(r.kind, r.resemblance, r.survivor, r.document);
  for (const ReportCluster& c : clusters) first.cluster(c);

  for (int round = 0; round < 5; ++round) {
    std::shuffle(removed.begin(), removed.end(), random);
    std::shuffle(clusters.begin(), clusters.end(), random);
    ReportCollector one(0.8),
        parts[3] = {ReportCollector(0.8), ReportCollector(0.8), ReportCollector(0.8)};
    for (const Removal& r : removed) {
      one.removed(r.kind, r.resemblance, r.survivor, r.document);
      parts[random() % 3].removed(r.kind, r.resemblance, r.survivor, r.document);
    }
    for (const ReportCluster& c : clusters) {
      one.cluster(c);
      parts[random() % 3].cluster(c);
    }
    expect_equal(first, one);
    parts[0].merge(parts[1]);
    parts[0].merge(parts[2]);
    expect_equal(first, parts[0]);
  }
}

TEST(Collector, PairsAreTheLowestAndASampleOfEachStratum) {
  const std::vector<Removal> removed = removals(3000);
  const ReportLimits limits;
  ReportCollector collector(0.8, limits);
  for (const Removal& r : removed) collector.removed(r.kind, r.resemblance, r.survivor, r.document);
  const std::vector<PairChoice> pairs = collector.pairs();
  EXPECT_EQ(pairs.size(), limits.lowest_pairs + 6 * limits.pairs_a_stratum);
  std::vector<double> lowest;
  for (const Removal& r : removed) {
    if (r.kind == Fate::near) lowest.push_back(r.resemblance);
  }
  std::sort(lowest.begin(), lowest.end());
  std::size_t contained = 0, near = 0, high = 0;
  std::vector<std::pair<DocumentId, DocumentId>> seen;
  for (const PairChoice& pair : pairs) {
    EXPECT_TRUE(pair.kind == Fate::near || pair.kind == Fate::contained);
    if (pair.kind == Fate::contained) {
      ++contained;
    } else if (near < limits.lowest_pairs) {
      EXPECT_EQ(pair.resemblance, lowest[near++]);
    }
    high += pair.kind == Fate::near && pair.resemblance >= 0.96;
    seen.emplace_back(pair.survivor, pair.removed);
  }
  EXPECT_EQ(contained, limits.pairs_a_stratum);
  EXPECT_EQ(high, limits.pairs_a_stratum);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << "a pair twice";
}

TEST(Collector, APairToldAgainIsCountedAndSampledOnce) {
  ReportCollector collector(0.8);
  for (int i = 0; i < 50; ++i) {
    collector.removed(Fate::near, 0.85, DocumentId(0, 1), DocumentId(0, 2));
  }
  EXPECT_EQ(collector.pairs().size(), 1u);
  Report report;
  collector.finish(report);
  EXPECT_EQ(report.near_resemblance.bins[85], 50u);
}

TEST(Collector, WantedSaysWhatWouldBeKept) {
  ReportCollector collector(0.8, {.largest = 1, .least_alike = 1, .widest = 1});
  EXPECT_TRUE(collector.wanted(2, 1, 1.0));
  collector.cluster(cluster(1, 10, 3, 0.9));
  EXPECT_FALSE(collector.wanted(9, 2, 0.95));
  EXPECT_FALSE(collector.wanted(9, 1, 1.0));
  EXPECT_TRUE(collector.wanted(10, 1, 1.0)) << "ties are settled by name";
  EXPECT_TRUE(collector.wanted(2, 1, 0.85));
  EXPECT_TRUE(collector.wanted(4, 4, 1.0));
}

}  // namespace
}  // namespace twinset
