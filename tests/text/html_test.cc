// The fast reader of pages against its reference: any difference in the text, or in
// where a byte of it comes from, on any page is a bug. Pages are tight in their
// allocations, so that a sanitizer sees a read outside them.
#include "text/html.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "base/cpu.h"
#include "support/html_reference.h"
#include "text/html_fields.h"
#include "text/html_samples.h"

namespace twinset {
namespace {

class Html : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override { ASSERT_TRUE(limit_simd(GetParam()).ok()); }
  void TearDown() override { ASSERT_TRUE(limit_simd(supported_simd_levels().back()).ok()); }

  /// True if both agree; says where if not. The texts are reused, as callers do.
  bool agrees(std::string_view page, std::size_t offset = 0) {
    const TightText tight(page, offset);
    const html::ReferenceText expected = html::html_reference(tight.view());
    extract_html(tight.view(), Offsets::drop, text_);
    EXPECT_EQ(text_.view(), expected.text);
    EXPECT_TRUE(text_.segments.empty());
    extract_html(tight.view(), Offsets::keep, text_);
    EXPECT_EQ(text_.view(), expected.text);
    if (!testing::Test::HasFailure()) compare_sources(page, expected);
    extract_html_fields(tight.view(), text_, fields_);
    EXPECT_EQ(text_.view(), expected.text);
    EXPECT_EQ(fields_.title, expected.fields.title);
    EXPECT_EQ(fields_.links, expected.fields.links);
    EXPECT_EQ(fields_.spans, expected.fields.spans);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "page of " << page.size() << " bytes at offset " << offset << ": "
                    << testing::PrintToString(std::string(page.substr(0, 600)));
    }
    return !testing::Test::HasFailure();
  }

  void compare_sources(std::string_view page, const html::ReferenceText& expected) {
    std::vector<TokenOffsets> sources;
    for (std::uint32_t i = 0; i < text_.size; ++i) {
      sources.push_back({i, i + 1});
    }
    map_to_page(text_, sources);
    EXPECT_EQ(sources, expected.sources);
    std::uint32_t text_begin = 0;
    std::uint32_t page_begin = 0;
    for (const HtmlSegment& segment : text_.segments) {
      EXPECT_GE(segment.text_begin, text_begin);
      EXPECT_TRUE(segment.page_begin >= page_begin ||
                  page.find("<template") != std::string_view::npos);
      EXPECT_LE(std::size_t{segment.page_begin} + segment.page_bytes, page.size());
      text_begin = segment.text_begin;
      page_begin = segment.page_begin;
    }
  }

  HtmlText text_;
  HtmlFields fields_;
};
INSTANTIATE_TEST_SUITE_P(Levels, Html, testing::ValuesIn(supported_simd_levels()),
                         [](const auto& level) {
                           return std::string(simd_level_name(level.param));
                         });

TEST_P(Html, EmptyAndSingleBytes) {
  ASSERT_TRUE(agrees(""));
  ASSERT_TRUE(agrees({}));
  for (int byte = 0; byte < 256; ++byte) {
    ASSERT_TRUE(agrees(std::string(1, static_cast<char>(byte))));
    ASSERT_TRUE(agrees("<" + std::string(1, static_cast<char>(byte))));
    ASSERT_TRUE(agrees("<a" + std::string(1, static_cast<char>(byte)) + "b=c>d"));
  }
}

TEST_P(Html, AllPairsAndManyTriplesOfPieces) {
  const auto& pieces = html_pieces();
  HtmlSamples samples(1);
  for (const std::string& first : pieces) {
    for (const std::string& second : pieces) {
      ASSERT_TRUE(agrees(first + second));
      ASSERT_TRUE(agrees("t" + first + second + pieces[samples.below(pieces.size())] + "u"));
    }
  }
}

TEST_P(Html, ManyPieces) {
  HtmlSamples samples(2);
  for (int i = 0; i < (sanitized ? 2000 : 15000); ++i) {
    ASSERT_TRUE(agrees(samples.page(samples.below(40)), samples.below(64)));
  }
}

