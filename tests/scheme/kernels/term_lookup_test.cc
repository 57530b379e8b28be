#include "scheme/kernels/term_lookup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace twinset {
namespace {

// Against a map and a set, with terms and tokens that often share places, and with 0.
TEST(TermLookup, FindsEachTermOnce) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> scratch;
  for (int round = 0; round < 400; ++round) {
    const unsigned bits = 3 + round % 20;
    const auto draw = [&] { return random() % 3 == 0 ? random() : random() >> (64 - bits); };
    std::map<std::uint64_t, std::uint32_t> numbers;
    std::vector<MaskedTerm> terms;
    for (std::uint64_t i = random() % 3000; i > 0; --i) {
      const auto number = static_cast<std::uint32_t>(terms.size());
      const std::uint64_t hash = draw();
      terms.push_back({hash, 1 + number % 7, number});
      numbers.emplace(hash, number);
    }
    const TermLookup lookup(terms, random());
    std::vector<std::uint64_t> tokens(random() % 6000);
    for (std::uint64_t& token : tokens) token = draw();
    const std::set<std::uint64_t> distinct(tokens.begin(), tokens.end());
    std::map<std::uint64_t, std::uint32_t> expected;
    for (const std::uint64_t token : distinct) {
      if (numbers.contains(token)) expected.emplace(token, numbers[token]);
    }
    std::vector<std::uint64_t> in_order;
    for (std::set<std::uint64_t> seen; const std::uint64_t token : tokens) {
      if (seen.insert(token).second) in_order.push_back(token);
    }
    const std::span<const std::uint64_t> different = lookup.distinct(tokens, scratch);
    ASSERT_TRUE(std::ranges::equal(different, in_order));
    std::map<std::uint64_t, std::uint32_t> found;
    lookup.for_each_known(different, [&](const MaskedTerm& term) {
      EXPECT_TRUE(found.emplace(term.hash, term.number).second) << "twice";
      EXPECT_EQ(term.mask, 1 + term.number % 7);
    });
    ASSERT_EQ(found, expected);
  }
}

TEST(TermLookup, NoTermsAndNoTokensAreFine) {
  std::vector<std::uint64_t> scratch;
  const TermLookup none({}, 5);
  const std::vector<std::uint64_t> tokens{0, 1, 0, 2};
  const std::span<const std::uint64_t> different = none.distinct(tokens, scratch);
  EXPECT_TRUE(std::ranges::equal(different, std::vector<std::uint64_t>{0, 1, 2}));
  none.for_each_known(different, [](const MaskedTerm&) { FAIL(); });
  EXPECT_TRUE(none.distinct({}, scratch).empty());
  const std::vector<MaskedTerm> zero{{0, 1, 0}};
  int found = 0;
  const TermLookup one(zero, 5);
  one.for_each_known({}, [&](const MaskedTerm&) { ++found; });
  one.for_each_known(one.distinct(tokens, scratch), [&](const MaskedTerm&) { ++found; });
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace twinset
