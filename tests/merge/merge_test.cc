// A run made in shards is the run, byte for byte.
#include "merge/merge.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/stop_at.h"
#include "support_runs/cluster_testing.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// All files below a folder by name; of summary.json without `run`.
std::map<std::string, std::string> files_of_run(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().lexically_relative(folder).string();
    std::ifstream in(entry.path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (name == "summary.json") bytes.resize(bytes.rfind("\"run\":"));
    all[name] = std::move(bytes);
  }
  return all;
}

Status run_of(const DedupOptions& options, const RunControl& control) {
  Result<DedupSummary> done = dedup(options, control);
  return done.ok() ? Status() : done.error();
}
Status run_of(const ClusterOptions& options, const RunControl& control) {
  Result<ClusterSummary> done = cluster(options, control);
  return done.ok() ? Status() : done.error();
}

template <class Options>
Options shard_of(Options options, std::uint64_t number, std::uint64_t count,
                 const std::string& folder) {
  options.shard = std::to_string(number) + "/" + std::to_string(count);
  options.output = folder + "/" + std::to_string(number);
  return options;
}

template <class Options>
std::vector<std::string> make_shards(const Options& options, std::uint64_t count,
                                     const std::string& folder) {
  std::vector<std::string> parts;
  for (std::uint64_t number = 1; number <= count; ++number) {
    const Options shard = shard_of(options, number, count, folder);
    const Status done = run_of(shard, quiet_control());
    EXPECT_TRUE(done.ok()) << done.error().message;
    parts.push_back(shard.output);
  }
  return parts;
}

MergeOptions merging(std::vector<std::string> parts, const std::string& output,
                     const Resources& resources) {
  MergeOptions options;
  options.parts = std::move(parts);
  options.output = output;
  options.resources = resources;
  return options;
}

/// The run at once against that of 1, 2 and 7 shards, with rows in memory and spilled.
template <class Options>
void expect_merged_as_at_once(Options options, const ScratchFolder& folder) {
  options.output = folder / "once";
  std::filesystem::remove_all(options.output);
  const Status done = run_of(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const auto once = files_of_run(options.output);
  for (const std::uint64_t count : {1, 2, 7}) {
    const std::string parts = folder / ("parts" + std::to_string(count));
    std::vector<std::string> made = make_shards(options, count, parts);
    std::ranges::reverse(made);
    Options small = options;
    set_small_memory(small, count == 2 ? 2 : 1, count == 7 ? 0 : std::uint64_t{64} << 20);
    const std::string output = folder / ("merged" + std::to_string(count));
    const auto merged = merge(merging(made, output, small.resources), quiet_control());
    ASSERT_TRUE(merged.ok()) << merged.error().message;
    EXPECT_TRUE(files_of_run(output) == once) << count << " shards";
    std::filesystem::remove_all(parts);
    std::filesystem::remove_all(output);
  }
}

// B-32: all but the last merges in parallel.
TEST(Merge, ShardsOfDedupAreTheRunAtOnce) {
  const MadeCollection collection = planted_collection({.seed = 21,
                                                        .documents = 500,
                                                        .files = 9,
                                                        .references = 2,
                                                        .compressed = true,
                                                        .orders = true});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.write_removed = true;
  expect_merged_as_at_once(options, folder);
  options.keep = "highest:order";
  options.containment = Ratio(9, 10);
  options.min_tokens = 3;
  expect_merged_as_at_once(options, folder);
  options.containment.reset();
  options.scheme = "simhash";
  options.emit = Emit::ids;
  expect_merged_as_at_once(options, folder);
}

TEST(Merge, ShardsOfClusterAreTheRunAtOnce) {
  const MadeCollection collection = planted_collection({.seed = 22, .documents = 400, .files = 8});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.scheme = "mod(samples=64)";
  expect_merged_as_at_once(options, folder);
  options.fold = Folding::shingles;
  options.verify = Check::sketch;
  expect_merged_as_at_once(options, folder);
  options.fold = Folding::words;
  options.verify.reset();
  options.scheme = "fss";
  options.containment = Ratio(4, 5);
  expect_merged_as_at_once(options, folder);
}

TEST(Merge, BadRecordsAndFilesWithoutOneAreThoseOfTheRunAtOnce) {
  const ScratchFolder folder;
  const std::string good = R"({"id":"a","text":"one two three four five six seven"})";
  DedupOptions options;
  options.inputs = {folder.write("in/1.jsonl", "not json\n" + good + "\n"),
                    folder.write("in/2.jsonl", ""), folder.write("in/3.jsonl", "{}\n\n[]\n"),
                    folder.write("in/4.jsonl", good + "\n" + good)};
  set_small_memory(options, 1, std::uint64_t{64} << 20);
  expect_merged_as_at_once(options, folder);
  options.max_bad = 2;  // Of all files together.
  const std::vector<std::string> parts = make_shards(options, 4, folder / "parts");
  const auto merged = merge(merging(parts, folder / "merged", options.resources), quiet_control());
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().code, ErrorCode::bad_records);
}