TEST_P(Html, MutatedPages) {
  HtmlSamples samples(3);
  const std::string page =
      "<!DOCTYPE html><html><head><title>A &amp; B</title><style>p{}</style>"
      "<script>if (a<b && c) document.write('<p>');</script></head>\n<body class=\"x\" "
      "data-y='1 > 2'><!-- nothing --><p>One <b>bold</b> word&hellip; <br> and&nbsp;"
      "<a href=\"/index.html?a=1&amp;b=2\">a link</a>.</p><svg viewBox='0 0 1 1'><title>T"
      "</title><style/><path d='M0'/></svg><table><tr><td>1<td>2</table>"
      "<template><p>unseen</template><textarea>a<b></textarea><script><!-- <script> --> "
      "</script><math><mi>x</mi></math></body></html>\n";
  ASSERT_TRUE(agrees(page));
  for (int i = 0; i < (sanitized ? 2000 : 15000); ++i) {
    ASSERT_TRUE(agrees(samples.mutated(page), samples.below(64)));
  }
}

TEST_P(Html, ScriptsOfManyPieces) {
  // Nearly only strings that open and close the escaped states.
  HtmlSamples samples(4);
  const std::vector<std::string> pieces{"<!--", "-->", "<script", "</script", ">",  " ",  "-",
                                        "<!",   "<",   "/",       "a",        "--", "</", "!"};
  for (int i = 0; i < (sanitized ? 4000 : 30000); ++i) {
    std::string page = "<script>";
    for (std::size_t j = samples.below(14); j > 0; --j) page += pieces[samples.below(14)];
    ASSERT_TRUE(agrees(page + "</script>seen"));
  }
}

TEST_P(Html, CommentsOfManyPieces) {
  HtmlSamples samples(5);
  const std::vector<std::string> pieces{"<!", "-", ">", "!", "--", "<", "a"};
  for (int i = 0; i < (sanitized ? 4000 : 30000); ++i) {
    std::string page = "<!--";
    for (std::size_t j = samples.below(10); j > 0; --j) page += pieces[samples.below(7)];
    ASSERT_TRUE(agrees(page + "seen"));
  }
}

TEST_P(Html, ShadowTreesOfManyPieces) {
  HtmlSamples samples(7);
  const std::vector<std::string> pieces{
      "<x-a>1<template shadowrootmode=open><slot name=s></slot>2<slot></slot></template>",
      "<x-a><template shadowrootmode=open>3<slot slot=s>4</slot></template><p slot=s>5",
      "<template shadowrootmode=open>",
      "<template shadowrootmode=CLOSED>",
      "<template shadowrootmode=no>",
      "</template>",
      "</template>",
      "<x-a>",
      "<x-a slot=s>",
      "</x-a>",
      "<slot>",
      "<slot name=s>",
      "<slot name='&#115;' slot=s>",
      "</slot>",
      "<p slot=s>",
      "<p>",
      "</p>",
      "<b slot='s'>",
      "<b>",
      "</b>",
      "<div>",
      "</div>",
      "<li slot=s>",
      "<ul>",
      "</ul>",
      "<table><td>",
      "<td>",
      "</table>",
      "<span>",
      "</span>",
      "<h1>",
      "<h2>",
      "</h3>",
      "<svg slot=s>",
      "<svg><foreignObject>",
      "</svg>",
      "<br slot=s>",
      "</br>",
      "<textarea slot=s>",
      "</textarea>",
      "<title>",
      "</title>",
      "<body>",
      "</body>",
      "<html>",
      "<!---->",
      "<a href=x>",
      "</a>",
      "<button>",
      "<option>",
      "<script>",
      "</script>",
      "<iframe srcdoc='<p>f'></iframe>",
      "<iframe srcdoc='a<p>b<template shadowrootmode=open><slot></slot>c'></iframe>",
      "one",
      "two",
      "three",
      " ",
      "&amp;",
      "&nGt;",
      "<"};
  std::size_t moved = 0;
  for (int i = 0; i < (sanitized ? 3000 : 20000); ++i) {
    std::string page;
    for (std::size_t j = samples.below(30); j > 0; --j) {
      // Half of them are those of trees.
      page += pieces[samples.below(samples.below(2) == 0 ? 18 : pieces.size())];
      if (samples.below(3) == 0) page += static_cast<char>('a' + samples.below(26));
    }
    ASSERT_TRUE(agrees(page, samples.below(64)));
    moved += !std::ranges::is_sorted(text_.segments, {}, &HtmlSegment::page_begin);
  }
  EXPECT_GT(moved, sanitized ? 450U : 3000U) << "too few show anything out of order";
}

