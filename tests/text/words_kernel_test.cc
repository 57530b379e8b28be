// The kernel against its reference: any difference on any text is a bug. Texts
// are tight in their allocations, so that a sanitizer sees a read outside them.
#include "text/words_kernel.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/cpu.h"
#include "text/canonical.h"
#include "text/text_samples.h"
#include "text/token_hash.h"
#include "text/unicode_table.h"
#include "text/utf8.h"
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

/// The definition of a rule: tokens of the reference, joined where only punctuation inside a word
/// stands between two words, then kept or not.
void words_of_rule(std::string_view text, const WordRule& rule, Analysis& out) {
  words_reference(text, Offsets::keep, out);
  const auto part = [&](std::uint32_t begin, std::uint32_t end) {
    return text.substr(begin, end - begin);
  };
  const auto is_gap = [&](std::uint32_t begin, std::uint32_t end) {
    if (rule.punctuation == Punctuation::split || begin >= end) return false;
    for (std::size_t at = begin; at < end;) {
      const utf8::Decoded decoded = utf8::decode(text, at);
      at += decoded.bytes;
      if (!decoded.valid || !is_inside_word(decoded.code_point)) return false;
    }
    return true;
  };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < out.tokens.size(); ++i) {
    TokenOffsets range = out.offsets[i];
    std::string bytes(part(range.begin, range.end));
    const bool run = is_run(bytes);
    while (run && i + 1 < out.tokens.size() && is_gap(range.end, out.offsets[i + 1].begin) &&
           is_run(part(out.offsets[i + 1].begin, out.offsets[i + 1].end))) {
      const TokenOffsets next = out.offsets[++i];
      bytes += part(rule.punctuation == Punctuation::keep ? range.end : next.begin, next.end);
      range.end = next.end;
    }
    std::string canonical;
    append_canonical(bytes, LetterCase::fold, canonical);
    std::uint32_t chars = 0;
    std::uint32_t digits = 0;
    for (std::size_t at = 0; at < canonical.size();) {
      const utf8::Decoded decoded = utf8::decode(canonical, at);
      at += decoded.bytes;
      chars += unicode::word_class(decoded.code_point) == unicode::WordClass::word ? 1 : 0;
      digits += is_decimal_digit(decoded.code_point) ? 1 : 0;
    }
    if (run && !rule.keeps(chars, digits)) continue;
    out.tokens[kept] = token_hash(canonical);
    out.offsets[kept++] = range;
  }
  out.tokens.resize(kept);
  out.offsets.resize(kept);
}

class WordsOfARule : public WordsKernel {
 protected:
  /// True if both agree.
  bool agrees(std::string_view text, const WordRule& rule, std::size_t offset = 0) {
    const TightText tight(text, offset);
    words_of_rule(tight.view(), rule, expected_);
    words_simd(tight.view(), rule, Offsets::keep, analysis_);
    EXPECT_EQ(analysis_.replaced, expected_.replaced);
    EXPECT_EQ(analysis_.offsets, expected_.offsets);
    EXPECT_EQ(analysis_.tokens, expected_.tokens);
    words_simd(tight.view(), rule, Offsets::drop, analysis_);
    EXPECT_EQ(analysis_.tokens, expected_.tokens);
    if (!testing::Test::HasFailure()) return true;
    ADD_FAILURE() << "least " << rule.min_chars << ", digits " << rule.max_digits
                  << ", punctuation " << static_cast<int>(rule.punctuation) << ", text of "
                  << text.size() << " bytes at offset " << offset << ": "
                  << testing::PrintToString(std::string(text.substr(0, 300)));
    return false;
  }

  static WordRule any_rule(Samples& samples) {
    return {.min_chars = static_cast<std::uint32_t>(1 + samples.below(10)),
            .max_digits = samples.below(3) == 0 ? WordRule::any_digits
                                                : static_cast<std::uint32_t>(samples.below(4)),
            .punctuation = static_cast<Punctuation>(samples.below(3))};
  }

