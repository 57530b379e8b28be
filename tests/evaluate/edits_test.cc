#include "evaluate/edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "evaluate/tokens_for_tests.h"
#include "support_runs/exact_shingles.h"

namespace twinset {
namespace {

/// Distinct words in sentences, with numbers and punctuation.
std::string english() {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += i % 12 == 0 ? "Word" : "word";
    for (int rest = i; rest > 0; rest /= 7) text += static_cast<char>('a' + rest % 7);
    if (i % 12 == 5) text += ",";
    if (i % 12 == 7) text += " (" + std::to_string(1900 + i) + ")";
    text += i % 12 == 11 ? (i % 60 == 59 ? ".\n\n" : ". ") : " ";
  }
  text += "End.";
  return text;
}

/// 200 ideographs, a few sentences, no white space.
std::string chinese() {
  std::string text;
  for (unsigned i = 0; i < 200; ++i) {
    const unsigned code = 0x4E00 + i * 37;
    text += static_cast<char>(0xE0 | code >> 12);
    text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
    if (i % 20 == 19) text += "\xE3\x80\x82";
  }
  return text;
}

std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> out;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) out.emplace_back();
    out.back() += c;
  }
  return out;
}

std::size_t differing(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  EXPECT_EQ(a.size(), b.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i] != b[i];
  return count;
}

std::multiset<std::string> bag(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  return {words.begin(), words.end()};
}

ExactShingles shingles(std::string_view text) { return {tokens_of(text), 5}; }

TEST(Edits, ArePureAndTakeAnyText) {
  const std::vector<std::string> texts = {english(),
                                          chinese(),
                                          "",
                                          " ",
                                          "\n\t ",
                                          "word",
                                          "two words",
                                          "...",
                                          "a\xFF\xC3 b\xE2\x80",
                                          std::string("nul\0 inside it", 14),
                                          "\xE3\x80\x80",
                                          std::string(5'000, 'x'),
                                          "1",
                                          "x. y"};
  for (const Edit& edit : edits()) {
    for (const std::string& text : texts) {
      EXPECT_EQ(edit.apply(text, 7), edit.apply(text, 7)) << edit.name;
    }
  }
}

TEST(Edits, ChangeALongTextAndDependOnTheSeed) {
  const std::string text = english();
  for (const Edit& edit : edits()) {
    if (edit.name == "exact") {
      EXPECT_EQ(edit.apply(text, 1), text);
      continue;
    }
    std::set<std::string> outcomes;
    for (std::uint64_t seed = 0; seed < 12; ++seed) outcomes.insert(edit.apply(text, seed));
    EXPECT_GT(outcomes.size(), 1u) << edit.name;
    EXPECT_EQ(outcomes.count(text), 0u) << edit.name;
  }
}

TEST(Edits, KeepValidUtf8) {
  for (const Edit& edit : edits()) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const std::string out = edit.apply(chinese(), seed);
      for (const std::string& character : characters_of(out)) {
        const auto first = static_cast<unsigned char>(character[0]);
        const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : 3;
        ASSERT_EQ(character.size(), length) << edit.name;
      }
    }
  }
}

TEST(ReplaceWords, ReplacesThatManyAndKeepsTheRest) {
  const std::string text = english();
  for (const std::uint64_t count : {1u, 3u, 10u}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::string out = replace_words(text, count, seed);
      EXPECT_EQ(differing(words_of(text), words_of(out)), count);
      // Each replaced word touches at most five shingles, of each text.
      const ExactShingles before = shingles(text);
      const std::uint64_t shared = intersection_size(before, shingles(out));
      EXPECT_GE(shared + 5 * count, before.size());
      EXPECT_LT(shared, before.size());
    }
  }
}

