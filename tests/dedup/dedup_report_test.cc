#include "dedup/dedup_report.h"

#include "support/small_run.h"

namespace twinset {
namespace {

using testing::SmallRun;

TEST(DedupReport, ShowsTotalsAndThePairSideBySide) {
  SmallRun small;
  small.options.report = small.options.output + "/report.html";
  small.run();
  const std::string page = small.folder.read("out/report.html");
  EXPECT_EQ(page.rfind("<!", 0), 0U);
  for (const char* seen : {"n1", "n4", "week", "notices.jsonl"}) {
    EXPECT_NE(page.find(seen), std::string::npos) << seen;
  }
}

TEST(DedupReport, StandsOutsideTheOutputToo) {
  SmallRun small;
  small.options.report = small.folder / "page.html";
  small.run();
  EXPECT_NE(small.folder.read("page.html").find("</html>"), std::string::npos);
}

TEST(DedupReport, HasTheTextsOfCompressedInputsWhateverVerifiesThem) {
  for (const Check how : {Check::exact, Check::sketch}) {
    SmallRun small;
    const std::string packed = small.folder / "notices.jsonl.zst";
    ASSERT_EQ(std::system(("zstd -q " + small.input + " -o " + packed).c_str()), 0);
    small.options.inputs = {packed};
    small.options.verification = how;
    small.options.report = small.folder / "page.html";
    small.run();
    EXPECT_NE(small.folder.read("page.html").find("week"), std::string::npos);
  }
}

}  // namespace
}  // namespace twinset
