#include "sites/common_share.h"

#include <random>

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Pages with a menu of `menu` words, the same on all, and `own` words of their own, a tag before
/// each.
MadeCollection site(std::size_t pages, std::size_t menu, std::size_t own,
                    const std::string& tag = "<p>") {
  std::mt19937_64 random(1);
  const auto words = [&](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "w" + std::to_string(random() % 100'000) + " ";
    return text;
  };
  const std::string same = words(menu);
  MadeCollection made{{{"in.jsonl", {}, false}}};
  for (std::size_t i = 0; i < pages; ++i) {
    made.files[0].records.push_back({"", tag + same + tag + words(own), ""});
  }
  return made;
}

void read_pages(JobFixture& fixture, CommonShare& share) {
  ASSERT_TRUE(share.open(nullptr).ok());
  ReadState state;
  std::vector<Collector*> collectors{&share};
  ASSERT_TRUE(read_collection(
                  fixture.job(), collectors, [](const ReadState&) { return Status(); }, state)
                  .ok());
}

/// Has the texts of a fixture read as pages.
void make_pages(JobFixture& fixture) {
  auto list = expand_inputs(unsynced(), {{fixture.folder() / "in/in.jsonl"}, {}, "html", ""});
  ASSERT_TRUE(list.ok());
  fixture.job().collection = std::make_shared<FileCollection>(unsynced(), std::move(list).value());
}

double share_of(const MadeCollection& made, unsigned threads = 1) {
  JobFixture fixture(made, [&](JobOptions& options) { options.resources.threads = threads; });
  make_pages(fixture);
  CommonShare share;
  read_pages(fixture, share);
  return share.share();
}

TEST(CommonShare, IsThatOfTheMenu) {
  // Of 1,000 words some 62 shingles are sampled on each of 256 pages; those of the menu are the
  // same on all, so their number varies most: its standard deviation is 7.3 of 47.
  EXPECT_NEAR(share_of(site(400, 750, 250)), 0.75, 0.15);
  EXPECT_LT(share_of(site(400, 0, 300)), 0.01);
  EXPECT_EQ(share_of(site(49, 750, 250)), 0);
}

TEST(CommonShare, IsTheSameForAnyThreadsAndAfterACheckpoint) {
  const MadeCollection made = site(700, 200, 100);
  EXPECT_EQ(share_of(made, 1), share_of(made, 3));
  JobFixture fixture(made);
  make_pages(fixture);
  CommonShare share;
  read_pages(fixture, share);
  StateFile file;
  ASSERT_TRUE(share.checkpoint(file).ok());
  CommonShare again;
  ASSERT_TRUE(again.open(&file).ok());
  EXPECT_EQ(again.share(), share.share());
  EXPECT_EQ(again.warning(), share.warning());
  EXPECT_NE(render_message(Door::command_line, share.warning()).find("try --templates drop"),
            std::string::npos);
}

TEST(CommonShare, SaysOfPagesAndOfTextsThatLeavingOutWouldHelp) {
  for (const bool pages : {true, false}) {
    for (const Templates templates : {Templates::keep, Templates::drop}) {
      const ScratchFolder folder;
      DedupOptions options = site(120, 400, 60, pages ? "<p>" : "").write(folder);
      options.input.format = pages ? "html" : "jsonl";
      options.templates = templates;
      const Result<DedupSummary> done = dedup(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      bool said = false;
      for (const std::string& warning : done.value().warnings) {
        said = said || render_message(Door::command_line, warning).find("--templates drop") !=
                           std::string::npos;
      }
      EXPECT_EQ(said, templates == Templates::keep);
    }
  }
}

}  // namespace
}  // namespace twinset
