// Stars led by chosen documents, against the definition.
#include "cluster/lead_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "join/join_testing.h"

namespace twinset {
namespace {

using testing::SpillFolder;

TEST(RanksOf, TiesAreInInputOrder) {
  const std::vector<std::uint64_t> lines{3, 2};
  DocumentTable table(lines, 0);
  table.use_orders();
  const std::vector<std::uint64_t> orders{2, 1, 2, 3, 1};
  for (std::size_t i = 0; i < orders.size(); ++i) table.set_order(i, orders[i]);
  EXPECT_EQ(ranks_of(table), (std::vector<std::uint32_t>{2, 0, 3, 4, 1}));
}

/// Documents, of which some are copies of earlier ones that are none, with pairs of the others.
struct Drawn {
  std::uint32_t documents = 0;
  std::map<std::uint32_t, std::uint32_t> copies;
  std::vector<SharedPair> pairs;  ///< by (a, b)
  std::vector<std::uint32_t> ranks;
};

Drawn draw(std::mt19937_64& random, LinkKind kind) {
  Drawn drawn;
  drawn.documents = static_cast<std::uint32_t>(random() % 24) + 1;
  drawn.ranks.resize(drawn.documents);
  std::iota(drawn.ranks.begin(), drawn.ranks.end(), 0);
  std::ranges::shuffle(drawn.ranks, random);
  std::vector<std::uint32_t> free;
  std::vector<bool> equal(drawn.documents);  // its signature is an earlier one's
  for (std::uint32_t a = 0; a < drawn.documents; ++a) {
    if (!free.empty() && random() % 5 == 0) {
      drawn.copies[a] = free[random() % free.size()];
      continue;
    }
    std::vector<std::uint32_t> others;
    for (const std::uint32_t b : free) {
      if (!equal[b]) others.push_back(b);
    }
    free.push_back(a);
    if (kind == LinkKind::distance && !others.empty() && random() % 6 == 0) {
      equal[a] = true;
      drawn.pairs.push_back({a, others[random() % others.size()], {0, 64, 64}});
      continue;
    }
    for (const std::uint32_t b : others) {
      if (random() % 4 != 0) continue;
      const auto differ = static_cast<std::uint32_t>(random() % 3 + 1);
      drawn.pairs.push_back(
          {a, b, kind == LinkKind::distance ? Overlap{differ, 64, 64} : Overlap{differ + 1, 4, 4}});
    }
  }
  return drawn;
}

/// The lead of each document: in lead order a group of equal documents joins the first lead that
/// it has an edge with, or its own first document leads.
std::vector<std::uint32_t> by_definition(const Drawn& drawn, const PairFloor& threshold) {
  std::vector<std::uint32_t> group(drawn.documents);
  std::iota(group.begin(), group.end(), 0);
  for (const SharedPair& pair : drawn.pairs) {
    if (threshold.equal(pair.keys)) group[pair.a] = pair.b;
  }
  for (const auto& [copy, of] : drawn.copies) group[copy] = group[of];
  const auto first_by_rank = [&](std::uint32_t of) {
    std::uint32_t first = of;
    for (std::uint32_t i = 0; i < drawn.documents; ++i) {
      if (group[i] == of && drawn.ranks[i] < drawn.ranks[first]) first = i;
    }
    return first;
  };
  std::vector<std::uint32_t> groups;
  for (std::uint32_t i = 0; i < drawn.documents; ++i) {
    if (group[i] == i) groups.push_back(i);
  }
  std::ranges::sort(groups, {}, [&](std::uint32_t of) { return drawn.ranks[first_by_rank(of)]; });
  std::map<std::uint32_t, std::uint32_t> lead_of;
  std::vector<std::uint32_t> leading;
  for (const std::uint32_t of : groups) {
    const auto found = std::ranges::find_if(leading, [&](std::uint32_t lead) {
      return std::ranges::any_of(drawn.pairs, [&](const SharedPair& pair) {
        return std::minmax(pair.a, pair.b) == std::minmax(of, lead) &&
               threshold.reached_by(pair.keys);
      });
    });
    const std::uint32_t joined = found == leading.end() ? of : *found;
    if (joined == of) leading.push_back(of);
    lead_of[of] = first_by_rank(joined);
  }
  std::vector<std::uint32_t> leads;
  for (std::uint32_t i = 0; i < drawn.documents; ++i) leads.push_back(lead_of[group[i]]);
  return leads;
}

// S-20: leaders in an order that is chosen, at most so many bits away.
TEST(AddByLead, MakesTheStarsOfTheDefinition) {
  SpillFolder folder;
  std::mt19937_64 random(3);
  for (const LinkKind kind : {LinkKind::keys, LinkKind::distance}) {
    PairFloor threshold{{1, 2}, {}};
    threshold.kind = kind;
    threshold.distance = 2;
    std::uint64_t led_by_others = 0;
    for (int round = 0; round < 3000; ++round) {
      const Drawn drawn = draw(random, kind);
      Clustering clustering(drawn.documents, threshold, ClusterShape::stars);
      for (const auto& [copy, of] : drawn.copies) clustering.fold(copy, of, true);
      const auto give = [&](const UsePair& use) -> Status {
        for (const SharedPair& pair : drawn.pairs) TWINSET_TRY(use(pair));
        return {};
      };
      ASSERT_TRUE(
          add_by_lead(folder.options("led", 1 << 16), give, drawn.ranks, clustering, nullptr).ok());
      const std::vector<std::uint32_t> expected = by_definition(drawn, threshold);
      std::uint64_t edges = 0;
      for (const SharedPair& pair : drawn.pairs) edges += threshold.reached_by(pair.keys) ? 1 : 0;
      EXPECT_EQ(clustering.edges(), edges);
      for (std::uint32_t i = 0; i < drawn.documents; ++i) {
        ASSERT_EQ(clustering.representative(i), expected[i]) << "document " << i;
        led_by_others += expected[i] > i ? 1 : 0;
      }
    }
    EXPECT_GT(led_by_others, 1000U);
  }
}

}  // namespace
}  // namespace twinset
