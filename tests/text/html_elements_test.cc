// The table of elements.
#include "text/html_elements.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset::html {
namespace {

TEST(HtmlElements, AreFoundWithoutRegardToCase) {
  for (const char* name : {"p", "P", "blockquote", "BlockQuote", "FIGCAPTION", "h1", "H6"}) {
    EXPECT_TRUE(find_element(name).apart) << name;
  }
  EXPECT_EQ(find_element("TextArea").name, "textarea");
}

TEST(HtmlElements, OthersDoNothing) {
  const std::string nul("p\0", 2);
  for (const std::string& name :
       {std::string(), std::string("abbr"), std::string("h7"), std::string("h\x11"),
        std::string("blockquotes"), std::string("blockquot"), std::string("\xC3\xA4"), nul,
        std::string(1000, 'p')}) {
    const Element& element = find_element(name);
    EXPECT_EQ(element.name, "");
    EXPECT_FALSE(element.apart);
    EXPECT_EQ(element.content, Content::markup);
    EXPECT_EQ(element.role, Role::none);
  }
}

TEST(HtmlElements, SayHowTheyAreRead) {
  EXPECT_EQ(find_element("script").content, Content::script);
  EXPECT_EQ(find_element("style").content, Content::style);
  EXPECT_EQ(find_element("title").content, Content::title);
  EXPECT_EQ(find_element("textarea").content, Content::title);
  EXPECT_EQ(find_element("xmp").content, Content::raw_seen);
  EXPECT_EQ(find_element("plaintext").content, Content::plaintext);
  for (const char* name : {"iframe", "noembed", "noframes", "noscript"}) {
    EXPECT_EQ(find_element(name).content, Content::raw_hidden) << name;
  }
  EXPECT_EQ(find_element("template").role, Role::hides);
  EXPECT_EQ(find_element("svg").role, Role::foreign);
  EXPECT_EQ(find_element("math").role, Role::foreign);
  EXPECT_EQ(find_element("div").role, Role::breaks_out);
  EXPECT_FALSE(find_element("span").apart);
  EXPECT_EQ(find_element("A").tag, Tag::a);
  EXPECT_EQ(find_element("h3").tag, Tag::h3);
  EXPECT_EQ(find_element("span").tag, Tag::none);
}

}  // namespace
}  // namespace twinset::html
