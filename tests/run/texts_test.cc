#include "run/texts.h"

#include "support/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Plain, gzip and zstd inputs are verified with the same texts.
TEST(Texts, AreTheSameHoweverTheInputIsStored) {
  std::string removed;
  for (const char* suffix : {"", ".gz", ".zst"}) {
    MadeCollection collection = planted_collection({.seed = 5, .documents = 200, .files = 1});
    collection.files[0].name += suffix;
    const ScratchFolder folder;
    const DedupOptions options = collection.write(folder);
    const Result<DedupSummary> done = dedup(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    std::string lines;
    for (const RemovedLine& line : read_output(options.output).removed) {
      lines += std::to_string(line.record) + line.kind + std::to_string(line.survivor_record) +
               std::to_string(line.resemblance) + "\n";
    }
    EXPECT_GT(lines.size(), 500U);
    if (removed.empty()) removed = lines;
    EXPECT_EQ(lines, removed) << suffix;
  }
}

}  // namespace
}  // namespace twinset
