// Counts against plain maps.
#include "template/learn_templates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "system/memory_files.h"
#include "text/shingler.h"

namespace twinset {
namespace {

struct Page {
  std::string host;
  std::uint32_t rank = 0;
  std::vector<std::uint64_t> tokens;
  std::vector<PageBlock> blocks;
};

/// Pages of a few blocks, drawn from few texts so that they share many.
std::vector<Page> some_pages(std::size_t count, const std::string& host, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Page> pages;
  for (std::size_t i = 0; i < count; ++i) {
    Page page{host, static_cast<std::uint32_t>(random()), {}, {}};
    for (int block = 0; block < 6; ++block) {
      const auto begin = static_cast<std::uint32_t>(page.tokens.size());
      const std::uint64_t text = random() % (block < 3 ? 5 : 2000);
      for (std::uint64_t j = 0; j < 2 + text % 9; ++j) page.tokens.push_back(text * 50 + j);
      page.blocks.push_back({begin, static_cast<std::uint32_t>(page.tokens.size()), text % 2 == 0});
    }
    pages.push_back(std::move(page));
  }
  return pages;
}

struct Learned {
  LearnedTemplates sites;
  std::shared_ptr<const TemplateTable> table;
};

class LearnTemplates : public testing::Test {
 protected:
  Learned learn(const std::vector<Page>& pages, std::uint64_t memory = 64 << 20,
                bool expect = true) {
    context.files = &files;
    TemplateLearner learner({&context, "t", memory, 7});
    for (std::size_t i = 0; i < pages.size(); ++i) {
      EXPECT_TRUE(learner.note({site_hash(pages[i].host), i, pages[i].rank, 0}).ok());
    }
    EXPECT_TRUE(
        learner.choose([&](std::uint64_t i) { return Result<std::string>(pages[i].host); }).ok());
    TemplateKeys keys;
    const auto for_each_counted = [&](const auto& use) {
      for (const Page& page : pages) {
        const std::uint64_t site = site_hash(page.host);
        if (!learner.counts(site, page.rank)) continue;
        keys.make(site, page.tokens, page.blocks);
        use(site, page.rank, keys.windows);
        use(site, page.rank, keys.blocks);
      }
    };
    using Keys = std::vector<std::uint64_t>;
    if (expect) {
      for_each_counted(
          [&](std::uint64_t, std::uint32_t, const Keys& some) { learner.expect(some); });
    }
    for_each_counted([&](std::uint64_t site, std::uint32_t rank, const Keys& some) {
      EXPECT_TRUE(learner.add(site, rank, some).ok());
    });
    Result<LearnedTemplates> learned = learner.freeze("table");
    EXPECT_TRUE(learned.ok()) << learned.error().message;
    Result<std::shared_ptr<const TemplateTable>> table = TemplateTable::open(files, "table", 7);
    EXPECT_TRUE(table.ok()) << table.error().message;
    return {learned.value(), table.value()};
  }

