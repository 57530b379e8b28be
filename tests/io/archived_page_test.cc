// Which records of an archive are documents, and their texts.
#include "io/archived_page.h"

#include <gtest/gtest.h>

#include <string>

#include "support/archives.h"
#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using namespace std::string_literals;
using namespace twinset::testing;

ArchivedPage looked(const std::string& content, bool has_http = true, bool scripts = false) {
  ArchivedPage page;
  page.whole = true;
  page.has_http = has_http;
  page.content = content;
  look_into(page, scripts);
  return page;
}

TEST(ArchivedPage, DocumentsAreTextsThatAReaderReads) {
  const auto kind = [](const std::string& type, const std::string& body) {
    const std::string content =
        http_response(type.empty() ? "" : "Content-Type: " + type + "\r\n", body);
    const ArchivedPage page = looked(content);
    return !page.document                 ? "carried"
           : page.markup == Markup::html  ? "page"
           : page.markup == Markup::xhtml ? "xhtml"
                                          : "text";
  };
  EXPECT_STREQ(kind("text/html", "x"), "page");
  EXPECT_STREQ(kind("TEXT/HTML; charset=x", "x"), "page");
  EXPECT_STREQ(kind("application/xhtml+xml", "x"), "xhtml");
  EXPECT_STREQ(kind("text/plain", "x"), "text");
  EXPECT_STREQ(kind("text/markdown", "x"), "text");
  for (const char* type : {"text/css", "text/javascript", "text/xml", "application/json",
                           "application/pdf", "image/png"}) {
    EXPECT_STREQ(kind(type, "x"), "carried") << type;
  }
  EXPECT_STREQ(kind("text/html", ""), "carried");
  EXPECT_STREQ(kind("", " \n<!DOCTYPE HTML><p>x"), "page");
  EXPECT_STREQ(kind("", "words of a text"), "text");
  EXPECT_STREQ(kind("", "%PDF-1.7 and more"), "carried");
  EXPECT_STREQ(kind("", "a\0b"s), "carried");
}

TEST(ArchivedPage, TypesThatSayNothingAreDecidedByTheBody) {
  const std::string page = "<!DOCTYPE html><p>words of a page";
  for (const char* type : {"application/octet-stream", "unk", "no-type", "unknown/unknown", "*/*",
                           "html", "application/x-download; name=x"}) {
    const std::string headers = "Content-Type: " + std::string(type) + "\r\n";
    EXPECT_EQ(looked(http_response(headers, page)).markup, Markup::html) << type;
    EXPECT_TRUE(looked(http_response(headers, "words")).document) << type;
    EXPECT_FALSE(looked(http_response(headers, "\x89PNG\r\n\x1a\n")).document) << type;
    // The body must be decoded first.
    const std::string packed =
        http_response(headers + "Content-Encoding: gzip\r\n", compressed(page, Compression::gzip));
    EXPECT_TRUE(looked(packed).undecided) << type;
    EXPECT_FALSE(looked(http_response(headers + "Content-Encoding: none\r\n", page)).undecided);
  }
}

// scripts and the empty file, which the paper found most often, can be read.
TEST(ArchivedPage, ScriptsStyleSheetsAndEmptyPagesWhenAsked) {
  const auto look = [](const std::string& type, const std::string& body, bool scripts) {
    return looked(http_response("Content-Type: " + type + "\r\n", body), true, scripts);
  };
  for (const char* type :
       {"text/javascript", "application/javascript", "application/x-javascript"}) {
    EXPECT_EQ(look(type, "x();", false).kind, PageContent::script) << type;
    EXPECT_FALSE(look(type, "x();", false).document) << type;
    EXPECT_TRUE(look(type, "x();", true).document) << type;
    EXPECT_EQ(look(type, "x();", true).markup, Markup::none) << type;
  }
  EXPECT_EQ(look("text/css", "p {}", false).kind, PageContent::style_sheet);
  EXPECT_TRUE(look("text/css", "p {}", true).document);
  EXPECT_EQ(look("text/html", "", false).kind, PageContent::empty);
  EXPECT_TRUE(look("text/html", "", true).document);
  EXPECT_EQ(look("image/png", "", false).kind, PageContent::other);
  EXPECT_FALSE(look("image/png", "", true).document);
  EXPECT_FALSE(look("application/json", "{}", true).document);
}

TEST(ArchivedPage, ARedirectIsCarriedAndAnErrorIsRead) {
  const auto document = [](const char* status) {
    const std::string content = http_response("Content-Type: text/html\r\n", "<p>x", status);
    return looked(content).document;
  };
  EXPECT_TRUE(document("200 OK"));
  EXPECT_TRUE(document("404 Not Found"));
  EXPECT_FALSE(document("301 Moved Permanently"));
  EXPECT_FALSE(document("304 Not Modified"));
}

class ArchivedText : public ::testing::Test {
 protected:
  ReadRecord page(std::string_view http_headers, std::string_view body,
                  const ReaderLimits& limits = {}) {
    const std::string bytes = warc_page("http://a.example/", body, http_headers);
    const ReadFile file = read_file(folder_.write("x", bytes), "warc", Compression::none, limits);
    EXPECT_EQ(file.records.size(), 1U);
    return file.records.empty() ? ReadRecord() : file.records[0];
  }
  std::string text(std::string_view http_headers, std::string_view body) {
    return page(http_headers, body).text;
  }
  ScratchFolder folder_;
};

