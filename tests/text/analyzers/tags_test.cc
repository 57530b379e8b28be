// The analyzer `tags`: which tags are tokens, and where they stand.
#include <gtest/gtest.h>

#include <string>

#include "text/analyzer.h"

namespace twinset {
namespace {

const Analyzer& tags() { return *find_analyzer("tags"); }

Analysis analyzed(std::string_view page, Markup markup = Markup::html) {
  Analysis analysis;
  analyze(tags(), page, markup, Offsets::keep, analysis);
  return analysis;
}

std::string names(std::string_view page) {
  const Analysis analysis = analyzed(page);
  std::string all;
  for (const TokenOffsets& range : analysis.offsets) {
    if (!all.empty()) all += ' ';
    tags().append_token(page, range, all);
  }
  EXPECT_EQ(analysis.tokens.size(), analysis.offsets.size());
  return all;
}

TEST(Tags, AreStartTagsInSmallLetters) {
  EXPECT_EQ(names("<HTML><Body class=x>Some <b>text</b><br/><my-own data-a='>'>x</my-own>"),
            "html body b br my-own");
  EXPECT_EQ(names("no tag, 1 < 2, a</b>, <3"), "");
  EXPECT_EQ(names(""), "");
}

TEST(Tags, OfCommentsScriptsAndTemplatesAreNone) {
  EXPECT_EQ(names("<!-- <p> --><script>'<p>'</script><style><p></style><title><p></title>"
                  "<template><p></template><textarea><p></textarea><i>"),
            "script style title template textarea i");
}

TEST(Tags, StandInThePage) {
  const std::string page = "one <P id=a>two<eM>";
  const Analysis analysis = analyzed(page);
  ASSERT_EQ(analysis.offsets.size(), 2U);
  EXPECT_EQ(analysis.offsets[0], (TokenOffsets{5, 6}));
  EXPECT_EQ(analysis.offsets[1], (TokenOffsets{16, 18}));
  EXPECT_EQ(analysis.tokens[1], analyzed("<em>").tokens[0]);
  // The same of a text whose markup nobody has named.
  EXPECT_EQ(analyzed(page, Markup::none).tokens, analysis.tokens);
}

// What the pages say plays no part.
TEST(Tags, OfPagesOfOneTemplateAreEqual) {
  const auto page = [](const std::string& text) {
    return "<h1>" + text + "</h1><ul><li>" + text + text + "</ul><p>" + text;
  };
  EXPECT_EQ(analyzed(page("one")).tokens, analyzed(page("other words here")).tokens);
  EXPECT_NE(analyzed(page("one")).tokens, analyzed("<h1>one</h1><ol><li>x</ol><p>y").tokens);
}

TEST(Tags, AreReadInTheMarkupItself) {
  EXPECT_TRUE(tags().reads_markup());
  EXPECT_EQ(markup_before(tags(), Markup::html), Markup::none);
  EXPECT_EQ(markup_before(*find_analyzer("words"), Markup::html), Markup::html);
}

}  // namespace
}  // namespace twinset
