// Start and end tags against the elements that browsers leave open after them, by hand.
#include "text/html_nesting.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twinset::html {
namespace {

/// The names of the open elements after these tags: "p", "/p", and "+" for a declared template.
std::string open_after(const std::vector<std::string>& tags) {
  OpenElements open;
  std::vector<std::string> names;
  for (const std::string& tag : tags) {
    if (tag == "+") {
      EXPECT_TRUE(open.may_host());
      open.open_template();
      names.push_back("+");
      continue;
    }
    const bool ends = tag.starts_with('/');
    const OpenElements::Change change =
        ends ? open.end(tag.substr(1)) : open.start(tag, false, Around::html);
    if (change.begins_body) names.push_back("body");
    names.resize(change.kept);
    if (change.opens) names.push_back(tag);
  }
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
  return all;
}

TEST(HtmlNesting, EndTagsMayBeLeftOut) {
  EXPECT_EQ(open_after({"p", "p"}), "body p");
  EXPECT_EQ(open_after({"p", "b", "div"}), "body div");
  EXPECT_EQ(open_after({"p", "button", "p"}), "body p button p") << "a button holds paragraphs";
  EXPECT_EQ(open_after({"ul", "li", "b", "li"}), "body ul li");
  EXPECT_EQ(open_after({"ul", "li", "ul", "li"}), "body ul li ul li");
  EXPECT_EQ(open_after({"ul", "li", "div", "li"}), "body ul li");
  EXPECT_EQ(open_after({"dl", "dt", "dd"}), "body dl dd");
  EXPECT_EQ(open_after({"h1", "h2"}), "body h2");
  EXPECT_EQ(open_after({"select", "option", "option"}), "body select option");
  EXPECT_EQ(open_after({"table", "tbody", "tr", "td", "p", "td"}), "body table tbody tr td");
  EXPECT_EQ(open_after({"table", "tbody", "tr", "td", "tr"}), "body table tbody tr");
  EXPECT_EQ(open_after({"table", "tr", "td", "table", "tr"}), "body table tr td table tr");
  EXPECT_EQ(open_after({"A", "a"}), "body a");
}

TEST(HtmlNesting, EndTagsEndWhatTheyFit) {
  EXPECT_EQ(open_after({"DIV", "b", "/div"}), "body");
  EXPECT_EQ(open_after({"x-a", "b", "/X-A"}), "body");
  EXPECT_EQ(open_after({"x-a", "div", "/x-a"}), "body x-a div") << "a division is special";
  EXPECT_EQ(open_after({"div", "/p"}), "body div");
  EXPECT_EQ(open_after({"h1", "/h2"}), "body");
  EXPECT_EQ(open_after({"div", "table", "tr", "td", "/div"}), "body div table tr td");
  EXPECT_EQ(open_after({"div", "table", "tr", "td", "/table"}), "body div");
  EXPECT_EQ(open_after({"div", "/body", "/html"}), "body div");
  EXPECT_EQ(open_after({"br", "img", "input", "/br", "/img"}), "body");
}

TEST(HtmlNesting, TemplatesHoldTheirElementsTogether) {
  EXPECT_EQ(open_after({"div", "+", "p", "/div"}), "body div + p");
  EXPECT_EQ(open_after({"p", "+", "div"}), "body p + div");
  EXPECT_EQ(open_after({"div", "+", "p", "/template"}), "body div");
  EXPECT_EQ(open_after({"div", "+", "x-a", "+", "/template", "/template"}), "body div");
  EXPECT_EQ(open_after({"div", "/template"}), "body div");
}

TEST(HtmlNesting, TheBodyBeginsWithWhatIsNotOfTheHead) {
  EXPECT_EQ(open_after({"html", "head", "meta", "link", "/head"}), "");
  EXPECT_EQ(open_after({"html", "body", "body"}), "body");
  EXPECT_EQ(open_after({"br"}), "body");
  OpenElements open;
  EXPECT_FALSE(open.start("template", true, Around::html).makes_child);
  EXPECT_TRUE(open.text().begins_body);
  EXPECT_FALSE(open.text().begins_body);
  EXPECT_TRUE(open.start("template", true, Around::html).makes_child);
}

TEST(HtmlNesting, ParagraphsEndAtBlocksAndWithWhatTheyStandIn) {
  for (const char* const name : {"p", "DIV", "ul", "li", "h3", "article", "table", "form"}) {
    EXPECT_TRUE(ends_paragraph(name, false)) << name;
    EXPECT_TRUE(ends_paragraph(name, true)) << name;
  }
  for (const char* const name : {"td", "tr", "tbody", "body", "html", "caption"}) {
    EXPECT_FALSE(ends_paragraph(name, false)) << name;
    EXPECT_TRUE(ends_paragraph(name, true)) << name;
  }
  for (const char* const name : {"b", "br", "img", "span", "button", "svg", "x-a", ""}) {
    EXPECT_FALSE(ends_paragraph(name, false)) << name;
    EXPECT_FALSE(ends_paragraph(name, true)) << name;
  }
}

TEST(HtmlNesting, SvgHoldsHtmlInForeignObjects) {
  OpenElements open;
  EXPECT_TRUE(open.start("svg", false, Around::html).opens);
  EXPECT_FALSE(open.start("path", false, Around::foreign).opens);
  EXPECT_TRUE(open.start("foreignObject", false, Around::foreign).opens);
  EXPECT_EQ(open.start("div", false, Around::left_foreign).kept, 3U);
  EXPECT_EQ(open.end("svg").kept, 4U) << "a division is special";
  EXPECT_EQ(open.end("foreignobject").kept, 2U);
  EXPECT_EQ(open.start("div", false, Around::left_foreign).kept, 1U) << "it ends the picture";
}

TEST(HtmlNesting, CustomElementsAndSomeOthersMayHost) {
  const auto hosts = [](const char* name) {
    OpenElements open;
    open.start("b", false, Around::html);
    open.start(name, false, Around::html);
    return open.may_host();
  };
  for (const char* name : {"x-a", "article", "aside", "blockquote", "div", "footer", "h1", "h6",
                           "header", "main", "nav", "p", "section", "SPAN"}) {
    EXPECT_TRUE(hosts(name)) << name;
  }
  for (const char* name : {"a", "ul", "li", "td", "button", "font-face", "annotation-xml", "xa",
                           "form", "details", "slot"}) {
    EXPECT_FALSE(hosts(name)) << name;
  }
}

}  // namespace
}  // namespace twinset::html
