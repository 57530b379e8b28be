// The parts all pages share.
#include "report/page.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "report/documents.h"
#include "report/page_check.h"

namespace twinset {
namespace {

std::string page_of(const std::string& text) {
  std::string out;
  append_page_head(out, "Things", text);
  const std::array<PageSection, 2> sections = {{{"one", "One"}, {"two", "Two"}}};
  append_navigation(out, sections);
  append_warnings(out, {text, text});
  append_section(out, sections[0]);
  out += "<dl class=\"run\">";
  append_fact(out, "command", text, true);
  append_fact(out, "valueless", "");
  out += "</dl></section>";
  append_page_foot(out, "");
  return out;
}

TEST(Page, IsWholeAndForbidsItselfScripts) {
  const std::string out = page_of("out");
  const PageCheck check(out);
  EXPECT_TRUE(check.errors.empty()) << check.errors.front();
  EXPECT_NE(check.content.find("Things: out"), std::string::npos);
  EXPECT_EQ(check.content.find("valueless"), std::string::npos);
  EXPECT_LT(out.find("default-src 'none'"), out.find("<title>"));
  EXPECT_NE(out.find("<a href=\"#two\">Two</a>"), std::string::npos);
}

TEST(Page, HostileTextAddsNoTag) {
  const auto expected = PageCheck(page_of("x")).tags;
  for (const std::string& evil : hostile_strings()) {
    if (evil.empty()) continue;
    const PageCheck check(page_of(evil));
    ASSERT_TRUE(check.errors.empty()) << check.errors.front();
    ASSERT_EQ(check.tags, expected) << evil.substr(0, 80);
  }
}

TEST(Page, AStripHasEachPartThatIsThere) {
  const std::array<PagePart, 3> parts = {
      {{"some", "c-kept", 3}, {"absent", "c-near", 0}, {"others", "c-lexical", 1}}};
  std::string out;
  append_strip(out, parts, 4, "Parts");
  EXPECT_NE(out.find("width=\"750.00\""), std::string::npos);
  EXPECT_NE(out.find("3 some (75.0 %)"), std::string::npos);
  EXPECT_EQ(out.find("absent"), std::string::npos);
  out.clear();
  append_strip(out, parts, 0, "Parts");
  EXPECT_EQ(out, "");
}

TEST(Page, TellsWhatARunTook) {
  EXPECT_EQ(took_text(2, 3, 4'000'000), "2.00 s on 3 threads, 2 MB of text a second");
  EXPECT_EQ(took_text(2, 0, 0), "2.00 s");
}

}  // namespace
}  // namespace twinset
