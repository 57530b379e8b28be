// Runs that go on at once in one process: each makes the bytes that it makes alone, and gives back
// the memory that it leased.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "run/prepare.h"
#include "support_runs/cluster_testing.h"
#include "support_runs/job_testing.h"
#include "system/memory_files.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

using namespace twinset::testing;

using Files = std::map<std::string, std::string>;

/// The files below `folder`, without its summary: that has times.
Files files_in(const std::string& folder) {
  Files files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (!entry.is_regular_file() || name == "summary.json") continue;
    files[name] = read_whole_file(disk(), entry.path().string(), 1 << 28).value();
  }
  return files;
}

template <class Options>
Options over(const DedupOptions& written, std::uint64_t memory_bytes) {
  Options options;
  options.inputs = written.inputs;
  options.input.max_record = 1 << 20;
  options.resources.memory = memory_bytes;
  return options;
}

/// What other threads than this one have leased.
std::uint64_t leased() {
  std::uint64_t others = 1;
  std::thread([&] { others = process_memory().others(); }).join();
  return others;
}

TEST(RunsAtOnce, MakeTheBytesThatEachMakesAlone) {
  const ScratchFolder folders[2];
  const DedupOptions one =
      planted_collection({.seed = 61, .documents = 300, .files = 2}).write(folders[0]);
  const DedupOptions two =
      planted_collection({.seed = 62, .documents = 300, .files = 1}).write(folders[1]);
  const ScratchFolder out;
  // Of different inputs and of the same, with and without a budget of their own; one is dry.
  const std::vector<std::function<Status(const std::string&)>> runs{
      [&](const std::string& output) -> Status {
        DedupOptions options = over<DedupOptions>(one, 0);
        options.output = output;
        TWINSET_TRY(dedup(options, RunControl{}));
        return {};
      },
      [&](const std::string& output) -> Status {
        DedupOptions options = over<DedupOptions>(two, std::uint64_t{256} << 20);
        options.output = output;
        TWINSET_TRY(dedup(options, RunControl{}));
        return {};
      },
      [&](const std::string& output) -> Status {
        ClusterOptions options = over<ClusterOptions>(one, 0);
        options.output = output;
        TWINSET_TRY(cluster(options, RunControl{}));
        return {};
      },
      [&](const std::string& output) -> Status {
        DedupOptions options = over<DedupOptions>(two, 0);
        options.output = output;
        options.dry_run = true;
        TWINSET_TRY(dedup(options, RunControl{}));
        return {};
      }};
  std::vector<Files> alone;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string output = out / ("alone-" + std::to_string(i));
    const Status done = runs[i](output);
    ASSERT_TRUE(done.ok()) << done.error().text();
    alone.push_back(files_in(output));
    EXPECT_GT(alone.back().size(), 1U);
  }
  std::vector<std::thread> threads;
  std::vector<Status> done(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    threads.emplace_back([&, i] { done[i] = runs[i](out / ("at-once-" + std::to_string(i))); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ASSERT_TRUE(done[i].ok()) << i << ": " << done[i].error().text();
    if (i == alone.size()) break;  // The dry run leaves no folder.
    EXPECT_EQ(files_in(out / ("at-once-" + std::to_string(i))), alone[i]);
  }
  EXPECT_EQ(leased(), 0U);
}

TEST(RunsAtOnce, AFailedRunGivesItsMemoryBack) {
  const ScratchFolder folder;
  DedupOptions options;
  options.inputs = {folder / "missing.jsonl"};
  options.output = folder / "out";
  EXPECT_FALSE(dedup(options, RunControl{}).ok());
  EXPECT_EQ(leased(), 0U);
}

TEST(RunsAtOnce, ARunWithoutABudgetTakesHalfOfTheRestAndSaysSoIfThatIsTooLittle) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  MemoryFiles machine;
  ASSERT_TRUE(machine.write("/sys/fs/cgroup/memory.max", std::to_string(1024 * mebibyte)).ok());
  const auto plan = [&](std::uint64_t memory_bytes, MemoryLease& lease) {
    Resources resources;
    resources.memory = memory_bytes;
    RunContext context;
    context.files = &machine;
    return plan_memory(resources, 1 << 20, machine, context, lease);
  };
  MemoryLease first;
  EXPECT_EQ(plan(0, first).value().budget, 512 * mebibyte);
  std::thread([&] {
    MemoryLease second;
    EXPECT_EQ(plan(0, second).value().budget, 256 * mebibyte);
    EXPECT_EQ(unleased_memory_bytes(machine), 512 * mebibyte);
    second = MemoryLease();
    second = process_memory().take(400 * mebibyte, nullptr);
    std::thread([&] {
      MemoryLease third;
      const Result<MemoryPlan> none = plan(0, third);
      ASSERT_FALSE(none.ok());
      EXPECT_EQ(none.error().code, ErrorCode::usage);
      EXPECT_EQ(none.error().text(Door::command_line),
                "a run with 1 thread needs 100663296 bytes (101 MB), and other runs of this "
                "process have leased 956 MB of the 1.07 GB that it may use; wait for one of them, "
                "or give each its --memory");
      EXPECT_EQ(plan(128 * mebibyte, third).value().budget, 128 * mebibyte);
    }).join();
  }).join();
  EXPECT_EQ(process_memory().others(), 0U);
}

}  // namespace
}  // namespace twinset
