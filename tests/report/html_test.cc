#include "report/html.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "report/documents.h"
#include "report/page_check.h"
#include "report/visible.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

ReportPair pair_of(const ReportDocument& document, const std::string& a, const std::string& b) {
  ReportPair pair;
  pair.survivor = pair.removed = document;
  pair.survivor_text = a;
  pair.removed_text = b;
  const Analyzer* words = find_analyzer("words");
  Analysis first, second;
  words->analyze(a, Offsets::keep, first);
  words->analyze(b, Offsets::keep, second);
  pair.passages = find_passages(first, second, 3);
  return pair;
}

/// A report with `text` in every field that a collection or a user fills.
Report report_of(const std::string& text) {
  Report report;
  report.run = {text, text, text, text, text, text, text, 0.8, 0.95, true, 12.5, 1'000'000, 2};
  report.totals = {.read = 1000,
                   .kept = 600,
                   .identical = 100,
                   .lexical = 50,
                   .near = 200,
                   .contained = 20,
                   .quarantined = 10,
                   .filtered = 20};
  report.clusters = 7;
  report.warnings = {text};
  report.files = {{text, false, report.totals}, {text, true, {}}};
  for (const std::uint64_t size : {2, 3, 9, 5000}) report.cluster_sizes.add(size);
  report.near_resemblance.add(0.8);
  report.near_resemblance.add(0.97);
  report.contained_resemblance.add(0.3);
  ReportCluster cluster;
  cluster.survivor = {text, text, 5};
  cluster.members = 9;
  cluster.sources = 3;
  cluster.lowest_resemblance = 0.81;
  cluster.contained = 1;
  cluster.lowest_containment = 0.96;
  cluster.examples = {{{text, text, 6}, Fate::near, 0.81, 0.9},
                      {{text, text, 7}, Fate::contained, 0.1, 0.96}};
  report.largest = report.least_alike = report.widest = {cluster};
  const std::string common = " one two three four five ";
  report.pairs = {
      pair_of(cluster.survivor, text + common + "six", common + text + " seven " + common),
      pair_of(cluster.survivor, common + text, common), pair_of(cluster.survivor, text, text)};
  return report;
}

std::string first_error(const PageCheck& check) {
  return check.errors.empty() ? std::string() : check.errors.front();
}

TEST(Html, ThePageSaysWhatHappened) {
  const PageCheck page(html_report(report_of("out/terms")));
  EXPECT_EQ(first_error(page), "");
  for (const char* piece :
       {"Near-duplicates: out/terms", "1,000", "600", "60.0 %", "37.0 %", "200 near (20.0 %)",
        "20 filtered, 10 quarantined", "150 removed records are identical or lexically equal",
        "lowest resemblance 0.810", "1 contained, lowest 0.960", "9 records",
        "resemblance 0.800 or more, or containment 0.950 or more",
        "12.5 s on 2 threads, 80 kB of text a second", "2 removed records of 8"}) {
    EXPECT_NE(page.content.find(piece), std::string::npos) << piece;
  }
}

TEST(Html, ThePageForbidsItselfScriptsAndRequests) {
  const std::string page = html_report(report_of("x"));
  EXPECT_NE(page.find("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"),
            std::string::npos);
  EXPECT_LT(page.find("Content-Security-Policy"), page.find("<title>"));
  for (const char* loads : {"url(", "@import", "http://", "https://", " src=", "<script"}) {
    EXPECT_EQ(page.find(loads), std::string::npos) << loads;
  }
}