TEST(ReplaceWords, KeepsPunctuationAndWhiteSpace) {
  EXPECT_EQ(replace_words("(one),\n\t two!", 2, 3).find("("), 0u);
  const std::string out = replace_words("(one),\n\t two!", 2, 3);
  EXPECT_NE(out.find("),\n\t "), std::string::npos);
  EXPECT_EQ(out.back(), '!');
  EXPECT_EQ(out.find("one"), std::string::npos);
  EXPECT_EQ(out.find("two"), std::string::npos);
  // Punctuation alone is not a word.
  EXPECT_EQ(replace_words("-- ... !", 2, 3), "-- ... !");
}

TEST(ReplaceWords, TakesTextsWithoutSpacesByCharacters) {
  const std::string text = chinese();
  const std::string out = replace_words(text, 10, 1);
  EXPECT_EQ(differing(characters_of(text), characters_of(out)), 10u);
}

TEST(ReplaceWordsAtRate, ReplacesTheRate) {
  SeededRandom random(2);
  const std::string text = random_text(random, 1'000, 1'000'000);
  for (const std::uint64_t per_mille : {10u, 20u, 50u, 100u}) {
    EXPECT_EQ(differing(words_of(text), words_of(replace_words_at_rate(text, per_mille, 4))),
              per_mille);
  }
  EXPECT_EQ(differing(words_of("a b c"), words_of(replace_words_at_rate("a b c", 10, 4))), 1u);
}

TEST(Edits, HeaderFooterAndHostLeaveTheTextWhole) {
  const std::string text = english();
  const std::string host = "alpha beta gamma delta";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string header = insert_header(text, seed);
    EXPECT_TRUE(header.ends_with("\n\n" + text));
    const std::size_t added = words_of(header).size() - words_of(text).size();
    EXPECT_GE(added, 10u);
    EXPECT_LE(added, 40u);
    EXPECT_TRUE(append_footer(text, seed).starts_with(text + "\n\n"));
    const std::string page = embed_in(text, host, seed);
    EXPECT_NE(page.find("\n\n" + text + "\n\n"), std::string::npos);
    EXPECT_EQ(words_of(page).size(), words_of(text).size() + 4);
    EXPECT_TRUE(exact_containment(shingles(text), shingles(page)).at_least({1, 1}));
  }
  EXPECT_EQ(embed_in("text", "", 1), "\n\ntext\n\n");
}

TEST(MovePassage, MovesOnePieceOfTenToThirtyPercent) {
  const std::string text = english();
  const ExactShingles before = shingles(text);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string out = move_passage(text, seed);
    EXPECT_NE(out, text);
    EXPECT_EQ(bag(out), bag(text));
    // Three seams, four shingles each.
    EXPECT_GE(intersection_size(before, shingles(out)) + 12, before.size());
  }
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(bag(move_passage("one two three", seed)), bag("one two three"));
    EXPECT_NE(move_passage("one two three", seed), "one two three");
  }
  EXPECT_EQ(move_passage("one two", 1), "one two");
}

TEST(CutTail, IsAProperPrefix) {
  const std::string text = english();
  const std::size_t words = words_of(text).size();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string out = cut_tail(text, seed);
    EXPECT_TRUE(text.starts_with(out));
    const std::size_t left = words_of(out).size();
    EXPECT_GE(left, words * 69 / 100);
    EXPECT_LE(left, words * 95 / 100 + 1);
    EXPECT_TRUE(exact_containment(shingles(out), shingles(text)).at_least({1, 1}));
  }
  EXPECT_EQ(cut_tail("one two", 3), "one");
  EXPECT_EQ(cut_tail("one", 3), "one");
}

TEST(ShuffleSentences, KeepsSentences) {
  EXPECT_EQ(bag(shuffle_sentences(english(), 3)), bag(english()));
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    orders.insert(shuffle_sentences("One a. Two b! Pi is 3.14?", seed));
  }
  EXPECT_EQ(orders.size(), 6u);  // three sentences; "3.14" is not cut
  EXPECT_EQ(orders.count("Two b! Pi is 3.14? One a."), 1u);
  EXPECT_NE(shuffle_sentences(chinese(), 3), chinese());
}

