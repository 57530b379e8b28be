#include "reuse/page_reader.h"

#include <gtest/gtest.h>

#include "reuse/site_testing.h"
#include "scheme/record_view.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// One record of a collection, as a pass gives it.
class OnePage {
 public:
  explicit OnePage(Source source) { sources_.push_back(std::move(source)); }

  ReadPage read(const PageRule& rule, Record record) {
    PageReader reader(rule, sources_);
    ReadPage page;
    record.number = 7;
    const ViewRule view_rule;
    const RecordView view(view_rule);
    EXPECT_TRUE(reader.read({DocumentId(0, 7), record, Fate::kept, view}, page).ok());
    contents.clear();
    quotes = {reader.quote(record.text, 40)};
    for (const Chunk& chunk : page.chunks) {
      contents.emplace_back(reader.content(chunk));
      quotes.push_back(reader.quote(contents.back(), 40));
    }
    return page;
  }

  std::vector<std::string> contents;  ///< of the chunks
  std::vector<std::string> quotes;    ///< of the page, then of the chunks

 private:
  std::vector<Source> sources_;
};

Source source(std::string shown, bool one_document) {
  Source made;
  made.shown = std::move(shown);
  made.one_document = one_document;
  return made;
}

std::vector<std::string> all(const Neighborhoods& found) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < found.size(); ++i) out.emplace_back(found[i]);
  return out;
}

using Names = std::vector<std::string>;

TEST(PageReader, R12APageStandsWhereItsUrlSays) {
  OnePage one(source("crawl/part.jsonl", false));
  PageRule rule;
  rule.url_field = "url";
  Record record;
  const std::string fields[] = {"url"};
  const std::string_view values[] = {"\"http://arXiv.org/archive/physics/x?a=/b\""};
  record.field_names = fields;
  record.fields = values;
  ReadPage page = one.read(rule, record);
  EXPECT_EQ(page.url, "http://arXiv.org/archive/physics/x?a=/b");
  EXPECT_EQ(all(page.neighborhoods),
            (Names{"arxiv.org/", "arxiv.org/archive/", "arxiv.org/archive/physics/"}));
  EXPECT_EQ(page.site(), "arxiv.org/");

  const std::string_view path[] = {"\"llvm-16/CommandGuide/opt.html\""};
  record.fields = path;
  page = one.read(rule, record);
  EXPECT_EQ(all(page.neighborhoods), (Names{"llvm-16/", "llvm-16/CommandGuide/"}));

  for (const char* const none : {"\"http://[\"", "\"mailto:me@a.org\"", "\"data:text/html,x\""}) {
    const std::string_view no_url[] = {none};
    record.fields = no_url;
    EXPECT_TRUE(all(one.read(rule, record).neighborhoods).empty()) << none;
  }

  // No field: what the archive says, then the file.
  record.fields = {};
  record.url = "https://b.org/y/z";
  page = one.read(rule, record);
  EXPECT_EQ(all(page.neighborhoods), (Names{"b.org/", "b.org/y/"}));
  record.url = {};
  page = one.read(rule, record);
  EXPECT_EQ(page.url, "crawl/part.jsonl:7");
  EXPECT_EQ(all(page.neighborhoods), (Names{"crawl/", "crawl/part.jsonl/"}));
  OnePage file(source("crawl/a/page.html", true));
  page = file.read(rule, Record());
  EXPECT_EQ(page.url, "crawl/a/page.html");
  EXPECT_EQ(all(page.neighborhoods), (Names{"crawl/", "crawl/a/"}));
}

TEST(PageReader, ChunksAreThoseOfThePageAndShortOnesAreCounted) {
  OnePage one(source("a.jsonl", false));
  const std::string text = "<title>x</title><p>" + made_paragraph(1) + "\n\n  more<div class=a>" +
                           made_paragraph(2) + "<p>short";
  PageRule rule;
  Record record;
  record.markup = Markup::html;
  record.text = text;
  ReadPage page = one.read(rule, record);
  EXPECT_EQ(one.contents,
            (Names{"<p>" + made_paragraph(1) + " more", "<div class=a>" + made_paragraph(2)}));
  EXPECT_EQ(page.short_chunks, 2U);
  EXPECT_EQ(page.file, hash_chunk(text, ChunkHash::xxh3));
  EXPECT_EQ(text.substr(page.chunks[1].bytes.begin, 4), "<div");

  // A page is quoted by its title, a chunk by what a reader sees, and by its markup if that is
  // none.
  EXPECT_EQ(one.quotes[0].substr(0, 1), "x");
  EXPECT_EQ(one.quotes[1].substr(0, 20), made_paragraph(1).substr(0, 20));
  const std::string rules =
      "<!DOCTYPE html><title>The tides</title><p class=" + std::string(150, 'c') + "><p>" +
      made_paragraph(3);
  record.text = rules;
  one.read(rule, record);
  ASSERT_EQ(one.quotes.size(), 3U);
  EXPECT_EQ(one.quotes[0].substr(0, 9), "The tides");
  EXPECT_EQ(one.quotes[1].substr(0, 12), "<p class=ccc");
  EXPECT_LE(one.quotes[1].size(), 40U);

  // A text that is no page has paragraphs, and is quoted as it stands.
  record.markup = Markup::none;
  const std::string plain = made_paragraph(1) + "\n\n" + made_paragraph(2) + "\n";
  record.text = plain;
  page = one.read(rule, record);
  ASSERT_EQ(one.contents.size(), 2U);
  EXPECT_EQ(one.quotes[1], made_paragraph(1).substr(0, 40));
  EXPECT_EQ(page.chunks[1].bytes.begin, made_paragraph(1).size() + 2);
}

TEST(PageReader, R05APageOfARecursionErrorIsNotCut) {
  OnePage one(source("a.jsonl", false));
  PageRule rule;
  Record record;
  const std::string text = "<p>" + made_paragraph(1);
  record.text = text;
  record.markup = Markup::html;
  record.url = "http://a.org/b/c/b/c/b/c/d.html";
  EXPECT_EQ(one.read(rule, record).chunks.size(), 1U);
  rule.repeats = 3;
  const ReadPage page = one.read(rule, record);
  EXPECT_EQ(page.repeated, "b/c");
  EXPECT_EQ(page.repeats, 3U);
  EXPECT_TRUE(page.chunks.empty());
  record.url = "http://a.org/b/c/b/c/d.html";
  EXPECT_TRUE(one.read(rule, record).repeated.empty());
}

}  // namespace
}  // namespace twinset
