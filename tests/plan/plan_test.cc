// A plan compared with the run that it predicts, over a real disk; plans that cannot be made.
#include "twinset/plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/scratch_folder.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

using testing::ScratchFolder;

/// Families of near copies, copies and unrelated documents, as JSON Lines.
std::string collection(std::uint64_t families) {
  std::string lines;
  std::uint64_t word = 1;
  const auto next = [&word] {
    word = word * 6364136223846793005ULL + 1442695040888963407ULL;
    return word >> 33;
  };
  for (std::uint64_t family = 0; family < families; ++family) {
    std::vector<std::string> text(80 + next() % 100);
    for (std::string& token : text) token = "w" + std::to_string(next() % 100'000);
    for (std::uint64_t member = family % 3 == 0 ? 3 : 1; member > 0; --member) {
      lines += R"({"text": ")";
      for (const std::string& token : text) lines += token + " ";
      lines += "\"}\n";
      if (member != 2) text[next() % text.size()] = "edited" + std::to_string(next());
    }
  }
  return lines;
}

/// The collection in the folder, and how to plan for it.
PlanOptions planned(const ScratchFolder& folder, PlannedRun run) {
  PlanOptions options;
  options.run = run;
  options.inputs = {folder.write("in.jsonl", collection(400))};
  options.input.max_record = 1 << 20;
  options.resources.tmp = folder.path();
  return options;
}

/// The run's options: reads what the plan did.
template <class Options>
Options run_options(const PlanOptions& options, const ScratchFolder& folder) {
  Options run;
  run.inputs = options.inputs;
  run.input = options.input;
  run.output = folder / "out";
  return run;
}

TEST(Plan, OfTextsInMemoryIsThatOfTheirFile) {
  const ScratchFolder folder;
  PlanOptions options = planned(folder, PlannedRun::dedup);
  const Result<Plan> of_file = plan(options, RunControl{});
  ASSERT_TRUE(of_file.ok()) << of_file.error().message;
  std::vector<std::string> texts;
  constexpr std::size_t head = 10;  // {"text": "
  const std::string lines = collection(400);
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find("\"}\n", at);
    texts.push_back(lines.substr(at + head, end - at - head));
    at = end + 3;
  }
  options.inputs.clear();
  options.resources.tmp.clear();
  options.columns = {TextColumn(texts)};
  const Result<Plan> of_texts = plan(options, RunControl{});
  ASSERT_TRUE(of_texts.ok()) << of_texts.error().message;
  EXPECT_EQ(of_texts.value().documents, of_file.value().documents);
  EXPECT_EQ(of_texts.value().keys, of_file.value().keys);
  EXPECT_EQ(of_texts.value().pairs.value, of_file.value().pairs.value);
  EXPECT_GT(of_texts.value().pairs.value, 50);
}

TEST(Plan, IsWhatDedupThenFinds) {
  const ScratchFolder folder;
  const PlanOptions options = planned(folder, PlannedRun::dedup);
  const Result<Plan> made = plan(options, RunControl{});
  ASSERT_TRUE(made.ok()) << made.error().message;
  const Plan& seen = made.value();
  const Result<DedupSummary> done = dedup(run_options<DedupOptions>(options, folder), RunControl{});
  ASSERT_TRUE(done.ok()) << done.error().message;
  const DedupSummary& came = done.value();
  EXPECT_EQ(seen.documents, came.total.read);
  EXPECT_EQ(seen.key_share, 1);
  EXPECT_EQ(seen.candidate_pairs.value, static_cast<double>(came.candidate_pairs));
  // All pairs here are far above the threshold: sketches leave no doubt.
  EXPECT_EQ(seen.removed.value, static_cast<double>(came.total.removed()));
  EXPECT_EQ(seen.clusters.value, static_cast<double>(came.clusters));
  EXPECT_GT(came.total.near, 100U);
  EXPECT_EQ(seen.scheme, came.scheme);
  EXPECT_EQ(seen.bins.size(), 20U);
}

