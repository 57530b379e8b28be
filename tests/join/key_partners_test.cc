#include "join/key_partners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "evaluate/random.h"

namespace twinset {
namespace {

using Keys = std::vector<std::vector<std::uint64_t>>;

std::vector<std::uint32_t> sorted(std::span<const std::uint32_t> partners) {
  std::vector<std::uint32_t> out(partners.begin(), partners.end());
  std::sort(out.begin(), out.end());
  return out;
}

/// By the definition: every key of every document before, without keys in too many documents.
std::vector<std::uint32_t> slow_partners(const Keys& keys, std::uint32_t document,
                                         std::uint64_t max_group) {
  std::map<std::uint64_t, std::set<std::uint32_t>> holders;
  for (std::uint32_t d = 0; d < keys.size(); ++d) {
    for (const std::uint64_t key : keys[d]) holders[key].insert(d);
  }
  std::set<std::uint32_t> out;
  for (const std::uint64_t key : keys[document]) {
    if (max_group != 0 && holders[key].size() > max_group) continue;
    for (const std::uint32_t d : holders[key]) {
      if (d < document) out.insert(d);
    }
  }
  return {out.begin(), out.end()};
}

TEST(KeyPartners, EqualsTheDefinition) {
  SeededRandom random(3);
  for (const std::uint64_t max_group : {0u, 1u, 3u, 10u}) {
    for (int round = 0; round < 50; ++round) {
      Keys keys(1 + random.below(30));
      for (auto& of_one : keys) {
        of_one.resize(random.below(8));
        for (std::uint64_t& key : of_one) key = random.below(25) * 0x123456789ULL;
      }
      const KeyPartners shared(keys, max_group);
      ASSERT_EQ(shared.documents(), keys.size());
      PartnerReader partners(shared);
      for (std::uint32_t d = 0; d < keys.size(); ++d) {
        EXPECT_EQ(sorted(partners.before(d)), slow_partners(keys, d, max_group));
      }
      // Asked again, out of order and twice: the same.
      const auto last = static_cast<std::uint32_t>(keys.size() - 1);
      for (const std::uint32_t d : {0u, last, last}) {
        EXPECT_EQ(sorted(partners.before(d)), slow_partners(keys, d, max_group));
      }
    }
  }
}

TEST(KeyPartners, CountsWhatItLeavesOut) {
  const Keys keys = {{1, 2}, {1, 2}, {1, 3}, {}};
  EXPECT_EQ(KeyPartners(keys, 2).common_keys(), 1u);
  EXPECT_EQ(KeyPartners(keys, 0).common_keys(), 0u);
  EXPECT_EQ(KeyPartners({}, 0).documents(), 0u);
  // Only counted keys are left out.
  EXPECT_EQ(KeyPartners(*make_scheme("mod", 0.8).value(), keys, 2).common_keys(), 1u);
  EXPECT_EQ(KeyPartners(*make_scheme("fss", 0.8).value(), keys, 2).common_keys(), 0u);
}

}  // namespace
}  // namespace twinset