TEST_P(Html, AttributesOfManyPieces) {
  HtmlSamples samples(6);
  const std::vector<std::string> pieces{"a", "=", "\"", "'", " ", "/", "&amp", "<", "\n", "b"};
  for (int i = 0; i < (sanitized ? 4000 : 30000); ++i) {
    std::string page = samples.below(2) != 0 ? "<p " : "<svg><style ";
    for (std::size_t j = samples.below(12); j > 0; --j) page += pieces[samples.below(10)];
    ASSERT_TRUE(agrees(page + ">seen</style>\">'>more"));
  }
}

TEST_P(Html, TextsOfAnyLengthAtAnyPlace) {
  for (std::size_t length = 0; length < 140; ++length) {
    const std::string run(length, 'x');
    ASSERT_TRUE(agrees(run + "<p>" + run + "&lt;" + run, length % 64));
    ASSERT_TRUE(agrees("<a b='" + run + "'>" + run + "</a", length % 64));
    ASSERT_TRUE(agrees("<title>" + run + "&amp;" + run + "</title>" + run));
  }
}

TEST_P(Html, ReferencesThatGrow) {
  std::string page;
  for (int i = 0; i < 3000; ++i) page += i % 3 != 0 ? "&nGt;" : "&nLt;";
  ASSERT_TRUE(agrees(page));
  EXPECT_EQ(text_.size, page.size() / 5 * 6);
}

TEST(HtmlText, IsWhatAReaderSees) {
  HtmlText text;
  const auto seen = [&](std::string_view page) {
    extract_html(page, Offsets::keep, text);
    return text.view();
  };
  EXPECT_EQ(seen("<p>Fish &amp; <b>chi</b>ps<script>x()</script>"), "Fish & chips");
  EXPECT_EQ(page_range(text, {7, 12}), (TokenOffsets{17, 26}));
  EXPECT_EQ(page_range(text, {5, 6}), (TokenOffsets{8, 13})) << "the whole reference";
  EXPECT_EQ(seen("foo<b>bar</b>"), "foobar");
  EXPECT_EQ(seen("one<p>two<br>three"), "one\ntwo\nthree");
  EXPECT_EQ(seen("<title>T</title><meta name=a content=b>x"), "T\nx");
  EXPECT_EQ(seen("a<!-- > -->b"), "ab");
  EXPECT_EQ(seen("<td>1</td><td>2</td>"), "1\n2\n");
}

TEST(HtmlText, RangesThatOverlapAreMappedEachByItself) {
  HtmlText text;
  extract_html("ab<i>c</i>&#100;<b>e</b>f&amp;g", Offsets::keep, text);
  ASSERT_EQ(text.view(), "abcdef&g");
  std::vector<TokenOffsets> twos, threes;
  for (std::uint32_t i = 0; i + 2 <= text.size; ++i) twos.push_back({i, i + 2});
  for (std::uint32_t i = 0; i + 3 <= text.size; ++i) threes.push_back({i, i + 3});
  for (std::vector<TokenOffsets> ranges : {twos, threes}) {
    std::vector<TokenOffsets> expected;
    for (const TokenOffsets range : ranges) expected.push_back(page_range(text, range));
    map_to_page(text, ranges);
    EXPECT_EQ(ranges, expected);
  }
}

TEST(HtmlFields, AreTheTitleLinksAndSpans) {
  HtmlText text;
  HtmlFields fields;
  const auto words = [&](TokenOffsets range) {
    return std::string(text.view().substr(range.begin, range.end - range.begin));
  };
  const std::string page =
      "<title>T &amp; U</title><title>no</title><h1>Head <b>bold</b></h1>"
      "<a href='/b?c&amp;d&lt=e' href=no>see <i>this</i></a> <a name=x>no link</a>"
      "<A HREF=/two>two<a href>three</A><template><a href=no>no</a></template><h2>end";
  extract_html_fields(page, text, fields);
  EXPECT_EQ(words(fields.title), "T & U");
  ASSERT_EQ(fields.links.size(), 3u);
  EXPECT_EQ(fields.links[0].href, "/b?c&d&lt=e");
  EXPECT_EQ(words(fields.links[0].text), "see this");
  EXPECT_EQ(fields.links[1].href, "/two");
  EXPECT_EQ(words(fields.links[1].text), "two") << "a link ends where another begins";
  EXPECT_EQ(fields.links[2].href, "");
  EXPECT_EQ(words(fields.links[2].text), "three");
  std::string spans;
  for (const HtmlSpan& span : fields.spans) {
    spans += std::to_string(static_cast<int>(span.tag)) + "=" + words(span.text) + ";";
  }
  EXPECT_EQ(spans,
            "5=Head bold;2=bold;1=see this;11=this;1=no link;1=twothree\nend;1=three;6=end;");
  HtmlText alone;
  extract_html(page, Offsets::keep, alone);
  EXPECT_EQ(alone.view(), text.view());
  extract_html_fields("", text, fields);
  EXPECT_EQ(fields, HtmlFields());
}

