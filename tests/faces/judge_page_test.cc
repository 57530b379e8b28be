#include "faces/judge_page.h"

#include <gtest/gtest.h>

#include "text/analyzer.h"
#include "words/passages.h"

namespace twinset {
namespace {

constexpr const char* hostile =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> <!-- ]]> ' \" \xff \u2028";

std::string page_of(const std::string& text, const std::string& id, const std::string& judge) {
  JudgedHeader header;
  header.source = id;
  header.by = JudgeBy::label;
  header.categories = Categories::parse("same,different,unclear").value();
  header.classes = {{id, 1, 1}};
  header.sampled = 1;
  SamplePair pair;
  pair.a.document = {id, id, 1};
  pair.b.document = {id, id, 2};
  pair.value.label = id;
  const Analyzer& words = *find_analyzer("words");
  ComparedTexts texts{.text_a = text, .text_b = "other words entirely " + text};
  Analysis a;
  Analysis b;
  words.analyze(texts.text_a, Offsets::keep, a);
  words.analyze(texts.text_b, Offsets::keep, b);
  texts.passages = find_passages(a, b, 5);
  texts.notes = {text};
  const PagePair shown = page_pair(pair, texts, 1, header);
  return judge_page(header, std::span(&shown, 1), judge, id + ".judged");
}

std::size_t count(const std::string& page, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = page.find(part); at != std::string::npos; at = page.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(JudgePage, NoTextBecomesMarkup) {
  const std::string plain = page_of("a rose is a rose", "id", "ann");
  const std::string page = page_of(hostile, hostile, hostile);
  // The elements of the page are those of a harmless one: its own two scripts, no image.
  EXPECT_EQ(count(plain, "<script"), 2U);
  EXPECT_EQ(count(page, "<script"), 2U);
  EXPECT_EQ(count(page, "</script"), 2U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_EQ(count(page, "<!--"), 0U);
  EXPECT_NE(page.find("&lt;img src=x onerror=alert(2)&gt;"), std::string::npos);
  // The data is one JSON value without a byte that could end it.
  const std::size_t begin = page.find("id=\"data\">") + 10;
  const std::string data = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_EQ(data.find('>'), std::string::npos);
}

TEST(JudgePage, ALongIdIsCutWhereItIsShown) {
  JudgedHeader header;
  header.categories = Categories::parse("same,different").value();
  SamplePair pair;
  pair.a.document = {std::string(100'000, 'i'), "a.jsonl", 1};
  pair.b.document = {"b", std::string(100'000, 'f'), 2};
  const ComparedTexts texts{.text_a = "a rose", .text_b = "a rose"};
  const PagePair shown = page_pair(pair, texts, 1, header);
  EXPECT_LT(shown.html.size(), 10'000U);
  EXPECT_NE(shown.line.find(pair.a.document.id), std::string::npos) << "a verdict names it whole";
}

TEST(JudgePage, ShowsALabelAndItsPlaces) {
  JudgedHeader header;
  header.kind = Judged::labels;
  header.source = "x.labels";
  header.categories = Categories::parse(label_categories).value();
  header.classes = {{"all", 1, 1}};
  header.sampled = 1;
  SamplePair label;
  label.a.document.id = "131f95c51cc819465fa1797f6ccacf9d";
  label.b.document.id = "chunk";
  label.value.count = 12;
  const ComparedTexts texts{.name_b = "seen 12 times", .text_a = hostile, .text_b = hostile};
  const PagePair shown = page_pair(label, texts, 1, header);
  EXPECT_EQ(
      shown.line,
      R"({"a": {"id": "131f95c51cc819465fa1797f6ccacf9d"}, "b": {"id": "chunk"}, "value": 12)");
  const std::string page = judge_page(header, std::span(&shown, 1), "ann", "x.judged");
  EXPECT_EQ(count(page, "<script"), 2U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_EQ(count(page, "<a "), 0U) << "a place is no link";
  EXPECT_NE(page.find("<h1>Labels of"), std::string::npos);
  EXPECT_NE(page.find("seen 12 times"), std::string::npos);
  EXPECT_NE(page.find("&lt;img src=x onerror=alert(2)&gt;"), std::string::npos);
  EXPECT_NE(page.find("data-category=\"possibly-commercial\""), std::string::npos);
}

TEST(JudgePage, RunsItsOwnScriptAloneAndLoadsNothing) {
  const std::string page = page_of("a rose is a rose", "id", "ann");
  EXPECT_NE(page.find("default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-"),
            std::string::npos);
  for (const char* part : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  }
  EXPECT_NE(page.find("data-category=\"different\""), std::string::npos);
}

}  // namespace
}  // namespace twinset
