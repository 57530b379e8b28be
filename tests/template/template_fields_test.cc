#include "template/template_fields.h"

#include "support/field_check.h"

namespace twinset {
namespace {

TEST(TemplateFields, GoBothWays) {
  testing::expect_both_ways(TemplateFacts());
  TemplateFacts facts;
  testing::fill_fields(fields_of(facts));
  const TemplateFacts again = testing::expect_both_ways(facts);
  ASSERT_EQ(again.largest.size(), 2U);
  EXPECT_EQ(again.largest[1].left_out.words, facts.largest[1].left_out.words);
  EXPECT_EQ(again.largest[1].blocks.at(1).text, facts.largest[1].blocks.at(1).text);
}

TEST(TemplateFields, ATableHasTheLearnedPart) {
  TemplateFacts facts;
  facts.sites = 3;
  facts.largest = {{"a.org", 70, 2, 50, {9, 9, 9, 9}, {{1, 2, "x"}}}};
  const std::string json = fields_json(learned_fields(facts));
  EXPECT_EQ(json,
            R"({"sites": 3, "pages": 0, "left_alone": 0, "too_alike": 0, "first_too_alike": "", )"
            R"("not_learned": 0, "first_not_learned": "", )"
            R"("largest": [{"site": "a.org", "pages": 70, "copies": 2, "counted": 50}]})");
  TemplateFacts again;
  ASSERT_TRUE(read_fields(json, "table", learned_fields(again)).ok());
  EXPECT_EQ(again.largest.at(0).counted, 50U);
  EXPECT_EQ(again.largest.at(0).left_out.words, 0U);
}

}  // namespace
}  // namespace twinset
