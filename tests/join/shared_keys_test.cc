// Shared keys against the definition: every two documents, their sets of keys at the coarser of
// their moduli, without common keys (rows B-12, B-13, B-17).
#include "join/shared_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "join/join_testing.h"
#include "support/tries.h"

namespace twinset {
namespace {

using testing::all_rows;
using testing::append_shuffled;
using testing::SpillFolder;

/// Documents made of shared blocks of shingles and some of their own, of very different sizes.
std::vector<std::vector<std::uint64_t>> random_collection(std::size_t documents,
                                                          std::mt19937_64& random) {
  std::vector<std::vector<std::uint64_t>> blocks(documents / 4 + 1);
  for (auto& block : blocks) {
    block.resize(1 + random() % (random() % 8 == 0 ? 400 : 40));
    for (std::uint64_t& shingle : block) shingle = random();
  }
  std::vector<std::vector<std::uint64_t>> collection(documents);
  for (auto& document : collection) {
    for (std::uint64_t part = 1 + random() % 3; part > 0; --part) {
      // The first blocks are popular.
      const auto& block =
          blocks[random() % 3 == 0 ? random() % std::min<std::size_t>(4, blocks.size())
                                   : random() % blocks.size()];
      document.insert(document.end(), block.begin(), block.end());
    }
    for (std::uint64_t own = random() % 30; own > 0; --own) document.push_back(random());
  }
  return collection;
}

struct World {
  DocumentTable table;
  std::vector<KeyRow> rows;
  std::vector<SampleSizes> sizes;
  std::vector<std::set<std::uint64_t>> keys;  ///< of unfolded documents
};

World make_world(const Scheme& scheme, std::size_t documents, std::uint64_t references,
                 std::mt19937_64& random) {
  const std::vector<std::uint64_t> lines{references, documents - references};
  World world{DocumentTable(lines, 1), {}, {}, {}};
  world.sizes.resize(documents);
  world.keys.resize(documents);
  const auto collection = random_collection(documents, random);
  for (std::size_t i = 0; i < documents; ++i) {
    Sketch sketch;
    scheme.sketch(GivenView(collection[i]), sketch);
    std::vector<std::uint64_t> keys;
    scheme.keys(sketch, keys);
    for (const std::uint64_t key : keys) world.rows.push_back({key, world.table.document(i)});
    if (i > 0 && random() % 10 == 0) {
      world.table.set(i, {Fate::identical, random() % i});
      continue;
    }
    world.sizes[i] = SampleSizes::of(scheme, sketch, keys);
    world.keys[i].insert(keys.begin(), keys.end());
  }
  return world;
}

std::map<std::uint64_t, std::uint64_t> holders(const World& world) {
  std::map<std::uint64_t, std::uint64_t> count;
  for (const auto& keys : world.keys) {
    for (const std::uint64_t key : keys) ++count[key];
  }
  return count;
}

std::vector<SharedPair> expected_pairs(const World& world, const Scheme& scheme,
                                       std::uint64_t max_group, std::uint64_t references,
                                       const PairFloor& floor) {
  const auto count = holders(world);
  std::map<std::pair<std::size_t, unsigned>, std::vector<std::uint64_t>> samples;
  const auto sample = [&](std::size_t i, unsigned level) -> const std::vector<std::uint64_t>& {
    const auto [at, made] = samples.try_emplace({i, level});
    if (!made) return at->second;
    for (const std::uint64_t key : world.keys[i]) {
      if (max_group != 0 && count.at(key) > max_group) continue;
      if (scheme.key_level(key) >= level) at->second.push_back(key);
    }
    return at->second;
  };
  std::vector<SharedPair> pairs;
  for (std::size_t a = 0; a < world.keys.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (a < references) continue;
      const unsigned level = std::max(world.sizes[a].level, world.sizes[b].level);
      const unsigned finer = std::min(world.sizes[a].level, world.sizes[b].level);
      if (level - finer >= SampleSizes::levels) continue;
      const std::vector<std::uint64_t>& left = sample(a, level);
      const std::vector<std::uint64_t>& right = sample(b, level);
      std::vector<std::uint64_t> both;
      std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                            std::back_inserter(both));
      if (both.empty()) continue;
      const SharedPair pair{
          static_cast<std::uint32_t>(a),
          static_cast<std::uint32_t>(b),
          {static_cast<std::uint32_t>(both.size()), static_cast<std::uint32_t>(left.size()),
           static_cast<std::uint32_t>(right.size())}};
      if (floor.reached_by(pair.keys)) pairs.push_back(pair);
    }
  }
  return pairs;
}

