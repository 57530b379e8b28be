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
    found.emplace_back(families.value().document(row.value()->a),
                       families.value().document(row.value()->b));
  }
  EXPECT_EQ(found, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{
                       {2, 0}, {4, 2}, {6, 0}, {6, 4}, {3, 1}, {5, 3}, {7, 1}, {10, 8}}));
  // The places of 0, 2, 4, 6, of 1, 3, 5, 7, and of 8 and 10.
  EXPECT_TRUE(families.value().same(0, 3));
  EXPECT_FALSE(families.value().same(3, 4));
  EXPECT_TRUE(families.value().same(9, 8));
}

}  // namespace
}  // namespace twinset
