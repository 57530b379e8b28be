#include "dedup/clusters.h"

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(Clusters, AreTheRemovedRecordsBySurvivor) {
  const MadeCollection collection = planted_collection({.seed = 9, .documents = 500, .files = 2});
  const ScratchFolder folder;
  const DedupOptions options = collection.write(folder);
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const RunOutput output = read_output(options.output);
  std::map<std::string, std::vector<std::string>> expected;
  for (const RemovedLine& line : output.removed) expected[line.survivor_id].push_back(line.id);
  EXPECT_EQ(output.clusters, expected);
  EXPECT_EQ(done.value().clusters, expected.size());
}

}  // namespace
}  // namespace twinset
