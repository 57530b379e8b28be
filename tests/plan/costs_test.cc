// Properties of costs: more of anything never costs less, memory stays within its budget, spills
// begin when rows no longer fit.
#include "plan/costs.h"

#include <gtest/gtest.h>

#include "collection/file_collection.h"
#include "dedup/dedup_options.h"
#include "run/prepare.h"

namespace twinset {
namespace {

struct World {
  Job job;
  ReadState state;
  Forecast seen;
  ReadCost read{{"read", 10, 20}, 60U << 20, 0};

  explicit World(const char* scheme = "fss") {
    DedupOptions options;
    options.inputs = {"in"};
    options.output = "out";
    options.scheme = scheme;
    options.resources.memory = 4'000'000'000;
    options.resources.threads = 2;
    EXPECT_TRUE(prepare_job(options, dedup_verb(options), RunControl{}, job).ok());
    job.collection = std::make_shared<FileCollection>(disk(), InputList());
    state.documents = state.records = 1'000'000;
    state.text_bytes = 2'000'000'000;
    state.tokens = 350'000'000;
    read.keys = 28'000'000;
    read.name_bytes = 10'000'000;
    seen.candidates.value = 500'000;
    seen.pairs.value = seen.checked = 400'000;
    seen.removed.value = 100'000;
    seen.judged_bytes = 4e8;
    seen.survivor_bytes = 2e8;
    seen.judged_tokens = 2e8;
    seen.meetings.value = 1e9;
    seen.clustered.value = 150'000;
  }
  Costs dedup() const { return dedup_costs(job, state, seen, read); }
  Costs cluster() const { return cluster_costs(job, state, seen, read); }
};

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
  EXPECT_EQ(stages(World().dedup()), "fold pair verify write ");
  EXPECT_EQ(stages(World().cluster()), "fold pair verify write ");
  EXPECT_EQ(stages(World("mod").cluster()), "fold group count verify write ");
}

TEST(Costs, MoreIsNeverCheaper) {
  const World world;
  World more;
  more.seen.candidates.value *= 3;
  more.seen.judged_bytes *= 3;
  more.seen.meetings.value *= 3;
  EXPECT_GT(total(more.dedup()), total(world.dedup()));
  World meeting("mod");
  meeting.seen.meetings.value *= 3;
  EXPECT_GT(total(meeting.cluster()), total(World("mod").cluster()));
  more.read.keys *= 10;
  EXPECT_GT(more.dedup().peak_memory, world.dedup().peak_memory);
}

// Where memory does not hold the groups of shared keys, they are read for each block of documents.
TEST(Costs, CountingWithLittleMemoryTakesLonger) {
  World world("mod");
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
  World world;
  for (const StageTime& stage : world.dedup().stages) {
    EXPECT_DOUBLE_EQ(stage.seconds * 2, stage.cpu_seconds) << stage.stage;
  }
  world.read.time = {"read", 20, 20};
  for (const StageTime& stage : world.dedup().stages) {
    EXPECT_DOUBLE_EQ(stage.seconds, stage.cpu_seconds) << stage.stage;
  }
}

TEST(Costs, RowsSpillWhenTheyDoNotFit) {
  World world;
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
  World world;
  world.state = {};
  world.read.keys = world.read.name_bytes = 0;
  world.seen = {};
  const Costs costs = world.dedup();
  EXPECT_EQ(total(costs), 0);
  EXPECT_EQ(costs.spilled, 0);
}

}  // namespace
}  // namespace twinset
