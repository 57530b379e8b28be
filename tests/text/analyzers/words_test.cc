// The promises of the analyzer `words`, for any texts.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "text/analyzer.h"
#include "text/text_samples.h"
#include "text/token_hash.h"
#include "text/unicode_judge.h"

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

/// Does `text` contain the code point?
bool has(std::string_view text, std::uint32_t code_point) {
  return text.find(utf8_of(code_point)) != std::string_view::npos;
}

TEST_F(WordsAnalyzer, IsNamedAndVersioned) {
  const Analyzer* words = find_analyzer("words");
  EXPECT_EQ(words->name(), "words");
  EXPECT_EQ(words->version(), 3u);
}

TEST_F(WordsAnalyzer, NormalFormsHaveTheSameTokens) {
  EXPECT_TRUE(rc::check("a text, its NFC and its NFD have the same tokens", [] {
    std::string text = any_unicode();
    std::erase(text, '\0');
    RC_ASSERT(tokens(judge::nfc(text)) == tokens(text));
    RC_ASSERT(tokens(judge::nfd(text)) == tokens(text));
  }));
}

TEST_F(WordsAnalyzer, ACaselessMatchHasTheSameTokens) {
  EXPECT_TRUE(rc::check("a text and its canonical caseless form have the same tokens", [] {
    std::string text = any_unicode();
    std::erase(text, '\0');
    // A mark that folds to a letter stays with the ideograph before it.
    RC_PRE(!has(text, 0x345));
    RC_ASSERT(tokens(judge::caseless(text)) == tokens(text));
  }));
}

TEST_F(WordsAnalyzer, EveryCodePointMatchesItsFormsInAText) {
  std::string text;
  for (std::uint32_t code_point = 1; code_point < 0x110000; ++code_point) {
    if (!judge::is_assigned(code_point) && code_point != 0x10FFFF) continue;
    text += "x" + utf8_of(code_point) + "y " + utf8_of(code_point) + utf8_of(0x301) + "\n";
    if (text.size() < 2000 && code_point != 0x10FFFF) continue;
    const std::vector<std::uint64_t> expected = tokens(text);
    ASSERT_EQ(tokens(judge::nfd(text)), expected) << "up to " << std::hex << code_point;
    ASSERT_EQ(tokens(judge::nfc(text)), expected) << "up to " << std::hex << code_point;
    ASSERT_EQ(tokens(judge::caseless(text)), expected) << "up to " << std::hex << code_point;
    text.clear();
  }
}

// If one of 34 letters without a space changes, two of 33 pairs differ; with the run as one word
// nothing would be shared.
TEST_F(WordsAnalyzer, AChangedThaiLetterLeavesANearCopy) {
  std::string text, changed;
  constexpr std::uint32_t consonants[] = {0xE01, 0xE02, 0xE07, 0xE08, 0xE14, 0xE15, 0xE17, 0xE19,
                                          0xE1A, 0xE1B, 0xE1E, 0xE21, 0xE22, 0xE23, 0xE25, 0xE27};
  for (unsigned i = 0; i < 34; ++i) {
    const std::string unit = utf8_of(consonants[i * i % 16]) + (i % 3 == 0 ? utf8_of(0xE31) : "");
    text += unit;
    changed += i == 17 ? utf8_of(0xE2A) : unit;
  }
  const std::vector<std::uint64_t> a = tokens(text), b = tokens(changed);
  ASSERT_EQ(a.size(), 33u);
  ASSERT_EQ(b.size(), 33u);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1 : 0;
  EXPECT_EQ(equal, 31u);
}

TEST_F(WordsAnalyzer, TextsApartAreTokensOneAfterTheOther) {
  EXPECT_TRUE(rc::check("tokens of a, separator, b are those of a and those of b", [] {
    const std::string a = any_text();
    const std::string b = any_text();
    // ASCII ends whatever is cut in a, and starts nothing that b continues.
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
    TokenOffsets before;
    for (std::size_t i = 0; i < analysis.tokens.size(); ++i) {
      const TokenOffsets offsets = analysis.offsets[i];
      RC_ASSERT((i == 0 || offsets.begin > before.begin) && offsets.end > before.end);
      RC_ASSERT(offsets.end > offsets.begin && offsets.end <= text.size());
      before = offsets;
      const std::string_view token(text.data() + offsets.begin, offsets.end - offsets.begin);
      RC_ASSERT(tokens(token) == std::vector{analysis.tokens[i]});
      std::string canonical;
      find_analyzer("words")->append_token(text, offsets, canonical);
      RC_ASSERT(token_hash(canonical) == analysis.tokens[i]);
    }
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
