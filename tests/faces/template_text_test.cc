#include "faces/template_text.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(TemplateText, SectionsOfAReport) {
  TemplateFacts learned;
  learned.sites = 3;
  learned.left_alone = 1;
  learned.left_out = {200, 50, 0, 2};
  learned.largest = {{"a.org", 70, 9, 70, {150, 45, 0, 1}, {{60, 2, "Home \x1b[31m"}}},
                     {"", 60, 0, 60, {}, {}}};
  ReportFacts facts;
  add_template_sections(learned, facts);
  ASSERT_EQ(facts.sections.size(), 2U);
  const Table& sites = facts.sections[0].tables.at(0);
  ASSERT_EQ(sites.rows.size(), 2U);
  EXPECT_EQ(value_text(sites.rows[0][0]), "a.org");
  EXPECT_EQ(value_text(sites.rows[0][4]), "30.0 %");
  EXPECT_EQ(value_text(sites.rows[1][0]), "(no URL)");
  const Table& blocks = facts.sections[1].tables.at(0);
  ASSERT_EQ(blocks.rows.size(), 1U);
  EXPECT_EQ(value_text(blocks.rows[0][3]), "Home \\x1b[31m");
  EXPECT_EQ(to_text(learned),
            "templates of 2 sites left out of the comparison: 25.0 % of 200 words");
  learned.largest.clear();
  EXPECT_EQ(to_text(learned),
            "no site has templates that could be learned; whole pages are compared");
}

}  // namespace
}  // namespace twinset