TEST(ChangeNumbers, ChangesNumbersOnly) {
  const std::string text = "On 2024-01-31, 7 of 1,000 rose by 3.5 %; none fell.";
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string out = change_numbers(text, seed);
    ASSERT_EQ(out.size(), text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool digit = text[i] >= '0' && text[i] <= '9';
      if (digit) {
        EXPECT_TRUE(out[i] >= '0' && out[i] <= '9');
      } else {
        EXPECT_EQ(out[i], text[i]);
      }
    }
    for (const std::size_t number : {3u, 8u, 11u, 15u, 20u, 22u, 34u, 36u}) {
      EXPECT_NE(out[number], text[number]);
    }
  }
}

TEST(Edits, CaseAndLineEndsKeepTheTokens) {
  const SplitAnalyzer analyzer;
  Analysis before;
  Analysis after;
  const std::string text = english();
  analyzer.analyze(text, Offsets::drop, before);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    analyzer.analyze(change_case(text, seed), Offsets::drop, after);
    EXPECT_EQ(after.tokens, before.tokens);
    analyzer.analyze(wrap_lines(text, seed), Offsets::drop, after);
    EXPECT_EQ(after.tokens, before.tokens);
    EXPECT_NE(wrap_lines(text, seed), text);
  }
}

TEST(PadWithSpam, AddsAndTakesNothing) {
  const std::vector<std::string> before = words_of(english());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<std::string> after = words_of(pad_with_spam(english(), seed));
    EXPECT_GE(after.size(), before.size() + 6);
    EXPECT_LE(after.size(), before.size() + 48);
    std::size_t found = 0;
    for (const std::string& word : after) found += found < before.size() && word == before[found];
    EXPECT_EQ(found, before.size());
  }
}

TEST(AddOcrNoise, MisreadsAboutOnePercent) {
  SeededRandom random(2);
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += i % 6 == 5 ? ' ' : "aeiotl"[random.below(6)];
  const std::string out = add_ocr_noise(text, 5);
  ASSERT_EQ(out.size(), text.size());  // none of these letters changes length
  std::size_t changed = 0;
  for (std::size_t i = 0; i < text.size(); ++i) changed += text[i] != out[i];
  // Hoeffding at 1e-8 over 16,667 letters: 0.024 is far above; the mean is 167, sd 12.9.
  EXPECT_NEAR(static_cast<double>(changed), 166.7, 5.73 * 12.9);
  EXPECT_LT(add_ocr_noise(chinese(), 5).size(), chinese().size());
}

