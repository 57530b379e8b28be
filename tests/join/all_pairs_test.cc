// All pairs of near signatures against every two rows of a bucket: fingerprints of 64 bits
// that differ in at most three.
#include "join/all_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "base/hash.h"
#include "join/join_testing.h"

namespace twinset {
namespace {

using testing::all_rows;
using testing::append_shuffled;
using testing::for_each_span;
using testing::random_table;
using testing::shards_of;
using testing::SpillFolder;

struct BucketRow {
  std::uint64_t key = 0;
  DocumentId document;
  std::uint64_t signature = 0;
};

bool near(std::uint64_t a, std::uint64_t b) { return std::popcount(a ^ b) <= 3; }

/// Fingerprints of families: each a center with up to five bits changed.
std::vector<std::uint64_t> fingerprints(std::size_t count, std::uint64_t families,
                                        std::mt19937_64& random) {
  std::vector<std::uint64_t> made(count);
  for (std::uint64_t& fingerprint : made) {
    fingerprint = mix64(1 + random() % families);
    for (std::uint64_t bits = random() % 6; bits > 0; --bits) {
      fingerprint ^= std::uint64_t{1} << random() % 64;
    }
  }
  return made;
}

/// A row for each of four blocks of 16 bits: fingerprints that differ in three bits agree in one.
std::vector<BucketRow> bucket_rows(const std::vector<std::uint64_t>& fingerprints,
                                   const DocumentTable& table) {
  std::vector<BucketRow> rows;
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    for (std::uint64_t block = 0; block < 4; ++block) {
      const std::uint64_t bits = fingerprints[i] >> 16 * block & 0xffff;
      rows.push_back({mix64(block << 16 | bits), table.document(i), fingerprints[i]});
    }
  }
  return rows;
}

/// The pairs by comparing every two members of each bucket.
std::set<Pair> expected_pairs(const std::vector<BucketRow>& rows, const DocumentTable& table) {
  std::map<std::uint64_t, std::map<std::uint64_t, std::set<Place>>> buckets;
  for (const BucketRow& row : rows) {
    if (table.standing(table.index(row.document)).folded()) continue;
    buckets[row.key][row.signature].insert(table.place(row.document));
  }
  std::set<Pair> expected;
  const auto add = [&](const Place& a, const Place& b) {
    const Pair pair{std::max(a, b), std::min(a, b)};
    if (!table.reference(pair.later.document)) expected.insert(pair);
  };
  for (const auto& [_, signatures] : buckets) {
    for (const auto& [signature, places] : signatures) {
      for (const Place& place : places) {
        if (place != *places.begin()) add(place, *places.begin());
      }
      for (const auto& [other, others] : signatures) {
        if (other >= signature) break;
        if (near(signature, other)) add(*places.begin(), *others.begin());
      }
    }
  }
  return expected;
}

TEST(AllPairs, OfABucketAreThoseOfEveryTwoWhateverTheMemoryAndTheShards) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 25; ++round) {
    const std::array<std::uint64_t, 3> lines{random() % 60, random() % 300, 1 + random() % 300};
    DocumentTable table = random_table(lines, random() % 2, random() % 3 * 40, random);
    for (std::uint64_t i = 1; i < table.size(); ++i) {
      if (random() % 8 == 0) table.set(i, {Fate::lexical, i - 1});
    }
    const std::vector<BucketRow> rows =
        bucket_rows(fingerprints(table.size(), 1 + random() % 60, random), table);
    const std::set<Pair> expected = expected_pairs(rows, table);
    for (const unsigned threads : {1U, 2U, 7U}) {
      const SpillFolder spill(threads);
      PartitionedRows<BucketRow> store(spill.options("buckets", random() % 200'000));
      append_shuffled(store, rows, random);
      PairStore out(spill.options("pairs"));
      ASSERT_TRUE(all_pairs(store, table, near, out).ok());
      ASSERT_TRUE(out.seal().ok());
      const std::vector<Pair> found = all_rows(out.read());
      ASSERT_EQ(std::set<Pair>(found.begin(), found.end()), expected) << "round " << round;
    }
    for (const std::size_t count : {1U, 2U, 7U}) {
      std::vector<Pair> pairs;
      for (const auto& shard :
           shards_of(rows, count, [](const BucketRow& row) { return row.key; })) {
        for_each_span(shard, table.unfolded(), SignatureOrder<BucketRow>{&table}, random,
                      [&](std::span<const BucketRow> group) {
                        SignaturePairs<std::uint64_t> of_group;
                        for (const BucketRow& row : group) {
                          of_group.add({row.signature, table.place(row.document)},
                                       table.reference_sources(), near, pairs);
                        }
                      });
      }
      ASSERT_EQ(std::set<Pair>(pairs.begin(), pairs.end()), expected) << count << " shards";
    }
  }
}

// The whole join is complete: every two documents within three bits are joined; documents of equal
// fingerprints are joined through the first of them.
TEST(AllPairs, OfFourBlocksFindEveryTwoWithinThreeBits) {
  std::mt19937_64 random(2);
  const std::array<std::uint64_t, 1> lines{3000};
  const DocumentTable table(lines, 0);
  const std::vector<std::uint64_t> made = fingerprints(table.size(), 150, random);
  const SpillFolder spill(2);
  PartitionedRows<BucketRow> store(spill.options("buckets"));
  append_shuffled(store, bucket_rows(made, table), random);
  PairStore out(spill.options("pairs"));
  ASSERT_TRUE(all_pairs(store, table, near, out).ok());
  ASSERT_TRUE(out.seal().ok());
  std::map<std::uint64_t, std::uint64_t> first;
  std::set<Pair> expected;
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    const auto [at, is_first] = first.try_emplace(made[i], i);
    if (!is_first) {
      expected.insert({table.place_at(i), table.place_at(at->second)});
      continue;
    }
    for (const auto& [other, j] : first) {
      if (j != i && near(other, made[i])) expected.insert({table.place_at(i), table.place_at(j)});
    }
  }
  ASSERT_GT(expected.size(), 5000U);
  const std::vector<Pair> found = all_rows(out.read());
  EXPECT_EQ(std::set<Pair>(found.begin(), found.end()), expected);
}

// A hundred thousand copies of one fingerprint cost as many pairs, not their square.
TEST(AllPairs, OneStandsForItsEquals) {
  std::mt19937_64 random(3);
  const std::array<std::uint64_t, 1> lines{100'000};
  const DocumentTable table(lines, 0);
  std::vector<BucketRow> rows;
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    rows.push_back({42, table.document(i), i < 3 ? 7 + i : 7});
  }
  const SpillFolder spill(2);
  PartitionedRows<BucketRow> store(spill.options("buckets"));
  append_shuffled(store, rows, random);
  PairStore out(spill.options("pairs"));
  ASSERT_TRUE(all_pairs(store, table, near, out).ok());
  EXPECT_EQ(out.rows_added(), 99'997U + 2);  // 7 and 8 differ in four bits.
}

}  // namespace
}  // namespace twinset