TEST(Html, HostileTextInEveryFieldAddsNoTag) {
  const std::map<std::string, std::size_t> expected = PageCheck(html_report(report_of("x"))).tags;
  for (const std::string& evil : hostile_strings()) {
    const PageCheck page(html_report(report_of(evil)));
    ASSERT_EQ(first_error(page), "") << evil.substr(0, 80);
    if (evil.empty()) continue;
    for (const auto& [tag, count] : page.tags) {
      // Passages differ with the words in the text; everything else is the template's.
      if (tag == "mark" || tag == "del" || tag == "ins" || tag == "div" || tag == "span" ||
          tag == "p") {
        continue;
      }
      ASSERT_EQ(count, expected.at(tag)) << tag << " with " << evil.substr(0, 80);
    }
    if (evil.size() < 1000) {
      const std::string shown = visible_text(evil);
      std::size_t times = 0;
      for (std::size_t at = page.content.find(shown); at != std::string::npos;
           at = page.content.find(shown, at + 1)) {
        ++times;
      }
      ASSERT_GE(times, 20u) << "not shown as it is: " << shown;
    }
  }
}

TEST(Html, ThePageStaysSmallWhateverTheFields) {
  EXPECT_LT(html_report(report_of(std::string(1'000'000, '<'))).size(), 500'000u);
}

TEST(Html, PythonsParserFindsNothingThatRuns) {
  if (std::system("python3 -c 'import html.parser' >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "python3 is not installed";
  }
  Report report = report_of("x");
  for (const std::string& evil : hostile_strings()) {
    const Report more = report_of(evil);
    report.warnings.push_back(evil);
    report.files.insert(report.files.end(), more.files.begin(), more.files.end());
    report.largest.insert(report.largest.end(), more.largest.begin(), more.largest.end());
    report.pairs.insert(report.pairs.end(), more.pairs.begin(), more.pairs.end());
    report.run.command += evil;
    report.run.title += evil.substr(0, 100);
  }
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "twinset_hostile_report.html";
  std::ofstream(path, std::ios::binary) << html_report(report);
  const std::filesystem::path script =
      std::filesystem::path(__FILE__).parent_path() / "check_page.py";
  const std::string command = "python3 '" + script.string() + "' '" + path.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  // The check sees what it should: one raw tag more is found.
  std::ofstream(path, std::ios::binary | std::ios::app) << "<img src=x onerror=EVIL()>";
  EXPECT_NE(std::system((command + " >/dev/null").c_str()), 0);
  std::filesystem::remove(path);
}

TEST(Html, TheChecksSeeWhatTheyShould) {
  const std::string page = html_report(report_of("x"));
  const auto broken = [&](const std::string& before, const std::string& inserted) {
    std::string copy = page;
    copy.insert(copy.find(before), inserted);
    return !PageCheck(copy).errors.empty();
  };
  EXPECT_TRUE(broken("</main>", "<script>"));
  EXPECT_TRUE(broken("</main>", "<p onclick=\"x\"></p>"));
  EXPECT_TRUE(broken("</main>", "<p>"));
  EXPECT_TRUE(broken("</main>", "</p>"));
  EXPECT_TRUE(broken("</main>", "<a href=\"javascript:x\"></a>"));
  EXPECT_TRUE(broken("</main>", "a > b"));
  EXPECT_TRUE(broken("</main>", "&nbsp;"));
  EXPECT_TRUE(broken("</main>", "\x1b"));
  EXPECT_TRUE(broken("</main>", "<!-- -->"));
}

TEST(Html, ManyFilesAreCutToThoseThatLostMost) {
  Report report;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Counts counts;
    counts.read = 1000;
    counts.near = i;
    counts.kept = counts.read - i;
    report.files.push_back({"file-" + std::to_string(i) + ".txt", false, counts});
  }
  const PageCheck page(html_report(report));
  EXPECT_EQ(first_error(page), "");
  EXPECT_NE(page.content.find("200 of 1,000 files"), std::string::npos);
  EXPECT_NE(page.content.find("file-999.txt"), std::string::npos);
  EXPECT_NE(page.content.find("file-800.txt"), std::string::npos);
  EXPECT_EQ(page.content.find("file-799.txt"), std::string::npos);
}

TEST(Html, AnEmptyRunIsAWholePage) {
  const PageCheck page(html_report({}));
  EXPECT_EQ(first_error(page), "");
  EXPECT_NE(page.content.find("Nothing to show."), std::string::npos);
}

}  // namespace
}  // namespace twinset
