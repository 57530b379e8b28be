// The rules of elements; tests/io/formats/sgml_test.cc and nitf_test.cc have those of fields.
#include "io/news_elements.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace twinset {
namespace {

using Values = std::vector<std::string>;

TEST(NewsElements, AnElementEndsAtItsEndTagOrAtTheNextTag) {
  const NewsStory story("<a>1<b>2</b>3</a><C x=1>4<d/>5<b>6");
  EXPECT_EQ(story.values("a"), (Values{"123"}));
  EXPECT_EQ(story.values("b"), (Values{"2", "6"}));
  EXPECT_EQ(story.values("c"), (Values{"4"}));
  EXPECT_EQ(story.values("d"), (Values{}));
  EXPECT_EQ(story.values("c@x"), (Values{"1"}));
  EXPECT_EQ(story.values("none"), (Values{}));
}

TEST(NewsElements, AttributesMayBeQuotedInAnyWay) {
  const NewsStory story("<p a=\"1 &amp; 2\" b = '3' c=4 d e=\"\" F=\"=\">");
  EXPECT_EQ(story.values("p@a"), (Values{"1 & 2"}));
  EXPECT_EQ(story.values("p@b"), (Values{"3"}));
  EXPECT_EQ(story.values("p@c"), (Values{"4"}));
  EXPECT_EQ(story.values("p@d"), (Values{}));
  EXPECT_EQ(story.values("p@f"), (Values{"="}));
}

TEST(NewsElements, TheFirstElementTellsTheFormat) {
  EXPECT_EQ(first_element("\xef\xbb\xbf<?xml?> <!-- <x> --><!DOCTYPE nitf>\n<NITF version='3'>"),
            "NITF");
  EXPECT_EQ(first_element("words <x>"), "");
  EXPECT_EQ(first_element(""), "");
  EXPECT_EQ(news_format("<nitf>"), "nitf");
  EXPECT_EQ(news_format("<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n<REUTERS >"), "sgml");
  EXPECT_EQ(news_format("<DOC>\n<DOCNO> 1 </DOCNO>"), "sgml");
  EXPECT_EQ(news_format("<doc><p>A document of somebody else"), "");
  EXPECT_EQ(news_format("<html>"), "");
}

// What is nested in itself, or never closed, is read once.
TEST(NewsElements, OddTagsTakeLinearTime) {
  for (const char* tag : {"<title>", "<body>", "<topics>", "<d>", "<", "<!--", "<a b=", "</",
                          "<text>", "<topics></topics>", "&"}) {
    std::string bytes = "<text>";
    while (bytes.size() < 1'000'000) bytes += tag;
    const auto begin = std::chrono::steady_clock::now();
    const NewsStory story(bytes);
    std::size_t size = 0;
    for (const char* field : {"text", "title", "body", "topics"}) {
      size += story.text(field).value_or("").size();
      for (const std::string& value : story.values(field)) size += value.size();
    }
    EXPECT_LT(size, 10 * bytes.size()) << tag;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << tag;
  }
}

}  // namespace
}  // namespace twinset
