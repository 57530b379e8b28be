#include "join/documents.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "join/join_testing.h"

namespace twinset {
namespace {

using testing::keep_order_of;
using testing::random_table;

TEST(DocumentTable, IndexesAreLinesOfSourcesInOrder) {
  const std::array<std::uint64_t, 4> lines{3, 0, 1, 2};
  const DocumentTable table(lines, 1);
  ASSERT_EQ(table.size(), 6U);
  EXPECT_EQ(table.sources(), 4U);
  const std::array<DocumentId, 6> expected{DocumentId(0, 1), DocumentId(0, 2), DocumentId(0, 3),
                                           DocumentId(2, 1), DocumentId(3, 1), DocumentId(3, 2)};
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(table.document(i), expected[i]);
    EXPECT_EQ(table.index(expected[i]), i);
  }
  EXPECT_EQ(table.first_index(1), 3U);
  EXPECT_EQ(table.first_index(2), 3U);
  EXPECT_EQ(table.first_index(3), 4U);
  EXPECT_EQ(table.first_index(4), 6U);
  EXPECT_TRUE(table.reference({0, 2}));
  EXPECT_FALSE(table.reference({2, 1}));
}

TEST(DocumentTable, DocumentAndIndexAreInversesForAnySources) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint64_t> lines(random() % 20);
    for (std::uint64_t& count : lines) count = random() % 3 == 0 ? 0 : random() % 40;
    const DocumentTable table(lines, 0);
    DocumentId before;
    for (std::uint64_t i = 0; i < table.size(); ++i) {
      const DocumentId document = table.document(i);
      EXPECT_LT(before, document);
      EXPECT_LE(document.record(), lines[document.source()]);
      EXPECT_EQ(table.index(document), i);
      before = document;
    }
  }
}

TEST(DocumentTable, AllAreKeptAtFirstAndStandingsComeBack) {
  const std::array<std::uint64_t, 1> lines{8};
  DocumentTable table(lines, 0);
  for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQ(table.standing(i).fate, Fate::kept);
  constexpr std::uint64_t largest = (std::uint64_t{1} << 60) - 1;
  for (const std::uint64_t other : {std::uint64_t{0}, std::uint64_t{6}, largest}) {
    for (unsigned fate = 0; fate <= static_cast<unsigned>(Fate::contained); ++fate) {
      table.set(fate, {static_cast<Fate>(fate), other});
    }
    for (unsigned fate = 0; fate <= static_cast<unsigned>(Fate::contained); ++fate) {
      EXPECT_EQ(table.standing(fate).fate, static_cast<Fate>(fate));
      EXPECT_EQ(table.standing(fate).other, other);
    }
  }
}

TEST(DocumentTable, FoldedAndJudgedOutPartTheFates) {
  for (const Fate fate : {Fate::kept, Fate::absent, Fate::bad, Fate::filtered}) {
    EXPECT_FALSE((Standing{fate, 0}.folded()));
    EXPECT_FALSE((Standing{fate, 0}.judged_out()));
  }
  for (const Fate fate : {Fate::identical, Fate::lexical}) {
    EXPECT_TRUE((Standing{fate, 0}.folded()));
    EXPECT_FALSE((Standing{fate, 0}.judged_out()));
  }
  for (const Fate fate : {Fate::near, Fate::contained}) {
    EXPECT_FALSE((Standing{fate, 0}.folded()));
    EXPECT_TRUE((Standing{fate, 0}.judged_out()));
  }
}

TEST(DocumentTable, KeepOrderIsInputOrderUntilOrdersAreUsed) {
  const std::array<std::uint64_t, 3> lines{2, 3, 1};
  DocumentTable table(lines, 1);
  EXPECT_EQ(keep_order_of(table), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
  table.use_orders();
  EXPECT_EQ(keep_order_of(table), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
  table.set_order(2, 9);
  table.set_order(3, 1);
  table.set_order(4, 9);
  table.set_order(5, 1);
  EXPECT_EQ(keep_order_of(table), (std::vector<std::uint64_t>{0, 1, 3, 5, 2, 4}));
  EXPECT_EQ(table.place({1, 1}), table.place_at(2));
  EXPECT_EQ(table.place({1, 1}).order, 9U);
}

TEST(DocumentTable, TakesTheBytesItSays) {
  EXPECT_EQ(DocumentTable::bytes_needed(1000, false), 8000U);
  EXPECT_EQ(DocumentTable::bytes_needed(1000, true), 16000U);
}

}  // namespace
}  // namespace twinset
