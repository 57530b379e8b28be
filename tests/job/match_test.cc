#include "job/match.h"

#include <array>

#include "gtest/gtest.h"

namespace twinset {
namespace {

/// 0 kept; 1 near 0; 2 a copy of 1; 3 a copy of 0; 4 filtered.
DocumentTable small_table() {
  const std::array<std::uint64_t, 1> lines{5};
  DocumentTable table(lines, 0);
  table.set(1, {Fate::near, 0});
  table.set(2, {Fate::identical, 1});
  table.set(3, {Fate::lexical, 0});
  table.set(4, {Fate::filtered, 0});
  return table;
}

TEST(Match, ACopyOfARemovedDocumentHasItsSurvivorAndFate) {
  const DocumentTable table = small_table();
  EXPECT_EQ(final_survivor(table, 2), 0U);
  EXPECT_EQ(final_fate(table, 2), Fate::near);
  EXPECT_EQ(final_survivor(table, 1), 0U);
}

TEST(Match, ACopyOfAKeptDocumentIsACopy) {
  const DocumentTable table = small_table();
  EXPECT_EQ(final_survivor(table, 3), 0U);
  EXPECT_EQ(final_fate(table, 3), Fate::lexical);
  EXPECT_EQ(final_survivor(table, 0), 0U);
  EXPECT_EQ(final_fate(table, 4), Fate::filtered);
}

}  // namespace
}  // namespace twinset
