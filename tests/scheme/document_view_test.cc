// The name of a view's rule covers everything that decides it, and given parts are returned.
#include "scheme/document_view.h"

#include <gtest/gtest.h>

#include <set>

namespace twinset {
namespace {

TEST(ViewRule, ItsFingerprintChangesWithAllThatDecidesAView) {
  const ViewRule words{.analyzer = find_analyzer("words"), .shingle_tokens = 5};
  ASSERT_NE(words.analyzer, nullptr);
  ViewRule code = words;
  code.analyzer = find_analyzer("code");
  ViewRule wide = words;
  wide.shingle_tokens = 6;
  ViewRule pages = words;
  pages.pages = true;
  std::set<std::uint64_t> fingerprints;
  for (const ViewRule& rule : {words, code, wide, pages}) {
    EXPECT_TRUE(fingerprints.insert(rule.fingerprint()).second) << rule.name();
  }
  EXPECT_EQ(words.fingerprint(), ViewRule(words).fingerprint());
}

TEST(See, GivesWhatAReaderSeesWithTheOffsetsInIt) {
  VisibleText seen;
  see(*find_analyzer("words"), "<p>Fish &amp; <b>chi</b>ps", Markup::html, seen);
  EXPECT_EQ(seen.text, "Fish & chips");
  ASSERT_EQ(seen.analysis.offsets.size(), seen.analysis.tokens.size());
  const TokenOffsets last = seen.analysis.offsets.back();
  EXPECT_EQ(seen.text.substr(last.begin, last.end - last.begin), "chips");
  see(*find_analyzer("words"), "<p>", Markup::none, seen);
  EXPECT_EQ(seen.text, "<p>");
}

TEST(GivenView, GivesItsParts) {
  Analysis analysis;
  const Analyzer& words = *find_analyzer("words");
  words.analyze("one two", Offsets::drop, analysis);
  const std::vector<std::uint64_t> shingles{7, 8};
  const GivenView view("one two", analysis, shingles, &words);
  EXPECT_EQ(view.text(), "one two");
  EXPECT_EQ(&view.analysis(), &analysis);
  EXPECT_EQ(view.shingles(3).data(), shingles.data());
  EXPECT_EQ(view.visible().text, "one two");
  EXPECT_EQ(view.visible().analysis.tokens, analysis.tokens);
  const std::vector<std::uint64_t> others{9};
  EXPECT_EQ(view.with(others).shingles(5).data(), others.data());
  EXPECT_EQ(view.with(others).text(), "one two");

  const GivenView numbers(shingles);
  EXPECT_EQ(numbers.analyzer(), nullptr);
  EXPECT_TRUE(numbers.analysis().tokens.empty());
  EXPECT_EQ(numbers.visible().text, "");
}

}  // namespace
}  // namespace twinset
