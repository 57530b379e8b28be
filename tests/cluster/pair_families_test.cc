#include "cluster/pair_families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "join/join_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(PairFamilies, PutThePairsOfConnectedDocumentsTogether) {
  const SpillFolder spill;
  SharedPairStore pairs(spill.options("pairs"));
  // Two families whose members alternate, and one of two documents; 9 is in no pair.
  for (const auto& [a, b] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {2, 0}, {3, 1}, {4, 2}, {5, 3}, {6, 0}, {6, 4}, {7, 1}, {8, 10}}) {
    ASSERT_TRUE(pairs.append({std::max(a, b), std::min(a, b), {1, 2, 3}}).ok());
  }
  ASSERT_TRUE(pairs.seal().ok());
  Result<PairFamilies> families = PairFamilies::of(pairs, 11, spill.options("families"));
  ASSERT_TRUE(families.ok()) << families.error().message;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  const auto cursor = families.value().pairs().read();
  ASSERT_TRUE(cursor.ok());
  for (;;) {
    const auto row = cursor.value()->next();
    ASSERT_TRUE(row.ok());
    if (row.value() == nullptr) break;
    const SharedPair pair = families.value().pair(*row.value());
    found.emplace_back(pair.a, pair.b);
  }
  EXPECT_EQ(found, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{
                       {2, 0}, {4, 2}, {6, 0}, {6, 4}, {3, 1}, {5, 3}, {7, 1}, {10, 8}}));
  EXPECT_TRUE(families.value().same(6, 0));
  EXPECT_FALSE(families.value().same(6, 1));
}

}  // namespace
}  // namespace twinset
