#include "text/analyzer.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

TEST(Analyzers, AreFoundByNameAndListedInOrder) {
  const Analyzer* words = find_analyzer("words");
  ASSERT_NE(words, nullptr);
  EXPECT_EQ(words->name(), "words");
  EXPECT_EQ(find_analyzer("Words"), nullptr);
  EXPECT_EQ(find_analyzer(""), nullptr);
  ASSERT_FALSE(analyzers().empty());
  for (std::size_t i = 0; i < analyzers().size(); ++i) {
    EXPECT_EQ(find_analyzer(analyzers()[i]->name()), analyzers()[i]);
    EXPECT_FALSE(analyzers()[i]->summary().empty());
    EXPECT_GE(analyzers()[i]->version(), 1u);
    if (i > 0) {
      EXPECT_LT(analyzers()[i - 1]->name(), analyzers()[i]->name());
    }
  }
}

TEST(Analyzers, LexicalFingerprintIsOfTheTokensInOrder) {
  const Analyzer* words = find_analyzer("words");
  Analysis one, two, three;
  words->analyze("A rose is a rose.", Offsets::drop, one);
  words->analyze("  a ROSE, is; a--rose", Offsets::drop, two);
  words->analyze("a rose is rose a", Offsets::drop, three);
  EXPECT_EQ(one.lexical_fingerprint(), two.lexical_fingerprint());
  EXPECT_NE(one.lexical_fingerprint(), three.lexical_fingerprint());
}

TEST(Analyzers, LexicalFingerprintIsOfLittleEndianBytes) {
  Analysis analysis;
  analysis.tokens = {0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL};
  std::string bytes;
  for (char c = 0; c < 16; ++c) bytes.push_back(c);
  EXPECT_EQ(analysis.lexical_fingerprint(), fingerprint_bytes(bytes));
}

}  // namespace
}  // namespace twinset
