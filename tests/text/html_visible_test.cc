// Pages beyond plain HTML - XHTML, declarative shadow trees, pages in frames - and the text that a
// reader sees of each, written by hand. `|` stands for an end of line.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "text/html.h"
#include "text/html_fields.h"
#include "text/html_tags.h"
#include "text/text_samples.h"
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
      // A shadow tree is shown in place of the content of its host, slots with what they take.
      {web, "<x-a><template shadowrootmode=open><p>One</p></template>Two</x-a>", "|One|"},
      {web, "<x-a>a<template SHADOWROOTMODE='Closed'>b<slot></slot></template>c</x-a>d", "|bac|d"},
      {web, "a<template shadowrootmode=none>b</template>c<template shadowrootmode>d</template>e",
       "ace"},
      {web, "<template>a<template shadowrootmode=open>b</template>c</template>d", "d"},
      {xml, "<p>a<template shadowrootmode='open'>b</template>c</p>", "|ac|"},
      // Slots take content by name, the default one the rest; of one name the first takes it all.
      {web,
       "<div><template shadowrootmode=open><slot name=b></slot>, <slot name=a></slot></template>"
       "<i slot=a>first</i><i slot=b>second</i><i slot=c>none</i></div>",
       "|second, first|"},
      {web,
       "<x-a>0<template shadowrootmode=open>(<slot></slot>)(<slot name=s></slot>)"
       "(<slot name=s>again</slot>)</template>1<b slot=s>2</b>3<b slot=s>4</b></x-a>",
       "|(013)(24)(again)|"},
      {web,
       "<p><template shadowrootmode=open><slot name='&amp;'></slot></template><b slot='&#38;'>a",
       "|a"},
      // What a slot holds itself is shown if it takes nothing; white space is something.
      {web, "<p><template shadowrootmode=open><slot>fall<b>back</b></slot></template></p>",
       "|fallback|"},
      {web, "<p><template shadowrootmode=open><slot>fallback</slot></template> </p>", "| |"},
      {web, "<p><template shadowrootmode=open><slot>fallback</slot></template><!-- --></p>",
       "|fallback|"},
      {web, "<p><template shadowrootmode=open><slot>fallback</slot></template>new</p>", "|new|"},
      // Trees in trees, and a slot that hands on what it takes.
      {web,
       "<x-a><template shadowrootmode=open>[<x-b><template shadowrootmode=open>{<slot></slot>}"
       "</template>b<slot></slot></x-b>]</template>a</x-a>",
       "|[|{ba}|]|"},
      {web,
       "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open>"
       "<slot name=t></slot>:<slot></slot></template>rest<slot name=s slot=t>x</slot></x-b>"
       "</template>hidden<i slot=s>head</i></x-a>",
       "|head:rest|"},
      {web,
       "<x-a><template shadowrootmode=open><slot></slot></template><x-b>"
       "<template shadowrootmode=open><b>in</b></template>out</x-b>a</x-a>",
       "|in|a|"},
      // A second tree of one element, one in the head, in another template or in an element that
      // may not have one are templates like others.
      {web,
       "<div><template shadowrootmode=open>1</template><template shadowrootmode=open>2</template>"
       "</div>",
       "|1|"},
      {web, "<template shadowrootmode=open>a<template>b</template>c</template>d", "d"},
      {web, "<head><template shadowrootmode=open>a</template></head><body>b", "|b"},
      {web, "<body><template shadowrootmode=open>a<slot></slot></template>b</body>c", "|ab|c"},
      {web, "<ul><template shadowrootmode=open>a</template><li>b</ul>", "|b|"},
      {web, "<font-face><template shadowrootmode=open>a</template>b</font-face>", "b"},
      {web, "<x-a><template shadowrootmode=open><template shadowrootmode=open>a</template>b", "|b"},
      // End tags that are left out, or fit nothing.
      {web, "<x-a>a<template shadowrootmode=open><slot></slot>b", "|ab"},
      {web, "<x-a>a<template shadowrootmode=open><p><slot></x-a>b", "|a"},
      {web, "<p>a<template shadowrootmode=open>b<slot></slot></template><div>c</div>", "|ba|c|"},
      {web,
       "<nav><template shadowrootmode=open><slot name=s></slot>;<slot></slot></template>"
       "<li>a<li slot=s>b<li>c</nav>d",
       "|b;|a|c|d"},
      {web, "<x-a><template shadowrootmode=open><slot></slot>b</template><div></x-a>c</div>d",
       "||c|db"},
      {web, "<x-a><svg slot=s><text>a</text></svg><template shadowrootmode=open><slot>b</slot>",
       "|b"},
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
      {web, "a<iframe srcdoc='<p>x<template shadowrootmode=open>y</template>z'></iframe>b",
       "a|y|b"},
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
  EXPECT_EQ(page_range(text, {0, 2}), (TokenOffsets{0, 2}));
  EXPECT_EQ(page_range(text, {3, 6}), (TokenOffsets{2, 27}));
  EXPECT_EQ(page_range(text, {7, 10}), (TokenOffsets{2, 27}));
  EXPECT_EQ(page_range(text, {11, 13}), (TokenOffsets{37, 39}));
}

