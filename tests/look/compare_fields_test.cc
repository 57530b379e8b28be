#include <gtest/gtest.h>

#include "io/field_json.h"
#include "twinset/field.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

TEST(CompareFields, AreTheNumbersOfBothTexts) {
  ComparedTexts compared;
  compared.name_a = "a.txt";
  compared.name_b = "b.txt";
  compared.text_a = "not in JSON";
  compared.passages.shingles_a = 4;
  compared.passages.shingles_b = 8;
  compared.passages.shared_shingles = 2;
  compared.passages.tokens_a = 9;
  compared.passages.tokens_b = 10;
  const std::string json =
      R"({"a": "a.txt", "b": "b.txt", "resemblance": 0.2, "containment_a_in_b": 0.5, )"
      R"("containment_b_in_a": 0.25, "shared_shingles": 2, "shingles_a": 4, "shingles_b": 8, )"
      R"("tokens_a": 9, "tokens_b": 10, "identical": false)";
  EXPECT_EQ(fields_json(fields_of(compared)), json + "}");
  compared.whole_resemblance = 0.125;
  compared.notes = {"one \"two\""};
  EXPECT_EQ(fields_json(fields_of(compared)),
            json + R"(, "whole_resemblance": 0.125, "notes": ["one \"two\""]})");
}

}  // namespace
}  // namespace twinset
