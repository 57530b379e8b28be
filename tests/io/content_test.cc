#include "io/content.h"

#include <gtest/gtest.h>

#include <string>

#include "support/streams.h"

namespace twinset {
namespace {

using Kind = Content::Kind;
using namespace std::string_literals;

TEST(Content, KnowsWhatFilesBeginWith) {
  const std::pair<std::string, std::string> known[] = {
      {"\x1f\x8b\x08\0\0"s, "gzip"},
      {"\x28\xb5\x2f\xfd"s, "zstd"},
      {"\x5e\x2a\x4d\x18"s, "zstd"},
      {"\xfd\x37zXZ\0\0"s, "xz"},
      {"BZh91AY&SY"s, "bzip2"},
      {"BZh9\x17\x72\x45\x38\x50\x90"s, "bzip2"},
      {"PAR1\x15\x04"s, "Parquet"},
      {"ARROW1\0\0"s, "Arrow (Feather)"},
      {"%PDF-1.7\n%"s, "a PDF document"},
      {"PK\x03\x04\x14\0"s, "a ZIP archive, as DOCX, EPUB and ODT are"},
      {"\x89PNG\r\n\x1a\n\0"s, "a PNG picture"},
      {"GIF89a\1"s, "a GIF picture"},
      {"\xff\xd8\xff\xe0"s, "a JPEG picture"},
      {"RIFF\x24\0\0\0WEBPVP8 "s, "a picture, sound or video (RIFF)"},
      {"\x7f"
       "ELF\2\1"s,
       "a program (ELF)"},
      {"SQLite format 3\0"s, "a SQLite database"},
      {std::string(257, '\0') + "ustar\0"s, "a tar archive"}};
  for (const auto& [head, name] : known) EXPECT_EQ(content_of(head).name, name) << name;
  EXPECT_EQ(content_of(testing::compressed("text", Compression::gzip)).kind, Kind::gzip);
  EXPECT_EQ(content_of(testing::compressed("text", Compression::zstd)).kind, Kind::zstd);
}

TEST(Content, TextBeginsLikeNothingKnown) {
  for (const char* text : {"", "P", "PK is a brand", "BZh is no word", "BZh91", "BM: a firm", "{",
                           "GIF87", "RIFF raff", "Objects", "MZ", "%PDF", "LZIP", "II", "ustar"}) {
    EXPECT_EQ(content_of(text).kind, Kind::unknown) << text;
  }
}

TEST(Content, ATenthOfControlCharactersIsNoText) {
  const std::string words = testing::sample_text(1000);
  EXPECT_FALSE(is_binary(""));
  EXPECT_FALSE(is_binary(words));
  EXPECT_FALSE(is_binary(words + std::string(100, '\0')));
  EXPECT_TRUE(is_binary(words + std::string(112, '\0')));
  // Half as many are enough if it is not UTF-8 either.
  EXPECT_FALSE(is_binary(words + std::string(60, '\1')));
  EXPECT_TRUE(is_binary(words + std::string(60, '\1') + "\xff\xfe\xfd\xfc\xfb"));
  // Characters that a terminal obeys are text, and a few others prove nothing.
  std::string bold;
  for (const char c : words) bold += std::string(1, c) + '\b' + c;
  EXPECT_FALSE(is_binary(bold));
  EXPECT_FALSE(is_binary(std::string(500, '\t') + "\r\n\f\x1b[1m"));
  EXPECT_FALSE(is_binary("a\0b\0"s));
  // A checksum file of a few bytes: a third of them.
  EXPECT_TRUE(is_binary("crc\0\0\0\2\0"s));
  EXPECT_FALSE(is_binary("two \1\2 marks in a line"));
}

TEST(Content, PagesBeginWithTagsThatOnlyPagesHave) {
  for (const char* page :
       {"<!doctype html>", "<!DOCTYPE HTML PUBLIC \"x\">", " \n<html lang=en>", "<HEAD>",
        "\xef\xbb\xbf<html>", "<!-- saved from url=(0014)about:internet -->\n<html>",
        "<?xml version=\"1.0\"?>\n<!DOCTYPE html>", "<title>x</title>", "<meta charset=x>",
        "<!-- a --><!-- b --> <body\n>"}) {
    EXPECT_TRUE(begins_like_page(page)) << page;
    EXPECT_TRUE(begins_like_html(page)) << page;
  }
  for (const char* part :
       {"<p>One", " <div class=x>", "<!-- a comment", "<script>", "<h1>", "<a href"}) {
    EXPECT_FALSE(begins_like_page(part)) << part;
    EXPECT_TRUE(begins_like_html(part)) << part;
  }
  for (const char* text :
       {"", "<", "html", "<htmlx>", "<heading>", "<!doctype article>", "<?php <html>", "<rss>",
        "<?xml version=\"1.0\"?><feed>", "a <html>", "<path d>", "< p>",
        "\xef\xbb\xbf"
        "text"}) {
    EXPECT_FALSE(begins_like_page(text)) << text;
    EXPECT_FALSE(begins_like_html(text)) << text;
  }
}

TEST(Content, DocumentsOfOtherProgramsAreNamed) {
  const auto zip = [](const std::string& name, const std::string& more = "") {
    return "PK\x03\x04" + std::string(26, '\0') + name + more;
  };
  const std::pair<std::string, std::string> known[] = {
      {"{\\rtf1\\ansi Dear", "an RTF document"},
      {zip("[Content_Types].xml", "...word/document.xml"), "a Word document"},
      {zip("[Content_Types].xml", "...xl/workbook.xml"), "an Excel workbook"},
      {zip("mimetype", "application/vnd.oasis.opendocument.text"), "an OpenDocument file"},
      {zip("mimetype", "application/epub+zip"), "an EPUB book"},
      {zip("archive/data.warc.gz"), "web archives in a ZIP (WACZ)"},
      {zip("readme.txt"), "a ZIP archive, as DOCX, EPUB and ODT are"},
      {"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n"
       "\ttype=\"text/html\"\r\n\r\n",
       "a page saved as MHTML"},
      {"MIME-Version: 1.0\nContent-Type:   Multipart/Related; boundary=x\n\n",
       "a page saved as MHTML"}};
  for (const auto& [head, name] : known) EXPECT_EQ(content_of(head).name, name) << head;
  for (const char* text :
       {"From here on: the road is steep.\nIt rains.", "From noon to 10:30 we walked.\nThen rest.",
        "To: a@b\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n",
        "Subject: a mail\nMIME-Version: 1.0\nContent-Type: text/plain\n\nwords",
        "Note: a text\nthat is no head\nMIME-Version: 1.0\nContent-Type: multipart/related\n",
        "{\\bf LaTeX}"}) {
    EXPECT_EQ(content_of(text).kind, Kind::unknown) << text;
  }
}

TEST(Content, RandomBytesAreNoText) {
  std::uint64_t state = 1;
  for (const std::size_t size : {256U, 1024U, 65536U}) {
    for (int i = 0; i < 20; ++i) {
      std::string bytes;
      while (bytes.size() < size) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        bytes += static_cast<char>(state >> 56);
      }
      EXPECT_TRUE(is_binary(bytes)) << size;
    }
  }
}

TEST(Content, LegacyEncodingsAreText) {
  std::string latin;
  std::string shift_jis;
  for (int i = 0; i < 500; ++i) {
    latin += "d\xe9j\xe0 vu, na\xefve \x93quoted\x94 ";
    shift_jis += "\x82\xb1\x82\xea\x82\xcd\x93\xfa\x96\x7b\x8c\xea\x82\xc5\x82\xb7";
  }
  EXPECT_FALSE(is_binary(latin));
  EXPECT_FALSE(is_binary(shift_jis));
}

TEST(Content, MarkupOfATextInItsInput) {
  EXPECT_EQ(markup_of(Markup::none, "<p>a"), Markup::none);
  EXPECT_EQ(markup_of(Markup::html, "a"), Markup::html);
  EXPECT_EQ(markup_of(Markup::xhtml, "<p>a</p>"), Markup::xhtml);
  EXPECT_EQ(markup_of(Markup::xhtml, "<p>a"), Markup::loose_xhtml);
  EXPECT_EQ(markup_of(Markup::by_text, " <div class=x>a"), Markup::html);
  EXPECT_EQ(markup_of(Markup::by_text, "a <div> b"), Markup::none);
  EXPECT_EQ(markup_of(Markup::by_text, ""), Markup::none);
}

}  // namespace
}  // namespace twinset
