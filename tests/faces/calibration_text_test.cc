#include <gmock/gmock.h>

#include "faces/share_text.h"
#include "io/json_read.h"
#include "twinset/calibrate.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

Calibration made_by_hand() {
  Calibration out;
  out.scheme = "simhash(shingle=1)";
  out.option = "distance";
  out.chosen = "50:0,3";
  out.truth = "documents with one value in 'topic' are the same";
  out.pairs = 1'234'567;
  out.groups = 1;
  out.needed = 73;
  out.precision = 0.95;
  out.values = {"0", "3"};
  for (const TokenRange& range : {TokenRange{0, 50}, TokenRange{50, 0}}) {
    CalibrationClass of;
    of.tokens = range;
    for (const char* value : {"0", "3"}) {
      CalibrationRow row;
      row.value = value;
      row.found = 1'001'000;
      row.choosing = {{1, 3, 0.06, 0.8}, {999, 1000, 0.99, 0.9999}};
      row.held_out = {{0, 0, 0, 1}, {1'000'000, 1'000'000, 0.99, 1}};
      of.rows.push_back(row);
    }
    of.chosen = range.least == 0 ? 0 : 1;
    of.reached = true;
    out.classes.push_back(of);
  }
  out.planted = {{0.01, {0, 50}, {{9, 10, 0.5, 1}, {}}}, {0.02, {1000, 0}, {{}, {1, 3, 0, 1}}}};
  return out;
}

TEST(CalibrationText, FitsThePageAndMarksTheChoice) {
  const std::string text = to_text(made_by_hand());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, page_width) << text.substr(at, end - at);
    at = end + 1;
  }
  EXPECT_THAT(text, HasSubstr("1,234,567 pairs with a known truth, and 1 group of documents"));
  EXPECT_THAT(text, HasSubstr("\n<50           *0  1001000 | 0.3333 .060-.800  0.9990 .990-1.00 | "
                              "     -            1.0000 .990-1.00\n"));
  EXPECT_THAT(text, HasSubstr("\n50+            0 "));
  EXPECT_THAT(text, HasSubstr("\n              *3 "));
  EXPECT_THAT(text, HasSubstr("\n<50           1 %      10 | .900    -\n"));
  EXPECT_THAT(text, HasSubstr("\nChosen (*): distance 50:0,3, the loosest whose precision is at "
                              "least 0.95"));
}

TEST(CalibrationText, SaysWhereNoValueIsGoodEnough) {
  Calibration made = made_by_hand();
  made.classes[1].reached = false;
  EXPECT_THAT(to_text(made), HasSubstr("or the strictest where none is."));
  made.classes[0].reached = false;
  EXPECT_THAT(to_text(made), HasSubstr("the strictest: no precision reaches 0.95 by"));
}

TEST(CalibrationText, ManyValuesAreSeveralTables) {
  Calibration made = made_by_hand();
  made.values.assign(12, "2/3x10");
  made.planted = {{0.05, {0, 50}, std::vector<Share>(12, Share{1, 2, 0, 1})}};
  const std::string text = to_text(made);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, page_width) << text.substr(at, end - at);
    at = end + 1;
  }
}

TEST(CalibrationText, JsonHasAllOfIt) {
  const std::string json = to_json(made_by_hand());
  const Result<JsonNode> root = read_json(json, "json");
  ASSERT_TRUE(root.ok()) << root.error().message;
  EXPECT_EQ(root.value()["chosen"].text(), "50:0,3");
  const auto classes = root.value()["classes"].elements();
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0]["below_tokens"].integer(), 50U);
  EXPECT_FALSE(classes[1]["below_tokens"]);
  EXPECT_EQ(classes[1]["chosen"].text(), "3");
  const JsonNode row = classes[1]["rows"].elements()[1];
  EXPECT_EQ(row["choosing"]["recall"]["of"].integer(), 3U);
  EXPECT_FALSE(row["held_out"]["recall"]["value"]);
  EXPECT_EQ(root.value()["planted"].elements()[1]["found"].elements()[1]["count"].integer(), 1U);
}

}  // namespace
}  // namespace twinset
