#include "base/file_header.h"
#include "support_runs/small_run.h"
#include "twinset/look.h"

namespace twinset {
namespace {

using testing::SmallRun;

std::string look(const std::string& path) {
  const Result<FileFacts> found = inspect(path, RunControl{});
  return found.ok() ? to_text(found.value()) : "error: " + found.error().message;
}

TEST(Inspect, CountsAnInput) {
  const SmallRun small;
  const std::string seen = look(small.input);
  EXPECT_NE(seen.find("records       6\n"), std::string::npos) << seen;
  EXPECT_NE(seen.find("bad           1 invalid_json\n"), std::string::npos) << seen;
  const FileFacts facts = inspect(small.input, RunControl{}).value();
  EXPECT_EQ(facts.front().name, "input");
  EXPECT_EQ(facts.front().value, small.input);
}

TEST(Inspect, TellsAnOutputFolder) {
  SmallRun small;
  small.run();
  const std::string seen = look(small.options.output);
  EXPECT_NE(seen.find("kept          2\n"), std::string::npos) << seen;
  EXPECT_NE(seen.find("removed       3\n"), std::string::npos) << seen;
}

TEST(Inspect, ReadsTheHeaderOfItsOwnFilesAndSeesDamage) {
  const testing::ScratchFolder folder;
  std::string bytes = encode_file_header(
      {.format = "rows", .version = 1, .row_bytes = 24, .fingerprint = 7, .rows = 1234});
  EXPECT_NE(look(folder.write("whole", bytes)).find("rows          1,234\n"), std::string::npos);
  bytes[20] ^= 1;
  EXPECT_EQ(look(folder.write("damaged", bytes)).rfind("error: ", 0), 0U);
  EXPECT_EQ(look(folder / "missing").rfind("error: ", 0), 0U);
}

}  // namespace
}  // namespace twinset
