// What the analyzer `words` promises of texts, whatever they are.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "text/analyzer.h"
#include "text/text_samples.h"
#include "text/unicode_table.h"

namespace twinset {
namespace {

class WordsAnalyzer : public testing::Test {
 protected:
  WordsAnalyzer() {
    // Fixed cases; RC_PARAMS in the environment asks for others.
    setenv("RC_PARAMS", "seed=1 max_success=300", 0);
  }

  static std::vector<std::uint64_t> tokens(std::string_view text) {
    Analysis analysis;
    find_analyzer("words")->analyze(text, Offsets::drop, analysis);
    return analysis.tokens;
  }
};

/// A text of snippets, characters and bytes, from rapidcheck's seed.
std::string any_text() {
  Samples samples(*rc::gen::arbitrary<std::uint64_t>());
  return samples.mixed(samples.below(500));
}

/// A text of whole characters.
std::string any_unicode() {
  Samples samples(*rc::gen::arbitrary<std::uint64_t>());
  std::string text;
  for (std::uint64_t left = samples.below(200); left > 0; --left) {
    text += utf8_of(samples.code_point());
  }
  return text;
}

std::string folded(std::string_view text) {
  std::string out;
  for (std::size_t position = 0; position < text.size();) {
    const utf8::Decoded decoded = utf8::decode(text, position);
    out += utf8_of(unicode::fold(decoded.code_point));
    position += decoded.bytes;
  }
  return out;
}

TEST_F(WordsAnalyzer, IsNamedAndVersioned) {
  const Analyzer* words = find_analyzer("words");
  EXPECT_EQ(words->name(), "words");
  EXPECT_EQ(words->version(), 1u);
}

TEST_F(WordsAnalyzer, CaseDoesNotMatter) {
  EXPECT_TRUE(rc::check("folding a text changes none of its tokens", [] {
    const std::string text = any_unicode();
    RC_ASSERT(tokens(folded(text)) == tokens(text));
  }));
}

TEST_F(WordsAnalyzer, TextsApartAreTokensOneAfterTheOther) {
  EXPECT_TRUE(rc::check("tokens of a, separator, b are those of a and those of b", [] {
    const std::string a = any_text();
    const std::string b = any_text();
    // ASCII ends what is cut in a, and starts nothing that b continues.
    for (const char* separator : {" ", "\n", ".", "\x7F"}) {
      std::vector<std::uint64_t> expected = tokens(a);
      const std::vector<std::uint64_t> second = tokens(b);
      expected.insert(expected.end(), second.begin(), second.end());
      RC_ASSERT(tokens(a + separator + b) == expected);
    }
  }));
}

TEST_F(WordsAnalyzer, ATokenIsATextOfOneToken) {
  EXPECT_TRUE(rc::check("the bytes an offset covers are that token, alone", [] {
    const std::string text = any_text();
    Analysis analysis;
    find_analyzer("words")->analyze(text, Offsets::keep, analysis);
    RC_ASSERT(analysis.offsets.size() == analysis.tokens.size());
    std::uint32_t end = 0;
    for (std::size_t i = 0; i < analysis.tokens.size(); ++i) {
      const TokenOffsets offsets = analysis.offsets[i];
      RC_ASSERT(offsets.begin >= end && offsets.end > offsets.begin);
      end = offsets.end;
      RC_ASSERT(tokens(std::string_view(text).substr(offsets.begin, end - offsets.begin)) ==
                std::vector{analysis.tokens[i]});
    }
    RC_ASSERT(end <= text.size());
  }));
}

TEST_F(WordsAnalyzer, PunctuationDoesNotMatter) {
  EXPECT_TRUE(rc::check("spaces become any separators", [] {
    const auto words = *rc::gen::container<std::vector<std::string>>(
        rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z'))));
    std::string plain, other;
    for (const std::string& word : words) {
      plain += word + " ";
      other += utf8_of(0x2014) + " \"" + word + "\", ";
    }
    RC_ASSERT(tokens(plain) == tokens(other));
    RC_ASSERT(tokens(plain).size() == words.size());
  }));
}

TEST_F(WordsAnalyzer, EveryLevelGivesTheSameAnalysis) {
  Samples samples(9);
  for (int i = 0; i < 200; ++i) {
    const std::string text = samples.mixed(samples.below(3000));
    std::vector<Analysis> analyses;
    for (const SimdLevel level : supported_simd_levels()) {
      ASSERT_TRUE(limit_simd(level).ok());
      find_analyzer("words")->analyze(text, Offsets::keep, analyses.emplace_back());
      EXPECT_EQ(analyses.back().tokens, analyses.front().tokens);
      EXPECT_EQ(analyses.back().offsets, analyses.front().offsets);
      EXPECT_EQ(analyses.back().replaced, analyses.front().replaced);
    }
  }
}

}  // namespace
}  // namespace twinset