  /// Words, numbers and what may join them, parts of it from `snippets`.
  static std::string sentence(Samples& samples, std::size_t size, bool plain) {
    static const std::vector<std::string> gaps{" ",
                                               " ",
                                               " ",
                                               "\n",
                                               "'",
                                               "-",
                                               ".",
                                               ", ",
                                               "--",
                                               "://",
                                               "\x01",
                                               utf8_of(0x2019),
                                               utf8_of(0xA1),
                                               utf8_of(0x300C),
                                               "-" + utf8_of(0x301),
                                               utf8_of(0x2014),
                                               "#",
                                               "*",
                                               "7" + utf8_of({0xFE0F, 0x20E3}),
                                               "#" + utf8_of(0x20E3),
                                               utf8_of(0x345),
                                               utf8_of(0x6F22),
                                               utf8_of(0xE01),
                                               utf8_of(0xAD),
                                               utf8_of(0x1F44D),
                                               utf8_of({0x200D, 0x1F44D}),
                                               utf8_of(0x1F3FD)};
    std::string text;
    while (text.size() < size) {
      const std::uint64_t kind = samples.below(plain ? 40 : 12);
      if (kind == 0) {
        text += snippets()[samples.below(snippets().size())];
      } else if (kind == 1) {
        text += std::to_string(samples.below(300));
      } else if (kind == 2) {
        const std::uint64_t longest = samples.below(9) == 0 ? 200 : 70;
        text += std::string(samples.below(longest), "-x.7"[samples.below(4)]);
      } else if (kind == 3) {
        for (std::uint64_t left = samples.below(9); left > 0; --left) {
          text += utf8_of(static_cast<std::uint32_t>(0x410 + samples.below(60)));
        }
      } else {
        for (std::uint64_t left = samples.below(12); left > 0; --left) {
          text += static_cast<char>("aZ"[samples.below(2)]);
        }
        if (samples.below(30) == 0) text += utf8_of(0xE9);
      }
      text += gaps[samples.below(plain ? 10 : gaps.size())];
    }
    return text;
  }
};
INSTANTIATE_TEST_SUITE_P(Levels, WordsOfARule, testing::ValuesIn(supported_simd_levels()),
                         [](const auto& level) {
                           return std::string(simd_level_name(level.param));
                         });

TEST_P(WordsOfARule, InAnyText) {
  Samples samples(11);
  for (int i = 0; i < (sanitized ? 600 : 6000); ++i) {
    const std::string made = i % 2 == 0 ? samples.mixed(samples.below(i % 50 == 0 ? 30'000 : 400))
                                        : samples.ascii(samples.below(400));
    ASSERT_TRUE(agrees(made, any_rule(samples), samples.below(64)));
  }
}

TEST_P(WordsOfARule, InSentences) {
  Samples samples(12);
  for (int i = 0; i < (sanitized ? 1000 : 20000); ++i) {
    const std::size_t size = samples.below(i % 100 == 0 ? 3 * words_chunk_bytes : 400);
    ASSERT_TRUE(agrees(sentence(samples, size, i % 3 != 0), any_rule(samples), samples.below(64)));
  }
}

TEST_P(WordsOfARule, OfEmojiAndWhatStandsBeside) {
  Samples samples(13);
  for (int i = 0; i < (sanitized ? 400 : 6000); ++i) {
    std::string text;
    for (std::uint64_t left = samples.below(6); left > 0; --left) {
      text += emoji_soup(samples, samples.below(40)) + sentence(samples, samples.below(40), false);
    }
    ASSERT_TRUE(agrees(text, any_rule(samples)));
  }
}

TEST_P(WordsOfARule, OfEveryCodePoint) {
  for (const WordRule& rule :
       {WordRule{.min_chars = 3}, WordRule{.min_chars = 2, .max_digits = 0},
        WordRule{.punctuation = Punctuation::keep}, WordRule{.punctuation = Punctuation::drop}}) {
    std::string text;
    for (std::uint32_t code_point = 0; code_point < 0x32400; code_point += sanitized ? 11 : 1) {
      text += "x" + utf8_of(code_point) + "y " + utf8_of(code_point) + "- ";
      if (text.size() > 100'000 || code_point + 11 >= 0x32400) {
        ASSERT_TRUE(agrees(text, rule));
        text.clear();
      }
    }
  }
}

TEST_P(WordsOfARule, GapsLongerThanABlock) {
  for (const char* fill : {"-", "\u2019", "\u00A1", "\u0301", "#"}) {
    for (const char* end : {"b", " b", "\u20E3", "\u6F22", "\u0345", "", "7", "7\u20E3"}) {
      for (std::size_t length = 50; length < (sanitized ? 60 : 210); ++length) {
        std::string gap = "-";
        while (gap.size() < length) gap += fill;
        for (const Punctuation punctuation : {Punctuation::keep, Punctuation::drop}) {
          const WordRule rule{.max_digits = 1, .punctuation = punctuation};
          ASSERT_TRUE(agrees("a" + gap + end, rule));
          ASSERT_TRUE(agrees("\u6F22" + gap + end + gap + "c", rule));
        }
      }
    }
  }
  // One gap of a megabyte, which is looked through once.
  const std::string gap(1'000'000, '-');
  ASSERT_TRUE(agrees("a" + gap + "b", {.punctuation = Punctuation::drop}));
  ASSERT_TRUE(agrees("a" + gap, {.punctuation = Punctuation::keep}));
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