// The join of signatures is known before it runs: its tables, its comparisons, its pairs.
TEST(Plan, IsWhatAJoinOfSignaturesThenFinds) {
  for (const char* scheme : {"simhash", "simhash(bits=128)"}) {
    for (const PlannedRun run : {PlannedRun::cluster, PlannedRun::dedup}) {
      const ScratchFolder folder;
      PlanOptions options = planned(folder, run);
      options.scheme = scheme;
      options.distance = "5";
      const Result<Plan> made = plan(options, RunControl{});
      ASSERT_TRUE(made.ok()) << made.error().message;
      const Plan& seen = made.value();
      ASSERT_TRUE(seen.join.has_value());
      EXPECT_EQ(seen.join->distance, 5U);
      EXPECT_GT(seen.join->comparisons, 0);
      EXPECT_GT(seen.join->cpu_seconds, 0);
      EXPECT_FALSE(seen.join->refused);
      EXPECT_EQ(seen.keys, 0U);
      if (run == PlannedRun::cluster) {
        auto as_planned = run_options<ClusterOptions>(options, folder);
        as_planned.scheme = scheme;
        as_planned.distance = "5";
        const Result<ClusterSummary> done = cluster(as_planned, RunControl{});
        ASSERT_TRUE(done.ok()) << done.error().message;
        EXPECT_EQ(seen.candidate_pairs.value, static_cast<double>(done.value().candidate_pairs));
        EXPECT_EQ(seen.pairs.value, static_cast<double>(done.value().edges));
        EXPECT_NE(done.value().plan.find("by " + std::to_string(seen.join->tables) + " tables"),
                  std::string::npos);
        // The guard of the run has the same number, and refuses one fewer.
        as_planned.output = folder / "refused";
        as_planned.max_meetings = static_cast<std::uint64_t>(seen.join->comparisons);
        EXPECT_TRUE(cluster(as_planned, RunControl{}).ok());
        as_planned.output = folder / "refused too";
        --as_planned.max_meetings;
        EXPECT_FALSE(cluster(as_planned, RunControl{}).ok());
      } else {
        auto as_planned = run_options<DedupOptions>(options, folder);
        as_planned.scheme = scheme;
        as_planned.distance = "5";
        const Result<DedupSummary> done = dedup(as_planned, RunControl{});
        ASSERT_TRUE(done.ok()) << done.error().message;
        EXPECT_EQ(seen.candidate_pairs.value, static_cast<double>(done.value().candidate_pairs));
      }
    }
  }
}

TEST(Plan, IsWhatClusterThenFinds) {
  const ScratchFolder folder;
  const PlanOptions options = planned(folder, PlannedRun::cluster);
  const Result<Plan> made = plan(options, RunControl{});
  ASSERT_TRUE(made.ok()) << made.error().message;
  const Plan& seen = made.value();
  const Result<ClusterSummary> done =
      cluster(run_options<ClusterOptions>(options, folder), RunControl{});
  ASSERT_TRUE(done.ok()) << done.error().message;
  const ClusterSummary& came = done.value();
  EXPECT_EQ(seen.groups.value, static_cast<double>(came.groups));
  EXPECT_EQ(seen.meetings.value, static_cast<double>(came.meetings));
  EXPECT_EQ(seen.pairs.value, static_cast<double>(came.edges));
  EXPECT_EQ(seen.clusters.value, static_cast<double>(came.all.clusters));
  EXPECT_EQ(seen.clustered_documents.value, static_cast<double>(came.all.documents));
}

/// Bytes of all files below a folder.
double bytes_of_folder(const std::string& folder) {
  double bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
  }
  return bytes;
}

/// The bytes that three shards of a run leave, and what they make of one collection.
template <class Options, class Run>
double bytes_of_shards(const PlanOptions& options, const ScratchFolder& folder, Run run) {
  double bytes = 0;
  for (int number = 1; number <= 3; ++number) {
    auto part = run_options<Options>(options, folder);
    part.scheme = options.scheme;
    part.shard = std::to_string(number) + "/3";
    part.output = folder / ("part" + std::to_string(number));
    const auto made = run(part, RunControl{});
    EXPECT_TRUE(made.ok()) << made.error().message;
    bytes += bytes_of_folder(part.output);
  }
  return bytes;
}

