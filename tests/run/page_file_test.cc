// Pages come back as their first reading saw them, wherever they are in the collection.
#include "run/page_file.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "system/memory_files.h"
#include "web/url.h"

namespace twinset {
namespace {

struct Kept {
  std::string url;
  std::string html;
};

class PageFiles : public ::testing::Test {
 protected:
  PageFiles() { context_.files = &files_; }

  PageFile make(PageFile::Keeps keeps = PageFile::Keeps::tokens) {
    return PageFile({&context_, "pages", 0, 7}, keeps, "url");
  }

  /// Gives the pages at these lines to the collector, in batches of so many lines.
  void read(Collector& collector, std::uint64_t source, const std::map<std::uint64_t, Kept>& pages,
            std::uint64_t lines, std::uint64_t batch_lines) {
    RecordView view({.analyzer = &words_, .pages = true, .url_field = "url", .reads_blocks = true});
    const std::unique_ptr<Collector::Rows> rows = collector.rows();
    for (std::uint64_t first = 0; first < lines; first += batch_lines) {
      const BatchPlace place{source, first, std::min(lines, first + batch_lines)};
      rows->begin(place);
      for (std::uint64_t line = first + 1; line <= place.last_line; ++line) {
        const auto page = pages.find(line);
        if (page == pages.end()) continue;
        const std::string url = '"' + page->second.url + '"';
        const std::string_view field = url;
        Record record;
        record.number = line;
        record.text = page->second.html;
        record.markup = Markup::html;
        record.fields = {&field, 1};
        record.field_names = names_;
        view.look_at(record);
        const ReadRecord read{DocumentId(source, line), record, Fate::kept, view};
        EXPECT_TRUE(collector.take(read, *rows).ok());
      }
      ASSERT_TRUE(collector.put(*rows).ok());
    }
  }

  void expect_page(const PageTokens& page, const Kept& kept) const {
    Analysis analysis;
    std::vector<PageBlock> blocks;
    read_page_blocks(words_, kept.html, analysis, blocks);
    EXPECT_EQ(page.tokens, analysis.tokens);
    EXPECT_EQ(page.blocks, blocks);
    EXPECT_EQ(page.replaced, analysis.replaced);
    EXPECT_EQ(page.site, site_hash(host_of(kept.url)));
  }

