#include "collection/output_lines.h"

#include "support_runs/small_run.h"

namespace twinset {
namespace {

TEST(OutputLines, AreReadUntilToldToStopAndDamageIsSeen) {
  testing::SmallRun small;
  small.run();
  const std::string removed = small.options.output + "/removed.jsonl.zst";
  int lines = 0;
  const auto count = [&](JsonNode line) -> Result<bool> {
    EXPECT_FALSE(line["survivor_id"].text().empty());
    return ++lines < 2;
  };
  ASSERT_TRUE(for_each_line(disk(), removed, count).ok());
  EXPECT_EQ(lines, 2);
  std::filesystem::resize_file(removed, std::filesystem::file_size(removed) / 2);
  const auto all = [](JsonNode) -> Result<bool> { return true; };
  EXPECT_FALSE(for_each_line(disk(), removed, all).ok());
}

TEST(OutputLines, NameTheLineThatIsNoJson) {
  testing::ScratchFolder folder;
  const std::string path = folder.path() + "/broken.jsonl";
  ASSERT_TRUE(write_file_atomically(disk(), path, "{\"id\": 1}\n{\"id\": \n").ok());
  const Status read = for_each_line(disk(), path, [](JsonNode) -> Result<bool> { return true; });
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("broken.jsonl:2"), std::string::npos) << read.error().message;
}

}  // namespace
}  // namespace twinset