// B-32: the rows that go from the shards to the merge are told before any is made, within a tenth.
TEST(Plan, TellsTheBytesThatShardsLeave) {
  const auto run_dedup = [](const DedupOptions& part, const RunControl& control) {
    return dedup(part, control);
  };
  const auto run_cluster = [](const ClusterOptions& part, const RunControl& control) {
    return cluster(part, control);
  };
  for (const char* scheme : {"fss", "mod(samples=64)", "minhash"}) {
    for (const PlannedRun run : {PlannedRun::dedup, PlannedRun::cluster}) {
      const ScratchFolder folder;
      PlanOptions options = planned(folder, run);
      options.scheme = scheme;
      const std::string lines = collection(1200);
      const std::size_t cut = lines.find('\n', lines.size() / 3) + 1;
      const std::size_t end = lines.find('\n', 2 * lines.size() / 3) + 1;
      options.inputs = {folder.write("1.jsonl", lines.substr(0, cut)),
                        folder.write("2.jsonl", lines.substr(cut, end - cut)),
                        folder.write("3.jsonl", lines.substr(end))};
      options.cluster = "3x1";
      const Result<Plan> made = plan(options, RunControl{});
      ASSERT_TRUE(made.ok()) << made.error().message;
      ASSERT_TRUE(made.value().cluster.has_value());
      const PlannedCluster& cluster = *made.value().cluster;
      double told = 0;
      for (const PlannedStage& stage : cluster.stages) told += stage.moved_bytes;
      const double left = run == PlannedRun::dedup
                              ? bytes_of_shards<DedupOptions>(options, folder, run_dedup)
                              : bytes_of_shards<ClusterOptions>(options, folder, run_cluster);
      EXPECT_GT(left, 100'000);
      EXPECT_NEAR(told / left, 1, 0.1) << scheme << ": " << told << " told, " << left << " left";
      EXPECT_EQ(cluster.documents, made.value().documents);
      EXPECT_EQ(cluster.least_memory, made.value().least_memory);
    }
  }
}

TEST(Plan, OfAClusterUsesTheCoresThatMemoryHasRoomFor) {
  const ScratchFolder folder;
  PlanOptions options = planned(folder, PlannedRun::dedup);
  options.cluster = "5x64";
  options.documents = 4'000'000'000;
  options.resources.threads = 1;
  options.resources.memory = std::uint64_t{192} << 20;  // 64 MiB, and 32 MiB for each of four
  const Result<Plan> made = plan(options, RunControl{});
  ASSERT_TRUE(made.ok()) << made.error().message;
  const PlannedCluster& cluster = *made.value().cluster;
  EXPECT_EQ(cluster.cores, 4U);
  EXPECT_EQ(cluster.documents, 4'000'000'000U);
  // The table of documents, eight bytes each, is in the merging machine's memory.
  EXPECT_GT(cluster.least_memory, 32'000'000'000U);
  EXPECT_LT(made.value().least_memory, std::uint64_t{192} << 20);
}

TEST(Plan, LeavesNothingBehind) {
  ScratchFolder folder;
  std::filesystem::create_directory(folder / "tmp");
  PlanOptions options;
  options.inputs = {folder.write("in.jsonl", collection(20))};
  options.resources.tmp = folder / "tmp";
  ASSERT_TRUE(plan(options, RunControl{}).ok());
  options.inputs = {folder.write("empty.jsonl", "")};
  EXPECT_FALSE(plan(options, RunControl{}).ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST(Plan, SaysWhatMemoryTheRunNeeds) {
  ScratchFolder folder;
  PlanOptions options;
  options.inputs = {folder.write("in.jsonl", collection(50))};
  options.input.max_record = 1 << 20;
  options.resources.tmp = folder.path();
  options.resources.threads = 1;
  const Result<Plan> made = plan(options, RunControl{});
  ASSERT_TRUE(made.ok()) << made.error().message;
  auto run = run_options<DedupOptions>(options, folder);
  run.resources.threads = 1;
  run.resources.memory = made.value().least_memory - (1 << 20);
  EXPECT_EQ(dedup(run, RunControl{}).error().code, ErrorCode::usage);
  run.resources.memory = made.value().least_memory;
  EXPECT_TRUE(dedup(run, RunControl{}).ok());
}

TEST(Plan, RefusesWhatItCannotForetell) {
  ScratchFolder folder;
  PlanOptions options;
  const auto said = [&] {
    const Result<Plan> made = plan(options, RunControl{});
    EXPECT_FALSE(made.ok());
    return made.ok() ? std::string() : made.error().text(Door::command_line);
  };
  options.inputs = {folder.write("empty.jsonl", "")};
  EXPECT_EQ(said(), "there is no record to plan for");
  options.inputs = {folder.write("blank.jsonl", "{\"text\": \" . \"}\n{\"text\": 1}\n")};
  EXPECT_EQ(said(), "none of 2 records has a token (1 are bad); look at --text and --format");
  options.scheme = "exact";
  EXPECT_EQ(said(), "scheme exact only recognizes equal documents; there is nothing to predict");
  options.scheme = "simhash";
  options.cluster = "2x2";
  options.documents = 1'000'000;
  EXPECT_EQ(said(),
            "the comparisons of simhash grow faster than the documents: leave out --documents");
  options.scheme.clear();
  options.templates = Templates::drop;
  options.url = "url";
  EXPECT_EQ(said(),
            "templates are learned from all inputs, so shards have none: leave out "
            "--templates or --cluster");
  options.cluster.clear();
  options.templates = Templates::keep;
  options.url.clear();
  EXPECT_EQ(said(), "--documents are those of a run on many machines: add --cluster 100x16");
}

}  // namespace
}  // namespace twinset
