// The page: it draws every kind of section from the facts alone, and nothing in the facts escapes
// its place.
#include "faces/page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "faces/facts_testing.h"
#include "faces/page_check.h"
#include "words/documents.h"
#include "words/visible.h"

namespace twinset {
namespace {

std::string page_of(const std::string& text) { return report_page(facts_of(text)); }

std::string first_error(const PageCheck& check) {
  return check.errors.empty() ? std::string() : check.errors.front();
}

/// The values of an attribute that begin with `begin`.
std::vector<std::string> values_of(const std::string& page, const std::string& begin) {
  std::vector<std::string> values;
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
    const std::size_t value = at + begin.size();
    values.push_back(page.substr(value, page.find('"', value) - value));
  }
  return values;
}

TEST(Page, DrawsEachKindOfSection) {
  const PageCheck page(page_of("out/terms"));
  ASSERT_EQ(first_error(page), "");
  for (const char* piece : {"out/terms: out/terms", "twinset out/terms", "files are in out/terms",
                            "3 out/terms (75.0 %)", "1,234,567", "33.3 %", "0.799", "2.5 MB",
                            "12.5 s", "record 1,234", "8 out/terms (5 out/terms, 3 out/terms)",
                            "log scale", "out/terms and 2 copies", "only in the out/terms"}) {
    EXPECT_NE(page.content.find(piece), std::string::npos) << piece;
  }
  EXPECT_EQ(page.tags.at("article"), 2U);
  EXPECT_EQ(page.tags.at("circle"), 3U);
  EXPECT_EQ(page.tags.at("li"), 2U);
  EXPECT_EQ(page.tags.at("figure"), 3U);
}

TEST(Page, CountsAndPercentagesAreTilesAndTimesAreLines) {
  ReportFacts facts;
  facts.sections.push_back(
      {.name = "totals", .numbers = {{"pages", Value::count(7)}, {"bad", Value::percent(1, 7)}}});
  EXPECT_NE(report_page(facts).find("<dl class=\"tiles\">"), std::string::npos);
  facts.sections[0].numbers.push_back({"took", Value::seconds(1)});
  EXPECT_EQ(report_page(facts).find("<dl class=\"tiles\">"), std::string::npos);
}

TEST(Page, TheHeadSaysCommandDateAndFolder) {
  ReportFacts facts;
  facts.title = "Clusters";
  facts.command = "twinset cluster a -o b";
  facts.started = "2026-01-31T23:59:59Z";
  facts.folder = "/crawl/2026/";
  const std::string page = report_page(facts);
  const std::string head =
      page.substr(page.find("<header>"), page.find("</header>") - page.find("<header>"));
  for (const std::string& piece : {facts.command, facts.started, facts.folder}) {
    EXPECT_NE(head.find(piece), std::string::npos) << piece;
  }
}

TEST(Page, ForbidsItselfScriptsAndRequests) {
  const std::string page = page_of("x");
  EXPECT_NE(page.find("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"),
            std::string::npos);
  EXPECT_LT(page.find("Content-Security-Policy"), page.find("<title>"));
  for (const char* loads : {"url(", "@import", "http://", "https://", " src=", "<script"}) {
    EXPECT_EQ(page.find(loads), std::string::npos) << loads;
  }
}

TEST(Page, EveryLinkLeadsToAnElementAndNoIdIsGivenTwice) {
  const std::string page = page_of("x");
  const std::vector<std::string> ids = values_of(page, " id=\"");
  const std::set<std::string> unique(ids.begin(), ids.end());
  EXPECT_EQ(unique.size(), ids.size());
  const std::vector<std::string> links = values_of(page, "href=\"#");
  EXPECT_GE(links.size(), 8U);
  for (const std::string& target : links) EXPECT_TRUE(unique.contains(target)) << target;
}

TEST(Page, HostileTextInEveryFieldAddsNoTag) {
  const std::map<std::string, std::size_t> expected = PageCheck(page_of("x")).tags;
  for (const std::string& evil : hostile_strings()) {
    const PageCheck page(page_of(evil));
    ASSERT_EQ(first_error(page), "") << evil.substr(0, 80);
    if (evil.empty()) continue;
    for (const auto& [tag, count] : page.tags) {
      // Passages differ with the words in the text; everything else is the template's.
      if (tag == "mark" || tag == "del" || tag == "ins" || tag == "div" || tag == "span" ||
          tag == "p") {
        continue;
      }
      if (tag == "text") {  // A long label leaves no room for the next one.
        ASSERT_LE(count, expected.at(tag)) << evil.substr(0, 80);
        continue;
      }
      ASSERT_EQ(count, expected.at(tag)) << tag << " with " << evil.substr(0, 80);
    }
    if (evil.size() > 1000) continue;
    const std::string shown = visible_text(evil);
    std::size_t times = 0;
    for (std::size_t at = page.content.find(shown); at != std::string::npos;
         at = page.content.find(shown, at + 1)) {
      ++times;
    }
    ASSERT_GE(times, 60U) << "not shown as it is: " << shown;
  }
}

TEST(Page, PythonsParserFindsNothingThatRuns) {
  if (std::system("python3 -c 'import html.parser' >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "python3 is not installed";
  }
  ReportFacts facts = facts_of("x");
  for (const std::string& evil : hostile_strings()) {
    ReportFacts more = facts_of(evil);
    for (std::size_t i = 0; i < more.sections.size(); ++i) {
      // Links lead to the sections of the first facts.
      more.sections[i].name = facts.sections[i].name + std::string(facts.sections.size(), 'x');
      facts.sections.push_back(more.sections[i]);
    }
    facts.warnings.push_back(evil);
    facts.command += evil;
    facts.output += evil.substr(0, 100);
  }
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / "twinset_hostile_report.html";
  std::ofstream(path, std::ios::binary) << report_page(facts);
  const std::filesystem::path script =
      std::filesystem::path(__FILE__).parent_path() / "check_page.py";
  const std::string command = "python3 '" + script.string() + "' '" + path.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  // The check works: one more raw tag is found.
  std::ofstream(path, std::ios::binary | std::ios::app) << "<img src=x onerror=EVIL()>";
  EXPECT_NE(std::system((command + " >/dev/null").c_str()), 0);
  std::filesystem::remove(path);
}

TEST(Page, TheChecksSeeWhatTheyShould) {
  const std::string page = page_of("x");
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

TEST(Page, AStripHasEachPartThatIsThere) {
  ReportFacts facts;
  facts.sections = {{.name = "totals"}};
  facts.sections[0].parts = {
      {"some", Fate::kept, 3}, {"absent", Fate::near, 0}, {"others", Fate::lexical, 1}};
  const std::string page = report_page(facts);
  EXPECT_NE(page.find("width=\"750.00\""), std::string::npos);
  EXPECT_NE(page.find("3 some (75.0 %)"), std::string::npos);
  EXPECT_EQ(page.find("absent"), std::string::npos);
}

TEST(Page, NoFactsAreAWholePage) { EXPECT_EQ(first_error(PageCheck(report_page({}))), ""); }

/// The page of a run is drawn from its report.json and from nothing else.
TEST(Page, AStoredReportIsDrawnAsItWas) {
  const std::string json = report_json(facts_of("a <b> \xff"));
  const Result<ReportFacts> first = read_report_facts(json, "report.json");
  ASSERT_TRUE(first.ok());
  const std::string page = report_page(first.value());
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / "twinset_stored_report.json";
  std::ofstream(path, std::ios::binary) << json;
  std::ifstream in(path, std::ios::binary);
  const std::string stored((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::filesystem::remove(path);
  const Result<ReportFacts> again = read_report_facts(stored, path.string());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(report_page(again.value()), page);
}

}  // namespace
}  // namespace twinset