TEST(HtmlVisible, SlotsMoveTextAndItsPlacesAndFields) {
  const std::string_view page =
      "<title>T</title><x-a><a slot=s href=u>one</a><template shadowrootmode=open><h1>two</h1>"
      "<slot name=s></slot></template>gone<h2>gone</h2></x-a>";
  HtmlText text;
  HtmlFields fields;
  extract_html_fields(page, text, fields);
  ASSERT_EQ(text.view(), "T\ntwo\none\n");
  const auto source = [&](std::uint32_t begin, std::uint32_t end) {
    const TokenOffsets range = page_range(text, {begin, end});
    return page.substr(range.begin, range.end - range.begin);
  };
  EXPECT_EQ(source(2, 5), "two");
  EXPECT_EQ(source(6, 9), "one");
  const TokenOffsets both = page_range(text, {2, 9});
  EXPECT_LT(both.begin, both.end) << "though what is shown first stands last";
  ASSERT_EQ(fields.links.size(), 1U);
  EXPECT_EQ(fields.links[0], (HtmlLink{"u", {6, 9}}));
  ASSERT_EQ(fields.spans.size(), 2U) << "h1 and a, and no h2";
  EXPECT_EQ(fields.spans[0], (HtmlSpan{html::Tag::h1, {2, 5}}));
  std::vector<HtmlTag> tags;
  extract_html_tags(page, text, tags);
  std::string starts;
  for (const HtmlTag& tag : tags) {
    EXPECT_EQ(page[tag.end - 1], '>');
    EXPECT_EQ(page[tag.name.begin - 1], tag.is_end ? '/' : '<');
    if (!tag.is_end) {
      starts += std::string(page.substr(tag.name.begin, tag.name.end - tag.name.begin)) + " ";
    }
  }
  EXPECT_EQ(starts, "title x-a a template h1 slot ") << "in the order of the page";
}

// Pages of some hundred kilobytes; what is quadratic in them takes minutes.
TEST(HtmlVisible, HostileTreesTakeLinearTime) {
  const std::vector<std::string> units{
      "<x-a><template shadowrootmode=open>",
      "<x-a><template shadowrootmode=open></template>",
      "<x-a><template shadowrootmode=open><slot></slot></template>a</x-a>",
      "<slot>",
      "<slot name=s>",
      "<slot name=s></slot>",
      "<b slot=s>a</b>b",
      "<b slot=s>",
      "<p><button>",
      "<li><b>",
      "<x-a>",
      "</x-b>",
      "<table><td>",
      "<x-a><template shadowrootmode=open><slot slot=s>",
      "</template>",
      "<svg><foreignObject>"};
  HtmlText text;
  HtmlFields fields;
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& unit : units) {
    for (const char* opening : {"a<template shadowrootmode=open><slot></slot>",
                                "<x-a><template shadowrootmode=open></template>"}) {
      std::string page = opening;
      while (page.size() < 200'000) page += unit;
      extract_html(page, Offsets::keep, text);
      extract_html_fields(page, text, fields);
      for (const char* end : {"</x-a>", "</p>", "</b>", "</slot></template>"}) {
        std::string closed = page;
        while (closed.size() < 400'000) closed += end;
        extract_html(closed, Offsets::drop, text);
      }
    }
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), sanitized ? 120.0 : 20.0);
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
