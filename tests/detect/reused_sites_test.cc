#include "detect/reused_sites.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

PageMatch known_from(const std::string& url) {
  PageMatch match;
  match.sample.url = url;
  return match;
}

TEST(ReusedSites, CountsPagesAndMatchesOfEachPairOfSites) {
  ReusedSites sites;
  for (const char* page : {"http://copy.example/1", "https://copy.example:443/x/2?a=/b/"}) {
    sites.add(page, known_from("http://known.example/a"));
    sites.add(page, known_from("http://other.example/"));
    sites.add(page, known_from("http://known.example/b"));
  }
  sites.add("http://small.example/", known_from("http://known.example/a"));
  const std::vector<ReusedSite> all = sites.ranked();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].site, "copy.example/");
  EXPECT_EQ(all[0].known_from, "known.example/");
  EXPECT_EQ(all[0].pages, 2U);
  EXPECT_EQ(all[0].matches, 4U);
  EXPECT_DOUBLE_EQ(all[0].share, 4.0 / 6);
  EXPECT_EQ(all[1].known_from, "other.example/");
  EXPECT_EQ(all[1].matches, 2U);
  EXPECT_EQ(all[2].site, "small.example/");
  EXPECT_DOUBLE_EQ(all[2].share, 1);
  EXPECT_FALSE(sites.too_many());
}

TEST(ReusedSites, PagesWithoutUrlsAreOfTheirFolders) {
  ReusedSites sites;
  sites.add("site/a/1.html", known_from("known/1.html"));
  sites.add("site/a/2.html", known_from(""));
  sites.add("crawl.jsonl:7", known_from("known.jsonl:1"));
  sites.add("crawl.jsonl:8", known_from("known.jsonl:2"));
  const std::vector<ReusedSite> all = sites.ranked();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].site + " " + all[0].known_from, "crawl.jsonl known.jsonl");
  EXPECT_EQ(all[0].pages, 2U);
  EXPECT_EQ(all[1].site + " " + all[1].known_from, "site/a/ ");
  EXPECT_EQ(all[2].site + " " + all[2].known_from, "site/a/ known/");
  EXPECT_DOUBLE_EQ(all[2].share, 0.5);
}

TEST(ReusedSites, ManyPairsAreLeftOut) {
  ReusedSites sites;
  for (std::size_t i = 0; i <= ReusedSites::most_counted; ++i) {
    sites.add("http://a.example/", known_from("http://" + std::to_string(i) + ".example/"));
  }
  EXPECT_TRUE(sites.too_many());
  EXPECT_EQ(sites.ranked().size(), ReusedSites::most_counted);
}

}  // namespace
}  // namespace twinset
