// A site of 60 pages in two releases, each with a menu of 40 links of 6 words and, on every page, a
// title of 3 words and a text of 30: what is left out can be counted by hand.
#include "sites/template_account.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "io/field_json.h"
#include "template/template_fields.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

constexpr std::uint64_t site_pages = 60;
constexpr std::uint64_t menu_words = 240;
constexpr std::uint64_t own_words = 33;

std::string words(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::string out;
  for (int i = 0; i < count; ++i) out += "w" + std::to_string(random() % 100'000) + " ";
  return out;
}

std::vector<std::string> two_releases() {
  std::vector<std::string> pages;
  for (const std::uint64_t menu : {5U, 6U}) {
    for (std::uint64_t number = 0; number < site_pages; ++number) {
      std::string page = "<title>" + words(1000 + number, 3) + "</title><ul>";
      for (std::uint64_t i = 0; i < 40; ++i) {
        page += "<li><a href='x'>" + words(menu * 10'000 + i, 6) + "</a>";
      }
      pages.push_back(page + "</ul><p>" + words(2000 + number, 30));
    }
  }
  return pages;
}

DedupSummary run(const std::vector<std::string>& texts, Templates templates, unsigned threads,
                 std::vector<std::optional<std::uint64_t>>* left_out = nullptr) {
  DedupOptions options;
  options.columns = {std::span(texts)};
  options.columns[0].html = true;
  options.templates = templates;
  options.resources.threads = threads;
  DedupResults results;
  results.removed = [&](const Removal& removal) {
    if (left_out != nullptr) left_out->push_back(removal.template_shingles);
    return Status();
  };
  const Result<DedupSummary> done = dedup(options, {}, results);
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.value();
}

TEST(TemplateAccount, CountsTheWordsOfTheMenus) {
  const DedupSummary summary = run(two_releases(), Templates::drop, 1);
  const TemplateFacts facts = summary.templates.value();
  constexpr std::uint64_t pages = 2 * site_pages;
  EXPECT_EQ(facts.left_out.words, pages * (menu_words + own_words));
  EXPECT_EQ(facts.left_out.words_left_out, pages * menu_words);
  EXPECT_EQ(facts.left_out.shingles_dropped, pages * menu_words);
  EXPECT_EQ(facts.left_out.pages_at_floor, 0U);
  ASSERT_EQ(facts.largest.size(), 1U);
  EXPECT_EQ(facts.largest[0].left_out.words_left_out, pages * menu_words);
  const std::vector<TemplateBlock>& blocks = facts.largest[0].blocks;
  ASSERT_EQ(blocks.size(), TemplateAccount::listed_blocks);
  // All 80 stand in 60 pages and have 6 words: those of the first page come first.
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i].pages, site_pages);
    EXPECT_EQ(blocks[i].words, 6U);
    EXPECT_EQ(blocks[i].text + " ", words(50'000 + i, 6));
  }
  EXPECT_EQ(to_text(facts),
            "templates of 1 site left out of the comparison: 87.9 % of 32,760 words");
}

TEST(TemplateAccount, MoreFrequentBlocksComeFirst) {
  std::vector<std::string> texts = two_releases();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    texts[i] += "<p>rare notice of one release";  // in 60 pages, 5 words
    if (i % 4 != 0) texts[i] += "<p>a footer";    // in 90, 2 words
    if (i < site_pages) texts[i] += "<p>x";
  }
  const DedupSummary summary = run(texts, Templates::drop, 1);
  const std::vector<TemplateBlock> blocks = summary.templates.value().largest.at(0).blocks;
  EXPECT_EQ(blocks.at(0).text, "rare notice of one release");
  EXPECT_EQ(blocks[0].pages, 2 * site_pages);
  EXPECT_EQ(blocks[1].text, "a footer");
  EXPECT_EQ(blocks[1].pages, 90U);
  EXPECT_EQ(blocks[2].pages, site_pages);
  EXPECT_EQ(blocks[2].words, 6U);
}

TEST(TemplateAccount, IsTheSameForAnyThreads) {
  const std::vector<std::string> texts = two_releases();
  const auto json = [&](unsigned threads) {
    TemplateFacts facts = run(texts, Templates::drop, threads).templates.value();
    return fields_json(fields_of(facts));
  };
  EXPECT_EQ(json(1), json(3));
}

TEST(TemplateAccount, PagesAtTheFloorAreCounted) {
  std::vector<std::string> texts = two_releases();
  // Five pages of menu and 4 words: 16 words of the menu come back.
  for (int i = 0; i < 5; ++i) texts.push_back(texts[0].substr(0, texts[0].find("<p>")) + "<p>own");
  const DedupSummary summary = run(texts, Templates::automatic, 1);
  EXPECT_EQ(summary.templates.value().left_out.pages_at_floor, 5U);
}

TEST(TemplateAccount, NothingIsSaidOfWholePages) {
  const DedupSummary summary = run(two_releases(), Templates::keep, 1);
  EXPECT_FALSE(summary.templates.has_value());
}

TEST(TemplateAccount, RemovedPagesTellTheShinglesLeftOut) {
  std::vector<std::optional<std::uint64_t>> left_out;
  run(two_releases(), Templates::drop, 1, &left_out);
  ASSERT_EQ(left_out.size(), site_pages);
  for (const auto& shingles : left_out) EXPECT_EQ(shingles, menu_words);
  left_out.clear();
  std::vector<std::string> copies = two_releases();
  copies.push_back(copies[0]);
  run(copies, Templates::keep, 1, &left_out);
  ASSERT_EQ(left_out.size(), 1U);
  EXPECT_EQ(left_out[0], std::nullopt);
}

}  // namespace
}  // namespace twinset
