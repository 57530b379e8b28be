// The machine loses power at every sync point of a run in turn, and unsynced writes and names are
// dropped, torn or reordered. The same command must then end with the bytes of an undisturbed run,
// and promises are kept: a saved checkpoint is there, and so is the output of a run that has ended.
//
// The last test makes each kind of sync do nothing and requires losses: so the other tests would
// notice a missing sync.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "support/power_loss_files.h"
#include "support/tries.h"
#include "support_runs/job_testing.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

using namespace twinset::testing;
using Loss = PowerLossFiles::Loss;
using Ignored = PowerLossFiles::Ignored;

constexpr std::uint64_t seed = 700;
constexpr Loss losses[] = {Loss::dropped, Loss::torn, Loss::reordered};
const std::string output = "/results/of/a/run";  // none of these folders is there
const std::string state = output + ".partial/state";

/// How a run ended.
struct Ended {
  Status status;
  RunFacts facts;
  bool ok() const { return status.ok(); }
  bool did(const std::string& stage) const {
    return std::any_of(facts.stages.begin(), facts.stages.end(),
                       [&](const StageTime& time) { return time.stage == stage; });
  }
};

template <class Summary>
Ended ended(const Result<Summary>& done) {
  if (!done.ok()) return {done.error(), {}};
  return {{}, done.value()};
}

/// A command, its inputs, and the result of an undisturbed run.
class Command {
 public:
  using Run = std::function<Ended(FileSystem&)>;

  Command(std::map<std::string, std::string> inputs, Run run)
      : inputs_(std::move(inputs)), run_(std::move(run)) {
    PowerLossFiles files;
    fill(files);
    const Ended done = run_(files);
    EXPECT_TRUE(done.ok()) << done.status.error().message;
    expected_ = result(files);
    sync_points_ = files.sync_points();
    checkpoints_ = files.renames_to(state);
  }

  std::uint64_t sync_points() const { return sync_points_; }
  std::uint64_t checkpoints() const { return checkpoints_; }
  const std::map<std::string, std::string>& expected() const { return expected_; }

  /// Power fails at sync point `k`, or at the end of the run if that comes first. Returns the
  /// promised thing that was lost; empty if all is well.
  std::string lost(std::uint64_t k, Loss loss, std::uint64_t random,
                   Ignored ignored = Ignored::nothing) const {
    PowerLossFiles files;
    fill(files);
    files.ignore(ignored);
    files.lose_power_at(k);
    const Ended first = run_(files);
    if (!first.ok() && !files.power_is_lost()) return "failed: " + first.status.error().message;
    const std::uint64_t saved = files.renames_to(state);
    files.restore_power(loss, random);
    const Ended second = run_(files);
    if (!second.ok()) return "cannot go on: " + second.status.error().message;
    if (first.ok() && !second.facts.already_done) return "the output of a run that had ended";
    if (!second.facts.already_done && saved > 0 && !second.facts.resumed) return "a checkpoint";
    // The facts of a run that was already done are those of the run that did it.
    const bool did_again = !second.facts.already_done && second.did("pair");
    if (saved == checkpoints_ && did_again) return "the last checkpoint";
    return difference(files);
  }

  /// Power fails several times in a row.
  std::string lost_often(std::uint64_t random) const {
    PowerLossFiles files;
    fill(files);
    SeededRandom draw(random);
    for (std::uint64_t times = 2 + draw.below(3); times > 0; --times) {
      files.lose_power_at(draw.below(sync_points_));
      const Ended one = run_(files);
      if (!one.ok() && !files.power_is_lost()) return "failed: " + one.status.error().message;
      files.restore_power(losses[draw.below(3)], draw.next());
    }
    const Ended last = run_(files);
    if (!last.ok()) return "cannot go on: " + last.status.error().message;
    return difference(files);
  }

 private:
  void fill(PowerLossFiles& files) const {
    for (const auto& [path, bytes] : inputs_) files.put(path, bytes);
  }

  static std::map<std::string, std::string> result(const PowerLossFiles& files) {
    auto found = files.below(output);
    std::string& summary = found["summary.json"];
    summary.resize(std::min(summary.size(), summary.find("\"run\":")));
    // These contain the times of the run.
    found.erase("report.html");
    found.erase("report.json");
    return found;
  }

