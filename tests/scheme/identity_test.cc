#include "scheme/identity.h"

#include <gtest/gtest.h>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

struct Identities {
  Fingerprint identical;
  Fingerprint lexical;
  Fingerprint shingle_set;
};

Identities identities_of(std::string_view text, unsigned width = 2) {
  Analysis analysis;
  find_analyzer("words")->analyze(text, Offsets::drop, analysis);
  Shingles shingles;
  shingle(analysis.tokens, width, shingles);
  std::vector<std::uint64_t> scratch{1, 2, 3};
  return {identical_fingerprint(text), lexical_fingerprint(text, analysis),
          shingle_set_fingerprint(text, shingles, scratch)};
}

TEST(Identity, CaseAndSpaceAreNotLexical) {
  const Identities a = identities_of("A rose is  a ROSE.");
  const Identities b = identities_of("a rose is a rose");
  EXPECT_NE(a.identical, b.identical);
  EXPECT_EQ(a.lexical, b.lexical);
  EXPECT_EQ(a.shingle_set, b.shingle_set);
}

TEST(Identity, RepeatsAreNotInTheSetOfShingles) {
  const Identities a = identities_of("a rose is a rose is a rose");
  const Identities b = identities_of("a rose is a rose");
  EXPECT_NE(a.lexical, b.lexical);
  EXPECT_EQ(a.shingle_set, b.shingle_set);  // {a rose, rose is, is a}
  EXPECT_NE(a.shingle_set, identities_of("a rose was a rose").shingle_set);
}

TEST(Identity, WithoutTokensOnlyEqualBytesAreEqual) {
  const Identities a = identities_of("!?");
  const Identities b = identities_of("?!");
  const Identities c = identities_of("");
  EXPECT_NE(a.lexical, b.lexical);
  EXPECT_NE(a.shingle_set, b.shingle_set);
  EXPECT_NE(a.lexical, c.lexical);
  EXPECT_EQ(a.lexical, identities_of("!?").lexical);
  EXPECT_EQ(a.shingle_set, identities_of("!?").shingle_set);
  EXPECT_EQ(c.lexical, identities_of("").lexical);
  EXPECT_NE(a.lexical, a.identical);
}

// B-18: each identity implies the next, for every pair of many short texts of a
// small vocabulary, where all three kinds of equality are common.
TEST(Identity, IdenticalIsLexicalIsShingleEquivalent) {
  std::vector<Identities> all;
  const std::vector<std::string> words{"a", "A", "b", " ", "  ", "."};
  for (std::uint64_t number = 0; number < 600; ++number) {
    std::string text;
    std::uint64_t draw = mix64(number / 2 + 1);  // every text twice
    for (std::uint64_t i = mix64(number / 2) % 7; i > 0; --i, draw /= words.size()) {
      text += words[draw % words.size()] + (draw % 2 == 0 ? " " : ",");
    }
    all.push_back(identities_of(text));
  }
  int identical = 0;
  int only_lexical = 0;
  int only_shingle_set = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool bytes = all[i].identical == all[j].identical;
      const bool tokens = all[i].lexical == all[j].lexical;
      const bool sets = all[i].shingle_set == all[j].shingle_set;
      ASSERT_LE(bytes, tokens);
      ASSERT_LE(tokens, sets);
      identical += bytes ? 1 : 0;
      only_lexical += tokens && !bytes ? 1 : 0;
      only_shingle_set += sets && !tokens ? 1 : 0;
    }
  }
  EXPECT_GE(identical, 300);
  EXPECT_GE(only_lexical, 100);
  EXPECT_GE(only_shingle_set, 100);
}

}  // namespace
}  // namespace twinset
