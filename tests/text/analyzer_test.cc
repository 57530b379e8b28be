#include "text/analyzer.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_samples.h"
#include "text/unicode_table.h"
#include "twinset/scheme.h"

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

// Files hold tokens by the analyzer's name and version alone: who brings another Unicode raises the
// versions of all that read it, and then this.
TEST(Analyzers, VersionsAreThoseOfTheirUnicode) {
  EXPECT_EQ(unicode::version, "15.0.0");
  std::map<std::string_view, std::uint32_t> versions;
  for (const Analyzer* analyzer : analyzers()) versions[analyzer->name()] = analyzer->version();
  versions.erase("features");  // They are bytes.
  EXPECT_EQ(versions, (std::map<std::string_view, std::uint32_t>{{"code", 2},
                                                                 {"skeleton", 1},
                                                                 {"tags", 2},
                                                                 {"words", 3},
                                                                 {"words_dehyphenated", 1},
                                                                 {"words_nfkc", 2}}));
}

TEST(Analyzers, OneOfParametersIsNamedByThoseThatAreSet) {
  const Analyzer* const rule = find_analyzer("words(min_chars=4,max_digits=1)");
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->name(), "words(min_chars=4, max_digits=1)");
  EXPECT_EQ(rule, find_analyzer(" words ( max_digits = 1, punctuation=split, min_chars=4 )"));
  EXPECT_EQ(rule, find_analyzer(rule->name()));
  for (const char* name : {"words()", "words(min_chars=1)", "words(max_digits=any)"}) {
    EXPECT_EQ(find_analyzer(name), find_analyzer("words")) << name;
  }
  for (std::uint64_t chars : {1, 2, 10}) {
    for (const char* digits : {"any", "0", "9"}) {
      for (const char* punctuation : {"split", "keep", "drop"}) {
        const std::string name = "words(min_chars=" + std::to_string(chars) +
                                 ",max_digits=" + digits + ",punctuation=" + punctuation +
                                 ",min_different=" + std::to_string(chars - 1) + ")";
        const Analyzer* const found = find_analyzer(name);
        ASSERT_NE(found, nullptr) << name;
        EXPECT_EQ(find_analyzer(found->name()), found) << name;
      }
    }
  }
}

TEST(Analyzers, ErrorsNameTheParameter) {
  const auto message_of = [](std::string_view name) {
    const Result<const Analyzer*> found = require_analyzer(name);
    return found.ok() ? "found" : found.error().message;
  };
  EXPECT_EQ(message_of("words(min_chars=11)"),
            "analyzer words: min_chars=11 cannot be used: expected a number from 1 to 10 (letters "
            "and digits that a word has at least; shorter ones are left out)");
  EXPECT_TRUE(message_of("words(min_chars=x)").starts_with("analyzer words: min_chars=x cannot"));
  EXPECT_TRUE(message_of("words(min_chars=0)").starts_with("analyzer words: min_chars=0 cannot"));
  EXPECT_NE(message_of("words(max_digits=10)").find("expected one of any, 0, 1, 2"),
            std::string::npos);
  EXPECT_EQ(message_of("words(min_char=4)"),
            "analyzer words: no parameter 'min_char'; it has min_chars, max_digits, punctuation, "
            "min_different");
  EXPECT_EQ(message_of("code(min_chars=4)"),
            "analyzer code: no parameter 'min_chars'; it has none");
  EXPECT_EQ(message_of("words(min_chars=4, min_chars=4)"),
            "analyzer words: min_chars is given twice");
  EXPECT_TRUE(message_of("words(min_chars").starts_with("analyzer \"words(min_chars\": expected"));
  EXPECT_TRUE(message_of("word(min_chars=4)").starts_with("no analyzer 'word'; there is: code"));
}