  std::string difference(PowerLossFiles& files) const {
    const auto found = result(files);
    for (const auto& [name, bytes] : expected_) {
      if (!found.contains(name)) return name + " is missing";
      if (found.at(name) != bytes) return name + " has other bytes";
    }
    if (found.size() != expected_.size()) return "a file too many";
    if (files.list(parent_of(output)).value().size() != 1) return "a work folder was left";
    if (files.below("/spills").size() != 1) return "spilled files were left";
    return "";
  }

  std::map<std::string, std::string> inputs_;
  Run run_;
  std::map<std::string, std::string> expected_;
  std::uint64_t sync_points_ = 0;
  std::uint64_t checkpoints_ = 0;
};

/// Every kind of spilled file and of output, and several checkpoints.
Command dedup_command() {
  const MadeCollection collection = planted_collection(
      {.seed = seed, .documents = 36, .files = 3, .references = 1, .compressed = true});
  const ScratchFolder folder;  // The inputs are compressed here.
  DedupOptions options = collection.write(folder);
  options.inputs.push_back(folder.write("in/bad.jsonl", "{\"text\":7}\nnot json\n"));
  std::map<std::string, std::string> inputs{{"/spills/mine", "kept"}};
  for (std::vector<std::string>* paths : {&options.inputs, &options.against}) {
    for (std::string& path : *paths) {
      const std::string name = path.substr(folder.path().size());
      inputs[name] = folder.read(name.substr(1));
      path = name;
    }
  }
  set_small_memory(options, 1, 1 << 15);
  options.output = output;
  options.report = output + "/report.html";
  options.containment = Ratio(9, 10);
  options.write_removed = true;
  options.resources.tmp = "/spills";
  options.resources.checkpoint = 3000;
  return Command(inputs, [options](FileSystem& files) {
    return ended(dedup(options, {nullptr, nullptr, &files}));
  });
}

Command cluster_command() {
  const MadeCollection collection =
      planted_collection({.seed = seed + 1, .documents = 36, .files = 2});
  std::map<std::string, std::string> inputs{{"/spills/mine", "kept"}};
  ClusterOptions options;
  for (const MadeFile& file : collection.files) {
    options.inputs.push_back("/in/" + file.name);
    inputs["/in/" + file.name] = file.bytes();
  }
  DedupOptions small;
  set_small_memory(small, 1, 1 << 15);
  options.input = small.input;
  options.resources = small.resources;
  options.resources.checkpoint = 3000;
  options.output = output;
  return Command(inputs, [options](FileSystem& files) {
    return ended(cluster(options, {nullptr, nullptr, &files}));
  });
}

void expect_nothing_lost(const Command& command) {
  EXPECT_GT(command.checkpoints(), 2U);
  std::printf("%llu sync points, %llu checkpoints, seed %llu\n",
              static_cast<unsigned long long>(command.sync_points()),
              static_cast<unsigned long long>(command.checkpoints()),
              static_cast<unsigned long long>(seed));
  for (std::uint64_t k = 0; k <= command.sync_points(); k += sanitized ? 5 : 1) {
    for (const Loss loss : losses) {
      EXPECT_EQ(command.lost(k, loss, derive_seed(seed, k)), "")
          << "at sync point " << k << ", loss " << static_cast<int>(loss);
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PowerLoss, DedupGoesOnFromAnySyncPoint) {
  const Command command = dedup_command();
  EXPECT_GT(command.expected().at("removed.jsonl.zst").size(), 100U);
  EXPECT_EQ(lines_of(command.expected().at("quarantine.jsonl")).size(), 2U);
  expect_nothing_lost(command);
}

TEST(PowerLoss, ClusterGoesOnFromAnySyncPoint) { expect_nothing_lost(cluster_command()); }

TEST(PowerLoss, ARunSurvivesSeveralLosses) {
  const Command command = dedup_command();
  for (std::uint64_t round = 0; round < tries(std::uint64_t{40}); ++round) {
    ASSERT_EQ(command.lost_often(derive_seed(seed, round)), "") << "round " << round;
  }
}

// This tests the tests above, not the run: they notice each kind of missing sync.
TEST(PowerLoss, ASyncThatDoesNothingIsNoticed) {
  const Command command = dedup_command();
  for (const Ignored ignored : {Ignored::files, Ignored::folders, Ignored::trees}) {
    std::uint64_t losses_seen = 0;
    for (std::uint64_t k = 0; k <= command.sync_points(); ++k) {
      if (!command.lost(k, Loss::dropped, seed, ignored).empty()) ++losses_seen;
    }
    EXPECT_GT(losses_seen, 0U) << "ignored: " << static_cast<int>(ignored);
  }
}

}  // namespace
}  // namespace twinset
