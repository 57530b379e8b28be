#include "judge/judge_fields.h"

#include <gtest/gtest.h>

#include "io/field_json.h"

namespace twinset {
namespace {

JudgedTables tables() {
  JudgedTables made;
  made.source = "groups";
  made.by = "distance";
  made.sampled = 3;
  made.categories = {"same", "different", "unclear"};
  made.judges = {{"ann",
                  4,
                  {{"2", 9, 3, 2, {1, 1, 0}, Interval{0.5, 0.25, 0.75}, {}},
                   {"3", 8, 2, 1, {0, 0, 1}, {}, {}}}}};
  made.agreements = {{"ann", "bob", 3, 2, {0.666667, 0.2, 0.9}, -0.5, 0.25},
                     {"ann", "eve", 1, 1, {1, 0, 1}, {}, 0}};
  made.notes = {"one"};
  return made;
}

TEST(JudgeFields, OfPairsHaveAPrecision) {
  EXPECT_EQ(to_json(tables()),
            R"({"source": "groups", "by": "distance", "sampled": 3, "judges": [{"judge": "ann", )"
            R"("judged": 4, "classes": [{"class": "2", "pairs": 9, "sampled": 3, "judged": 2, )"
            R"("verdicts": {"same": 1, "different": 1, "unclear": 0}, "precision": 0.5, )"
            R"("interval": [0.25, 0.75]}, {"class": "3", "pairs": 8, "sampled": 2, "judged": 1, )"
            R"("verdicts": {"same": 0, "different": 0, "unclear": 1}, "precision": null}]}], )"
            R"("agreements": [{"a": "ann", "b": "bob", "both": 3, "agreed": 2, "share": 0.666667, )"
            R"("interval": [0.2, 0.9], "kappa": -0.5, "kappa_error": 0.25}, {"a": "ann", )"
            R"("b": "eve", "both": 1, "agreed": 1, "share": 1, "interval": [0, 1], )"
            R"("kappa": null}], "notes": ["one"]})"
            "\n");
}

TEST(JudgeFields, OfLabelsHaveAShareOfEachClearCategory) {
  JudgedTables made = tables();
  made.kind = Judged::labels;
  made.agreements.clear();
  made.judges[0].classes[0].shares = {{0.5, 0.25, 0.75}, {0.5, 0.2, 0.8}, {}};
  EXPECT_EQ(to_json(made),
            R"({"of": "labels", "source": "groups", "by": "distance", "sampled": 3, "judges": )"
            R"([{"judge": "ann", "judged": 4, "classes": [{"class": "2", "labels": 9, )"
            R"("sampled": 3, "judged": 2, "verdicts": {"same": 1, "different": 1, "unclear": 0}, )"
            R"("shares": {"same": {"share": 0.5, "interval": [0.25, 0.75]}, "different": )"
            R"({"share": 0.5, "interval": [0.2, 0.8]}}}, {"class": "3", "labels": 8, )"
            R"("sampled": 2, "judged": 1, "verdicts": {"same": 0, "different": 0, "unclear": 1}, )"
            R"("shares": {}}]}], "agreements": [], "notes": ["one"]})"
            "\n");
}

JudgedHeader header(Judged kind) {
  JudgedHeader made;
  made.kind = kind;
  made.source = "groups";
  made.by = JudgeBy::label;
  made.sample = 200;
  made.seed = 1;
  made.categories = Categories::parse("same,different,unclear").value();
  made.classes = {{"0", 500, 200}, {"3", 90, 90}};
  made.sampled = 290;
  made.fingerprint = 0x0123456789abcdef;
  return made;
}

TEST(JudgedHeaderFields, GoBothWays) {
  for (const Judged kind : {Judged::pairs, Judged::labels}) {
    JudgedHeader made = header(kind);
    const std::string json = fields_json(fields_of(made));
    JudgedHeader again;
    again.kind = kind;
    const Status read = read_fields(json, "x.judged:1", fields_of(again));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(fields_json(fields_of(again)), json);
    EXPECT_EQ(again.by, JudgeBy::label);
    EXPECT_EQ(again.categories.text(), "same,different,unclear");
    EXPECT_EQ(again.classes.at(1).pairs, 90U);
    EXPECT_EQ(again.fingerprint, made.fingerprint);
  }
}

TEST(JudgedHeaderFields, DamageNamesTheFileAndTheField) {
  JudgedHeader made = header(Judged::pairs);
  const auto refusal = [&](const std::string& old, const std::string& by) {
    std::string json = fields_json(fields_of(made));
    json.replace(json.find(old), old.size(), by);
    JudgedHeader again;
    const Status read = read_fields(json, "x.judged:1", fields_of(again));
    return read.ok() ? "" : read.error().message;
  };
  const auto names = [&](const std::string& old, const std::string& by, const std::string& why) {
    const std::string message = refusal(old, by);
    EXPECT_EQ(message.find("x.judged:1 is damaged, or of another version: line 1, byte "), 0U);
    EXPECT_NE(message.find(why), std::string::npos) << message;
  };
  names(R"("by": "label")", R"("by": "color")", "by is not a known value");
  names("same,different", "same,similar", "categories is not a known value");
  names(R"("seed": 1, )", "", "seed is missing");
  names(R"("sampled": 90)", R"("sampled": 91)", "classes[1] does not hold: class is not empty");
  names(R"({"class": "3")", R"({"class": "")", "classes[1] does not hold: class is not empty");
  names("0123456789abcdef", "0123456789abcde", "fingerprint is not a known value");
  EXPECT_EQ(refusal(R"("by": "label")", R"("by": "")"), "");
}

}  // namespace
}  // namespace twinset
