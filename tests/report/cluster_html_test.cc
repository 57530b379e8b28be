// The page of a cluster run: what it says, in what order, and that nothing in the
// collection gets out of its place.
#include "report/cluster_html.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "report/documents.h"
#include "report/page_check.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

ClusterPair pair_of(const std::string& text, bool weakest) {
  ClusterPair shown;
  shown.weakest = weakest;
  shown.shared_keys = 21;
  shown.all_keys = 42;
  ReportPair& pair = shown.pair;
  pair.survivor = pair.removed = {text, text, 5};
  pair.resemblance = 0.5;
  pair.survivor_text = "one two three four five " + text;
  pair.removed_text = text + " six one two three four five";
  const Analyzer* words = find_analyzer("words");
  Analysis first, second;
  words->analyze(pair.survivor_text, Offsets::keep, first);
  words->analyze(pair.removed_text, Offsets::keep, second);
  pair.passages = find_passages(first, second, 3);
  return shown;
}

/// A report with `text` in every field that a collection or a user fills.
ClusterReport report_of(const std::string& text) {
  ClusterReport report;
  report.run = {text, text, text, text, text, "", text, 0.5, 0.9, false, 2.5, 1'000'000, 2};
  report.read = 1010;
  report.files = 2;
  report.documents = 1000;
  report.filtered = 7;
  report.quarantined = 3;
  report.identical = 40;
  report.lexical = 2;
  report.kept_pairs = 700;
  report.edges = 500;
  report.clusters = 30;
  report.clustered = 250;
  report.identical_clusters = 4;
  report.identical_clustered = 50;
  report.largest = 100;
  report.peak_memory_bytes = 50'000'000;
  report.warnings = {text};
  report.sizes = {0, 20, 9, 0, 0, 0, 1};
  report.edge_resemblance.add(0.5);
  report.edge_resemblance.add(0.99);
  report.other_resemblance.add(0.31);
  ListedCluster chain{{text, text, 5}, 100, 12, 1, 400, 2, 0.501, 0.75, true};
  ListedCluster copies{{text, text, 9}, 60, 59, 0, 0, 0, 1, 1, true};
  ListedCluster other{{text, text, 11}, 3, 0, 0, 3, 0, 0.6, 0.7, false};
  report.list = {chain, copies, other};
  ClusterGraph graph;
  graph.nodes.assign(3, {{text, text, 1}, 2});
  graph.edges = {{1, 0, 0.6}, {2, 1, 0.3}};
  report.graphs = {graph};
  report.pairs = {pair_of(text, true), pair_of(text, false), pair_of(text, true)};
  report.pairs[2].cluster = 2;
  report.pairs[2].pair.kind = Fate::contained;
  report.pairs[2].unread = text.empty() ? "gone" : text;
  report.common_keys = 12;
  report.max_group = 1000;
  report.common = {{text, 2000, text}};
  report.stages = {{"read", 1.5, 2.5}, {"write", 0.5, 0.5}};
  return report;
}

TEST(ClusterHtml, ThePageSaysWhatWasFound) {
  const PageCheck page(cluster_html_report(report_of("out/terms")));
  ASSERT_TRUE(page.errors.empty()) << page.errors.front();
  for (const char* piece :
       {"Clusters: out/terms",
        "1,010 records in 2 files, 1 MB of text; 7 filtered; 3 quarantined",
        "40 identical, 2 lexical",
        "200 more below the threshold kept",
        "250 documents in them, 25.0 %",
        "750 alone (75.0 %)",
        "50 in clusters of identical documents (5.0 %)",
        "connected by pairs of resemblance 0.500 or more, or containment 0.900 or more",
        "Shown are the 2 largest of 30 clusters, with 64.0 % of the documents in clusters",
        "Beside the largest are listed",
        "87 different, 12 identical, 1 lexical",
        "400 pairs, 10.7 % of all possible",
        "resemblance 0.501 at least, 0.750 on average",
        "2 pairs by containment alone",
        "A sample: 3 of 87 different documents",
        "12 shingles in more than 1,000 documents each",
        "weakest pair",
        "typical pair",
        "counted as 0.500, 21 of 42 keys",
        "The texts are not shown: out/terms",
        "2.50 s on 2 threads",
        "50 MB at most",
        "64 to 127"}) {
    EXPECT_NE(page.content.find(piece), std::string::npos) << piece;
  }
}

TEST(ClusterHtml, EveryLinkLeadsToAnElementOfThePage) {
  const std::string page = cluster_html_report(report_of("x"));
  std::size_t links = 0;
  for (std::size_t at = page.find("href=\"#"); at != std::string::npos;
       at = page.find("href=\"#", at + 1)) {
    const std::size_t begin = at + 7;
    const std::string target = page.substr(begin, page.find('"', begin) - begin);
    EXPECT_NE(page.find(" id=\"" + target + "\""), std::string::npos) << target;
    ++links;
  }
  EXPECT_GT(links, 12u);
}

