// The reference reader: each state of the tokenizer by cases that show it, and the rules about the
// text that a reader sees. If the environment variable TWINSET_HTML5LIB names the folder of
// html5lib's tokenizer tests, they judge it as well.
#include "support/html_reference.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "text/utf8.h"

namespace twinset::html {
namespace {

/// All tokens in a line: characters as they are, "{name a='v' /}" for a start tag,
/// "{/name}" for an end tag, "{}" for a comment or doctype.
std::string tokens_of(Tokenizer& tokenizer) {
  std::string all;
  for (Token token = tokenizer.next(); token.kind != TokenKind::end; token = tokenizer.next()) {
    switch (token.kind) {
      case TokenKind::character:
        all += token.text == std::string(1, '\0') ? "\xEF\xBF\xBD" : token.text;
        break;
      case TokenKind::start_tag:
        std::ranges::sort(token.attributes, {}, &Token::Attribute::name);
        all += "{" + token.name;
        for (const auto& [name, value] : token.attributes) all += " " + name + "='" + value + "'";
        all += token.self_closing ? " /}" : "}";
        break;
      case TokenKind::end_tag:
        all += "{/" + token.name + "}";
        break;
      default:
        all += "{}";
    }
  }
  return all;
}

std::string tokens(std::string_view page, ContentState state = ContentState::data,
                   std::string_view last_start_tag = "") {
  Tokenizer tokenizer(page);
  tokenizer.enter(state, last_start_tag);
  return tokens_of(tokenizer);
}

struct Case {
  std::string_view page;
  std::string_view tokens;
};

void expect_all(std::initializer_list<Case> cases, ContentState state = ContentState::data,
                std::string_view last_start_tag = "") {
  for (const Case& one : cases) {
    EXPECT_EQ(tokens(one.page, state, last_start_tag), one.tokens) << one.page;
  }
}

TEST(HtmlTokenizer, Tags) {
  expect_all({{"", ""},
              {"plain text", "plain text"},
              {"<p>", "{p}"},
              {"</p>", "{/p}"},
              {"<P></pRe>", "{p}{/pre}"},
              {"<h1>", "{h1}"},
              {"<p/>", "{p /}"},
              {"<p />", "{p /}"},
              {"<p / >", "{p}"},
              {"</p/>", "{/p}"},
              {"<p\n>", "{p}"},
              {"<p\t\f>", "{p}"},
              {"<a<b>", "{a<b}"},
              {"<a\"b'c>", "{a\"b'c}"},
              {"<a=b>", "{a=b}"},
              {"<a&b>", "{a&b}"},
              {"a<b>c</b>d", "a{b}c{/b}d"},
              {"</p a=b>", "{/p}"}});
}

TEST(HtmlTokenizer, LessThanSignsThatOpenNothing) {
  expect_all({{"<", "<"},
              {"a < b", "a < b"},
              {"1<2", "1<2"},
              {"<<p>", "<{p}"},
              {"<>", "<>"},
              {"<\n", "<\n"},
              {"<=", "<="},
              {"</", "</"},
              {"</>", ""},
              {"a</>b", "ab"},
              {"</ p>x", "{}x"},
              {"</1>x", "{}x"},
              {"</\n>", "{}"},
              {"<&lt;", "<<"},
              {"<-p>", "<-p>"}});
}

TEST(HtmlTokenizer, TagsThatThePageCutsOff) {
  for (const std::string_view whole :
       {"<p", "<p ", "<p a", "<p a ", "<p a=", "<p a= ", "<p a=b", "<p a='b", "<p a=\"b",
        "<p a=\"b\"", "<p a='b' ", "<p /", "</p", "</p a=", "<p a b"}) {
    EXPECT_EQ(tokens("x" + std::string(whole)), "x") << whole;
  }
}

TEST(HtmlTokenizer, Attributes) {
  expect_all({{"<p a>", "{p a=''}"},
              {"<p a b>", "{p a='' b=''}"},
              {"<p a=b>", "{p a='b'}"},
              {"<p A=B>", "{p a='B'}"},
              {"<p a='b'>", "{p a='b'}"},
              {"<p a=\"b\">", "{p a='b'}"},
              {"<p a = b>", "{p a='b'}"},
              {"<p a\n=\n'b'>", "{p a='b'}"},
              {"<p a=>x", "{p a=''}x"},
              {"<p a= >x", "{p a=''}x"},
              {"<p a='>'>x", "{p a='>'}x"},
              {"<p a=\">\">x", "{p a='>'}x"},
              {"<p a='\">'>x", "{p a='\">'}x"},
              {"<p a=b>'>", "{p a='b'}'>"},
              {"<p a=b'c>", "{p a='b'c'}"},
              {"<p a=b\"c>d\">", "{p a='b\"c'}d\">"},
              {"<p a==\"b>", "{p a='=\"b'}"},
              {"<p a=b=c>", "{p a='b=c'}"},
              {"<p =a>", "{p =a=''}"},
              {"<p ==a>", "{p =='a'}"},
              {"<p =\"a>b\">", "{p =\"a=''}b\">"},
              {"<p a 'b>", "{p 'b='' a=''}"},
              {"<p a \"b>", "{p \"b='' a=''}"},
              {"<p a<b>", "{p a<b=''}"},
              {"<p a='b'c='d'>", "{p a='b' c='d'}"},
              {"<p a='b'/>", "{p a='b' /}"},
              {"<p a='b'/ >", "{p a='b'}"},
              {"<p a=b/>", "{p a='b/'}"},
              {"<p a/>", "{p a='' /}"},
              {"<p a/b>", "{p a='' b=''}"},
              {"<p/a>", "{p a=''}"},
              {"<p//a//>", "{p a='' /}"},
              {"<p a=1 a=2>", "{p a='1'}"},
              {"<p a=1 A=2>", "{p a='1'}"},
              {"<p a=`b>", "{p a='`b'}"},
              {"<p a= 'b'>", "{p a='b'}"},
              {"<p a= b= 'c>d'>", "{p 'c='' a='b='}d'>"},
              {"<p a/=b>", "{p =b='' a=''}"},
              {"<p a='b' =c>", "{p =c='' a='b'}"}});
}

TEST(HtmlTokenizer, ReferencesInAttributes) {
  expect_all({{"<p a='&lt;'>", "{p a='<'}"},
              {"<p a=&lt;>", "{p a='<'}"},
              {"<p a=\"x&amp;y\">", "{p a='x&y'}"},
              {"<p a='?b=1&lt=2'>", "{p a='?b=1&lt=2'}"},
              {"<p a='&ltx'>", "{p a='&ltx'}"},
              {"<p a='&lt9'>", "{p a='&lt9'}"},
              {"<p a='&lt'>", "{p a='<'}"},
              {"<p a='&lt '>", "{p a='< '}"},
              {"<p a='&ltx;'>", "{p a='&ltx;'}"},
              {"<p a='&notin;'>", "{p a='\xE2\x88\x89'}"},
              {"<p a='&notit;'>", "{p a='&notit;'}"},
              {"<p a=&#65b>", "{p a='Ab'}"},
              {"<p a='&'>", "{p a='&'}"},
              {"<p a=&>x", "{p a='&'}x"},
              {"<p &lt;>", "{p &lt;=''}"}});
}

TEST(HtmlTokenizer, Comments) {
  for (const std::string_view whole :
       {"<!---->",       "<!-->",        "<!--->",     "<!--a-->",     "<!-- a -->",
        "<!--a--!>",     "<!----!>",     "<!--->",     "<!-----> ",    "<!--a--->",
        "<!--a-b-->",    "<!--a--b-->",  "<!--a->-->", "<!--a--!b-->", "<!--a--!-->",
        "<!--<-->",      "<!--<!-->",    "<!--<!--->", "<!--<!---->",  "<!--<!a-->",
        "<!--<!-a-->",   "<!--<!--a-->", "<!--<<!-->", "<!-- <p> -->", "<!--a>b-->",
        "<!--a--!->-->", "<!--!>-->",    "<!---!>-->", "<!--a-!>-->",  "<!---a-->",
        "<!--->"}) {
    const std::string page = std::string(whole.substr(0, whole.find_last_of('>') + 1));
    EXPECT_EQ(tokens("x" + page + "y"), "x{}y") << page;
  }
  for (const std::string_view open : {"<!--", "<!---", "<!--a", "<!--a-", "<!--a--", "<!--a--!",
                                      "<!--<", "<!--<!", "<!--<!-", "<!--<!--", "<!----"}) {
    EXPECT_EQ(tokens("x" + std::string(open)), "x{}") << open;
  }
}

TEST(HtmlTokenizer, CommentsThatAreNone) {
  expect_all({{"<!>x", "{}x"},
              {"<!a>x", "{}x"},
              {"<!-a>x", "{}x"},
              {"<!-", "{}"},
              {"<!", "{}"},
              {"<?xml a='>'?>x", "{}'?>x"},
              {"<?>x", "{}x"},
              {"<?", "{}"},
              {"</?>x", "{}x"},
              {"<!ELEMENT a>x", "{}x"},
              {"<![CDATA[a]]>x", "{}x"},
              {"<![CDATA[a>b]]>x", "{}b]]>x"},
              {"<!doctype html>x", "{}x"},
              {"<!DOCTYPE>x", "{}x"},
              {"<!DocType html PUBLIC \"a>b\">x", "{}b\">x"},
              {"<!DOCTYPE html SYSTEM 'a>b'>x", "{}b'>x"},
              {"<!DOCTYPE html PUBLIC '' '' a>x", "{}x"},
              {"<!DOCTYPE", "{}"},
              {"<!DOCTYP>x", "{}x"}});
}

TEST(HtmlTokenizer, ReferencesInText) {
  expect_all({{"&amp;", "&"},
              {"&AMP;", "&"},
              {"&Amp;", "&Amp;"},
              {"&amp", "&"},
              {"&ampx", "&x"},
              {"&lt;p&gt;", "<p>"},
              {"&nbsp;", "\xC2\xA0"},
              {"&hellip;", "\xE2\x80\xA6"},
              {"&hellip", "&hellip"},
              {"&notit;", "\xC2\xACit;"},
              {"&notin;", "\xE2\x88\x89"},
              {"&notin", "\xC2\xACin"},
              {"&nosuch;", "&nosuch;"},
              {"&", "&"},
              {"& ", "& "},
              {"&;", "&;"},
              {"&&amp;", "&&"},
              {"&a&lt;", "&a<"},
              {"&<p>", "&{p}"},
              {"&nGt;", "\xE2\x89\xAB\xE2\x83\x92"},
              {"&there4;", "\xE2\x88\xB4"},
              {"&frac12", "\xC2\xBD"},
              {"&sup1;", "\xC2\xB9"},
              {"&CounterClockwiseContourIntegral;", "\xE2\x88\xB3"},
              {"&CounterClockwiseContourIntegralx;", "&CounterClockwiseContourIntegralx;"},
              {"&#65;", "A"},
              {"&#65", "A"},
              {"&#65x", "Ax"},
              {"&#x41;", "A"},
              {"&#X41g", "Ag"},
              {"&#00000000000000000000065;", "A"},
              {"&#", "&#"},
              {"&#;", "&#;"},
              {"&#x", "&#x"},
              {"&#x;", "&#x;"},
              {"&#xg", "&#xg"},
              {"&#a", "&#a"},
              {"&#0;", "\xEF\xBF\xBD"},
              {"&#xD800;", "\xEF\xBF\xBD"},
              {"&#xDFFF;", "\xEF\xBF\xBD"},
              {"&#x110000;", "\xEF\xBF\xBD"},
              {"&#99999999999999999999;", "\xEF\xBF\xBD"},
              {"&#x10FFFF;", "\xF4\x8F\xBF\xBF"},
              {"&#128;", "\xE2\x82\xAC"},
              {"&#x96;", "\xE2\x80\x93"},
              {"&#129;", "\xC2\x81"},
              {"&#160;", "\xC2\xA0"},
              {"&#13;", "\r"}});
}

TEST(HtmlTokenizer, TextUpToAnEndTag) {
  const std::initializer_list<Case> raw{{"a<b>c", "a<b>c"},
                                        {"a</b>c", "a</b>c"},
                                        {"a</x>c", "a{/x}c"},
                                        {"a</X>c", "a{/x}c"},
                                        {"a</x >c", "a{/x}c"},
                                        {"a</x/>c", "a{/x}c"},
                                        {"a</x b='>'>c", "a{/x}c"},
                                        {"a</xy>c", "a</xy>c"},
                                        {"a</x", "a</x"},
                                        {"a</x ", "a"},
                                        {"a</", "a</"},
                                        {"a<", "a<"},
                                        {"a</ x>", "a</ x>"},
                                        {"a<</x>", "a<{/x}"},
                                        {"a</</x>", "a</{/x}"},
                                        {"<!-- </x> -->", "<!-- {/x} -->"},
                                        {"</x>a<b>", "{/x}a{b}"}};
  expect_all(raw, ContentState::rawtext, "x");
  expect_all(raw, ContentState::rcdata, "x");
  expect_all({{"&lt;&amp", "&lt;&amp"}}, ContentState::rawtext, "x");
  expect_all({{"&lt;&amp", "<&"}, {"a&b</x>&lt;", "a&b{/x}<"}}, ContentState::rcdata, "x");
  expect_all({{"a</x>&lt;<b>", "a</x>&lt;<b>"}}, ContentState::plaintext, "x");
  expect_all({{"a</x>", "a</x>"}}, ContentState::rawtext, "");
}

TEST(HtmlTokenizer, Scripts) {
  expect_all(
      {{"a<b</script>c", "a<b{/script}c"},
       {"a</SCRIPT >c", "a{/script}c"},
       {"a</scriptx>c", "a</scriptx>c"},
       {"<!--a</script>c", "<!--a{/script}c"},
       {"<!--a--></script>c", "<!--a-->{/script}c"},
       {"<!--<script></script>a</script>c", "<!--<script></script>a{/script}c"},
       {"<!--<script>--></script>c", "<!--<script>-->{/script}c"},
       {"<!--<script></script>--></script>c", "<!--<script></script>-->{/script}c"},
       {"<!--<script></script></script>c", "<!--<script></script>{/script}c"},
       {"<!--<scriptx></script>c", "<!--<scriptx>{/script}c"},
       {"<!--<script/</script>c", "<!--<script/</script>c"},
       {"<!--<script <script></script>c</script>", "<!--<script <script></script>c{/script}"},
       {"<!--><script></script>c", "<!--><script>{/script}c"},
       {"<!---><script></script>c", "<!---><script>{/script}c"},
       {"<!-<script></script>c", "<!-<script>{/script}c"},
       {"<!--a-b--c<script></script>c", "<!--a-b--c<script></script>c"},
       {"<!--<script></scriptx></script>-</script>c", "<!--<script></scriptx></script>-{/script}c"},
       {"<!--<script-->a</script>c", "<!--<script-->a{/script}c"},
       {"<!--<1<a</1</script>c", "<!--<1<a</1{/script}c"},
       {"<!--<script></", "<!--<script></"},
       {"<!--<", "<!--<"},
       {"<!--", "<!--"},
       {"<!", "<!"},
       {"&lt;", "&lt;"}},
      ContentState::script, "script");
}

TEST(HtmlTokenizer, CharacterDataSections) {
  expect_all({{"a]]>b", "ab"},
              {"a&lt;<b>]]>c", "a&lt;<b>c"},
              {"a]b]]c]]]>d", "a]b]]c]d"},
              {"a]]", "a]]"},
              {"a]", "a]"},
              {"a", "a"},
              {"a]]]]>b", "a]]b"}},
             ContentState::cdata);
  Tokenizer tokenizer("<![CDATA[a<b]]><![cdata[c]]>");
  tokenizer.set_foreign(true);
  EXPECT_EQ(tokens_of(tokenizer), "a<b{}");
}

TEST(HtmlTokenizer, NulInNames) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(tokens("<a\0b c\0d=e\0f g='\0'>"sv),
            "{a\xEF\xBF\xBD"
            "b c\xEF\xBF\xBD"
            "d='e\xEF\xBF\xBD"
            "f' g='\xEF\xBF\xBD'}");
}

// ---- What a reader sees ----

std::string seen(std::string_view page) { return html_reference(page).text; }

TEST(HtmlReference, BlocksStandApartAndInlineTagsDoNot) {
  EXPECT_EQ(seen("foo<b>bar</b>baz"), "foobarbaz");
  EXPECT_EQ(seen("f<!-- -->o<span class=x>o</span>"), "foo");
  EXPECT_EQ(seen("in<wbr>flu<a href=x>en</a>za"), "influenza");
  EXPECT_EQ(seen("<p>a</p><p>b</p>"), "a\nb\n");
  EXPECT_EQ(seen("a<br>b<BR/>c"), "a\nb\nc");
  EXPECT_EQ(seen("<ul><li>a<li>b</ul>c"), "a\nb\nc");
  EXPECT_EQ(seen("<tr><td>a<td>b<th>c"), "a\nb\nc");
  EXPECT_EQ(seen("a<img src=x>b<input>c<button>d</button>e"), "a\nb\nc\nd\ne");
  EXPECT_EQ(seen("<div><div><p></p></div></div>"), "") << "no line end before any text";
  EXPECT_EQ(seen("a\n<p>b"), "a\nb") << "no second one";
  EXPECT_EQ(seen("a \n <p>b"), "a \n \nb") << "space stays as it is";
  EXPECT_EQ(seen("a</unknown>b<unknown>c"), "abc");
}

TEST(HtmlReference, WhatIsNotSeen) {
  EXPECT_EQ(seen("a<script>var b = '<p>';</script>c"), "ac");
  EXPECT_EQ(seen("a<style>p{}</style>b"), "ab");
  EXPECT_EQ(seen("a<noscript>b</noscript>c<noembed><p>d</noembed>e"), "ace");
  EXPECT_EQ(seen("a<iframe>b</iframe>c"), "a\nc");
  EXPECT_EQ(seen("a<template>b<p>c<template>d</template>e</template>f"), "af");
  EXPECT_EQ(seen("a<template>b<script></template></script>c</template>d"), "ad");
  EXPECT_EQ(seen("a</template>b<template>c"), "ab");
  EXPECT_EQ(seen("<img alt=a title=b><meta content=c><input value=d>e"), "e");
  EXPECT_EQ(seen("a<script>b"), "a");
  EXPECT_EQ(seen("a<style>b</styl>c"), "a");
}

TEST(HtmlReference, WhatIsSeen) {
  EXPECT_EQ(seen("<head><title>A &amp; <b></title></head>c"), "A & <b>\nc");
  EXPECT_EQ(seen("a<textarea>b<p>&lt;</textarea>c"), "a\nb<p><\nc");
  EXPECT_EQ(seen("a<xmp>b<p>&lt;</xmp>c"), "a\nb<p>&lt;\nc");
  EXPECT_EQ(seen("a<plaintext>b</plaintext>&lt;"), "a\nb</plaintext>&lt;");
  EXPECT_EQ(seen("<select><option>a<option>b</select>"), "a\nb\n");
  EXPECT_EQ(seen("<title>a"), "a");
}

TEST(HtmlReference, ForeignContent) {
  EXPECT_EQ(seen("<svg><title/>a</svg>b"), "a\nb") << "no title that swallows the page";
  EXPECT_EQ(seen("<svg><style/>a</svg>b"), "a\nb");
  EXPECT_EQ(seen("<svg><script/>a</svg>b"), "a\nb");
  EXPECT_EQ(seen("<svg><style>a</style>b</svg>c"), "b\nc");
  EXPECT_EQ(seen("<svg><title>a<b>c</title></svg>"),
            "a"
            "c\n");
  EXPECT_EQ(seen("<svg><![CDATA[a<b>]]></svg>c"), "a<b>\nc");
  EXPECT_EQ(seen("<math><mtext>a</mtext><![CDATA[b]]></math>c"),
            "a"
            "bc");
  EXPECT_EQ(seen("<svg/><![CDATA[a]]>b"), "b");
  EXPECT_EQ(seen("<svg><p><![CDATA[a]]>b"), "b") << "<p> has ended it";
  EXPECT_EQ(seen("<svg><svg></svg><![CDATA[a]]></svg><![CDATA[b]]>c"), "a\nc");
  EXPECT_EQ(seen("<svg><template>a</template></svg>b"), "a\nb");
  EXPECT_EQ(seen("<title/>a</title>b"), "a\nb") << "HTML knows no empty title";
}

TEST(HtmlReference, SourcesAreTheBytesOfThePage) {
  const ReferenceText text = html_reference("a&lt;<p x>b");
  EXPECT_EQ(text.text, "a<\nb");
  EXPECT_EQ(text.sources, (std::vector<TokenOffsets>{{0, 1}, {1, 5}, {5, 10}, {10, 11}}));
}

// ---- html5lib's cases ----

/// "\u00e4" and its like, once more.
std::string unescaped(std::string_view text) {
  std::string out;
  std::uint32_t high = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 5 >= text.size() || text[i + 1] != 'u') {
      out += text[i];
      continue;
    }
    auto code =
        static_cast<std::uint32_t>(std::stoul(std::string(text.substr(i + 2, 4)), nullptr, 16));
    i += 5;
    if (code >= 0xDC00 && code < 0xE000 && high != 0) {
      out.resize(out.size() - 3);
      code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00);
    }
    high = code >= 0xD800 && code < 0xDC00 ? code : 0;
    std::uint8_t bytes[utf8::max_bytes];
    const std::uint32_t count = utf8::encode(code, bytes);
    out.append(reinterpret_cast<const char*>(bytes), count);
  }
  return out;
}

