#include <gtest/gtest.h>

#include "io/field_json.h"
#include "twinset/field.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

TEST(CompareFields, AreTheNumbersOfBothTextsAndTheirPassages) {
  ComparedTexts compared;
  compared.name_a = "a.txt";
  compared.name_b = "b.txt";
  compared.text_a = "in JSON a passage only";
  compared.passages.shingles_a = 4;
  compared.passages.shingles_b = 8;
  compared.passages.shared_shingles = 2;
  compared.passages.tokens_a = 9;
  compared.passages.tokens_b = 10;
  compared.passages.shared_tokens_a = 6;
  compared.passages.shared_tokens_b = 7;
  compared.passages.shingle_tokens = 10;
  compared.passages.a = {{.begin = 0, .end = 7}, {.begin = 8, .end = 17}};
  compared.passages.b = {{.begin = 20, .end = 29}};
  compared.passages.matches = {{1, 0, 6, true}};
  const std::string json =
      R"({"a": "a.txt", "b": "b.txt", "resemblance": 0.2, "containment_a_in_b": 0.5, )"
      R"("containment_b_in_a": 0.25, "shared_shingles": 2, "shingles_a": 4, "shingles_b": 8, )"
      R"("tokens_a": 9, "tokens_b": 10, "shared_tokens_a": 6, "shared_tokens_b": 7, )"
      R"("shingle_tokens": 10, "short_a": true, "short_b": false, "identical": false, )"
      R"("shared_passages": [{"a": [8, 17], "b": [20, 29], "tokens": 6, )"
      R"("moved": true, "text": "a passage"}])";
  EXPECT_EQ(fields_json(fields_of(compared)), json + "}");
  compared.whole_resemblance = 0.125;
  compared.notes = {"one \"two\""};
  EXPECT_EQ(fields_json(fields_of(compared)),
            json + R"(, "whole_resemblance": 0.125, "notes": ["one \"two\""]})");
  EXPECT_EQ(to_json(compared), json + R"(, "whole_resemblance": 0.125, "notes": ["one \"two\""]})"
                                      "\n");
  compared.whole_resemblance = {};
  compared.notes.clear();
  EXPECT_EQ(to_json(compared, {.numbers = true}),
            json.substr(0, json.find(R"(, "shared_passages")")) + "}\n");
}

// What is unknown is left out, as of estimates; 0 is not.
TEST(CompareFields, NothingIsSaidOfTextsWithoutWords) {
  ShingleCounts counts;
  const std::string none = R"("shared_shingles": 0, "shingles_a": 0, "shingles_b": )";
  EXPECT_EQ(fields_json(fields_of(counts)), "{" + none + "0}");
  counts.shingles_b = 4;
  EXPECT_EQ(fields_json(fields_of(counts)),
            R"({"resemblance": 0, "containment_b_in_a": 0, )" + none + "4}");
  counts = {.same_without_tokens = true};
  EXPECT_EQ(
      fields_json(fields_of(counts)),
      R"({"resemblance": 1, "containment_a_in_b": 1, "containment_b_in_a": 1, )" + none + "0}");
}

}  // namespace
}  // namespace twinset
