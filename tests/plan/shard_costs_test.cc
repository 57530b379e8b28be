// A run on many machines: what more of them shorten and what not, and what a cluster is.
#include "plan/shard_costs.h"

#include <gtest/gtest.h>

#include <random>

#include "plan/cost_world.h"
#include "run/shard.h"

namespace twinset {
namespace {

using testing::CostWorld;

PlannedCluster cluster_of(const std::string& text) {
  const Result<std::optional<PlannedCluster>> read = read_cluster(text, 1'000'000);
  EXPECT_TRUE(read.ok() && read.value().has_value()) << text;
  return *read.value();
}

/// A million documents in 1,000 files, or in one.
PlannedWork work_of(const CostWorld& world, const PlannedCluster& cluster, double files = 1000) {
  PlannedWork work{PlannedRun::dedup, world.state, world.seen, world.read};
  work.files = files;
  work.stored_bytes = 2e9;
  work.largest_share = std::max(1 / files, 1 / static_cast<double>(cluster.machines));
  return work;
}

std::vector<PlannedStage> stages_of(const std::string& text, double files = 1000) {
  const CostWorld world;
  const PlannedCluster cluster = cluster_of(text);
  return shard_stages(world.job, work_of(world, cluster, files), cluster);
}

TEST(ShardCosts, AClusterIsMachinesAndCores) {
  const PlannedCluster read = cluster_of("100x16");
  EXPECT_EQ(read.machines, 100U);
  EXPECT_EQ(read.cores, 16U);
  EXPECT_EQ(read.documents, 1'000'000U);
  EXPECT_FALSE(read_cluster("", 0).value().has_value());
  for (const char* wrong : {"100", "x", "100x", "x16", "0x16", "100x0", "100x16x2", "1e2x16",
                            "-1x2", "100 x 16", "1000001x1", "99999999999999999999x1"}) {
    const auto refused = read_cluster(wrong, 0);
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
    EXPECT_NE(refused.error().text(Door::command_line).find("--cluster "), std::string::npos);
  }
  EXPECT_FALSE(read_cluster("", 5).ok());
}

// The shards of a run are those of sources_of().
TEST(ShardCosts, TheLargestShareIsThatOfTheShards) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Source> sources(1 + random() % 40);
    double total = 0;
    for (Source& source : sources) {
      source.stored_bytes = random() % 5 == 0 ? 0 : random() % 100'000;
      total += static_cast<double>(source.stored_bytes + 1);
    }
    const std::uint64_t count = 1 + random() % 50;
    double most = 0;
    for (std::uint64_t number = 1; number <= count; ++number) {
      const SourceRange range = sources_of({number, count}, sources);
      double bytes = 0;
      for (std::uint64_t at = range.first; at < range.end; ++at) {
        bytes += static_cast<double>(sources[at].stored_bytes + 1);
      }
      most = std::max(most, bytes);
    }
    EXPECT_DOUBLE_EQ(largest_share(count, sources), most / total) << round;
  }
}

TEST(ShardCosts, MoreMachinesShortenTheReadingAlone) {
  const std::vector<PlannedStage> ten = stages_of("10x2");
  const std::vector<PlannedStage> hundred = stages_of("100x2");
  EXPECT_EQ(ten.front().stage, "read");
  EXPECT_EQ(ten.front().machines, 10U);
  EXPECT_EQ(hundred.front().machines, 100U);
  EXPECT_NEAR(ten.front().seconds / hundred.front().seconds, 10, 0.1);
  EXPECT_NEAR(ten.front().cpu_seconds / hundred.front().cpu_seconds, 1, 0.01);
  EXPECT_LT(hundred.front().memory_bytes, ten.front().memory_bytes);
  ASSERT_EQ(ten.size(), hundred.size());
  for (std::size_t i = 2; i < ten.size(); ++i) {
    EXPECT_EQ(ten[i].machines, 1U);
    EXPECT_EQ(ten[i].seconds, hundred[i].seconds) << ten[i].stage;
    EXPECT_EQ(ten[i].memory_bytes, hundred[i].memory_bytes) << ten[i].stage;
  }
}

// Files are never cut, so no number of machines reads one faster than one does.
TEST(ShardCosts, OneFileIsReadByOneMachine) {
  const PlannedStage one = stages_of("1x2", 1).front();
  const PlannedStage many = stages_of("100x2", 1).front();
  EXPECT_EQ(many.machines, 1U);
  EXPECT_NEAR(many.seconds, one.seconds, 0.01 * one.seconds);
}

// One thread takes the bytes of a shard, however many work on them.
TEST(ShardCosts, CoresHaveAnEnd) {
  const double few = stages_of("1x2").front().seconds;
  const double some = stages_of("1x8").front().seconds;
  const double many = stages_of("1x1024").front().seconds;
  EXPECT_NEAR(few / some, 4, 0.1);
  EXPECT_GT(many, few / 256);
  EXPECT_EQ(many, stages_of("1x4096").front().seconds);
}

TEST(ShardCosts, TenTimesTheDocumentsMoveTenTimesTheRows) {
  const CostWorld world;
  PlannedCluster cluster = cluster_of("10x2");
  PlannedWork work = work_of(world, cluster);
  const std::vector<PlannedStage> once = shard_stages(world.job, work, cluster);
  cluster.documents = 10 * world.state.documents;
  scale(cluster, work);
  const std::vector<PlannedStage> ten = shard_stages(world.job, work, cluster);
  ASSERT_EQ(ten.size(), once.size());
  for (std::size_t i = 0; i < ten.size(); ++i) {
    EXPECT_NEAR(ten[i].cpu_seconds, 10 * once[i].cpu_seconds, 0.02 * ten[i].cpu_seconds)
        << ten[i].stage;
    EXPECT_NEAR(ten[i].input_bytes, 10 * once[i].input_bytes, 0.02 * ten[i].input_bytes);
    EXPECT_GT(ten[i].memory_bytes, once[i].memory_bytes);
  }
  EXPECT_NEAR(ten[1].moved_bytes, 10 * once[1].moved_bytes, 0.02 * ten[1].moved_bytes);
  EXPECT_EQ(ten[0].machines, 10U);
}

}  // namespace
}  // namespace twinset
