// The words of the shingles that max_group cut.
#include "cluster/common_shingles.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "support_runs/cluster_testing.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

using namespace twinset::testing;

// B-17: the common shingles are listed with their words and a sample.
TEST(CommonShingles, AreListedInWords) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (int i = 0; i < 30; ++i) {
    const std::string own = std::to_string(i * i) + " unlike " + std::to_string(i);
    collection.files[0].records.push_back(
        {"d" + std::to_string(i), own + " Copyright by the Example Company", ""});
  }
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.max_group = 20;
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().all.clusters, 0U);
  ASSERT_EQ(done.value().common.size(), 1U);
  EXPECT_EQ(done.value().common[0].documents, 30U);
  EXPECT_EQ(done.value().common[0].text, "Copyright by the Example Company");
  EXPECT_EQ(done.value().common[0].sample_id, "\"d0\"");
}

}  // namespace
}  // namespace twinset
