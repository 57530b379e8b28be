#include "spans/span_facts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace twinset {
namespace {

TEST(SpanFacts, KeepThePairsThatShareMost) {
  SpanFacts facts;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    ASSERT_TRUE(
        facts.add({DocumentId(i % 2, i), DocumentId(1, i + 1), 2, 1000 + i * 7 % 200, 9}).ok());
  }
  // Within one text: counted, but no pair to show.
  ASSERT_TRUE(facts.add({DocumentId(1, 5), DocumentId(1, 5), 1, 100'000, 9}).ok());
  ASSERT_EQ(facts.most_shared().size(), 60U);
  EXPECT_TRUE(std::is_sorted(facts.most_shared().begin(), facts.most_shared().end(),
                             [](const auto& x, const auto& y) { return x.tokens > y.tokens; }));
  EXPECT_EQ(facts.most_shared().front().tokens, 1199U);
  EXPECT_EQ(facts.sources().at({0, 1}).text_pairs, 100U);
  EXPECT_EQ(facts.sources().at({1, 1}).spans, 201U);
  facts.add_text({4, 10, 20});
  facts.add_text({3, 50, 60});
  EXPECT_EQ(facts.most_reused().front().index, 3U);
}

}  // namespace
}  // namespace twinset
