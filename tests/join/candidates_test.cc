// Candidates against the definition, written out slowly over plain maps.
#include "join/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "join/join_testing.h"

namespace twinset {
namespace {

using testing::all_rows;
using testing::append_shuffled;
using testing::random_table;
using testing::SpillFolder;

using PlainGroups = std::map<std::uint64_t, std::set<Place>>;

/// Each key's documents in keep order, folded ones left out.
PlainGroups groups_of(const std::vector<KeyRow>& rows, const DocumentTable& table) {
  PlainGroups groups;
  for (const KeyRow& row : rows) {
    if (table.standing(table.index(row.document)).folded()) continue;
    groups[row.key].insert(table.place(row.document));
  }
  return groups;
}

std::set<Pair> expected_pairs(const PlainGroups& groups, const DocumentTable& table) {
  std::set<Pair> pairs;
  for (const auto& [key, members] : groups) {
    std::vector<Place> before;
    std::vector<Place> leaders;
    std::array<unsigned, 2> led{};
    for (const Place& place : members) {
      const bool reference = table.reference(place.document);
      if (!reference) {
        for (const Place& leader : leaders) pairs.insert({place, leader});
        if (!before.empty()) pairs.insert({place, before.back()});
      }
      before.push_back(place);
      if (led[reference ? 1 : 0]++ < leaders_per_group) leaders.push_back(place);
    }
  }
  return pairs;
}

std::vector<Pair> found_pairs(const std::vector<KeyRow>& rows, const DocumentTable& table,
                              unsigned threads, std::uint64_t memory, std::mt19937_64& random) {
  const SpillFolder spill(threads);
  PartitionedRows<KeyRow> store(spill.options("bands", memory));
  append_shuffled(store, rows, random);
  PairStore out(spill.options("pairs", memory));
  EXPECT_TRUE(candidate_pairs(store, table, out).ok());
  EXPECT_TRUE(out.seal().ok());
  return all_rows(out.read());
}

/// Rows of random documents under random keys; some keys are popular.
std::vector<KeyRow> random_rows(const DocumentTable& table, std::size_t count, std::uint64_t keys,
                                std::mt19937_64& random) {
  std::vector<KeyRow> rows(table.size() == 0 ? 0 : count);
  for (KeyRow& row : rows) {
    const std::uint64_t key = random() % 4 == 0 ? random() % 3 : random() % keys;
    row = {mix64(key), table.document(random() % table.size())};
  }
  return rows;
}

void fold_some(DocumentTable& table, std::mt19937_64& random) {
  for (std::uint64_t i = 1; i < table.size(); ++i) {
    if (random() % 8 != 0) continue;
    table.set(i, {random() % 2 == 0 ? Fate::identical : Fate::lexical, i - 1});
  }
}

TEST(CandidatePairs, AreLeadersAndTheOneBeforeWhateverTheOrderOfAdding) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 80; ++round) {
    const std::array<std::uint64_t, 4> lines{random() % 30, random() % 100, random() % 100,
                                             random() % 100};
    DocumentTable table = random_table(lines, random() % 3, random() % 3 * 40, random);
    fold_some(table, random);
    const std::vector<KeyRow> rows =
        random_rows(table, random() % 3000, 1 + random() % 400, random);
    const std::set<Pair> expected = expected_pairs(groups_of(rows, table), table);
    for (const unsigned threads : {1U, 3U}) {
      const std::vector<Pair> found =
          found_pairs(rows, table, threads, random() % 1'000'000, random);
      ASSERT_EQ(found, std::vector<Pair>(expected.begin(), expected.end())) << "round " << round;
    }
  }
}

TEST(CandidatePairs, AGroupOfTwelveByHand) {
  std::mt19937_64 random(2);
  const std::array<std::uint64_t, 3> lines{6, 1, 7};  // source 0 is protected
  const DocumentTable table(lines, 1);
  std::vector<KeyRow> rows;
  for (std::uint64_t i = 0; i < table.size(); ++i) rows.push_back({42, table.document(i)});
  std::vector<std::pair<std::uint64_t, std::uint64_t>> by_index;
  for (const Pair& pair : found_pairs(rows, table, 1, 0, random)) {
    by_index.emplace_back(table.index(pair.later.document), table.index(pair.earlier.document));
  }
  // Documents 0 to 5 are references, of which 0 to 3 lead; 6 to 9 lead too. The
  // first ordinary one also meets the last reference.
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected{
      {6, 0},  {6, 1},  {6, 2},  {6, 3},  {6, 5},                                        //
      {7, 0},  {7, 1},  {7, 2},  {7, 3},  {7, 6},                                        //
      {8, 0},  {8, 1},  {8, 2},  {8, 3},  {8, 6},  {8, 7},                               //
      {9, 0},  {9, 1},  {9, 2},  {9, 3},  {9, 6},  {9, 7},  {9, 8},                      //
      {10, 0}, {10, 1}, {10, 2}, {10, 3}, {10, 6}, {10, 7}, {10, 8}, {10, 9},            //
      {11, 0}, {11, 1}, {11, 2}, {11, 3}, {11, 6}, {11, 7}, {11, 8}, {11, 9}, {11, 10},  //
      {12, 0}, {12, 1}, {12, 2}, {12, 3}, {12, 6}, {12, 7}, {12, 8}, {12, 9}, {12, 11},  //
      {13, 0}, {13, 1}, {13, 2}, {13, 3}, {13, 6}, {13, 7}, {13, 8}, {13, 9}, {13, 12}};
  EXPECT_EQ(by_index, expected);
}

