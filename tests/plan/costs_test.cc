// Properties of costs: more of anything never costs less, memory stays within its budget, spills
// begin when rows no longer fit.
#include "plan/costs.h"

#include <gtest/gtest.h>

#include "plan/cost_world.h"

namespace twinset {
namespace {

using testing::CostWorld;

double total(const Costs& costs) {
  double sum = 0;
  for (const StageTime& stage : costs.stages) sum += stage.cpu_seconds;
  return sum;
}

TEST(Costs, NameTheStagesThatTheRunHas) {
  const auto stages = [](const Costs& costs) {
    std::string names;
    for (const StageTime& stage : costs.stages) names += stage.stage + " ";
    return names;
  };
  EXPECT_EQ(stages(CostWorld().dedup()), "fold pair verify write ");
  EXPECT_EQ(stages(CostWorld().cluster()), "fold pair verify write ");
  EXPECT_EQ(stages(CostWorld("mod").cluster()), "fold group count verify write ");
}

TEST(Costs, MoreIsNeverCheaper) {
  const CostWorld world;
  CostWorld more;
  more.seen.candidates.value *= 3;
  more.seen.judged_bytes *= 3;
  more.seen.meetings.value *= 3;
  EXPECT_GT(total(more.dedup()), total(world.dedup()));
  CostWorld meeting("mod");
  meeting.seen.meetings.value *= 3;
  EXPECT_GT(total(meeting.cluster()), total(CostWorld("mod").cluster()));
  more.read.keys *= 10;
  EXPECT_GT(more.dedup().peak_memory, world.dedup().peak_memory);
}

// The versions of a text are compared by what differs, so that cluster takes each once; dedup
// compares pairs.
TEST(Costs, ManyPairsOfOneFamilyAreCheapForClusterAlone) {
  const auto verify = [](const Costs& costs) {
    for (const StageTime& stage : costs.stages) {
      if (stage.stage == "verify") return stage.cpu_seconds;
    }
    return 0.0;
  };
  CostWorld world;
  world.seen.judged_tokens = 1e11;  // A thousand pairs of each text.
  const double once = world.seen.judged_bytes / 2e9 * (20 + 350e6 * 8e-9);
  EXPECT_NEAR(verify(world.cluster()), once, once / 10);
  EXPECT_GT(verify(world.dedup()), 100 * once / 3);
  // A few pairs are compared one by one.
  world.seen.judged_tokens = 1e6;
  EXPECT_DOUBLE_EQ(verify(world.cluster()), verify(world.dedup()));
}

// Where memory does not hold the groups of shared keys, they are read for each block of documents.
TEST(Costs, CountingWithLittleMemoryTakesLonger) {
  CostWorld world("mod");
  world.seen.groups.value = 10e6;
  world.seen.meetings.value = 100e6;
  double before = total(world.cluster());
  for (const std::uint64_t mebibytes : {512U, 64U, 1U}) {
    world.job.context.memory_bytes = mebibytes << 20;
    EXPECT_GT(total(world.cluster()), before) << mebibytes;
    before = total(world.cluster());
  }
}

TEST(Costs, AllThreadsBusyHalveTheTime) {
  CostWorld world;
  for (const StageTime& stage : world.dedup().stages) {
    EXPECT_DOUBLE_EQ(stage.seconds * 2, stage.cpu_seconds) << stage.stage;
  }
  world.read.time = {"read", 20, 20};
  for (const StageTime& stage : world.dedup().stages) {
    EXPECT_DOUBLE_EQ(stage.seconds, stage.cpu_seconds) << stage.stage;
  }
}

TEST(Costs, RowsSpillWhenTheyDoNotFit) {
  CostWorld world;
  const std::uint64_t enough = unspilled_memory(world.state, world.read);
  EXPECT_GE(enough, 28'000'000U * 16 * 10 / 4);
  world.job.context.memory_bytes = enough;
  const double held = world.dedup().spilled;
  world.job.context.memory_bytes = enough - enough / 10;
  const Costs spilled = world.dedup();
  EXPECT_DOUBLE_EQ(spilled.spilled - held, 28'000'000.0 * 16);
  EXPECT_LT(spilled.peak_memory, 1.5 * static_cast<double>(enough));
}

TEST(Costs, OfAnEmptyCollectionAreNothing) {
  CostWorld world;
  world.state = {};
  world.read.keys = world.read.name_bytes = 0;
  world.seen = {};
  const Costs costs = world.dedup();
  EXPECT_EQ(total(costs), 0);
  EXPECT_EQ(costs.spilled, 0);
}

}  // namespace
}  // namespace twinset
