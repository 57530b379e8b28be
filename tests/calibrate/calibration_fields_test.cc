#include "calibrate/calibration_fields.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

/// Two lengths, of which the longer one chooses.
Calibration made_by_hand() {
  Calibration made;
  made.scheme = "simhash";
  made.fingerprint = "0123456789abcdef";
  made.option = "distance";
  made.chosen = "3";
  made.truth = "in words";
  made.documents = 9;
  made.sampled = 8;
  made.pairs = 7;
  made.groups = 6;
  made.largest_group = 0.5;
  made.precision = 0.95;
  made.needed = 5;
  made.values = {"0", "3"};
  made.command = "twinset calibrate";
  made.version = "1.0";
  made.started = "2026-01-31T23:59:59Z";
  made.classes.resize(2);
  made.classes[0].tokens = {0, 50};
  made.classes[0].rows.push_back({"0", 4, {}, {}});
  made.classes[1].tokens = {50, 0};
  made.classes[1].rows.push_back({"3", 5, {{1, 2, 0.25, 0.75}, {}}, {{}, {3, 3, 0.5, 1}}});
  made.classes[1].chosen = 0;
  made.classes[1].reached = true;
  made.planted = {{0.01, {0, 50}, {{9, 10, 0.5, 1}, {}}}};
  made.warnings = {"one"};
  return made;
}

TEST(CalibrationFields, HaveEachNumber) {
  EXPECT_EQ(to_json(made_by_hand()),
            R"({"scheme": "simhash", "fingerprint": "0123456789abcdef", )"
            R"("option": "distance", "chosen": "3", "truth": "in words", "documents": 9, )"
            R"("sampled": 8, "pairs": 7, "groups": 6, "largest_group": 0.5, "precision": 0.95, )"
            R"("needed": 5, "values": ["0","3"], "classes": [
    {"least_tokens": 0, "below_tokens": 50, "rows": [
    {"value": "0", "found": 4, "choosing": {"recall": {"count": 0, "of": 0}, )"
            R"("precision": {"count": 0, "of": 0}}, "held_out": {"recall": {"count": 0, "of": 0}, )"
            R"("precision": {"count": 0, "of": 0}}}]},
    {"least_tokens": 50, "chosen": "3", "reached": true, "rows": [
    {"value": "3", "found": 5, "choosing": {"recall": {"count": 1, "of": 2, "value": 0.5, )"
            R"("low": 0.25, "high": 0.75}, "precision": {"count": 0, "of": 0}}, )"
            R"("held_out": {"recall": {"count": 0, "of": 0}, "precision": {"count": 3, "of": 3, )"
            R"("value": 1, "low": 0.5, "high": 1}}}]}], "planted": [
    {"replaced": 0.01, "least_tokens": 0, "below_tokens": 50, "found": [{"count": 9, "of": 10, )"
            R"("value": 0.9, "low": 0.5, "high": 1}, {"count": 0, "of": 0}]}], )"
            R"("warnings": ["one"], "lost_inputs": []})"
            "\n");
}

TEST(CheckedJson, HasTheChosenValuesOnTheOtherHalf) {
  EXPECT_EQ(checked_json(made_by_hand().classes), R"([
    {"least_tokens": 50, "value": "3", "reached": true, "recall": {"count": 0, "of": 0}, )"
                                                  R"("precision": {"count": 3, "of": 3, )"
                                                  R"("value": 1, "low": 0.5, "high": 1}}])");
  EXPECT_EQ(checked_json({}), "[]");
}

TEST(OriginJson, SaysWhereAProfileComesFrom) {
  EXPECT_EQ(origin_json(made_by_hand(), {"a.jsonl", "b.jsonl"}),
            R"({"command": "twinset calibrate", "version": "1.0", "date": "2026-01-31T23:59:59Z", )"
            R"("inputs": ["a.jsonl","b.jsonl"], "documents": 9, "sampled": 8, "pairs": 7, )"
            R"("truth": "in words", "precision": 0.95})");
}

}  // namespace
}  // namespace twinset
