#include <gtest/gtest.h>

#include "io/json_read.h"
#include "twinset/lexicon.h"

namespace twinset {
namespace {

TermTable made_table() {
  TermTable table;
  table.path = "web.lexicon";
  table.hash = "00112233445566778899aabbccddeeff";
  table.documents = 556'000;
  table.terms = 12'345;
  table.analyzer = "words";
  table.analyzer_version = 2;
  table.unicode = "15.0.0";
  table.command = "twinset lexicon build web.df";
  table.made_from = "ff112233445566778899aabbccddeeff";
  table.files = 1;
  table.content = "aa112233445566778899aabbccddeeff";
  table.min_df = 2;
  table.primary = NidfWindow{Ratio(1, 5), Ratio(4, 5), 14, 39'451, 12'345};
  return table;
}

TEST(LexiconText, ShowsTheWindowWithItsBounds) {
  EXPECT_EQ(to_text(made_table()),
            "lexicon    web.lexicon\n"
            "documents  556,000\n"
            "terms      12,345\n"
            "primary    12,345 terms, nidf 0.2 to 0.8: df 14 to 39,451\n"
            "least df   2\n"
            "analyzer   words 2, Unicode 15.0.0\n"
            "hash       00112233445566778899aabbccddeeff\n"
            "made from  ff112233445566778899aabbccddeeff\n"
            "command    twinset lexicon build web.df\n"
            "counted    1 file, content aa112233445566778899aabbccddeeff\n");
}

TEST(LexiconText, JsonHasTheSameFacts) {
  const std::string text = to_json(made_table());
  const Result<JsonNode> json = read_json(text, "x");
  ASSERT_TRUE(json.ok()) << json.error().message;
  EXPECT_EQ(json.value()["kind"].text(), "lexicon");
  EXPECT_EQ(json.value()["primary"]["least_df"].integer(), 14U);
  EXPECT_EQ(json.value()["primary"]["low"].text(), "0.2");
  EXPECT_FALSE(json.value()["secondary"]);
  EXPECT_EQ(json.value()["hash"].text(), made_table().hash);
}

TEST(LexiconText, ATermIsALine) {
  TermTable table = made_table();
  table.documents = 1000;
  EXPECT_EQ(to_json(CountedTerm{"ro\"se", 10, TermPart::secondary}, table),
            "{\"term\": \"ro\\\"se\", \"df\": 10, \"nidf\": 0.666667, \"part\": \"secondary\"}\n");
  EXPECT_EQ(to_json(CountedTerm{"rose", 1000, TermPart::none}, table),
            "{\"term\": \"rose\", \"df\": 1000, \"nidf\": 0}\n");
}

}  // namespace
}  // namespace twinset