TEST(Merge, AStoppedShardAndAStoppedMergeContinue) {
  const MadeCollection collection = planted_collection({.seed = 23, .documents = 300, .files = 6});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.resources.checkpoint = 2000;
  options.output = folder / "once";
  ASSERT_TRUE(run_of(options, quiet_control()).ok());
  const auto once = files_of_run(options.output);
  int stopped = 0;
  for (int at = 1; at <= 12; ++at) {
    const std::string parts = folder / ("p" + std::to_string(at));
    const auto run_until_done = [&](const auto& run) {
      StopAt stop(at);
      const RunControl control{&stop.cancel, &stop, &unsynced()};
      if (run(control).ok()) return;
      ++stopped;
      const Status again = run(quiet_control());
      ASSERT_TRUE(again.ok()) << again.error().message;
    };
    const DedupOptions first = shard_of(options, 1, 2, parts);
    const DedupOptions second = shard_of(options, 2, 2, parts);
    run_until_done([&](const RunControl& control) { return run_of(first, control); });
    run_until_done([&](const RunControl& control) { return run_of(second, control); });
    const MergeOptions all =
        merging({first.output, second.output}, parts + "/all", options.resources);
    run_until_done([&](const RunControl& control) -> Status {
      const auto merged = merge(all, control);
      return merged.ok() ? Status() : merged.error();
    });
    ASSERT_TRUE(files_of_run(all.output) == once) << at;
  }
  EXPECT_GT(stopped, 8);
}

TEST(Merge, OfAMergeOrOfTheRunAtOnceTheOtherIsAlreadyDone) {
  const MadeCollection collection = planted_collection({.seed = 24, .documents = 60, .files = 3});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  const std::vector<std::string> parts = make_shards(options, 2, folder / "parts");
  const MergeOptions all = merging(parts, options.output, options.resources);
  ASSERT_TRUE(merge(all, quiet_control()).ok());
  const Result<DedupSummary> again = dedup(options, quiet_control());
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again.value().already_done);
  // A shard, too.
  const Result<DedupSummary> shard = dedup(shard_of(options, 1, 2, folder / "parts"), {});
  ASSERT_TRUE(shard.ok()) << shard.error().message;
  EXPECT_TRUE(shard.value().already_done);
  EXPECT_EQ(shard.value().shard, "1/2");
  EXPECT_GT(shard.value().read, 0U);
}

TEST(Merge, RefusesWhatIsNotAllShardsOfOneRun) {
  const MadeCollection collection = planted_collection({.seed = 25, .documents = 60, .files = 4});
  const ScratchFolder folder;
  const DedupOptions options = collection.write(folder);
  const std::vector<std::string> parts = make_shards(options, 3, folder / "parts");
  const auto refusal = [&](const std::vector<std::string>& given) {
    const auto merged =
        merge(merging(given, folder / "merged", options.resources), quiet_control());
    EXPECT_FALSE(merged.ok());
    EXPECT_FALSE(std::filesystem::exists(folder / "merged"));
    return merged.ok() ? "" : merged.error().message;
  };
  EXPECT_NE(refusal({parts[0], parts[2]}).find("shard 2/3 is missing"), std::string::npos);
  EXPECT_NE(refusal({parts[0], parts[1], parts[1], parts[2]}).find("both shard 2/3"),
            std::string::npos);
  EXPECT_NE(refusal({}).find("no shard"), std::string::npos);
  EXPECT_NE(refusal({folder / "in"}).find("is no shard"), std::string::npos);
  DedupOptions other = options;
  other.resemblance = Ratio(1, 2);
  const std::vector<std::string> others = make_shards(other, 3, folder / "others");
  EXPECT_NE(refusal({parts[0], others[1], parts[2]}).find("of another command"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "merged.partial"));
  std::filesystem::remove(parts[1] + "/rows/run.records");
  const std::string missing = refusal(parts);
  EXPECT_NE(missing.find("run.records"), std::string::npos) << missing;
  EXPECT_TRUE(missing.ends_with("remove " + parts[1] + " and make this shard again")) << missing;
  // An input that has changed since.
  std::ofstream(options.inputs[0], std::ios::app) << "{\"text\":\"more\"}\n";
  EXPECT_NE(refusal(parts).find("inputs have changed since"), std::string::npos);
}

TEST(Merge, AShardRefusesWhatNeedsAllInputs) {
  const MadeCollection collection = planted_collection({.seed = 26, .documents = 30, .files = 2});
  const ScratchFolder folder;
  const DedupOptions options = shard_of(collection.write(folder), 1, 2, folder / "parts");
  const auto refused = [&](const auto& change, const std::string& word) {
    DedupOptions changed = options;
    change(changed);
    const Result<DedupSummary> done = dedup(changed, quiet_control());
    ASSERT_FALSE(done.ok()) << word;
    EXPECT_EQ(done.error().code, ErrorCode::usage) << word;
    EXPECT_NE(done.error().message.find(word), std::string::npos) << done.error().message;
  };
  refused([](DedupOptions& o) { o.shard = "3/2"; }, "3/2");
  refused([](DedupOptions& o) { o.input.limit = 5; }, "limit");
  refused([](DedupOptions& o) { o.dry_run = true; }, "output");
  refused([](DedupOptions& o) { o.templates = Templates::drop; }, "templates");
  refused([&](DedupOptions& o) { o.resources.tmp = folder / "t"; }, "tmp");
  refused([](DedupOptions& o) { o.inputs = {"-"}; }, "standard input");
  EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
}

}  // namespace
}  // namespace twinset