using Plain = std::vector<std::array<std::uint32_t, 5>>;
Plain plain(const std::vector<SharedPair>& pairs) {
  Plain out;
  for (const SharedPair& pair : pairs) {
    out.push_back({pair.a, pair.b, pair.keys.shared, pair.keys.later, pair.keys.earlier});
  }
  return out;
}

void expect_equal(const std::string& spec, std::size_t documents, std::uint64_t max_group,
                  const PairFloor& floor, unsigned threads, std::uint64_t memory,
                  std::uint64_t seed, std::uint64_t least_members = 0) {
  SCOPED_TRACE(spec + " seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto scheme = make_scheme(spec, 0.5);
  ASSERT_TRUE(scheme.ok());
  const std::uint64_t references = random() % 4;
  World world = make_world(*scheme.value(), documents, references, random);
  const SpillFolder spill(threads);
  PartitionedRows<KeyRow> store(spill.options("counted", 1 << 20));
  append_shuffled(store, world.rows, random);
  const auto expected = expected_pairs(world, *scheme.value(), max_group, references, floor);
  KeyGroups groups(spill.options("groups", memory));
  const Status gathered =
      groups.gather(store, world.table, *scheme.value(), max_group, world.sizes);
  ASSERT_TRUE(gathered.ok());

  std::uint64_t meetings = 0;
  std::uint64_t cut = 0;
  for (const auto& [key, held] : holders(world)) {
    if (max_group != 0 && held > max_group) {
      ++cut;
    } else {
      meetings += held * (held - 1) / 2;
    }
  }
  EXPECT_EQ(groups.report().meetings, meetings);
  EXPECT_EQ(groups.report().meetings_under(max_group), meetings);
  EXPECT_EQ(groups.report().common.keys_cut, cut);

  EXPECT_GE(groups.report().members, least_members);
  SharedPairStore out(spill.options("pairs"));
  const auto counted = groups.count(world.sizes, references, floor, nullptr, out);
  ASSERT_TRUE(counted.ok()) << counted.error().message;
  ASSERT_TRUE(out.seal().ok());
  EXPECT_EQ(plain(all_rows(out.read())), plain(expected));
}

// B-13: counts of shared keys, added up, are those of every two documents.
TEST(SharedKeys, EqualTheDefinition) {
  const std::vector<std::string> specs{"mod(modulus=1)", "mod(modulus=3)",
                                       "mod(modulus=0, samples=16)"};
  const std::vector<PairFloor> floors{
      {{0, 1}, {}}, {{1, 2}, {}}, {{4, 5}, {}}, {{1, 1}, {}}, {{1, 2}, Ratio(3, 4)}};
  std::uint64_t seed = 1;
  for (const std::string& spec : specs) {
    for (const PairFloor& floor : floors) {
      for (const std::uint64_t max_group : {0, 5, 1000}) {
        for (const unsigned threads : {1U, 3U}) {
          expect_equal(spec, 120, max_group, floor, threads, 1 << 20, ++seed);
        }
      }
    }
  }
}

TEST(SharedKeys, DoNotDependOnMemory) {
  // 64 Ki words are always allowed; the rest goes through files and several blocks.
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 24}) {
    if (sanitized && memory != 0) continue;
    expect_equal("mod(modulus=1)", 2000, 0, {{1, 2}, {}}, 2, memory, 77, std::uint64_t{1} << 16);
  }
}

