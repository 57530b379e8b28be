// The kernel against its reference: any difference on any text is a bug. Texts
// are tight in their allocations, so that a sanitizer sees a read outside them.
#include "text/words_kernel.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/cpu.h"
#include "text/text_samples.h"
#include "text/token_hash.h"
#include "text/word_rule.h"
#include "text/words_reference.h"

namespace twinset {
namespace {

class WordsKernel : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override { ASSERT_TRUE(limit_simd(GetParam()).ok()); }
  void TearDown() override { ASSERT_TRUE(limit_simd(supported_simd_levels().back()).ok()); }

  /// True if both agree; says where if not. The analyses are reused, as callers do.
  bool agrees(std::string_view text, std::size_t offset = 0) {
    const TightText tight(text, offset);
    words_reference(tight.view(), Offsets::keep, expected_);
    words_simd(tight.view(), Offsets::keep, analysis_);
    EXPECT_EQ(analysis_.replaced, expected_.replaced);
    EXPECT_EQ(analysis_.offsets, expected_.offsets);
    EXPECT_EQ(analysis_.tokens, expected_.tokens);
    if (!testing::Test::HasFailure()) {
      words_simd(tight.view(), Offsets::drop, analysis_);
      EXPECT_EQ(analysis_.tokens, expected_.tokens);
      EXPECT_TRUE(analysis_.offsets.empty());
    }
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "text of " << text.size() << " bytes at offset " << offset << ": "
                    << testing::PrintToString(std::string(text.substr(0, 300)));
    }
    return !testing::Test::HasFailure();
  }

  Analysis expected_;
  Analysis analysis_;
};
INSTANTIATE_TEST_SUITE_P(Levels, WordsKernel, testing::ValuesIn(supported_simd_levels()),
                         [](const auto& level) {
                           return std::string(simd_level_name(level.param));
                         });

TEST_P(WordsKernel, EmptyAndSingleBytes) {
  ASSERT_TRUE(agrees(""));
  ASSERT_TRUE(agrees({}));
  for (int byte = 0; byte < 256; ++byte) {
    ASSERT_TRUE(agrees(std::string(1, static_cast<char>(byte))));
  }
}

TEST_P(WordsKernel, ShortTextsAtEveryAlignment) {
  Samples samples(1);
  for (std::size_t size = 1; size <= 200; ++size) {
    for (std::size_t offset = 0; offset < 64; offset += sanitized ? 7 : 1) {
      ASSERT_TRUE(agrees(samples.mixed(size), offset));
    }
  }
}

TEST_P(WordsKernel, RandomBytes) {
  Samples samples(2);
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(agrees(samples.bytes(samples.below(400))));
    ASSERT_TRUE(agrees(samples.ascii(samples.below(400))));
  }
}

TEST_P(WordsKernel, RandomUnicode) {
  Samples samples(3);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    const std::size_t characters = samples.below(200);
    for (std::size_t j = 0; j < characters; ++j) text += utf8_of(samples.code_point());
    ASSERT_TRUE(agrees(text));
  }
}

/// Parts of emoji and of what stands beside them, in any order.
std::string emoji_soup(Samples& samples, std::size_t size) {
  static const std::vector<std::string> parts{"a",
                                              "5",
                                              "#",
                                              "*",
                                              "x7",
                                              " ",
                                              utf8_of(0xFE0F),
                                              utf8_of(0x20E3),
                                              utf8_of(0x200D),
                                              utf8_of(0x1F44D),
                                              utf8_of(0x1F3FD),
                                              utf8_of(0x1F1E9),
                                              utf8_of(0x1F1EA),
                                              utf8_of(0x2714),
                                              utf8_of(0x6F22),
                                              utf8_of(0xE01),
                                              utf8_of(0xE9),
                                              utf8_of(0x301),
                                              utf8_of(0x21AE),
                                              utf8_of(0xA9),
                                              utf8_of(0x1F3F4),
                                              utf8_of(0xE0067),
                                              "\xF0\x9F\x87",
                                              "7" + utf8_of({0xFE0F, 0x20E3})};
  std::string text;
  while (text.size() < size) {
    text += samples.below(30) == 0 ? std::string(samples.below(70), 'q')
                                   : parts[samples.below(parts.size())];
  }
  return text;
}

TEST_P(WordsKernel, EmojiOverTheSeams) {
  Samples samples(9);
  for (int i = 0; i < (sanitized ? 400 : 4000); ++i) {
    ASSERT_TRUE(agrees(emoji_soup(samples, samples.below(300)), samples.below(64)));
  }
  // Over the seam of a chunk, at each place.
  for (int i = 0; i < (sanitized ? 40 : 400); ++i) {
    const std::string letters(words_chunk_bytes - samples.below(40), i % 2 == 0 ? 'q' : ' ');
    ASSERT_TRUE(agrees(letters + emoji_soup(samples, 100), samples.below(64)));
  }
  for (int i = 0; i < (sanitized ? 10 : 50); ++i) {
    ASSERT_TRUE(agrees(emoji_soup(samples, 3 * words_chunk_bytes)));
  }
}

