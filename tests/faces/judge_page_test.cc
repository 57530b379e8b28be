#include "faces/judge_page.h"

#include <gtest/gtest.h>

#include "faces/page_assets.h"
#include "faces/page_check.h"
#include "io/json.h"
#include "io/json_read.h"
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

/// The facts of a page that holds nothing that could run but the front end's script.
JsonNode facts_of_page(const std::string& page, std::string& room) {
  const PageCheck check(page);
  EXPECT_EQ(check.errors, std::vector<std::string>());
  EXPECT_EQ(check.scripts.size(), 2U);
  if (check.scripts.size() != 2) return {};
  EXPECT_EQ(check.scripts.back(), page_script());
  EXPECT_EQ(check.scripts.front().find('<'), std::string::npos);
  room = check.scripts.front();
  return read_json(room, "facts").value();
}

TEST(JudgePage, NoTextBecomesMarkup) {
  std::string room;
  for (const std::string text : {"a rose is a rose", hostile}) {
    const std::string page = page_of(text, text, text);
    const JsonNode facts = facts_of_page(page, room);
    EXPECT_EQ(facts["format"].text(), "judge page 1");
    EXPECT_EQ(facts["file"].text(), facts["judge"].text() + ".judged");
    const JsonNode pair = facts["pairs"].elements().at(0);
    EXPECT_EQ(pair["pair"]["more"].text().substr(0, 4), " " + text.substr(0, 3));
    std::string line;
    append_json_string(line, text);
    EXPECT_EQ(pair["line"].text(), R"({"a": {"id": )" + line + R"(, "file": )" + line +
                                       R"(, "record": 1}, "b": {"id": )" + line + R"(, "file": )" +
                                       line + R"(, "record": 2}, "value": )" + line);
  }
  EXPECT_NE(page_of(hostile, "id", "ann").find("&lt;img src=x onerror=alert(2)&gt;"),
            std::string::npos)
      << "a reader without scripts sees the text";
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
  const JsonNode facts = read_json(shown.json, "pair").value();
  EXPECT_LT(facts["pair"]["a"]["id"].text().size(), 10'000U);
  EXPECT_NE(facts["line"].text().find(pair.a.document.id), std::string::npos)
      << "a verdict names it whole";
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
  const std::string page = judge_page(header, std::span(&shown, 1), "ann", "x.judged");
  std::string room;
  const JsonNode facts = facts_of_page(page, room);
  EXPECT_EQ(facts["kind"].text(), "labels");
  EXPECT_EQ(facts["categories"].elements()[1].text(), "possibly-commercial");
  const JsonNode only = facts["pairs"].elements().at(0);
  EXPECT_EQ(
      only["line"].text(),
      R"({"a": {"id": "131f95c51cc819465fa1797f6ccacf9d"}, "b": {"id": "chunk"}, "value": 12)");
  EXPECT_EQ(only["side_a"].text(), "chunk");
  EXPECT_EQ(only["pair"]["b"]["id"].text(), "seen 12 times");
  EXPECT_EQ(PageCheck(page).tags.count("a"), 0U) << "a place is no link";
  EXPECT_NE(page.find("<h1>Labels of"), std::string::npos);
}

}  // namespace
}  // namespace twinset