TEST(ClusterHtml, NoElementHasTheIdOfAnother) {
  const std::string page = cluster_html_report(report_of("x"));
  std::set<std::string> ids;
  for (std::size_t at = page.find(" id=\""); at != std::string::npos;
       at = page.find(" id=\"", at + 1)) {
    const std::size_t begin = at + 5;
    EXPECT_TRUE(ids.insert(page.substr(begin, page.find('"', begin) - begin)).second);
  }
}

TEST(ClusterHtml, NothingFoundIsSaidInWords) {
  ClusterReport report;
  report.documents = 3;
  const PageCheck page(cluster_html_report(report));
  ASSERT_TRUE(page.errors.empty()) << page.errors.front();
  EXPECT_NE(page.content.find("Nothing to show."), std::string::npos);
  EXPECT_EQ(page.content.find("Largest clusters"), std::string::npos);
  EXPECT_EQ(page.content.find("Side by side"), std::string::npos);
  const PageCheck empty(cluster_html_report({}));
  EXPECT_TRUE(empty.errors.empty());
}

TEST(ClusterHtml, OneClusterNeedsNoMap) {
  ClusterReport report = report_of("x");
  EXPECT_NE(cluster_html_report(report).find("class=\"treemap"), std::string::npos);
  report.list.resize(1);
  report.pairs.clear();
  EXPECT_EQ(cluster_html_report(report).find("class=\"treemap"), std::string::npos);
}

TEST(ClusterHtml, StarsAreSaidToBeStars) {
  ClusterReport report = report_of("x");
  report.stars = true;
  const PageCheck page(cluster_html_report(report));
  EXPECT_NE(page.content.find("joined to its representative"), std::string::npos);
}

TEST(ClusterHtml, ExactSharesAreNotSaidToBeEstimates) {
  ClusterReport report = report_of("x");
  const PageCheck estimated(cluster_html_report(report));
  EXPECT_NE(estimated.content.find("Shares are estimated"), std::string::npos);
  EXPECT_NE(estimated.content.find("Pairs by estimated resemblance"), std::string::npos);
  report.run.verified_exactly = true;
  const PageCheck exact(cluster_html_report(report));
  EXPECT_TRUE(exact.errors.empty());
  EXPECT_NE(exact.content.find("Shares are exact"), std::string::npos);
  EXPECT_EQ(exact.content.find("estimated"), std::string::npos);
  EXPECT_EQ(exact.content.find("counted"), std::string::npos);
}

TEST(ClusterHtml, AShingleIsShownOnOneLine) {
  ClusterReport report = report_of("x");
  report.common[0].text = "the\n\t  terms of\r\nthe";
  const PageCheck page(cluster_html_report(report));
  EXPECT_NE(page.content.find("the terms of the"), std::string::npos);
}

TEST(ClusterHtml, HostileTextInEveryFieldAddsNoTag) {
  const auto expected = PageCheck(cluster_html_report(report_of("x"))).tags;
  for (const std::string& evil : hostile_strings()) {
    const PageCheck page(cluster_html_report(report_of(evil)));
    ASSERT_TRUE(page.errors.empty()) << page.errors.front() << evil.substr(0, 80);
    if (evil.empty()) continue;
    for (const auto& [tag, count] : page.tags) {
      // Passages differ with the words in the text; everything else is the template's.
      if (tag == "mark" || tag == "del" || tag == "ins" || tag == "div" || tag == "span" ||
          tag == "p") {
        continue;
      }
      ASSERT_EQ(count, expected.at(tag)) << tag << " with " << evil.substr(0, 80);
    }
  }
}

TEST(ClusterHtml, ThePageStaysSmallWhateverTheFields) {
  EXPECT_LT(cluster_html_report(report_of(std::string(1'000'000, '<'))).size(), 500'000u);
}

TEST(ClusterHtml, PythonsParserFindsNothingThatRuns) {
  const std::filesystem::path script =
      std::filesystem::path(__FILE__).parent_path() / "check_page.py";
  if (std::system("python3 -c 'import html.parser' >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "python3 is not installed";
  }
  ClusterReport report = report_of("x");
  for (const std::string& evil : hostile_strings()) {
    const ClusterReport more = report_of(evil);
    report.warnings.push_back(evil);
    report.list.insert(report.list.end(), more.list.begin(), more.list.end());
    report.graphs.insert(report.graphs.end(), more.graphs.begin(), more.graphs.end());
    report.common.insert(report.common.end(), more.common.begin(), more.common.end());
    report.pairs.insert(report.pairs.end(), more.pairs.begin(), more.pairs.end());
  }
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "twinset_hostile_clusters.html";
  std::ofstream(path, std::ios::binary) << cluster_html_report(report);
  EXPECT_EQ(std::system(("python3 '" + script.string() + "' '" + path.string() + "'").c_str()), 0);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace twinset