std::string replaced_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class Html5libCase {
 public:
  explicit Html5libCase(simdjson::dom::object test) : test_(test) {
    bool doubled = false;
    doubled_ = test["doubleEscaped"].get(doubled) == simdjson::SUCCESS && doubled;
  }

  std::string text(std::string_view json) const {
    return doubled_ ? unescaped(json) : std::string(json);
  }

  std::string page() const {
    const std::string page = text(test_["input"].get_string().value());
    return replaced_all(replaced_all(page, "\r\n", "\n"), "\r", "\n");
  }

  /// As tokens() writes them.
  std::string expected() const {
    std::string all;
    const simdjson::dom::array output = test_["output"].get_array().value();
    for (const simdjson::dom::array token : output) {
      const std::string_view kind = token.at(0).get_string().value();
      if (kind == "Character") {
        const std::string characters = text(token.at(1).get_string().value());
        all += replaced_all(characters, std::string_view("\0", 1), "\xEF\xBF\xBD");
      } else if (kind == "EndTag") {
        all += "{/" + text(token.at(1).get_string().value()) + "}";
      } else if (kind == "StartTag") {
        all += "{" + text(token.at(1).get_string().value());
        std::vector<std::pair<std::string, std::string>> attributes;
        const simdjson::dom::object pairs = token.at(2).get_object().value();
        for (const simdjson::dom::key_value_pair field : pairs) {
          attributes.emplace_back(text(field.key), text(field.value.get_string().value()));
        }
        std::ranges::sort(attributes);
        for (const auto& [name, value] : attributes) all += " " + name + "='" + value + "'";
        all += token.size() > 3 ? " /}" : "}";
      } else {
        all += "{}";
      }
    }
    return all;
  }

  std::vector<ContentState> states() const {
    simdjson::dom::array names;
    if (test_["initialStates"].get(names) != simdjson::SUCCESS) return {ContentState::data};
    std::vector<ContentState> states;
    for (const std::string_view name : names) {
      states.push_back(name == "PLAINTEXT state"       ? ContentState::plaintext
                       : name == "RCDATA state"        ? ContentState::rcdata
                       : name == "RAWTEXT state"       ? ContentState::rawtext
                       : name == "Script data state"   ? ContentState::script
                       : name == "CDATA section state" ? ContentState::cdata
                                                       : ContentState::data);
    }
    return states;
  }

  std::string last_start_tag() const {
    std::string_view name;
    return test_["lastStartTag"].get(name) == simdjson::SUCCESS ? std::string(name) : "";
  }

 private:
  simdjson::dom::object test_;
  bool doubled_ = false;
};

