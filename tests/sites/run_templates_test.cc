// What a run says of the templates of its pages. The runs that leave them out are in
// template_account_test.cc.
#include "sites/run_templates.h"

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// 60 records with a menu of 300 words in common and 20 words of their own, `tag` before each.
MadeCollection menus(const std::string& tag) {
  std::string menu = tag;
  for (int i = 0; i < 300; ++i) menu += "m" + std::to_string(i) + " ";
  MadeCollection made{{{"in.jsonl", {}, false}}};
  for (int page = 0; page < 60; ++page) {
    std::string text = menu + tag;
    for (int i = 0; i < 20; ++i) text += "w" + std::to_string(1000 * page + i) + " ";
    made.files[0].records.push_back({"", text, ""});
  }
  return made;
}

/// The warnings of a run that keeps templates.
std::vector<std::string> said_of(const std::string& format, const std::string& tag) {
  JobFixture fixture(menus(tag));
  auto list = expand_inputs(unsynced(), {{fixture.folder() / "in/in.jsonl"}, {}, format, ""});
  EXPECT_TRUE(list.ok());
  fixture.job().collection = std::make_shared<FileCollection>(unsynced(), std::move(list).value());
  fixture.job().signer.view.pages = format == "html";
  RunTemplates templates;
  const std::vector<Collector*> collectors = templates.collectors(fixture.job());
  for (Collector* collector : collectors) EXPECT_TRUE(collector->open(nullptr).ok());
  EXPECT_TRUE(read_collection(fixture.job(), collectors, nullptr, fixture.state()).ok());
  std::optional<TemplateFacts> facts;
  std::vector<std::string> warnings;
  templates.describe(fixture.job(), fixture.state(), facts, warnings);
  EXPECT_FALSE(facts.has_value());
  return warnings;
}

TEST(RunTemplates, OfWholePagesAndTextsItSaysThatLeavingThemOutWouldHelp) {
  ASSERT_EQ(said_of("html", "<p>").size(), 1U);
  ASSERT_EQ(said_of("", "").size(), 1U);
  EXPECT_NE(said_of("", "").front(), said_of("html", "<p>").front());
  EXPECT_TRUE(said_of("", "<p>").empty()) << "another warning names their tags";
}

TEST(RunTemplates, WithoutATableNothingIsWarnedOf) {
  std::vector<std::string> warnings;
  add_template_warnings(Job(), warnings);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace twinset
