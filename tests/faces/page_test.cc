// The page: its plain HTML has every kind of section, nothing in the facts escapes its place, and
// no script may run but the page's own.
#include "faces/page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/sha256.h"
#include "faces/facts_testing.h"
#include "faces/page_assets.h"
#include "faces/page_check.h"
#include "words/documents.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// A shell may have so many bytes beside its facts.
constexpr std::size_t most_shell_bytes = 400'000;

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

/// The page without its facts, its script and its style.
std::string html_of(std::string page) {
  for (const char* const name : {"script", "style"}) {
    const std::string begin = std::string("<") + name;
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
      page.erase(at, page.find("</" + std::string(name), at) - at);
    }
  }
  return page;
}

std::string hash_of(std::string_view content) {
  std::string out = "'sha256-";
  append_base64(out, sha256(content));
  return out + "'";
}

/// hostile_strings(), and random ones made of the pieces that matter to a browser; 500 in all.
std::vector<std::string> many_hostile_strings() {
  std::vector<std::string> all = hostile_strings();
  const std::vector<std::string> pieces = {"<",
                                           ">",
                                           "\"",
                                           "'",
                                           "&",
                                           "</script>",
                                           "<script>",
                                           "</SCRIPT ",
                                           "<!--",
                                           "-->",
                                           "]]>",
                                           "\\",
                                           "\\u003c",
                                           "</style",
                                           "</main>",
                                           "</title>",
                                           "<img src=x",
                                           " on",
                                           "error",
                                           "=",
                                           "EVIL()",
                                           "\n",
                                           "\r",
                                           "\t",
                                           "\xe2\x80\xa8",
                                           "\xe2\x80\xa9",
                                           "\xff",
                                           "\xc0",
                                           "\xe2\x80\xae",
                                           "&lt;",
                                           "javascript:",
                                           "a",
                                           " ",
                                           "{\"",
                                           "\"}",
                                           "]",
                                           "`",
                                           "${"};
  std::mt19937 random(7);
  while (all.size() < 500) {
    std::string& text = all.emplace_back("EVIL");
    for (std::size_t i = 1 + random() % 12; i > 0; --i) text += pieces[random() % pieces.size()];
  }
  return all;
}