TEST(ChangeAccents, TakesMarksAwayOrGivesSome) {
  // "Cafe" composed, "naive" with a combining mark, sharp s, and a French ligature.
  EXPECT_EQ(change_accents("Caf\xC3\xA9 nai\xCC\x88ve Stra\xC3\x9F"
                           "e \xC5\x93uf \xC5\x81\xC3\xB3"
                           "d\xC5\xBA",
                           3),
            "Cafe naive Strasse oeuf Lodz");
  EXPECT_EQ(change_accents("\xC3\x97 2 \xFF\xC3", 3), "\xC3\x97 2 \xFF\xC3");  // no letters
  EXPECT_EQ(change_accents("bcdfg 123", 3), "bcdfg 123");
  std::string vowels(20'000, 'e');
  const std::string marked = change_accents(vowels, 5);
  // Two bytes for one where a mark was given: 400 of 20,000, Hoeffding at 1e-8.
  EXPECT_NEAR(static_cast<double>(marked.size() - vowels.size()) / 20'000, 0.02, 0.0219);
  EXPECT_GT(marked.size(), vowels.size());
  EXPECT_EQ(change_accents(marked, 1), vowels);
}

TEST(WriteEntities, WritesWhatHtmlWouldAndNothingElse) {
  std::set<std::string> outcomes;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    outcomes.insert(write_entities("a<b>&\"c'\xC3\xA9\xE4\xB8\xAD\xFF", seed));
  }
  EXPECT_EQ(outcomes, (std::set<std::string>{"a&lt;b&gt;&amp;&quot;c&#39;&#233;&#20013;\xFF",
                                             "a&lt;b&gt;&amp;&quot;c&#x27;&#xE9;&#x4E2D;\xFF"}));
  std::string spaces(20'000, ' ');
  const double replaced = static_cast<double>(write_entities(spaces, 5).size() - 20'000) / 5;
  EXPECT_NEAR(replaced / 20'000, 0.02, 0.0219);  // Hoeffding at 1e-8
  EXPECT_GT(replaced, 0);
}

TEST(WrapInTemplate, LeavesTheTextWholeAndSharesItsWords) {
  const std::string text = english();
  std::set<std::string> heads;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::string page = wrap_in_template(text, seed);
    const std::size_t at = page.find(text);
    ASSERT_NE(at, std::string::npos);
    heads.insert(page.substr(0, at));
    EXPECT_TRUE(exact_containment(shingles(text), shingles(page)).at_least({1, 1}));
    const std::string other = wrap_in_template("another text of quite other words", seed);
    EXPECT_GT(intersection_size(shingles(page), shingles(other)), 10u);
  }
  EXPECT_EQ(heads.size(), 4u);
}

TEST(ChainVersion, DriftsAStepAtATime) {
  const std::string text = english();  // 326 words: 3 a version
  EXPECT_EQ(chain_version(text, 0, 9), text);
  const ExactShingles first = shingles(text);
  std::uint64_t last_shared = first.size();
  for (std::uint64_t version = 1; version <= 20; ++version) {
    const std::string before = chain_version(text, version - 1, 9);
    const std::string after = chain_version(text, version, 9);
    EXPECT_EQ(differing(words_of(before), words_of(after)), 3u);
    const std::uint64_t shared = intersection_size(first, shingles(after));
    EXPECT_LE(shared, last_shared);
    last_shared = shared;
  }
  EXPECT_LT(last_shared, first.size() / 2 + first.size() / 4);
}

TEST(MadeWords, AreAsManyAsAsked) {
  EXPECT_EQ(words_of(made_words("some text", 25, 1)).size(), 25u);
  EXPECT_EQ(characters_of(made_words(chinese(), 25, 1)).size(), 25u);
  EXPECT_EQ(made_words("some text", 0, 1), "");
}

TEST(ReplaceDistinctWords, ReplacesAllPlacesOfThatManyWords) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    for (int word = 0; word < 200; ++word)
      text += (i == 1 ? "W" : "w") + std::to_string(word) + ", ";
  }
  for (const auto& [per_mille, words] : {std::pair(10, 2), {20, 4}, {50, 10}, {1, 1}}) {
    const std::string copy = replace_distinct_words(text, static_cast<std::uint64_t>(per_mille), 5);
    const std::vector<std::string> before = words_of(text);
    const std::vector<std::string> after = words_of(copy);
    ASSERT_EQ(before.size(), after.size());
    std::map<std::string, std::string> made;
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(after[i].back(), ',');
      if (before[i] == after[i]) continue;
      const std::string old = "w" + before[i].substr(1);
      EXPECT_EQ(made.try_emplace(old, after[i]).first->second, after[i]) << "one new word for all";
    }
    EXPECT_EQ(made.size(), static_cast<std::size_t>(words));
    EXPECT_EQ(differing(before, after), 3U * made.size());
  }
  EXPECT_EQ(replace_distinct_words("... !", 20, 1), "... !");
  EXPECT_EQ(replace_distinct_words("", 20, 1), "");
  EXPECT_NE(replace_distinct_words("a b c", 10, 1), replace_distinct_words("a b c", 10, 2));
}

}  // namespace
}  // namespace twinset
