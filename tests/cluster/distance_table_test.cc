// The table against the definition: every two documents, copies included.
#include "cluster/distance_table.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace twinset {
namespace {

std::uint32_t far(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(std::popcount(a ^ b));
}

// Signatures of 16 bits, so that many are equal or near; each fifth document is a copy of an
// earlier one.
// S-20, too: each document leads a cluster, of all within the distance.
TEST(DistanceTable, S22AndS23AreThoseOfEveryTwo) {
  std::mt19937_64 random(1);
  constexpr std::uint32_t most = 3;
  for (int round = 0; round < 20; ++round) {
    const auto documents = static_cast<std::uint32_t>(1 + random() % 120);
    std::vector<std::uint64_t> signatures;
    std::vector<std::uint32_t> original;
    for (std::uint32_t i = 0; i < documents; ++i) {
      const bool copy = i > 0 && random() % 5 == 0;
      original.push_back(copy ? original[random() % i] : i);
      signatures.push_back(copy ? signatures[original[i]] : random() & 0x3333);
    }
    DistanceTable table(documents, most, ClusterShape::components);
    std::map<std::uint64_t, std::uint32_t> first;
    std::vector<SharedPair> pairs;
    for (std::uint32_t i = 0; i < documents; ++i) {
      if (original[i] != i) {
        table.fold(i, original[i]);
        continue;
      }
      const auto [at, is_first] = first.try_emplace(signatures[i], i);
      if (!is_first) {
        pairs.push_back({i, at->second, {0, 64, 64}});
        continue;
      }
      for (const auto& [signature, other] : first) {
        const std::uint32_t distance = far(signature, signatures[i]);
        if (other != i && distance <= most) pairs.push_back({i, other, {distance, 64, 64}});
      }
    }
    for (const SharedPair& pair : pairs) table.add(pair);
    table.end_adding();
    for (const SharedPair& pair : pairs) table.count(pair);
    const std::vector<DistanceCounts> rows = table.rows();
    ASSERT_EQ(rows.size(), most + 1);
    std::set<std::uint32_t> near_another;
    for (std::uint32_t i = 0; i < documents; ++i) {
      for (std::uint32_t j = 0; j < documents; ++j) {
        if (i != j && far(signatures[i], signatures[j]) <= most) near_another.insert(i);
      }
    }
    double before = 0;
    for (std::uint32_t d = 0; d <= most; ++d) {
      std::uint64_t expected = 0;
      std::set<std::uint32_t> in_pairs;
      for (std::uint32_t i = 0; i < documents; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
          if (far(signatures[i], signatures[j]) > d) continue;
          ++expected;
          in_pairs.insert({i, j});
        }
      }
      EXPECT_EQ(rows[d].distance, d);
      EXPECT_EQ(rows[d].pairs, expected);
      EXPECT_EQ(rows[d].documents, in_pairs.size());
      EXPECT_LE(rows[d].clusters * 2, in_pairs.size());
      const double mean = near_another.empty() ? 0
                                               : 2.0 * static_cast<double>(expected) /
                                                     static_cast<double>(near_another.size());
      EXPECT_DOUBLE_EQ(rows[d].mean_size_without_self, mean);
      EXPECT_DOUBLE_EQ(rows[d].mean_size, near_another.empty() ? 0 : mean + 1);
      EXPECT_GE(rows[d].mean_size, before);  // S-23: monotone
      before = rows[d].mean_size;
    }
  }
}

// Documents of one signature: each leads a cluster of all of them.
TEST(DistanceTable, EqualSignaturesAreOneCluster) {
  DistanceTable table(1000, 1, ClusterShape::stars);
  std::vector<SharedPair> pairs;
  for (std::uint32_t i = 1; i < 1000; ++i) pairs.push_back({i, 0, {0, 64, 64}});
  for (const SharedPair& pair : pairs) table.add(pair);
  table.end_adding();
  for (const SharedPair& pair : pairs) table.count(pair);
  const DistanceCounts at = table.rows()[0];
  EXPECT_EQ(at.pairs, 499'500U);
  EXPECT_EQ(at.clusters, 1U);
  EXPECT_EQ(at.documents, 1000U);
  EXPECT_DOUBLE_EQ(at.mean_size, 1000);
  EXPECT_DOUBLE_EQ(at.mean_size_without_self, 999);
}

}  // namespace
}  // namespace twinset