  const Analyzer& words_ = *find_analyzer("words");
  const std::vector<std::string> names_{"url"};
  MemoryFiles files_;
  RunContext context_;
};

Kept some_page(std::uint64_t number) {
  std::mt19937_64 random(number);
  Kept kept{"http://host" + std::to_string(number % 3) + ".org/x", "<p>"};
  for (std::uint64_t i = 0; i < 1 + random() % 60; ++i) {
    kept.html += random() % 4 == 0 ? "<li><a href=x>" : " ";
    kept.html += "w" + std::to_string(random() % 1000) + (random() % 9 == 0 ? "\xff" : "");
  }
  return kept;
}

TEST_F(PageFiles, PagesComeBackByDocumentByBatchAndInOrder) {
  // Blank lines at the begin, between and at the end; a source without any page; batches that end
  // within blank lines.
  const std::vector<std::pair<std::vector<std::uint64_t>, std::uint64_t>> sources{
      {{3, 4, 9, 10, 11, 30}, 40}, {{}, 5}, {{1, 2, 3}, 3}, {{}, 0}, {{7}, 7}};
  for (const std::uint64_t batch_lines : {1U, 4U, 100U}) {
    PageFile file = make();
    ASSERT_TRUE(file.open(nullptr).ok());
    std::vector<std::map<std::uint64_t, Kept>> pages;
    for (std::uint64_t s = 0; s < sources.size(); ++s) {
      pages.emplace_back();
      for (const std::uint64_t line : sources[s].first) pages[s][line] = some_page(100 * s + line);
      read(file, s, pages[s], sources[s].second, batch_lines);
    }
    ASSERT_TRUE(file.seal(1 << 20).ok());
    std::string bytes;
    PageTokens page;
    std::vector<DocumentId> all;
    for (std::uint64_t s = 0; s < sources.size(); ++s) {
      for (std::uint64_t line = 1; line <= sources[s].second + 3; ++line) {
        const Result<bool> found = file.read(DocumentId(s, line), bytes, page);
        ASSERT_TRUE(found.ok()) << found.error().message;
        ASSERT_EQ(found.value(), pages[s].contains(line)) << s << ":" << line;
        if (!found.value()) continue;
        expect_page(page, pages[s][line]);
        all.emplace_back(s, line);
      }
      // Of a batch that goes on after the lines that were read.
      std::uint64_t seen = 2;
      ASSERT_TRUE(file.for_each({s, 2, 1000}, page,
                                [&](std::uint64_t line, PageTokens* at) {
                                  EXPECT_EQ(line, ++seen);
                                  EXPECT_EQ(at != nullptr, pages[s].contains(line));
                                  if (at != nullptr) expect_page(*at, pages[s][line]);
                                  return Status();
                                })
                      .ok());
      EXPECT_EQ(seen, std::max<std::uint64_t>(2, sources[s].second));
    }
    EXPECT_FALSE(file.read(DocumentId(99, 1), bytes, page).value());
    std::vector<DocumentId> in_order;
    ASSERT_TRUE(file.for_each_page([&](DocumentId document, const PageTokens& each) {
                      expect_page(each, pages[document.source()][document.record()]);
                      in_order.push_back(document);
                      return Status();
                    })
                    .ok());
    EXPECT_EQ(in_order, all);
    std::vector<DocumentId> noted;
    ASSERT_TRUE(file.for_each_note([&](const PageNote& note) {
                      EXPECT_EQ(note.host, host_of(pages[note.id.source()][note.id.record()].url));
                      EXPECT_TRUE(note.has_tokens);
                      EXPECT_EQ(note.number, noted.size());
                      EXPECT_EQ(file.host_of_note(note.number).value(), note.host);
                      EXPECT_TRUE(file.read(note.id, bytes, page).value());
                      EXPECT_EQ(note.rank, page.rank);
                      noted.push_back(note.id);
                      return Status();
                    })
                    .ok());
    EXPECT_EQ(noted, all);
  }
}

TEST_F(PageFiles, NotesAloneTellPagesWithoutTokensApart) {
  PageFile file = make(PageFile::Keeps::notes);
  read(file, 0, {{1, {"http://a.org/", "<p>one"}}, {2, {"none", "<br>"}}}, 2, 10);
  ASSERT_TRUE(file.seal(1 << 20).ok());
  std::string seen;
  ASSERT_TRUE(file.for_each_note([&](const PageNote& note) {
                    seen += std::string(note.host) + (note.has_tokens ? "+" : "-");
                    return Status();
                  })
                  .ok());
  EXPECT_EQ(seen, "a.org+-");
}

TEST(EncodedPage, IsReadBackAndNoPartOfItIs) {
  Analysis analysis;
  std::vector<PageBlock> blocks;
  read_page_blocks(*find_analyzer("words"), "<p>Fish and<li><a href=x>Chips</a>", analysis, blocks);
  std::string bytes;
  encode_page(5, 6, analysis, blocks, bytes);
  PageTokens page;
  ASSERT_TRUE(decode_page(bytes, page));
  EXPECT_EQ(page.tokens, analysis.tokens);
  EXPECT_EQ(page.blocks, blocks);
  EXPECT_EQ(page.site, 5U);
  EXPECT_EQ(page.rank, 6U);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_page(std::string_view(bytes).substr(0, size), page)) << size;
  }
  EXPECT_FALSE(decode_page(bytes + '\0', page));
}

/// Blocks that leave out tokens, or go beyond them, are refused: the rule indexes tokens by them.
TEST(EncodedPage, BlocksMustCoverTheTokens) {
  Analysis analysis;
  analysis.tokens = {1, 2, 3};
  PageTokens page;
  const auto decodes = [&](const std::vector<PageBlock>& blocks) {
    std::string bytes;
    encode_page(5, 6, analysis, blocks, bytes);
    return decode_page(bytes, page);
  };
  EXPECT_TRUE(decodes({{0, 3, false}}));
  EXPECT_TRUE(decodes({{0, 1, false}, {1, 3, true}}));
  EXPECT_FALSE(decodes({}));
  EXPECT_FALSE(decodes({{0, 2, false}}));
  EXPECT_FALSE(decodes({{0, 4, false}}));
  EXPECT_FALSE(decodes({{0, 0, false}, {0, 3, false}}));
  EXPECT_FALSE(decodes({{0, 3, false}, {0, UINT32_MAX, false}}));
}

}  // namespace
}  // namespace twinset