// Time linear in the page, whatever it is made of: each of these pages of one megabyte takes some
// milliseconds; quadratic time would be minutes.
TEST(HtmlText, BrokenPagesTakeLinearTime) {
  HtmlText text;
  HtmlFields fields;
  const std::vector<std::string> units{"<a href=x>",
                                       "<b><i>",
                                       "<div>",
                                       "<div",
                                       "<",
                                       "</",
                                       "<!--",
                                       "<!-- >",
                                       "<a b='",
                                       "<a b=\"",
                                       "<a b=",
                                       "<a =",
                                       "<!",
                                       "<?",
                                       "&",
                                       "&#",
                                       "&#1",
                                       "&a",
                                       "<script>",
                                       "<title>",
                                       "</title",
                                       "<svg>",
                                       "<template>",
                                       "<script><!--",
                                       "<!--<script",
                                       "]]>",
                                       "<svg><![CDATA[",
                                       "&CounterClockwiseContour",
                                       "'"};
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& unit : units) {
    std::string page;
    while (page.size() < 1'000'000) page += unit;
    extract_html(page, Offsets::keep, text);
    extract_html_fields(page, text, fields);
    for (const char* opening :
         {"<script>", "<script><!--", "<style>", "<title>", "<svg><![CDATA["}) {
      extract_html(opening + page, Offsets::keep, text);
    }
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), sanitized ? 120.0 : 20.0);
}

// The standard reads CR LF as LF before it looks for tags; here bytes stay unchanged, so a CR
// within a tag must be the white space that it means.
TEST(HtmlText, CarriageReturnsInTagsAreWhiteSpace) {
  const auto text_of = [](std::string_view page) {
    HtmlText text;
    extract_html(page, Offsets::drop, text);
    return std::string(text.view());
  };
  EXPECT_EQ(text_of("<script>x()</script\r\n>tail"), "tail");
  EXPECT_EQ(text_of("a<script\r\n type=\"t\">var hidden = 1</script>b"), "ab");
  EXPECT_EQ(text_of("one<br\r\n>three"), "one\nthree");
  EXPECT_EQ(text_of("<p\r\nclass=x\r\n>one</p\r><b\rid=y>two</b\r\n>"), "one\ntwo");
  EXPECT_EQ(text_of("<!doctype\r\nhtml><title\r\n>t</title\r\n>x"),
            text_of("<!doctype\nhtml><title\n>t</title\n>x"));
}

TEST(HtmlText, NestedAHundredThousandDeep) {
  std::string page;
  std::string expected;
  for (int i = 0; i < 100'000; ++i) page += "<div><template><b>";
  page += "deep";
  HtmlText text;
  extract_html(page, Offsets::keep, text);
  EXPECT_EQ(text.view(), "") << "inside a template";
  page.clear();
  for (int i = 0; i < 100'000; ++i) page += "<div><b>";
  page += "deep";
  for (int i = 0; i < 100'000; ++i) page += "</b></div>";
  extract_html(page, Offsets::keep, text);
  EXPECT_EQ(text.view(), "deep\n");
}

TEST(HtmlText, MemoryIsProportionalToThePage) {
  std::string page(40'000'000, 'x');
  HtmlText text;
  extract_html(page, Offsets::keep, text);
  EXPECT_EQ(text.view(), page);
  EXPECT_EQ(text.segments.size(), 1u);
  EXPECT_LT(text.bytes.capacity(), page.size() * 5 / 4);
}

}  // namespace
}  // namespace twinset
