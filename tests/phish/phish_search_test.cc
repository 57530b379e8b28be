#include "phish/phish_search.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

PhishPage page(std::uint64_t labeled, std::uint64_t chunks, std::string url = "u",
               std::uint64_t record = 1) {
  PhishPage made;
  made.labeled = labeled;
  made.chunks = chunks;
  made.url = std::move(url);
  made.record = record;
  return made;
}

TEST(LikerImitation, ByShareThenPartsThenPlace) {
  const std::vector<PhishPage> ranked = {page(4, 4),         page(1, 1),         page(2, 3, "a"),
                                         page(2, 3, "b", 1), page(2, 3, "b", 2), page(1, 3)};
  const LikerImitation before;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    for (std::size_t j = 0; j < ranked.size(); ++j) {
      EXPECT_EQ(before(ranked[i], ranked[j]), i < j) << i << " " << j;
    }
  }
  // Shares are compared as integers.
  const std::uint64_t large = std::uint64_t{1} << 60;
  EXPECT_TRUE(before(page(large, large + 1), page(large - 1, large)));
  EXPECT_FALSE(before(page(large - 1, large), page(large, large + 1)));
}

}  // namespace
}  // namespace twinset
