#include <gtest/gtest.h>

#include "twinset/judge.h"

namespace twinset {
namespace {

JudgedTables two_judges() {
  JudgedTables tables;
  tables.source = "gr\x1b[31m";
  tables.by = "distance";
  tables.sampled = 290;
  tables.categories = {"same", "different", "unclear"};
  JudgedClass zero{"0", 500, 200, 4, {2, 1, 1}, {}, {}};
  zero.precision = Interval{0.5, 0.25, 0.75};
  tables.judges = {{"a\x1b]0;x\x07", 4, {zero}}};
  tables.agreements = {{"ann", "bob", 50, 1, {0.02, 0, 0.1}, {}, 0}};
  tables.notes = {"ann is away"};
  return tables;
}

TEST(JudgeText, TablesHaveAlignedRowsAndHarmlessNames) {
  EXPECT_EQ(to_text(two_judges()),
            "a\\x1b]0;x\\x07 judged 4 of 290 pairs sampled from gr\\x1b[31m\n\n"
            "distance  pairs  sampled  judged  same  different  unclear  precision, 95 %\n"
            "0           500      200       4     2          1        1  0.500 [0.250, 0.750]\n"
            "\nann and bob agree on 1 of 50 pairs: 0.020 [0.000, 0.100]; no kappa, since both used "
            "one category alone\n"
            "\nNote: ann is away.\n");
  JudgedTables none = two_judges();
  none.judges.clear();
  EXPECT_EQ(to_text(none).rfind("no verdicts yet on 290 pairs", 0), 0U);
}

TEST(JudgeText, ALabelHasItsTextAndItsPlaces) {
  PairToJudge label;
  label.kind = Judged::labels;
  label.texts.name_a = "chunk 0";
  label.texts.name_b = "5 times";
  label.texts.text_a = "red \x1b[31m";
  label.texts.text_b = "http://a.org/\n";
  EXPECT_EQ(to_text(label, {}, false),
            "chunk 0\n5 times\n\nred \\x1b[31m\n\nSeen in:\nhttp://a.org/\n");
}

}  // namespace
}  // namespace twinset
