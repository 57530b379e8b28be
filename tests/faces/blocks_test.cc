#include "faces/blocks.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "words/documents.h"

namespace twinset {
namespace {

TEST(Blocks, AReplacementShowsAThenB) {
  const Passages found =
      find_passages(words_of("a b c d X e f g h"), words_of("a b c d Y Z e f g h"), 3);
  const std::vector<Block> order = blocks(found);
  ASSERT_EQ(order.size(), 4u);
  EXPECT_EQ(order[0].kind, BlockKind::same);
  EXPECT_EQ(order[1].kind, BlockKind::only_a);
  EXPECT_EQ(order[2].kind, BlockKind::only_b);
  EXPECT_EQ(order[3].kind, BlockKind::same);
}

TEST(Blocks, AMovedPassageLeavesOnePlaceAndComesToAnother) {
  const std::string one = counted_words(0, 10), two = counted_words(50, 30);
  const Passages found = find_passages(words_of(one + ' ' + two), words_of(two + ' ' + one), 5);
  const std::vector<Block> order = blocks(found);
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(order[0].kind, BlockKind::away);
  EXPECT_EQ(order[1].kind, BlockKind::same);
  EXPECT_EQ(order[2].kind, BlockKind::here);
}

TEST(Blocks, EveryPassageStandsOnceInItsOwnOrder) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    std::string a, b;
    for (std::size_t i = 0, n = random() % 80; i < n; ++i) a += std::to_string(random() % 6) + ' ';
    for (std::size_t i = 0, n = random() % 80; i < n; ++i) b += std::to_string(random() % 6) + ' ';
    const Passages found = find_passages(words_of(a), words_of(b), 2);
    std::size_t next_a = 0, next_b = 0;
    for (const Block& block : blocks(found)) {
      const bool has_a = block.kind == BlockKind::same || block.kind == BlockKind::only_a ||
                         block.kind == BlockKind::away;
      const bool has_b = !has_a || block.kind == BlockKind::same;
      if (has_a) {
        ASSERT_EQ(block.a, next_a++);
      }
      if (has_b) {
        ASSERT_EQ(block.b, next_b++);
      }
      if (block.kind == BlockKind::same) {
        ASSERT_EQ(found.a[block.a].match, found.b[block.b].match);
      }
      if (block.kind == BlockKind::only_a) {
        ASSERT_FALSE(found.a[block.a].shared);
      }
      if (block.kind == BlockKind::here) {
        ASSERT_TRUE(found.b[block.b].shared);
      }
    }
    ASSERT_EQ(next_a, found.a.size());
    ASSERT_EQ(next_b, found.b.size());
  }
}

TEST(Excerpts, LongSharedPassagesAreCutToTheirEnds) {
  const std::string a = counted_words(0, 100);
  const Passage passage = find_passages(words_of(a), words_of(a), 5, 3).a[0];
  const Excerpt both = excerpt(a, passage, Ends::both);
  EXPECT_TRUE(both.cut);
  EXPECT_EQ(both.head, "w0 w1 w2");
  EXPECT_EQ(both.tail, "w97 w98 w99");
  EXPECT_EQ(both.hidden_tokens, 94u);
  EXPECT_EQ(both.hidden_bytes, a.size() - both.head.size() - both.tail.size());
  EXPECT_EQ(excerpt(a, passage, Ends::head).tail, "");
  EXPECT_EQ(excerpt(a, passage, Ends::head).hidden_tokens, 97u);
  EXPECT_EQ(excerpt(a, passage, Ends::tail).head, "");
}

TEST(Excerpts, AFewWordsAreNotWorthACut) {
  const std::string a = counted_words(0, 13);
  const Passage passage = find_passages(words_of(a), words_of(a), 5, 3).a[0];
  const Excerpt shown = excerpt(a, passage, Ends::both);  // 13 - 6 = 7 would be hidden
  EXPECT_FALSE(shown.cut);
  EXPECT_EQ(shown.head, a);
}

TEST(Excerpts, EndlessWordsAreCutByBytes) {
  const std::string a = std::string(1'000'000, 'x') + " b c";
  const Passage passage = find_passages(words_of(a), words_of(a), 2).a[0];
  for (const Ends ends : {Ends::both, Ends::head, Ends::tail}) {
    const Excerpt shown = excerpt(a, passage, ends);
    EXPECT_TRUE(shown.cut);
    EXPECT_EQ(shown.hidden_tokens, 0u);
    EXPECT_LE(shown.head.size() + shown.tail.size(), 2 * most_context_bytes);
    EXPECT_EQ(shown.hidden_bytes + shown.head.size() + shown.tail.size(), a.size());
  }
}

}  // namespace
}  // namespace twinset
