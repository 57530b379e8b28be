#include "faces/pair_html.h"

#include <gtest/gtest.h>

#include <string>

#include "faces/page_check.h"
#include "faces/pair_rows.h"
#include "words/documents.h"

namespace twinset {
namespace {

ShownPair named_pair(const std::string& a, const std::string& b) {
  ShownPair pair;
  pair.a = {.id = "first", .file = "a.jsonl", .record = 1};
  pair.b = {.id = "second", .file = "b.jsonl", .record = 2000};
  set_rows(pair, a, b, find_passages(words_of(a), words_of(b), 3));
  return pair;
}

std::string html_of_pair(const ShownPair& pair) {
  std::string out;
  append_pair(out, pair, "pairs-1", "survivor", "removed");
  const PageCheck check(out, false);
  EXPECT_TRUE(check.errors.empty()) << check.errors.front();
  return out;
}

TEST(PairHtml, MarksWhatIsSharedAndWhatIsNot) {
  const std::string out = html_of_pair(named_pair("a b c d X e f g h", "a b c d Y Z e f g h"));
  for (const char* piece : {"<article class=\"pair\" id=\"pairs-1\">",
                            "removed <bdi class=\"id\">second</bdi>", "record 2,000",
                            "<tr class=\"same\"><td class=\"text\"><mark>a b c d</mark></td>"
                            "<td class=\"text\"><mark>a b c d</mark></td></tr>",
                            "<tr class=\"diff\"><td class=\"text\"><del>X</del></td>"
                            "<td class=\"text\"><ins>Y Z</ins></td></tr>"}) {
    EXPECT_NE(out.find(piece), std::string::npos) << piece << "\n" << out;
  }
}

TEST(PairHtml, LabelsAndCutsStandWithTheirPassages) {
  const std::string one = counted_words(0, 6), two = counted_words(50, 30);
  const std::string moved = html_of_pair(named_pair(one + ' ' + two, two + ' ' + one));
  const std::string label = "<mark class=\"moved\"><span class=\"tag\">moved 1</span> w0";
  EXPECT_NE(moved.find(label), moved.rfind(label)) << "on both sides: " << moved;
  const std::string common = counted_words(0, 500);
  const std::string cut = html_of_pair(named_pair("x y z " + common, "q " + common));
  EXPECT_NE(cut.find(" <span class=\"cut\">&hellip; "), std::string::npos) << cut;
}

TEST(PairHtml, TouchingPassagesStayTwoElements) {
  ShownPair pair;
  pair.rows = {{false,
                {{Mark::shared, "abc"}, {Mark::only, "x"}},
                {{Mark::shared, "abc"}, {Mark::skipped, "left out"}}}};
  EXPECT_NE(html_of_pair(pair).find("<td class=\"text\"><mark>abc</mark><del>x</del></td>"
                                    "<td class=\"text\"><mark>abc</mark>"
                                    "<span class=\"skipped\">left out</span></td>"),
            std::string::npos);
}

TEST(PairHtml, FactsAndWordsStandWithThePair) {
  ShownPair pair;
  pair.tag = "near";
  pair.facts = {{"resemblance", Value::share(0.8765), "7 of 8 <shingles>"},
                {"words", Value::count(9)}};
  pair.more = "The texts are identical.";
  const std::string out = html_of_pair(pair);
  for (const char* piece :
       {"<h3>near</h3>", "resemblance <b>0.876</b> <small>7 of 8 &lt;shingles&gt;</small>; words",
        "<p class=\"more\">The texts are identical.</p>"}) {
    EXPECT_NE(out.find(piece), std::string::npos) << piece << "\n" << out;
  }
}

TEST(PairHtml, NoTextBecomesMarkup) {
  for (const std::string& evil : hostile_strings()) {
    ShownPair pair = named_pair(evil + " one two three", "one two three " + evil);
    pair.tag = pair.more = pair.a.id = pair.b.file = evil;
    html_of_pair(pair);
  }
}

}  // namespace
}  // namespace twinset