// The documents that one meets before it has too few keys left depend on the order of groups. That
// order must depend on the groups alone, because `cluster` prints the number of counted pairs.
TEST(SharedKeys, PairsAddedUpAreTheSameForAnyThreadsMemoryAndOrder) {
  const auto scheme = make_scheme("mod(modulus=1)", 0.5);
  std::set<std::uint64_t> counts;
  for (const unsigned threads : {1U, 2U, 3U}) {
    for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 24}) {
      std::mt19937_64 random(78);
      World world = make_world(*scheme.value(), 2000, 0, random);
      random.seed(threads + memory);
      const SpillFolder spill(threads);
      PartitionedRows<KeyRow> store(spill.options("counted", 1 << 20));
      append_shuffled(store, world.rows, random);
      KeyGroups groups(spill.options("groups", memory));
      ASSERT_TRUE(groups.gather(store, world.table, *scheme.value(), 0, world.sizes).ok());
      SharedPairStore out(spill.options("pairs"));
      const auto counted = groups.count(world.sizes, 0, {{1, 2}, {}}, nullptr, out);
      ASSERT_TRUE(counted.ok());
      counts.insert(counted.value());
    }
  }
  EXPECT_EQ(counts.size(), 1U);
  EXPECT_GT(*counts.begin(), 10000U);
}

// The groups of one document must fit; the figure is that of the largest, and is enough.
TEST(SharedKeys, ADocumentThatDoesNotFitNamesTheMemoryThatDoes) {
  std::uint64_t needed = 0;
  const auto count = [&](std::uint64_t memory) {
    std::mt19937_64 random(79);
    const auto scheme = make_scheme("mod(modulus=1)", 0.5);
    constexpr std::uint64_t documents = 1500;
    const DocumentTable table(std::vector<std::uint64_t>{documents}, 0);
    std::vector<SampleSizes> sizes(documents);
    std::vector<KeyRow> rows;
    for (std::uint64_t key = 1; key <= 300; ++key) {
      for (std::uint64_t document = 0; document < documents; ++document) {
        // The last one has all keys; half of them are in the same documents as another.
        if (document + 1 < documents && mix64(document + 7919 * (key / 2)) % 4 == 0) continue;
        rows.push_back({mix64(key), table.document(document)});
        for (std::uint32_t& keys : sizes[document].keys) ++keys;
      }
    }
    const SpillFolder spill(2);
    PartitionedRows<KeyRow> store(spill.options("counted"));
    append_shuffled(store, rows, random);
    KeyGroups groups(spill.options("groups", memory), [&](std::uint64_t bytes) {
      needed = bytes;
      return usage_error("too little");
    });
    EXPECT_TRUE(groups.gather(store, table, *scheme.value(), 0, sizes).ok());
    SharedPairStore out(spill.options("pairs"));
    return groups.count(sizes, 0, {}, nullptr, out).ok();
  };
  EXPECT_FALSE(count(0));
  const std::uint64_t enough = needed;
  EXPECT_GT(enough, 150U * 1100 * 4 * 3) << "150 different groups";
  EXPECT_LT(enough, 300U * 1100 * 4 * 3) << "what is held once counts once";
  EXPECT_FALSE(count(enough / 2));
  EXPECT_EQ(needed, enough);
  EXPECT_TRUE(count(enough));
}

/// Keys of one modulus, and the documents that hold them.
struct Held {
  DocumentTable table;
  std::vector<KeyRow> rows;
  std::vector<SampleSizes> sizes;

  explicit Held(std::uint64_t documents)
      : table(std::vector<std::uint64_t>{documents}, 0), sizes(documents) {}
  void add(std::uint64_t document, std::uint64_t key) {
    rows.push_back({mix64(key), table.document(document)});
    for (std::uint32_t& keys : sizes[document].keys) ++keys;
  }
  std::vector<SharedPair> count(std::uint64_t max_group, GroupReport& report) {
    std::mt19937_64 random(7);
    const SpillFolder spill(2);
    PartitionedRows<KeyRow> store(spill.options("counted"));
    append_shuffled(store, rows, random);
    const auto scheme = make_scheme("mod(modulus=1)", 0.5);
    KeyGroups groups(spill.options("groups"));
    EXPECT_TRUE(groups.gather(store, table, *scheme.value(), max_group, sizes).ok());
    report = groups.report();
    SharedPairStore out(spill.options("pairs"));
    EXPECT_TRUE(groups.count(sizes, 0, {}, nullptr, out).ok());
    EXPECT_TRUE(out.seal().ok());
    return all_rows(out.read());
  }
};

