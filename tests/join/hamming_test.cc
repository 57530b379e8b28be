// The Hamming join against every two signatures (S-18), and its pairs of documents against the
// definition, whatever the memory, the threads and the order of the rows.
#include "join/hamming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "base/cpu.h"
#include "join/join_testing.h"
#include "text/text_samples.h"

namespace twinset {
namespace {

using testing::all_rows;
using testing::random_table;
using testing::SpillFolder;

/// Signatures of families: each a center with up to nine bits changed; others are random.
template <std::size_t Words>
std::vector<Signature<Words>> planted(std::size_t count, std::uint64_t families,
                                      std::mt19937_64& random) {
  std::vector<Signature<Words>> centers(families);
  const auto fill = [&](Signature<Words>& signature) {
    for (auto& word : signature) word = random();
  };
  std::ranges::for_each(centers, fill);
  std::vector<Signature<Words>> made(count);
  for (auto& signature : made) {
    if (random() % 2 == 0) {
      fill(signature);
      continue;
    }
    signature = centers[random() % families];
    for (std::uint64_t bits = random() % 10; bits > 0; --bits) {
      const std::uint64_t at = random() % (64 * Words);
      signature[at / 64] ^= std::uint64_t{1} << at % 64;
    }
  }
  return made;
}

/// All pairs of distinct signatures within max_join_distance, with their distances.
using FarPair = std::tuple<unsigned, std::uint32_t, std::uint32_t>;
template <std::size_t Words>
std::vector<FarPair> every_two(std::span<const Signature<Words>> distinct) {
  std::vector<FarPair> pairs;
  std::vector<std::uint64_t> near(distinct.size());
  for (std::uint32_t i = 0; i < distinct.size(); ++i) {
    std::size_t count = 0;
    if constexpr (Words == 1) {
      count = select_near(distinct[i][0], distinct.subspan(i + 1), max_join_distance, near.data(),
                          simd_level());
    } else {
      for (std::size_t j = i + 1; j < distinct.size(); ++j) {
        near[count] = j - i - 1;
        count += differing_bits<Words>(distinct[i], distinct[j]) <= max_join_distance ? 1 : 0;
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      const auto j = static_cast<std::uint32_t>(i + 1 + near[k]);
      pairs.emplace_back(differing_bits<Words>(distinct[i], distinct[j]), i, j);
    }
  }
  std::ranges::sort(pairs);
  return pairs;
}

template <std::size_t Words>
void expect_every_pair(std::size_t count) {
  std::mt19937_64 random(5);
  std::vector<Signature<Words>> distinct = planted<Words>(count, count / 20, random);
  // A bucket that is much larger than the others.
  for (std::size_t i = 0; i < count / 50; ++i) distinct[i][0] |= UINT64_MAX << 24;
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const std::vector<FarPair> all = every_two<Words>(distinct);
  ASSERT_GT(all.size(), count / 10);
  for (unsigned distance = 0; distance <= max_join_distance; ++distance) {
    const SpillFolder spill(1 + distance % 3);
    const HammingPlan plan = plan_tables<Words>(distinct, distance);
    std::mutex mutex;
    std::vector<NearPair> found;
    ASSERT_TRUE(near_pairs<Words>(spill.context(), distinct, plan, [&](auto pairs) {
                  const std::lock_guard lock(mutex);
                  found.insert(found.end(), pairs.begin(), pairs.end());
                  return Status();
                }).ok());
    std::ranges::sort(found);
    std::vector<NearPair> expected;
    for (const auto& [far, a, b] : all) {
      if (far <= distance) expected.push_back({a, b});
    }
    std::ranges::sort(expected);
    ASSERT_EQ(found.size(), expected.size()) << "distance " << distance;
    EXPECT_TRUE(found == expected) << "distance " << distance;
  }
}

TEST(Hamming, S18FindsEveryPairOf64BitsAtDistances0To7) {
#ifdef __OPTIMIZE__
  expect_every_pair<1>(sanitized ? 20'000 : 100'000);
#else
  expect_every_pair<1>(5'000);
#endif
}
TEST(Hamming, S18FindsEveryPairOf128BitsAtDistances0To7) { expect_every_pair<2>(10'000); }

/// The pairs that near_documents() defines, by comparing every two.
template <std::size_t Words>
std::set<Pair> expected_pairs(const std::vector<SignatureRow<Words>>& rows,
                              const DocumentTable& table, unsigned distance) {
  std::map<Signature<Words>, std::set<Place>> places;
  for (const auto& row : rows) places[row.signature].insert(row.place);
  std::set<Pair> pairs;
  const auto add = [&](const Place& a, const Place& b) {
    const Pair pair{std::max(a, b), std::min(a, b)};
    if (!table.reference(pair.later.document)) pairs.insert(pair);
  };
  for (const auto& [signature, equal] : places) {
    for (const Place& place : equal) {
      if (place != *equal.begin()) add(place, *equal.begin());
    }
    for (const auto& [other, others] : places) {
      if (other == signature) break;
      if (differing_bits<Words>(signature, other) <= distance) {
        add(*equal.begin(), *others.begin());
      }
    }
  }
  return pairs;
}

template <std::size_t Words>
void expect_pairs_of_documents() {
  std::mt19937_64 random(6);
  for (int round = 0; round < 12; ++round) {
    const std::array<std::uint64_t, 3> lines{random() % 60, random() % 300, 1 + random() % 300};
    const DocumentTable table = random_table(lines, random() % 2, random() % 3 * 40, random);
    const auto made = planted<Words>(table.size(), 1 + random() % 40, random);
    std::vector<SignatureRow<Words>> rows;
    for (std::uint64_t i = 0; i < table.size(); ++i) {
      if (random() % 9 != 0) rows.push_back({made[i], table.place_at(i)});
    }
    for (const unsigned distance : {0U, 1U, 3U, 6U}) {
      const std::set<Pair> expected = expected_pairs(rows, table, distance);
      for (const auto& [threads, memory] :
           {std::pair{1U, 1U << 24}, {2U, 0U}, {3U, 1U << 24}, {1U, 4000U}}) {
        const SpillFolder spill(threads);
        SignatureRows<Words> store(spill.options("signatures", memory));
        std::ranges::shuffle(rows, random);
        ASSERT_TRUE(store.append(rows).ok());
        ASSERT_TRUE(store.seal().ok());
        PairStore out(spill.options("pairs"));
        const auto joined = near_documents<Words>(
            store, table, distance, [](const HammingPlan&) { return Status(); },
            spill.options("join", memory), out);
        ASSERT_TRUE(joined.ok());
        EXPECT_EQ(joined.value().signatures, rows.size());
        ASSERT_TRUE(out.seal().ok());
        const std::vector<Pair> found = all_rows(out.read());
        ASSERT_EQ(found.size(), expected.size());
        ASSERT_TRUE(std::ranges::equal(found, expected)) << "round " << round;
      }
    }
  }
}

TEST(Hamming, PairsOf64BitsAreTheDefinitionWhateverTheMemoryAndTheThreads) {
  expect_pairs_of_documents<1>();
}
TEST(Hamming, PairsOf128BitsAreTheDefinitionWhateverTheMemoryAndTheThreads) {
  expect_pairs_of_documents<2>();
}

// A million equal fingerprints cost a million pairs.
TEST(Hamming, EqualSignaturesAreFoldedFirst) {
  const std::uint64_t count = sanitized ? 100'000 : 1'000'000;
  const std::array<std::uint64_t, 1> lines{count};
  const DocumentTable table(lines, 0);
  const SpillFolder spill(2);
  SignatureRows<1> store(spill.options("signatures", 64 << 20));
  for (std::uint64_t i = 0; i < count; ++i) {
    ASSERT_TRUE(store.append({{i == 7 ? 3U : 1U}, table.place_at(i)}).ok());
  }
  ASSERT_TRUE(store.seal().ok());
  PairStore out(spill.options("pairs", 64 << 20));
  const auto joined = near_documents<1>(
      store, table, 3, [](const HammingPlan&) { return Status(); }, spill.options("join"), out);
  ASSERT_TRUE(joined.ok());
  EXPECT_EQ(joined.value().distinct, 2U);
  EXPECT_EQ(out.rows_added(), count - 1);
}

TEST(Hamming, AGuardRefusesBeforeAnythingIsCompared) {
  std::mt19937_64 random(7);
  const std::array<std::uint64_t, 1> lines{5000};
  const DocumentTable table(lines, 0);
  const SpillFolder spill;
  SignatureRows<1> store(spill.options("signatures"));
  for (std::uint64_t i = 0; i < 5000; ++i) {
    ASSERT_TRUE(store.append({{random() % (1 << 20)}, table.place_at(i)}).ok());
  }
  ASSERT_TRUE(store.seal().ok());
  PairStore out(spill.options("pairs"));
  const auto joined = near_documents<1>(
      store, table, 3,
      [](const HammingPlan& plan) {
        return plan.meetings > 1e6 ? usage_error("too many") : Status();
      },
      spill.options("join"), out);
  ASSERT_FALSE(joined.ok());
  EXPECT_EQ(joined.error().code, ErrorCode::usage);
}

TEST(Hamming, AStopIsHeard) {
  std::mt19937_64 random(8);
  SpillFolder spill(2);
  std::atomic<bool> cancel = true;
  spill.context().cancel = &cancel;
  std::vector<Signature<1>> distinct = planted<1>(1000, 10, random);
  std::ranges::sort(distinct);
  const Status done = near_pairs<1>(spill.context(), distinct, plan_tables<1>(distinct, 3),
                                    [](auto) { return Status(); });
  EXPECT_EQ(done.error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace twinset
