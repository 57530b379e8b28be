// Expected values are read off the pages by hand.
#include "text/html_blocks.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {
namespace {

struct Read {
  std::vector<std::string> texts;
  std::vector<HtmlBlock> blocks;
};

Read read_blocks(std::string_view page) {
  HtmlText text;
  Read read;
  extract_html_blocks(page, text, read.blocks);
  for (const HtmlBlock& block : read.blocks) {
    std::string part(text.view().substr(block.text.begin, block.text.end - block.text.begin));
    if (part.starts_with('\n')) part.erase(0, 1);
    read.texts.push_back(part);
  }
  return read;
}

using Texts = std::vector<std::string>;

TEST(HtmlBlocks, EndAtTagsThatStandApart) {
  EXPECT_EQ(read_blocks("<title>T</title><p>one <b>two</b> three<br>four<td>five<li>six").texts,
            (Texts{"T", "one two three", "four", "five", "six"}));
}

TEST(HtmlBlocks, LineEndOfTheSourceEndsNone) {
  EXPECT_EQ(read_blocks("<p>one\ntwo\n</p>\n<p>three").texts, (Texts{"one\ntwo\n", "three"}));
}

TEST(HtmlBlocks, WithoutACharacterAreLeftOut) {
  EXPECT_TRUE(read_blocks("").blocks.empty());
  EXPECT_TRUE(read_blocks("<p> <p>\n<p>&nbsp;<p><img>").blocks.empty());
}

TEST(HtmlBlocks, CountCodePointsAndThoseOfLinks) {
  const Read read = read_blocks("<p>a \xC3\xBC&nbsp;<a href=x>\xE4\xB8\xAD c</a> d<p>e");
  ASSERT_EQ(read.blocks.size(), 2U);
  EXPECT_EQ(read.blocks[0].characters, 5U);
  EXPECT_EQ(read.blocks[0].link_characters, 2U);
  EXPECT_FALSE(read.blocks[0].is_links());
  EXPECT_EQ(read.blocks[1].link_characters, 0U);
}

TEST(HtmlBlocks, HalfLinkIsALinkBlock) {
  EXPECT_TRUE(read_blocks("<p>ab<a href=x>cd</a>").blocks[0].is_links());
  EXPECT_FALSE(read_blocks("<p>abc<a href=x>cd</a>").blocks[0].is_links());
}

TEST(HtmlBlocks, AnchorWithoutAHrefIsNoLink) {
  EXPECT_EQ(read_blocks("<h1><a name=top>Title</a></h1>").blocks[0].link_characters, 0U);
}

TEST(HtmlBlocks, LinkGoesOnOverBlocksUntilTheNext) {
  const Read read = read_blocks("<a href=x>one<p>two<p>three<a>four</a>five");
  ASSERT_EQ(read.texts, (Texts{"one", "two", "threefourfive"}));
  EXPECT_EQ(read.blocks[0].link_characters, 3U);
  EXPECT_EQ(read.blocks[1].link_characters, 3U);
  EXPECT_EQ(read.blocks[2].link_characters, 5U);
}

TEST(HtmlBlocks, ContentOfTemplatesIsNone) {
  EXPECT_EQ(read_blocks("<p>a<template><p>b<a href=x>c</a></template>d").texts, (Texts{"ad"}));
}

// Blocks cover every character of the text once, for any bytes; the text is that of extract_html().
TEST(HtmlBlocks, CoverTheTextOfBrokenPages) {
  const std::vector<std::string> parts{
      "<p>",  "</p>",       "<a href=x>",  "</a>",    "<a>",      "x", " ",
      "\n",   "&nbsp;",     "\xC2",        "\xA0",    "<br",      ">", "<td>",
      "&lt;", "<template>", "</template>", "<title>", "</title>", "<"};
  std::mt19937 random(7);
  for (int page_number = 0; page_number < 5000; ++page_number) {
    std::string page;
    for (int i = 0; i < 30; ++i) page += parts[random() % parts.size()];
    HtmlText text;
    HtmlText expected;
    std::vector<HtmlBlock> blocks;
    extract_html_blocks(page, text, blocks);
    extract_html(page, Offsets::drop, expected);
    ASSERT_EQ(text.view(), expected.view()) << page;
    std::uint32_t end = 0;
    for (const HtmlBlock& block : blocks) {
      ASSERT_LE(end, block.text.begin) << page;
      ASSERT_LT(block.text.begin, block.text.end) << page;
      ASSERT_LE(block.text.end, text.size) << page;
      ASSERT_GT(block.characters, 0U) << page;
      ASSERT_LE(block.link_characters, block.characters) << page;
      const std::string_view between = text.view().substr(end, block.text.begin - end);
      for (const char byte : between) ASSERT_NE(byte, 'x') << page;
      end = block.text.end;
    }
    ASSERT_EQ(text.view().find('x', end), std::string_view::npos) << page;
  }
}

TEST(HtmlBlocks, DepthCostsNothing) {
  std::string page;
  for (int i = 0; i < 100'000; ++i) page += "<div><a href=x>y";
  EXPECT_EQ(read_blocks(page).blocks.size(), 100'000U);
}

}  // namespace
}  // namespace twinset