// Rows that are added twice, as by a continued run, count once.
TEST(SharedKeys, RowsAddedTwiceCountOnce) {
  Held held(2);
  for (std::uint64_t key = 0; key < 5; ++key) {
    held.add(0, key);
    held.add(1, key);
  }
  held.rows.insert(held.rows.end(), {held.rows[0], held.rows[3], held.rows[3]});
  GroupReport report;
  const auto pairs = held.count(1000, report);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].keys.shared, 5U);
}

// B-17, B 5.1: a footer in 5,000 documents makes no pairs. Its shingles are cut on both sides and
// reported; keys that only two documents share count as before.
TEST(SharedKeys, APlantedFooterMakesNoPair) {
  constexpr std::uint64_t documents = 5000;
  constexpr std::uint32_t footer_keys = 7;
  constexpr std::uint32_t own_keys = 3;
  Held held(documents);
  for (std::uint64_t i = 0; i < documents; ++i) {
    for (std::uint64_t key = 0; key < footer_keys; ++key) held.add(i, key);
    // Documents 4998 and 4999 have their own keys in common.
    for (std::uint64_t key = 0; key < own_keys; ++key) {
      held.add(i, 1000 + std::min(i, documents - 2) * own_keys + key);
    }
  }
  GroupReport report;
  const auto pairs = held.count(1000, report);
  EXPECT_EQ(plain(pairs), (Plain{{documents - 1, documents - 2, own_keys, own_keys, own_keys}}));
  EXPECT_EQ(report.common.keys_cut, footer_keys);
  EXPECT_EQ(report.common.rows_cut, footer_keys * documents);
  ASSERT_EQ(report.common.largest.size(), footer_keys);
  for (const CommonKey& key : report.common.largest) {
    EXPECT_EQ(key.documents, documents);
    EXPECT_EQ(key.sample, held.table.document(0));
  }
}

// B-17: shared by more than, not by as many.
TEST(SharedKeys, AGroupOfMaxGroupIsCountedAndOneMoreIsCut) {
  for (const std::uint64_t members : {5U, 6U}) {
    Held held(members);
    for (std::uint64_t i = 0; i < members; ++i) held.add(i, 9);
    GroupReport report;
    EXPECT_EQ(held.count(5, report).size(), members == 5 ? 10U : 0U);
    EXPECT_EQ(report.common.keys_cut, members == 5 ? 0U : 1U);
  }
}

TEST(SharedKeys, OfNoDocumentsAreNone) {
  expect_equal("mod(modulus=1)", 3, 1, {{1, 2}, {}}, 1, 1 << 20, 5);
  const SpillFolder spill;
  PartitionedRows<KeyRow> store(spill.options("counted"));
  DocumentTable table(std::vector<std::uint64_t>{}, 0);
  const auto scheme = make_scheme("mod", 0.5);
  KeyGroups groups(spill.options("groups"));
  ASSERT_TRUE(groups.gather(store, table, *scheme.value(), 1000, {}).ok());
  SharedPairStore out(spill.options("pairs"));
  const auto counted = groups.count({}, 0, {}, nullptr, out);
  ASSERT_TRUE(counted.ok());
  EXPECT_EQ(counted.value(), 0U);
}

TEST(SharedKeys, SayWhatAnotherMaxGroupWouldCost) {
  GroupReport report;
  report.sizes = {{2, 10}, {5, 3}, {100, 1}};
  EXPECT_EQ(report.meetings_under(2), 10U);
  EXPECT_EQ(report.meetings_under(5), 10U + 30U);
  EXPECT_EQ(report.meetings_under(0), 10U + 30U + 4950U);
}

}  // namespace
}  // namespace twinset
