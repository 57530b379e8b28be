// Pages beyond plain HTML - XHTML, declarative shadow trees, pages in frames - and the text that a
// reader sees of each, written by hand. `|` stands for an end of line.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/html.h"
#include "text/html_fields.h"
#include "text/html_tags.h"
#include "text/xhtml.h"

namespace twinset {
namespace {

struct Page {
  Markup markup;
  const char* page;
  const char* seen;
};

constexpr Markup xml = Markup::xhtml;
constexpr Markup loose = Markup::loose_xhtml;
constexpr Markup web = Markup::html;

const std::vector<Page>& pages() {
  static const std::vector<Page> all{
      // XHTML: every element may be empty, and names have small letters.
      {xml, "<html><head><script src='a.js'/></head><body><p>One</p></body></html>", "|One|"},
      {xml, "<html><head><title/><link href='s'/></head><body>One</body></html>", "|One|"},
      {xml, "<html><style/><p>One</p><div/><p>Two</p></html>", "|One|Two|"},
      {xml, "<p>a<iframe/>b<noscript/>c<textarea/>d</p>", "|a|bc|d|"},
      {xml, "<p><b/>One<a/> word</p>", "|One word|"},
      {xml, "<p><![CDATA[1 < 2 & <b>3]]></p>", "|1 < 2 & <b>3|"},
      {xml, "<p>a<![CDATA[b]]>c<![CDATA[]]></p>", "|abc|"},
      {xml, "<p>One<?php echo '<p>'; ?> word</p>", "|One word|"},
      {xml, "<p>One<!-- > -- <b> --> word</p>", "|One word|"},
      {xml, "<!DOCTYPE html [<!ENTITY a \"<p>\">]><p>One</p>", "|One|"},
      {xml, "<p>caf&eacute;&#160;&amp;&nbsp;&lt;b&gt;</p>", "|caf\xc3\xa9\xc2\xa0&\xc2\xa0<b>|"},
      {xml, "<p>a<SCRIPT>b</SCRIPT><P>c</P></p>", "|abc|"},
      {xml, "<p>One<script>x = '<![CDATA[</script>]]>';</script> word</p>", "|One word|"},
      {xml, "<html><head><title>A <i>name</i></title></head><body>b</body></html>", "|A name|b|"},
      {xml, "<p>a<svg><title/><text>b</text></svg>c</p>", "|a|b|c|"},
      {xml, "<p>a<template><b>c</b></template>d<template/>e</p>", "|ade|"},
      {xml, "<p>a<textarea>b<i>c</i></textarea></p>", "|a|bc|"},
      // Not well formed: nothing after the fault is lost.
      {loose, "<head><script src='a.js'/><title/></head><p>One<br>two", "|One|two"},
      {loose, "<p>One<![CDATA[ & two]]><br><script>three", "|One & two|three"},
      {loose, "<P>a<SCRIPT>b</SCRIPT>c<div/>d & e", "|ac|d & e"},
      {loose, "<p>a<title>b<p>c", "|a|b|c"},
      // HTML stays what browsers make of it.
      {web, "<p>a<title/>b</p><p>c</title>d", "|a|b</p><p>c|d"},
      {web, "<p>a<![CDATA[b]]>c", "|ac"},
      // A template that is declared as a shadow tree is seen.
      {web, "<x-a><template shadowrootmode=open><p>One</p></template>Two</x-a>", "|One|Two"},
      {web, "<x-a>a<template SHADOWROOTMODE='Closed'>b</template>c", "a|b|c"},
      {web, "a<template shadowrootmode=none>b</template>c<template shadowrootmode>d</template>e",
       "ace"},
      {web, "<template shadowrootmode=open>a<template>b</template>c</template>d", "|ac|d"},
      {web, "<template>a<template shadowrootmode=open>b</template>c</template>d", "d"},
      {xml, "<p>a<template shadowrootmode='open'>b</template>c</p>", "|ac|"},
      // A frame shows the page in its srcdoc.
      {web, "a<iframe srcdoc='<p>One</p>'>no frames</iframe>b", "a|One|b"},
      {web, "<iframe src=x SrcDoc=\"<p title='&quot;&gt;'>Fish &amp;amp; &lt;b>chips\"></iframe>",
       "|Fish & chips|"},
      {web,
       "<iframe srcdoc=\"<title>T</title><script>x</script><iframe srcdoc='in'></iframe>b\">"
       "</iframe>c",
       "|T|in|b|c"},
      {web, "a<iframe srcdoc=''>x</iframe>b<iframe>y</iframe>c", "a|b|c"},
      {web, "<template><iframe srcdoc='a'></iframe></template>b", "b"},
      {web, "<iframe srcdoc='<plaintext>a<b>'></iframe>c", "|a<b>|c"},
      {xml, "<p>a<iframe srcdoc='&lt;p>b&lt;script>'/>c</p>", "|a|b|c|"},
  };
  return all;
}

/// Line ends as `|`, one for several, and none where only one text has them at its ends.
std::string lines(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char shown = c == '\n' ? '|' : c;
    if (shown != '|' || out.empty() || out.back() != '|') out += shown;
  }
  if (out.starts_with('|')) out.erase(0, 1);
  if (out.ends_with('|')) out.pop_back();
  return out;
}

TEST(HtmlVisible, OfPagesBeyondPlainHtml) {
  ASSERT_GE(pages().size(), 30U);
  for (const Page& page : pages()) {
    HtmlText text;
    extract_html(page.page, Offsets::keep, text, page.markup);
    EXPECT_EQ(lines(text.view()), lines(page.seen)) << page.page;
    const std::string kept(text.view());
    extract_html(page.page, Offsets::drop, text, page.markup);
    EXPECT_EQ(text.view(), kept) << page.page;
    HtmlFields fields;
    extract_html_fields(page.page, text, fields, page.markup);
    EXPECT_EQ(text.view(), kept) << page.page;
    if (page.markup != web) {
      EXPECT_EQ(is_well_formed(page.page), page.markup == xml) << page.page;
    }
  }
}

TEST(HtmlVisible, TheTextOfAFrameIsAtItsTag) {
  const std::string_view page = "ab<iframe srcdoc='one two'>x</iframe>cd";
  HtmlText text;
  extract_html(page, Offsets::keep, text);
  ASSERT_EQ(text.view(), "ab\none two\ncd");
  EXPECT_EQ(page_offsets(text, {0, 2}), (TokenOffsets{0, 2}));
  EXPECT_EQ(page_offsets(text, {3, 6}), (TokenOffsets{2, 27}));
  EXPECT_EQ(page_offsets(text, {7, 10}), (TokenOffsets{2, 27}));
  EXPECT_EQ(page_offsets(text, {11, 13}), (TokenOffsets{37, 39}));
}

TEST(HtmlVisible, FramesInFramesEndAtADepth) {
  // The inner page is written with one more level of references each.
  std::string page = "deep";
  for (int i = 0; i < 6; ++i) {
    std::string value;
    for (const char c : page) value += c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    page = "level<iframe srcdoc=\"" + value + "\"></iframe>";
  }
  HtmlText text;
  extract_html(page, Offsets::drop, text);
  EXPECT_EQ(lines(text.view()), "level|level|level|level");
}

TEST(HtmlVisible, TheTitleOfXhtmlIsTheTitleField) {
  HtmlText text;
  HtmlFields fields;
  extract_html_fields("<html><title/><b/>y<i>z</i></html>", text, fields, xml);
  EXPECT_EQ(fields.title.begin, fields.title.end);
  ASSERT_EQ(fields.spans.size(), 2U);
  EXPECT_EQ(fields.spans[0].text.begin, fields.spans[0].text.end);
  extract_html_fields("<html><title>A <i>b</i></title>c</html>", text, fields, xml);
  EXPECT_EQ(text.view().substr(fields.title.begin, fields.title.end - fields.title.begin), "A b");
}

}  // namespace
}  // namespace twinset