  MemoryFiles files;
  RunContext context;
};

/// Compares the table with counts in maps, for the pages that count.
void expect_counts(const Learned& learned, const std::vector<Page>& pages,
                   const std::vector<Page>& counted, std::uint64_t least) {
  std::map<std::vector<std::uint64_t>, std::set<std::size_t>> of_windows;
  std::map<std::vector<std::uint64_t>, std::set<std::size_t>> of_blocks;
  for (std::size_t p = 0; p < counted.size(); ++p) {
    const auto& tokens = counted[p].tokens;
    for (std::size_t i = 0; i + 5 <= tokens.size(); ++i) {
      of_windows[{tokens.begin() + i, tokens.begin() + i + 5}].insert(p);
    }
    for (const PageBlock& block : counted[p].blocks) {
      of_blocks[{tokens.begin() + block.begin, tokens.begin() + block.end}].insert(p);
    }
  }
  const auto stored = [&](std::uint64_t count) { return count < least ? 0 : count; };
  TemplateKeys keys;
  PageFrequencies found;
  std::uint64_t above = 0;
  for (const Page& page : pages) {
    learned.table->look_up(site_hash(page.host), page.tokens, page.blocks, keys, found);
    for (std::size_t b = 0; b < page.blocks.size(); ++b) {
      const std::vector<std::uint64_t> own{page.tokens.begin() + page.blocks[b].begin,
                                           page.tokens.begin() + page.blocks[b].end};
      ASSERT_EQ(found.blocks[b], stored(of_blocks[own].size()));
    }
    std::vector<std::uint64_t> expected(page.tokens.size(), 0);
    for (std::size_t i = 0; i + 5 <= page.tokens.size(); ++i) {
      const std::uint64_t count =
          stored(of_windows[{page.tokens.begin() + i, page.tokens.begin() + i + 5}].size());
      for (std::size_t t = i; t < i + 5; ++t) expected[t] = std::max(expected[t], count);
      above += count > 0 ? 1 : 0;
    }
    ASSERT_EQ(found.tokens, expected);
  }
  EXPECT_GT(above, 0U);
}

TEST_F(LearnTemplates, CountsPagesOfWindowsAndBlocks) {
  const std::vector<Page> pages = some_pages(400, "a.org", 1);
  const Learned learned = learn(pages);
  EXPECT_EQ(learned.table->site(site_hash("a.org")), (TemplateSite{400, 15}));
  expect_counts(learned, pages, pages, 11);
}

TEST_F(LearnTemplates, TableIsTheSameForAnyOrderAndMemory) {
  std::vector<Page> pages = some_pages(3000, "a.org", 2);
  const std::vector<Page> others = some_pages(300, "b.org", 3);
  pages.insert(pages.end(), others.begin(), others.end());
  const Learned first = learn(pages);
  std::shuffle(pages.begin(), pages.end(), std::mt19937(4));
  EXPECT_EQ(learn(pages, 1 << 20).table->hash(), first.table->hash());
}

/// Of 512 counters nearly all are full.
TEST_F(LearnTemplates, TableIsTheSameForAnyCountersAndWithoutAny) {
  std::vector<Page> pages = some_pages(500, "a.org", 2);
  const std::vector<Page> others = some_pages(70, "b.org", 3);
  pages.insert(pages.end(), others.begin(), others.end());
  const Learned first = learn(pages, 64 << 20, false);
  EXPECT_GT(first.table->rows(), 50U);
  for (const std::uint64_t memory : {64 << 20, 1 << 20, 8 << 10, 4 << 10}) {
    EXPECT_EQ(learn(pages, memory).table->hash(), first.table->hash()) << memory;
  }
}

TEST_F(LearnTemplates, PagesOfOneRankCountAKeyOnce) {
  std::vector<Page> pages = some_pages(60, "a.org", 2);
  for (Page& page : pages) page.rank /= 1U << 27;
  std::set<std::uint32_t> ranks;
  for (const Page& page : pages) ranks.insert(page.rank);
  ASSERT_LT(ranks.size(), 40U);
  const Page one = pages[0];
  for (Page& page : pages) {
    page.tokens = one.tokens;
    page.blocks = one.blocks;
  }
  for (const bool expect : {false, true}) {
    const Learned learned = learn(pages, 64 << 20, expect);
    TemplateKeys keys;
    PageFrequencies found;
    learned.table->look_up(site_hash("a.org"), one.tokens, one.blocks, keys, found);
    EXPECT_EQ(found.blocks[0], ranks.size());
  }
}

TEST_F(LearnTemplates, SitesCountApart) {
  std::vector<Page> pages = some_pages(60, "a.org", 1);
  std::vector<Page> others = some_pages(60, "b.org", 1);
  std::vector<Page> both = pages;
  both.insert(both.end(), others.begin(), others.end());
  const Learned learned = learn(both);
  ASSERT_EQ(learned.sites.sites.size(), 2U);
  expect_counts(learned, pages, pages, 11);
  expect_counts(learned, others, others, 11);
}

TEST_F(LearnTemplates, SmallSiteIsLeftAlone) {
  const Learned learned = learn(some_pages(49, "a.org", 5));
  EXPECT_EQ(learned.table->site(site_hash("a.org")), std::nullopt);
  EXPECT_EQ(learned.table->rows(), 0U);
  EXPECT_TRUE(learned.sites.sites.empty());
  EXPECT_EQ(learned.sites.left_alone, 1U);
  EXPECT_EQ(learned.sites.pages_left_alone, 49U);
  EXPECT_TRUE(learn(some_pages(50, "a.org", 5)).table->site(site_hash("a.org")).has_value());
}

/// Notes pages of these hosts, and chooses among them.
void note_sites(TemplateLearner& learner, const std::vector<std::pair<std::string, bool>>& pages) {
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto& [host, is_copy] = pages[i];
    ASSERT_TRUE(learner.note({site_hash(host), i, 1, is_copy ? 1U : 0U}).ok());
  }
  ASSERT_TRUE(
      learner.choose([&](std::uint64_t i) { return Result<std::string>(pages[i].first); }).ok());
}

TEST_F(LearnTemplates, SiteOfCopiesIsSaidToBeTooAlike) {
  context.files = &files;
  TemplateLearner learner({&context, "t", 64 << 20, 7});
  std::vector<std::pair<std::string, bool>> pages{{"b.org", false}, {"a.org", false}};
  for (int i = 0; i < 48; ++i) pages.emplace_back("b.org", true);
  for (const std::string host : {"c.org", "a.org"}) {
    for (int i = 0; i < 50; ++i) pages.emplace_back(host, true);
  }
  note_sites(learner, pages);
  EXPECT_FALSE(learner.counts(site_hash("a.org"), 1));
  const Result<LearnedTemplates> learned = learner.freeze("table");
  ASSERT_TRUE(learned.ok());
  EXPECT_TRUE(learned.value().json().starts_with(
      R"({"sites": 3, "pages": 2, "left_alone": 3, "too_alike": 2, "first_too_alike": "a.org")"))
      << learned.value().json();
}

TEST_F(LearnTemplates, SmallSitesTakeNoMemory) {
  context.files = &files;
  TemplateLearner learner({&context, "t", 1 << 20, 7});
  std::vector<std::pair<std::string, bool>> pages;
  for (int page = 0; page < 49; ++page) {
    for (int site = 0; site < 4000; ++site) {
      pages.emplace_back("host" + std::to_string(site) + ".org", false);
    }
  }
  for (int page = 0; page < 50; ++page) pages.emplace_back("last.org", false);
  note_sites(learner, pages);
  EXPECT_FALSE(learner.counts(site_hash("host7.org"), 1));
  EXPECT_TRUE(learner.counts(site_hash("last.org"), 1));
  const Result<LearnedTemplates> learned = learner.freeze("table");
  ASSERT_TRUE(learned.ok());
  ASSERT_EQ(learned.value().sites.size(), 1U);
  EXPECT_EQ(learned.value().sites[0].host, "last.org");
  EXPECT_EQ(learned.value().left_alone, 4000U);
  EXPECT_EQ(learned.value().not_learned, 0U);
}

TEST_F(LearnTemplates, SampleOfALargeSiteIsThatOfLowestRank) {
  const std::vector<Page> pages = some_pages(TemplateLearner::most_pages + 1, "a.org", 6);
  const Learned learned = learn(pages);
  EXPECT_EQ(learned.table->site(site_hash("a.org")),
            (TemplateSite{TemplateLearner::sample_pages, 3}));
  std::vector<Page> sample = pages;
  std::ranges::sort(sample, {}, &Page::rank);
  sample.resize(TemplateLearner::sample_pages);
  expect_counts(learned, pages, sample, 3);
}

TEST_F(LearnTemplates, SitesThatMemoryCannotHoldAreNotLearned) {
  constexpr std::uint64_t sites = 3000;
  context.files = &files;
  TemplateLearner learner({&context, "t", 1 << 20, 7});
  std::vector<std::pair<std::string, bool>> pages;
  for (std::uint64_t i = 0; i < 50 * sites; ++i) {
    pages.emplace_back("host" + std::to_string(i % sites) + ".org", false);
  }
  note_sites(learner, pages);
  const Result<LearnedTemplates> learned = learner.freeze("table");
  ASSERT_TRUE(learned.ok());
  const std::vector<LearnedSite>& known = learned.value().sites;
  EXPECT_GT(known.size(), 500U);
  EXPECT_LE(known.size() * 256, std::size_t{1} << 18);
  EXPECT_EQ(known.size() + learned.value().not_learned, sites);
  EXPECT_TRUE(learner.counts(site_hash(known[0].host), 1));
  ASSERT_TRUE(learned.value().first_not_learned.has_value());
  EXPECT_FALSE(learner.counts(site_hash(*learned.value().first_not_learned), 1));
}

}  // namespace
}  // namespace twinset