TEST_P(WordsKernel, LongMixedTexts) {
  Samples samples(4);
  for (int i = 0; i < (sanitized ? 20 : 100); ++i) {
    ASSERT_TRUE(agrees(samples.mixed(samples.below(5 * words_chunk_bytes)), samples.below(64)));
  }
}

TEST_P(WordsKernel, EveryCodePoint) {
  // Between letters, so that the effect on a word is seen.
  std::string text;
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    text += "x" + utf8_of(code_point) + "y ";
    if (text.size() > 100'000 || code_point == 0x10FFFF) {
      ASSERT_TRUE(agrees(text));
      text.clear();
    }
  }
}

TEST_P(WordsKernel, SnippetsAtEveryPlaceOfABlock) {
  for (const std::string& snippet : snippets()) {
    for (std::size_t before = 0; before <= 130; ++before) {
      for (const char* fill : {"a", " ", "\xD0\xB6", "\xE6\xBC\xA2"}) {
        std::string text(before % std::string_view(fill).size(), 'q');
        while (text.size() < before) text += fill;
        text += snippet;
        ASSERT_TRUE(agrees(text));
        ASSERT_TRUE(agrees(text + "B" + snippet + std::string(70, 'c')));
      }
    }
  }
}

TEST_P(WordsKernel, SnippetsAtTheSeamsOfChunks) {
  Samples samples(5);
  for (const std::string& snippet : snippets()) {
    for (int i = 0; i < (sanitized ? 4 : 30); ++i) {
      const std::size_t before = words_chunk_bytes - 70 + samples.below(140);
      std::string text = samples.mixed(before % 700);
      text.resize(before, i % 2 != 0 ? 'w' : ' ');
      text += snippet + "tail" + std::string(samples.below(200), 'z');
      ASSERT_TRUE(agrees(text));
    }
  }
}

TEST_P(WordsKernel, NothingButOneCharacter) {
  for (const std::string& snippet : snippets()) {
    std::string text;
    while (text.size() < 3 * words_chunk_bytes) text += snippet;
    ASSERT_TRUE(agrees(text));
    ASSERT_TRUE(agrees("a" + text));
  }
}

/// The tokens of the reference that a rule keeps, in any text.
TEST_P(WordsKernel, WordsOfARule) {
  Samples samples(11);
  for (int i = 0; i < (sanitized ? 300 : 3000); ++i) {
    const WordRule rule{.min_chars = static_cast<std::uint32_t>(1 + samples.below(6)),
                        .max_digits = i % 3 == 0 ? WordRule::any_digits
                                                 : static_cast<std::uint32_t>(samples.below(3))};
    const std::string made = i % 2 == 0 ? samples.mixed(samples.below(i % 50 == 0 ? 30'000 : 400))
                                        : samples.ascii(samples.below(400));
    const TightText tight(made, samples.below(64));
    words_reference(tight.view(), Offsets::keep, expected_);
    std::size_t kept = 0;
    for (std::size_t at = 0; at < expected_.tokens.size(); ++at) {
      const TokenOffsets range = expected_.offsets[at];
      if (!rule.keeps(tight.view().substr(range.begin, range.end - range.begin))) continue;
      expected_.tokens[kept] = expected_.tokens[at];
      expected_.offsets[kept++] = range;
    }
    expected_.tokens.resize(kept);
    expected_.offsets.resize(kept);
    words_simd(tight.view(), rule, Offsets::keep, analysis_);
    ASSERT_EQ(analysis_.offsets, expected_.offsets) << testing::PrintToString(made.substr(0, 300));
    ASSERT_EQ(analysis_.tokens, expected_.tokens);
    words_simd(tight.view(), rule, Offsets::drop, analysis_);
    ASSERT_EQ(analysis_.tokens, expected_.tokens);
  }
}

TEST_P(WordsKernel, OneTokenOfSixtyMegabytes) {
  const std::size_t size = sanitized ? 6'000'000 : 60'000'000;
  const std::string text = " " + std::string(size, 'Q') + "\xFF";
  const std::string folded(size, 'q');
  words_simd(text, Offsets::keep, analysis_);
  EXPECT_EQ(analysis_.tokens, std::vector{token_hash(folded)});
  EXPECT_EQ(analysis_.offsets,
            (std::vector{TokenOffsets{1, static_cast<std::uint32_t>(size + 1)}}));
  EXPECT_EQ(analysis_.replaced, 1u);
  EXPECT_LT(analysis_.folded.size() + analysis_.edges.size(), 100'000u) << "scratch is bounded";
}

}  // namespace
}  // namespace twinset