TEST(HtmlTokenizer, Html5libsCases) {
  const char* const folder = std::getenv("TWINSET_HTML5LIB");
  if (folder == nullptr) GTEST_SKIP() << "TWINSET_HTML5LIB names no folder of html5lib's cases";
  std::size_t run = 0;
  std::size_t passed = 0;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".test") continue;
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (parser.load(entry.path().native()).get(root) != simdjson::SUCCESS) {
      std::cout << entry.path() << " is not read: JSON that simdjson refuses\n";
      continue;
    }
    simdjson::dom::array tests;
    if (root["tests"].get(tests) != simdjson::SUCCESS) continue;  // Of another kind.
    ++files;
    for (const simdjson::dom::object test : tests) {
      const Html5libCase one(test);
      for (const ContentState state : one.states()) {
        ++run;
        const std::string found = tokens(one.page(), state, one.last_start_tag());
        if (found == one.expected()) {
          ++passed;
        } else {
          ADD_FAILURE() << entry.path() << ": " << ::testing::PrintToString(one.page())
                        << "\n  found    " << found << "\n  expected " << one.expected();
        }
      }
    }
  }
  std::cout << passed << " of " << run << " cases in " << files << " files pass\n";
  EXPECT_GT(run, 1000u);
}

}  // namespace
}  // namespace twinset::html
