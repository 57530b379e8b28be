// tests src/text/analyzers/features.cc. tests/io/feature_list_test.cc tests that readers accept
// only lists of features.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "text/analyzer.h"

namespace twinset {
namespace {

Analysis analyzed(std::string_view text) {
  Analysis analysis;
  find_analyzer("features")->analyze(text, Offsets::keep, analysis);
  return analysis;
}

std::vector<std::uint64_t> tokens_of(std::string_view text) { return analyzed(text).tokens; }

std::string token_text(std::string_view text, std::size_t token = 0) {
  std::string out;
  find_analyzer("features")->append_token(text, analyzed(text).offsets.at(token), out);
  return out;
}

TEST(Features, EachElementIsATokenWhereItStands) {
  const std::string text = " [ 17,-4 ,\"a, ]\\\"b\" ,\n12345678901234567890123 ] ";
  const Analysis analysis = analyzed(text);
  ASSERT_EQ(analysis.tokens.size(), 4U);
  const std::vector<std::string> covered{"17", "-4", "\"a, ]\\\"b\"", "12345678901234567890123"};
  for (std::size_t i = 0; i < covered.size(); ++i) {
    const TokenOffsets offsets = analysis.offsets[i];
    EXPECT_EQ(text.substr(offsets.begin, offsets.end - offsets.begin), covered[i]);
  }
  EXPECT_EQ(token_text(text, 2), "a, ]\"b");
  EXPECT_EQ(token_text(text, 1), "-4");
  Analysis dropped;
  find_analyzer("features")->analyze(text, Offsets::drop, dropped);
  EXPECT_EQ(dropped.tokens, analysis.tokens);
  EXPECT_TRUE(dropped.offsets.empty());
  EXPECT_TRUE(tokens_of("[]").empty());
  EXPECT_TRUE(tokens_of("").empty());
}

TEST(Features, EqualIdsAreEqualTokens) {
  EXPECT_EQ(tokens_of("[1, 2]"), tokens_of("[1,2]"));
  EXPECT_EQ(tokens_of("[0]"), tokens_of("[-0]"));
  EXPECT_EQ(tokens_of(R"(["a"])"), tokens_of(R"(["\u0061"])"));
  EXPECT_EQ(tokens_of(R"(["\u00e9"])"), tokens_of("[\"\xc3\xa9\"]"));
  EXPECT_EQ(tokens_of(R"(["\uD834\udd1e"])"), tokens_of("[\"\xf0\x9d\x84\x9e\"]"));
  EXPECT_EQ(tokens_of(R"(["\/\b\f\n\r\t\\\""])"),
            tokens_of("[\"/\\u0008\\u000c\\u000a\\u000D\\u0009\\u005c\\u0022\"]"));
}

TEST(Features, UnlikeIdsAreUnlikeTokens) {
  const std::vector<std::string> ids{"7",
                                     "-7",
                                     "\"7\"",
                                     "\"-7\"",
                                     "77",
                                     "\"\"",
                                     "0",
                                     "\" 7\"",
                                     "\"a\"",
                                     "\"A\"",
                                     "\"\\ud834\"",
                                     "\"\\udd1e\"",
                                     "\"\\ufffd\"",
                                     "18446744073709551616",
                                     "18446744073709551617",
                                     "-18446744073709551616",
                                     "340282366920938463463374607431768211456",
                                     "\"\\u0000\"",
                                     "\"\\u0000\\u0000\"",
                                     "\"\\\"7\"",
                                     "\"\\\\u0061\""};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(tokens_of(ids[i]), tokens_of(ids[j])) << i << j;
  }
}

// Any bytes: offsets in order, inside the text, and no crash.
TEST(Features, AnyBytesAreTakenApart) {
  std::mt19937 random(1);
  constexpr char bytes[] = "[],\"\\u0aD8dC \n-9e.\xc3\xa9\xff{}:\0";
  const std::string alphabet(bytes, sizeof bytes - 1);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t i = random() % 40; i > 0; --i) text += alphabet[random() % alphabet.size()];
    const Analysis analysis = analyzed(text);
    ASSERT_EQ(analysis.offsets.size(), analysis.tokens.size());
    std::uint32_t behind = 0;
    std::string out;
    for (const TokenOffsets offsets : analysis.offsets) {
      ASSERT_LE(behind, offsets.begin);
      ASSERT_LT(offsets.begin, offsets.end);
      ASSERT_LE(offsets.end, text.size());
      behind = offsets.end;
      find_analyzer("features")->append_token(text, offsets, out);
    }
  }
  EXPECT_EQ(token_text("\"cut"), "cut");
  EXPECT_EQ(token_text("\"cut\\"), "cut\\");
  EXPECT_EQ(token_text("\"\\u12\""), "\\u12");
}

}  // namespace
}  // namespace twinset
