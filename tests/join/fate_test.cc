#include "join/fate.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(Fate, RemovedOnesHaveTheNamesOfTheRemovedFile) {
  EXPECT_STREQ(fate_name(Fate::identical), "identical");
  EXPECT_STREQ(fate_name(Fate::lexical), "lexical");
  EXPECT_STREQ(fate_name(Fate::near), "near");
  EXPECT_STREQ(fate_name(Fate::contained), "contained");
  EXPECT_STREQ(fate_name(Fate::bad), "quarantined");
}

TEST(Fate, TheOnesInTheListAreRemovedAndThreeAreCopies) {
  std::size_t removed = 0, copies = 0;
  for (std::size_t i = 0; i < fate_names.size(); ++i) {
    removed += is_removed(static_cast<Fate>(i)) ? 1 : 0;
    copies += is_copy(static_cast<Fate>(i)) ? 1 : 0;
  }
  EXPECT_EQ(removed, removed_fates.size() + 1) << "copies by shingles are of cluster alone";
  EXPECT_EQ(copies, 3U);
  EXPECT_EQ(fate_of(kind_of(Fate::shingles)), Fate::shingles);
  for (const Fate fate : removed_fates) EXPECT_TRUE(is_removed(fate));
}

}  // namespace
}  // namespace twinset
