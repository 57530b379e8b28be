#include "evaluate/truth.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

// 6 shingles shared by sets of 8 and 10: resemblance 6/12, containment 6/8 and 6/10.
constexpr ExactPair pair{2, 5, 6, 8, 10};

TEST(Truth, ResemblanceIsOfTheUnion) {
  EXPECT_EQ(resemblance_truth({1, 2})->value(pair).value(), 0.5);
  EXPECT_TRUE(resemblance_truth({1, 2})->due(pair));
  EXPECT_FALSE(resemblance_truth({500'001, 1'000'000})->due(pair));
}

TEST(Truth, ContainmentIsOfEitherOrOfTheRemovedDocument) {
  EXPECT_EQ(containment_truth({3, 4})->value(pair).value(), 0.75);
  EXPECT_TRUE(containment_truth({3, 4})->due(pair));
  EXPECT_FALSE(removal_truth({3, 4})->due(pair));
  EXPECT_EQ(removal_truth({3, 4})->value(pair).value(), 0.6);
  EXPECT_TRUE(removal_truth({3, 5})->due(pair));
  EXPECT_TRUE(removal_truth({3, 4})->due({5, 2, 6, 10, 8}));
}

TEST(Truth, LabelsAreEqualOrNotOrUnknown) {
  const auto truth = label_truth({1, 1, 2, no_label, no_label, 2});
  EXPECT_TRUE(truth->due(pair));
  EXPECT_FALSE(truth->due({1, 2, 6, 8, 10}));
  EXPECT_TRUE(truth->value({1, 2, 6, 8, 10}).known());
  EXPECT_FALSE(truth->value({3, 4, 6, 8, 10}).known());
  EXPECT_FALSE(truth->due({3, 4, 6, 8, 10}));
  EXPECT_FALSE(truth->value({0, 3, 6, 8, 10}).known());
}

TEST(Truth, DocumentsWithoutShinglesAreNeverDue) {
  EXPECT_FALSE(resemblance_truth({0, 1})->due({0, 1, 0, 0, 0}));
  EXPECT_FALSE(containment_truth({0, 1})->due({0, 1, 0, 0, 0}));
  EXPECT_FALSE(removal_truth({0, 1})->due({0, 1, 0, 0, 0}));
}

}  // namespace
}  // namespace twinset