TEST(Analyzers, AreDeclaredOnTheShelf) {
  const std::vector<AnalyzerDeclaration> known = known_analyzers();
  ASSERT_EQ(known.size(), analyzers().size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(known[i].name, analyzers()[i]->name());
    EXPECT_EQ(known[i].version, analyzers()[i]->version());
    EXPECT_EQ(known[i].summary, analyzers()[i]->summary());
    EXPECT_EQ(known[i].features, known[i].name == "features");
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

Analysis analysis_of(std::string_view page, Markup markup) {
  Analysis analysis;
  analyze(*find_analyzer("words"), page, markup, Offsets::keep, analysis);
  return analysis;
}

// B-01: pages that differ in markup, comments, case, space and ways of writing a
// character have one lexical fingerprint; other words have another.
TEST(Analyzers, VariantsOfAPageHaveOneLexicalFingerprint) {
  const Fingerprint page = analysis_of(
                               "<p>The quick brown caf\xC3\xA9 & its \xE2\x80\x9C"
                               "fox\xE2\x80\x9D.</p>",
                               Markup::html)
                               .lexical_fingerprint();
  for (const char* variant : {
           "the QUICK brown caf&eacute; &amp; its &ldquo;fox&rdquo;",
           "<!DOCTYPE html><html><body><div class='a > b'>The quick<br>brown</div>\n\n  <ul><li>"
           "caf&#233; &#x26; its<li>&#147;fox&#148;</ul>.",
           "<h1>The</h1><!-- no <p> words --><SCRIPT>var words = '</p>';</SCRIPT>quick\t<b>br</b>"
           "own<style>p { content: 'words' }</style> c<i>a</i>f&eacute its \"fox\"<template>no"
           "</template>",
           "<table><tr><td>The<td>quick<td>brown<td>caf&#xE9;</tr></table>its<img alt=no>fox",
       }) {
    EXPECT_EQ(analysis_of(variant, Markup::html).lexical_fingerprint(), page) << variant;
  }
  for (const char* other : {"The quick brown caf&eacute; &amp; its <p>f</p>ox",
                            "The quick brown cafe & its fox", "The quick brown caf&eacute; its"}) {
    EXPECT_NE(analysis_of(other, Markup::html).lexical_fingerprint(), page) << other;
  }
  EXPECT_EQ(analysis_of("The quick brown caf\xC3\xA9 its fox", Markup::none).lexical_fingerprint(),
            page)
      << "and so has the plain text";
}

TEST(Analyzers, OffsetsAreThoseOfThePage) {
  const std::string page = "<p>Fish &amp; <b>chi</b>ps, caf&eacute;</p>";
  const Analysis analysis = analysis_of(page, Markup::html);
  ASSERT_EQ(analysis.offsets.size(), 3u);
  const auto token = [&](std::size_t i) {
    const TokenOffsets offsets = analysis.offsets[i];
    return page.substr(offsets.begin, offsets.end - offsets.begin);
  };
  EXPECT_EQ(token(0), "Fish");
  EXPECT_EQ(token(1), "chi</b>ps");
  EXPECT_EQ(token(2), "caf&eacute;");
  Analysis dropped;
  analyze(*find_analyzer("words"), page, Markup::html, Offsets::drop, dropped);
  EXPECT_EQ(dropped.tokens, analysis.tokens);
  EXPECT_TRUE(dropped.offsets.empty());
}

// Tokens of two letters; the second is the first of the next: ko kai, sara am (a reference), lo
// ling with its vowel above (a tag between), ngo ngu.
TEST(Analyzers, OffsetsOfAThaiWordSpanItsTagsAndReferences) {
  const std::string ko = utf8_of(0xE01), lo = utf8_of(0xE25), vowel = utf8_of(0xE31),
                    ngo = utf8_of(0xE07);
  const std::string page = "<p>a " + ko + "&#3635;" + lo + "<b>" + vowel + ngo + "</b> z</p>";
  const Analysis analysis = analysis_of(page, Markup::html);
  std::vector<std::string> covered;
  for (const TokenOffsets offsets : analysis.offsets) {
    covered.push_back(page.substr(offsets.begin, offsets.end - offsets.begin));
  }
  EXPECT_EQ(covered, (std::vector<std::string>{"a", ko + "&#3635;", "&#3635;" + lo + "<b>" + vowel,
                                               lo + "<b>" + vowel + ngo, "z"}));
  const std::string plain = "a " + ko + utf8_of(0xE33) + lo + vowel + ngo + " z";
  EXPECT_EQ(analysis.tokens, analysis_of(plain, Markup::none).tokens);
}

TEST(Analyzers, TheTextOfALargePageIsNotHeldOnTo) {
  Analysis analysis;
  const std::string large(std::size_t{20} << 20, ' ');
  analyze(*find_analyzer("words"), large + "word", Markup::html, Offsets::keep, analysis);
  EXPECT_EQ(analysis.tokens.size(), 1u);
  EXPECT_EQ(analysis.offsets[0].begin, large.size());
  EXPECT_EQ(analysis.html.bytes.capacity(), 0u);
}

TEST(Analyzers, WithoutMarkupIsWhatIsAnalyzed) {
  const std::string page = "<p>a&lt;b</p>";
  EXPECT_EQ(without_markup(page, Markup::none), page);
  EXPECT_EQ(without_markup(page, Markup::html), "a<b\n");
  EXPECT_EQ(analysis_of(page, Markup::none).tokens.size(), 5u);
  EXPECT_EQ(analysis_of(page, Markup::html).tokens.size(), 2u);
  EXPECT_TRUE(analysis_of("<p></p>", Markup::html).tokens.empty());
}

}  // namespace
}  // namespace twinset