TEST(Page, HasEachKindOfSectionAsPlainHtml) {
  const PageCheck page(page_of("out/terms"));
  ASSERT_EQ(first_error(page), "");
  for (const char* piece :
       {"out/terms: out/terms", "twinset out/terms", "files are in out/terms",
        "3 out/terms (75.0 %)", "1,234,567", "33.3 %", "0.799", "2.5 MB", "12.5 s", "record 1,234",
        "out/terms, out/terms", "threshold 10", "5000000000", "and 2 copies", "2 and 1 (0.600);",
        "only in the out/terms"}) {
    EXPECT_NE(page.content.find(piece), std::string::npos) << piece;
  }
  EXPECT_EQ(page.tags.at("article"), 2U);
  EXPECT_EQ(page.tags.at("section"), 5U);
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

TEST(Page, LetsItsOwnScriptRunAloneAndLoadsNothing) {
  const std::string page = page_of("x");
  const PageCheck check(page);
  ASSERT_EQ(check.scripts.size(), 2U);
  ASSERT_EQ(check.styles.size(), 1U);
  // A browser hashes what stands between the tags.
  EXPECT_NE(page.find("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "script-src " +
                      hash_of(check.scripts[1]) + "; style-src " + hash_of(check.styles[0]) +
                      "; img-src data:; connect-src 'none'; "
                      "base-uri 'none'; form-action 'none'\">"),
            std::string::npos);
  EXPECT_LT(page.find("Content-Security-Policy"), page.find("<title>"));
  EXPECT_EQ(check.scripts[1], page_script());
  EXPECT_EQ(check.styles[0], page_style());
  const std::string html = html_of(page);
  for (const char* loads : {"url(", "@import", "http://", "https://", " src=", " style="}) {
    EXPECT_EQ(html.find(loads), std::string::npos) << loads;
  }
  // Attributes that would make of the block of facts a script, or of the script a file's.
  EXPECT_NE(page.find("<script type=\"application/json\" id=\"facts\">{"), std::string::npos);
  EXPECT_NE(page.find("</script>\n<script>"), std::string::npos);
}

TEST(Page, TheFrontEndMayStandInAPage) {
  for (const std::string_view asset : {page_script(), page_style()}) {
    EXPECT_GT(asset.size(), 50U);
    std::string lower(asset);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
    // A browser reads \r\n as \n, and its hash would be another.
    for (const char* part : {"</script", "</style", "<!--", "<script", "\r"}) {
      EXPECT_EQ(lower.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(asset.find('\0'), std::string_view::npos);
  }
  for (const char* loads : {"url(", "@import", "http:", "https:"}) {
    EXPECT_EQ(page_style().find(loads), std::string_view::npos) << loads;
  }
}

TEST(Page, TheShellIsSmallBesideItsFacts) {
  EXPECT_LT(report_page({}).size(), most_shell_bytes);
  EXPECT_LT(live_page().html.size(), most_shell_bytes);
}

/// The block of facts is report.json, and nothing in it ends it.
void expect_facts(const PageCheck& page, const ReportFacts& facts) {
  ASSERT_EQ(page.scripts.size(), 2U);
  const std::string& block = page.scripts[0];
  for (const std::string_view part : {"<", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    ASSERT_EQ(block.find(part), std::string::npos);
  }
  const Result<ReportFacts> read = read_report_facts(block, "the block");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(report_json(read.value()), report_json(facts));
}

TEST(Page, EveryLinkLeadsToAnElementAndNoIdIsGivenTwice) {
  const std::string page = html_of(page_of("x"));
  const std::vector<std::string> ids = values_of(page, " id=\"");
  const std::set<std::string> unique(ids.begin(), ids.end());
  EXPECT_EQ(unique.size(), ids.size());
  const std::vector<std::string> links = values_of(page, "href=\"#");
  EXPECT_GE(links.size(), 4U);
  for (const std::string& target : links) EXPECT_TRUE(unique.contains(target)) << target;
}

TEST(Page, HostileTextInEveryFieldAddsNoTagAndStaysInTheFacts) {
  const std::map<std::string, std::size_t> expected = PageCheck(page_of("x")).tags;
  for (const std::string& evil : many_hostile_strings()) {
    const ReportFacts facts = facts_of(evil);
    const PageCheck page(report_page(facts));
    ASSERT_EQ(first_error(page), "") << evil.substr(0, 80);
    ASSERT_NO_FATAL_FAILURE(expect_facts(page, facts)) << evil.substr(0, 80);
    if (evil.empty()) continue;
    for (const auto& [tag, count] : page.tags) {
      // Passages differ with the words in the text; everything else is the template's.
      static const std::set<std::string> of_passages = {"mark", "del", "ins", "tr",
                                                        "td",   "p",   "span"};
      if (of_passages.contains(tag)) continue;
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
  EXPECT_TRUE(broken("</main>", "<script src=\"x\">"));
  EXPECT_TRUE(broken("</main>", "<p onclick=\"x\"></p>"));
  EXPECT_TRUE(broken("</main>", "<p>"));
  EXPECT_TRUE(broken("</main>", "</p>"));
  EXPECT_TRUE(broken("</main>", "<a href=\"javascript:x\"></a>"));
  EXPECT_TRUE(broken("</main>", "a > b"));
  EXPECT_TRUE(broken("</main>", "&nbsp;"));
  EXPECT_TRUE(broken("</main>", "\x1b"));
  EXPECT_TRUE(broken("</main>", "<!-- -->"));
  const std::string facts = "\"format\"";
  EXPECT_TRUE(broken(facts, "</script>"));
  EXPECT_TRUE(broken(facts, "</ScRiPt "));
  EXPECT_TRUE(broken(facts, "<!--"));
}

TEST(Page, PartsAreThoseThatAreThere) {
  ReportFacts facts;
  facts.sections = {{.name = "totals"}};
  facts.sections[0].parts = {
      {"some", Fate::kept, 3}, {"absent", Fate::near, 0}, {"others", Fate::lexical, 1}};
  const std::string html = html_of(report_page(facts));
  EXPECT_NE(html.find("3 some (75.0 %)"), std::string::npos);
  EXPECT_EQ(html.find("absent"), std::string::npos);
}

TEST(Page, NoFactsAreAWholePage) { EXPECT_EQ(first_error(PageCheck(report_page({}))), ""); }

TEST(Page, TheLivePageHasNoFactsAndAsksItsOwnServiceAlone) {
  const LivePage page = live_page();
  const PageCheck check(page.html);
  EXPECT_EQ(first_error(check), "");
  ASSERT_EQ(check.scripts.size(), 1U);
  EXPECT_NE(page.html.find("<body data-live=\"1\">"), std::string::npos);
  EXPECT_NE(page.html.find("connect-src 'self'"), std::string::npos);
  for (const char* part : {"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"}) {
    EXPECT_NE(page.policy.find(part), std::string::npos) << part;
  }
  EXPECT_NE(page.policy.find("script-src " + hash_of(check.scripts[0])), std::string::npos);
  EXPECT_NE(page.policy.find("style-src " + hash_of(check.styles[0])), std::string::npos);
  EXPECT_EQ(page.policy.find('\n'), std::string::npos) << "it is a header";
}

/// The page of a run is drawn from its report.json and from nothing else.
TEST(Page, AStoredReportIsShownAsItWas) {
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