TEST_F(ArchivedText, TheCharsetIsThatOfTheMarkTheHeaderThePageOrAGuess) {
  const std::string html = "Content-Type: text/html\r\n";
  const std::string named = "Content-Type: text/html; charset=windows-1251\r\n";
  const std::string russian = "\xcf\xf0\xe8\xe2\xe5\xf2";
  const std::string in_utf8 = "\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82";
  EXPECT_EQ(text(named, russian), in_utf8);
  EXPECT_EQ(text(html, "<meta charset=windows-1251>" + russian),
            "<meta charset=windows-1251>" + in_utf8);
  EXPECT_EQ(text(named, "\xef\xbb\xbf" + in_utf8), in_utf8);
  EXPECT_EQ(text(named, "\xff\xfeh\0i\0"s), "hi");
  EXPECT_EQ(text("Content-Type: text/html; charset=none\r\n", "caf\xe9 au lait"),
            "caf\xc3\xa9 au lait");
  EXPECT_EQ(text(html, in_utf8), in_utf8);
  // The header comes before the page's own word.
  EXPECT_EQ(text(named, "<meta charset=big5>" + russian), "<meta charset=big5>" + in_utf8);
  // Text has no tags to say it in.
  EXPECT_EQ(text("Content-Type: text/plain\r\n", "<meta charset=big5>caf\xe9 au lait et le sucre"),
            "<meta charset=big5>caf\xc3\xa9 au lait et le sucre");
}

TEST_F(ArchivedText, BodiesAreDecodedBeforeTheirCharset) {
  const std::string gzip = compressed("<p>caf\xe9 au lait</p>", Compression::gzip);
  const ReadRecord record =
      page("Content-Type: text/html; charset=iso-8859-1\r\nContent-Encoding: gzip\r\n", gzip);
  EXPECT_EQ(record.text, "<p>caf\xc3\xa9 au lait</p>");
  EXPECT_EQ(record.markup, Markup::html);
  EXPECT_EQ(page("Content-Type: text/plain\r\n", "words").markup, Markup::none);
}

TEST_F(ArchivedText, ManyTextsOfABatchStayApart) {
  std::string bytes;
  std::vector<std::string> wanted;
  for (int i = 0; i < 200; ++i) {
    const std::string body =
        sample_text(static_cast<std::size_t>(i * 37), static_cast<std::uint64_t>(i));
    const bool packed = i % 3 == 0;
    wanted.push_back(body);
    bytes += warc_page("http://a.example/", packed ? compressed(body, Compression::gzip) : body,
                       packed ? "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n"
                              : "Content-Type: text/plain; charset=latin1\r\n");
  }
  const ReadFile file = read_file(folder_.write("x", bytes), "warc");
  ASSERT_EQ(file.records.size(), 200U);
  for (std::size_t i = 1; i < 200; ++i) EXPECT_EQ(file.records[i].text, wanted[i]) << i;
}

TEST_F(ArchivedText, ABodyThatDoesNotDecodeIsBad) {
  const ReadRecord record =
      page("Content-Type: text/html\r\nContent-Encoding: compress\r\n", "\x1f\x9d\x80");
  EXPECT_EQ(record.bad, BadReason::undecodable_body);
  EXPECT_EQ(record.detail, "the body has the coding compress, which twinset does not decode");
}

TEST_F(ArchivedText, ABombIsBadAndNotDecoded) {
  ReaderLimits limits;
  limits.max_record_bytes = 100'000;
  const std::string zeros(1'000'000, '0');
  const std::string headers = "Content-Type: text/html\r\nContent-Encoding: ";
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const ReadRecord record =
        page(headers + (compression == Compression::gzip ? "gzip\r\n" : "zstd\r\n"),
             compressed(zeros, compression), limits);
    EXPECT_EQ(record.bad, BadReason::record_too_long);
    EXPECT_EQ(record.detail, "its body decodes to more than 100000 bytes");
    // Too long for the memory as well: that does not end the run.
    ReaderLimits little = limits;
    little.max_held_bytes = 10'000;
    EXPECT_EQ(page(headers + (compression == Compression::gzip ? "gzip\r\n" : "zstd\r\n"),
                   compressed(zeros, compression), little)
                  .bad,
              BadReason::record_too_long);
    little.max_record_bytes = 1 << 20;
    EXPECT_EQ(page(headers + (compression == Compression::gzip ? "gzip\r\n" : "zstd\r\n"),
                   compressed(zeros, compression), little)
                  .bad,
              BadReason::over_memory);
  }
}

TEST_F(ArchivedText, FeaturesAreNoPages) {
  const std::string bytes =
      warc_page("http://a.example/", "[1, 2]", "Content-Type: text/plain\r\n");
  FieldNames fields;
  fields.features = true;
  const ReadFile file = read_file(folder_.write("x", bytes), "warc", Compression::none, {}, fields);
  EXPECT_EQ(file.records.at(0).bad, BadReason::text_not_features);
}

}  // namespace
}  // namespace twinset