// Linear in the group, whatever its size: one band in every document.
TEST(CandidatePairs, AGroupOfAHundredThousandIsNeitherCutNorSquared) {
  std::mt19937_64 random(3);
  const std::array<std::uint64_t, 1> lines{100'000};
  const DocumentTable table(lines, 0);
  std::vector<KeyRow> rows;
  for (std::uint64_t i = 0; i < table.size(); ++i) rows.push_back({42, table.document(i)});
  const std::vector<Pair> found = found_pairs(rows, table, 2, 1 << 20, random);
  EXPECT_EQ(found.size(), 1U + 2 + 3 + 4 + (100'000 - 5) * 5);
  for (const Pair& pair : found) ASSERT_LT(pair.earlier, pair.later);
}

TEST(CandidatePairs, NoPairOfTwoReferencesAndNoneThatAReferenceLosesBy) {
  std::mt19937_64 random(4);
  const std::array<std::uint64_t, 3> lines{50, 50, 50};
  const DocumentTable table = random_table(lines, 2, 20, random);
  const std::vector<KeyRow> rows = random_rows(table, 2000, 50, random);
  const std::vector<Pair> found = found_pairs(rows, table, 1, 0, random);
  EXPECT_FALSE(found.empty());
  for (const Pair& pair : found) EXPECT_FALSE(table.reference(pair.later.document));
}

/// What counting should yield.
struct ExpectedCounts {
  std::map<Pair, std::uint64_t> pairs;
  std::vector<std::uint32_t> key_counts;
  std::uint64_t keys_cut = 0;
  std::uint64_t rows_cut = 0;
  std::vector<CommonKey> cut;
};

ExpectedCounts expected_counts(const PlainGroups& groups, const DocumentTable& table,
                               std::uint64_t max_group, std::vector<std::uint32_t> key_counts) {
  ExpectedCounts expected;
  expected.key_counts = std::move(key_counts);
  for (const auto& [key, members] : groups) {
    if (max_group != 0 && members.size() > max_group) {
      ++expected.keys_cut;
      expected.rows_cut += members.size();
      expected.cut.push_back({key, members.size(), members.begin()->document});
      for (const Place& place : members) --expected.key_counts[table.index(place.document)];
      continue;
    }
    for (const Place& later : members) {
      if (table.reference(later.document)) continue;
      for (const Place& earlier : members) {
        if (earlier < later) ++expected.pairs[{later, earlier}];
      }
    }
  }
  std::sort(expected.cut.begin(), expected.cut.end(), [](const CommonKey& a, const CommonKey& b) {
    return a.documents != b.documents ? a.documents > b.documents : a.key < b.key;
  });
  if (expected.cut.size() > 100) expected.cut.resize(100);
  return expected;
}

void expect_counted(const std::vector<KeyRow>& rows, const DocumentTable& table,
                    std::uint64_t max_group, unsigned threads, std::uint64_t memory,
                    std::mt19937_64& random) {
  std::vector<std::uint32_t> key_counts(table.size(), 1000);
  const ExpectedCounts expected =
      expected_counts(groups_of(rows, table), table, max_group, key_counts);
  const SpillFolder spill(threads);
  PartitionedRows<KeyRow> store(spill.options("counted", memory));
  append_shuffled(store, rows, random);
  CountedPairStore out(spill.options("pairs", memory));
  const Result<CountReport> report = counted_pairs(store, table, max_group, key_counts, out);
  ASSERT_TRUE(report.ok());
  ASSERT_TRUE(out.seal().ok());
  std::map<Pair, std::uint64_t> found;
  for (const CountedPair& pair : all_rows(out.read())) {
    EXPECT_TRUE(found.emplace(pair.pair, pair.shared).second) << "a pair came twice";
  }
  ASSERT_EQ(found, expected.pairs);
  ASSERT_EQ(key_counts, expected.key_counts);
  EXPECT_EQ(report.value().keys_cut, expected.keys_cut);
  EXPECT_EQ(report.value().rows_cut, expected.rows_cut);
  ASSERT_EQ(report.value().largest.size(), expected.cut.size());
  for (std::size_t i = 0; i < expected.cut.size(); ++i) {
    EXPECT_EQ(report.value().largest[i].key, expected.cut[i].key);
    EXPECT_EQ(report.value().largest[i].documents, expected.cut[i].documents);
    EXPECT_EQ(report.value().largest[i].sample, expected.cut[i].sample);
  }
}

// B-13, B-17.
TEST(CountedPairs, EqualBruteForceWhateverIsCut) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 60; ++round) {
    const std::array<std::uint64_t, 3> lines{random() % 30, random() % 60, random() % 60};
    DocumentTable table = random_table(lines, random() % 2, random() % 2 * 30, random);
    fold_some(table, random);
    const std::vector<KeyRow> rows =
        random_rows(table, random() % 2000, 1 + random() % 500, random);
    const std::uint64_t max_group = random() % 4 == 0 ? 0 : 1 + random() % 12;
    expect_counted(rows, table, max_group, 1 + static_cast<unsigned>(random() % 3),
                   random() % 1'000'000, random);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

// Rows that came twice, as a continued run adds them, count once.
TEST(CountedPairs, RowsAddedTwiceCountOnce) {
  std::mt19937_64 random(6);
  const std::array<std::uint64_t, 1> lines{40};
  const DocumentTable table(lines, 0);
  std::vector<KeyRow> rows = random_rows(table, 600, 60, random);
  const std::vector<KeyRow> half(rows.begin(), rows.begin() + 300);
  rows.insert(rows.end(), half.begin(), half.end());
  expect_counted(rows, table, 10, 1, 0, random);
}

// B-17: a key of too many documents is cut, from the denominators too.
// B 5.1: a footer in 5,000 documents is no resemblance. Its shingles are cut on
// both sides and told; what only two of them share counts as before.
TEST(CountedPairs, APlantedFooterMakesNoPair) {
  std::mt19937_64 random(7);
  constexpr std::uint64_t documents = 5000;
  constexpr std::uint32_t footer_keys = 7;
  constexpr std::uint32_t own_keys = 3;
  const std::array<std::uint64_t, 1> lines{documents};
  const DocumentTable table(lines, 0);
  std::vector<KeyRow> rows;
  std::vector<std::uint32_t> key_counts(documents, footer_keys + own_keys);
  for (std::uint64_t i = 0; i < documents; ++i) {
    for (std::uint64_t key = 0; key < footer_keys; ++key) {
      rows.push_back({mix64(key), table.document(i)});
    }
    for (std::uint64_t key = 0; key < own_keys; ++key) {
      // Documents 4998 and 4999 have their own keys in common.
      rows.push_back(
          {mix64(1000 + std::min(i, documents - 2) * own_keys + key), table.document(i)});
    }
  }
  const SpillFolder spill(2);
  PartitionedRows<KeyRow> store(spill.options("counted"));
  append_shuffled(store, rows, random);
  CountedPairStore out(spill.options("pairs"));
  const Result<CountReport> report = counted_pairs(store, table, 1000, key_counts, out);
  ASSERT_TRUE(report.ok());
  ASSERT_TRUE(out.seal().ok());
  const std::vector<CountedPair> pairs = all_rows(out.read());
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].pair.later.document, table.document(documents - 1));
  EXPECT_EQ(pairs[0].pair.earlier.document, table.document(documents - 2));
  EXPECT_EQ(pairs[0].shared, own_keys);
  EXPECT_EQ(report.value().keys_cut, footer_keys);
  EXPECT_EQ(report.value().rows_cut, footer_keys * documents);
  ASSERT_EQ(report.value().largest.size(), footer_keys);
  for (const CommonKey& key : report.value().largest) {
    EXPECT_EQ(key.documents, documents);
    EXPECT_EQ(key.sample, table.document(0));
  }
  for (const std::uint32_t count : key_counts) ASSERT_EQ(count, own_keys);
}

TEST(CountedPairs, AGroupOfMaxGroupIsCountedAndOneMoreIsCut) {
  for (const std::uint64_t members : {5U, 6U}) {
    const SpillFolder spill;
    const std::array<std::uint64_t, 1> lines{members};
    const DocumentTable table(lines, 0);
    PartitionedRows<KeyRow> store(spill.options("counted"));
    for (std::uint64_t i = 0; i < members; ++i) {
      const KeyRow row{9, table.document(i)};
      ASSERT_TRUE(store.append(std::span(&row, 1)).ok());
    }
    std::vector<std::uint32_t> key_counts(members, 1);
    CountedPairStore out(spill.options("pairs"));
    const Result<CountReport> report = counted_pairs(store, table, 5, key_counts, out);
    ASSERT_TRUE(report.ok());
    ASSERT_TRUE(out.seal().ok());
    EXPECT_EQ(all_rows(out.read()).size(), members == 5 ? 10U : 0U);
    EXPECT_EQ(report.value().keys_cut, members == 5 ? 0U : 1U);
  }
}

}  // namespace
}  // namespace twinset
