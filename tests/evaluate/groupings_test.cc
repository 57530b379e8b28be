#include "evaluate/groupings.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "evaluate/random.h"

namespace twinset {
namespace {

using Keys = std::vector<std::vector<std::uint64_t>>;
using Edges = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Everything shares one key.
KeyPartners all_together(std::size_t documents) {
  return {Keys(documents, std::vector<std::uint64_t>{1}), 0};
}

/// A pair is accepted in either order.
AcceptPair edges_of(const Edges& edges) {
  return [&edges](std::uint32_t earlier, std::uint32_t later) {
    EXPECT_LT(earlier, later);
    return edges.contains({earlier, later});
  };
}

TEST(Groupings, AChainIsOneComponentAndTwoStars) {
  const Edges chain = {{0, 1}, {1, 2}, {2, 3}};
  const KeyPartners shared = all_together(4);
  EXPECT_EQ(component_clusters(shared, edges_of(chain)), (std::vector<std::uint32_t>{0, 0, 0, 0}));
  EXPECT_EQ(star_clusters(shared, edges_of(chain)), (std::vector<std::uint32_t>{0, 0, 2, 2}));
}

TEST(Groupings, OnlyPairsThatShareAKeyAreAsked) {
  const KeyPartners shared(Keys{{1}, {2}, {1, 2}}, 0);
  const AcceptPair all = [](std::uint32_t, std::uint32_t) { return true; };
  EXPECT_EQ(star_clusters(shared, all), (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(component_clusters(shared, all), (std::vector<std::uint32_t>{0, 0, 0}));
}

TEST(Groupings, EqualTheDefinitions) {
  SeededRandom random(4);
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<std::uint32_t>(1 + random.below(25));
    Edges edges;
    for (std::uint32_t b = 0; b < n; ++b) {
      for (std::uint32_t a = 0; a < b; ++a) {
        if (random.chance(1, 8)) edges.insert({a, b});
      }
    }
    std::vector<std::uint32_t> stars(n);
    for (std::uint32_t b = 0; b < n; ++b) {
      stars[b] = b;
      for (std::uint32_t a = b; a-- > 0;) {
        if (stars[a] == a && edges.contains({a, b})) stars[b] = a;
      }
    }
    std::vector<std::uint32_t> components(n);
    for (std::uint32_t d = 0; d < n; ++d) components[d] = d;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : edges) {
        const std::uint32_t least = std::min(components[a], components[b]);
        changed = changed || components[a] != components[b];
        components[a] = components[b] = least;
      }
    }
    const KeyPartners shared = all_together(n);
    EXPECT_EQ(star_clusters(shared, edges_of(edges)), stars);
    EXPECT_EQ(component_clusters(shared, edges_of(edges)), components);
  }
}

TEST(Groupings, AThousandCopiesCostAThousandQuestions) {
  const KeyPartners shared = all_together(1'000);
  std::size_t asked = 0;
  const AcceptPair all = [&](std::uint32_t, std::uint32_t) { return ++asked > 0; };
  star_clusters(shared, all);
  EXPECT_EQ(asked, 999u);
  asked = 0;
  component_clusters(shared, all);
  EXPECT_EQ(asked, 999u);
}

}  // namespace
}  // namespace twinset
