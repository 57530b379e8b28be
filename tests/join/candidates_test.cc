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
using testing::shards_of;
using testing::SpillFolder;

using PlainGroups = std::map<std::uint64_t, std::set<Place>>;

/// Each key's documents in keep order, without folded ones.
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
                              unsigned threads, std::uint64_t memory, std::mt19937_64& random,
                              const EarlierDocuments* earlier = nullptr) {
  const SpillFolder spill(threads);
  PartitionedRows<KeyRow> store(spill.options("bands", memory));
  append_shuffled(store, rows, random);
  PairStore out(spill.options("pairs", memory));
  EXPECT_TRUE(candidate_pairs(store, table, earlier, out).ok());
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

// Shards of keys, each paired alone, together give the result of one run and of the definition.
TEST(CandidatePairs, ShardsOfKeysPairAsTheWhole) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20; ++round) {
    const std::array<std::uint64_t, 3> lines{random() % 30, random() % 100, 1 + random() % 100};
    DocumentTable table = random_table(lines, random() % 3, random() % 3 * 40, random);
    fold_some(table, random);
    const std::vector<KeyRow> rows =
        random_rows(table, random() % 1500, 1 + random() % 400, random);
    const std::set<Pair> expected = expected_pairs(groups_of(rows, table), table);
    for (const std::size_t count : {1U, 2U, 7U}) {
      std::set<Pair> merged;
      for (const auto& shard : shards_of(rows, count, [](const KeyRow& row) { return row.key; })) {
        const std::vector<Pair> found = found_pairs(shard, table, 2, 1 << 20, random);
        merged.insert(found.begin(), found.end());
      }
      ASSERT_EQ(merged, expected) << "round " << round << ", " << count << " shards";
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
  // Documents 0 to 5 are references; 0 to 3 are leaders, and so are 6 to 9. The first ordinary
  // document also meets the last reference.
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

/// Of rows whose documents are not of a run: the first leaders and the last of each key.
class EarlierRows final : public EarlierDocuments {
 public:
  EarlierRows(const std::vector<KeyRow>& rows, std::uint64_t source) {
    for (const KeyRow& row : rows) keys_[row.key].insert({source, row.document.record()});
  }
  Status with_key(std::uint64_t key, std::vector<DocumentId>& out) const override {
    out.clear();
    const auto found = keys_.find(key);
    if (found == keys_.end()) return {};
    for (const DocumentId document : found->second) {
      if (out.size() < leaders_per_group) out.push_back(document);
    }
    if (*found->second.rbegin() != out.back()) out.push_back(*found->second.rbegin());
    return {};
  }
  Result<std::optional<Equal>> of_tokens(const Fingerprint&) const override {
    return std::optional<Equal>();
  }

 private:
  std::map<std::uint64_t, std::set<DocumentId>> keys_;
};

TEST(Candidates, BehindEarlierDocumentsAreThoseOfOneRunOverAll) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 40; ++round) {
    // One run: the documents of the first source, then those of the second.
    const std::uint64_t earlier = 1 + random() % 60;
    const std::vector<std::uint64_t> lines{earlier, 1 + random() % 60};
    const DocumentTable whole(lines, 0);
    const std::vector<KeyRow> rows = random_rows(whole, random() % 400, 20, random);
    std::set<Pair> expected;
    for (const Pair& pair : expected_pairs(groups_of(rows, whole), whole)) {
      if (pair.later.document.source() == 1) expected.insert(pair);
    }

    // The second alone, which is the first of its run.
    std::vector<KeyRow> own;
    std::vector<KeyRow> others;
    for (KeyRow row : rows) {
      const bool is_own = row.document.source() == 1;
      row.document = {is_own ? 0U : 1U, row.document.record()};
      (is_own ? own : others).push_back(row);
    }
    DocumentTable table(std::vector<std::uint64_t>{lines[1]}, 0);
    table.use_earlier();
    const EarlierRows known(others, 1);
    std::set<Pair> found;
    for (const Pair& pair : found_pairs(own, table, 2, 1 << 20, random, &known)) {
      EXPECT_LT(pair.earlier, pair.later);
      const auto in_whole = [](const Place& place) {
        return Place{0, {1 - place.document.source(), place.document.record()}};
      };
      found.insert({in_whole(pair.later), in_whole(pair.earlier)});
    }
    EXPECT_EQ(found, expected) << round;
  }
}

}  // namespace
}  // namespace twinset
