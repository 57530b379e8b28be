// Runs from records to output, in process, against the exact oracle.
#include "twinset/dedup.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support_runs/job_testing.h"
#include "support_runs/oracle_check.h"
#include "support_runs/small_run.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Pairs found and missed, added over runs that are checked against the oracle.
struct Found {
  Tally at_90;
  Tally at_80;
  Tally contained;
  std::uint64_t removals = 0;
};

void run_and_check(const MadeCollection& collection, const DedupOptions& options, Found& found) {
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const RunOutput output = read_output(options.output);
  OracleCheck check(collection, options);
  check.check(done.value(), output);
  check.add_recall(found.at_90, found.at_80);
  if (options.containment.has_value()) check.add_containment(200, found.contained);
  found.removals += check.removals();
  EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
}

void expect_recall(const Found& found) {
  EXPECT_GT(found.removals, 300U) << "too little was planted";
  EXPECT_GE(found.at_90.value(), 0.999) << found.at_90.count << " of " << found.at_90.of;
  EXPECT_GE(found.at_80.value(), 0.99) << found.at_80.count << " of " << found.at_80.of;
}

TEST(Dedup, EveryRemovalHoldsAndHardlyAPairIsMissed) {
  Found found;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const MadeCollection collection = planted_collection({.seed = seed,
                                                          .documents = 100 + seed * 60,
                                                          .files = 1 + seed % 4,
                                                          .compressed = seed % 2 == 0});
    const ScratchFolder folder;
    const DedupOptions options = collection.write(folder);
    run_and_check(collection, options, found);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
  expect_recall(found);
}

// tests/python and tests/spark hold what they find against the same two files.
TEST(Dedup, GivesTheGoldenAnswer) {
  const std::string golden =
      (std::filesystem::path(__FILE__).parent_path() / "../golden/dedup").string();
  const ScratchFolder folder;
  DedupOptions options;
  options.inputs = {golden + "/texts.jsonl"};
  options.output = folder / "out";
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  std::string removed = get_file(options.output + "/removed.jsonl.zst");
  for (std::size_t at; (at = removed.find(options.inputs[0])) != std::string::npos;) {
    removed.replace(at, options.inputs[0].size(), "texts.jsonl");
  }
  const std::string path = golden + "/removed.jsonl";
  if (std::getenv("TWINSET_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << removed;
  }
  EXPECT_GT(done.value().total.near, 10U);
  EXPECT_TRUE(removed == get_file(path)) << path
                                         << " differs. Where that was meant, run this test "
                                            "with TWINSET_UPDATE_GOLDEN=1.";
}

TEST(Dedup, EachKeepRuleKeepsWhatItSays) {
  Found found;
  std::uint64_t seed = 100;
  for (const char* keep : {"first", "source", "longest", "shortest", "newest:order", "oldest:order",
                           "highest:order", "lowest:order"}) {
    const MadeCollection collection =
        planted_collection({.seed = ++seed, .documents = 350, .files = 3, .orders = true});
    const ScratchFolder folder;
    DedupOptions options = collection.write(folder);
    options.keep = keep;
    run_and_check(collection, options, found);
    if (HasFatalFailure()) FAIL() << keep;
  }
  expect_recall(found);
}

TEST(Dedup, ReferencesStayAndWhatResemblesThemGoes) {
  Found found;
  for (const char* keep : {"first", "shortest", "newest:order"}) {
    const MadeCollection collection = planted_collection({.seed = 200,
                                                          .documents = 600,
                                                          .files = 5,
                                                          .references = 2,
                                                          .compressed = true,
                                                          .orders = true});
    const ScratchFolder folder;
    DedupOptions options = collection.write(folder);
    options.keep = keep;
    const auto before = folder_bytes(folder / "ref");
    run_and_check(collection, options, found);
    if (HasFatalFailure()) FAIL() << keep;
    EXPECT_EQ(folder_bytes(folder / "ref"), before);
  }
  expect_recall(found);
}

TEST(Dedup, ContainedPassagesGoAndNothingBelowTheThreshold) {
  Found found;
  for (std::uint64_t seed = 300; seed < 306; ++seed) {
    MadeCollection collection = planted_collection(
        {.seed = seed, .documents = 300, .files = 3, .references = seed % 2, .most_words = 500});
    const ScratchFolder folder;
    DedupOptions options = collection.write(folder);
    options.containment = Ratio(9, 10);
    if (seed % 3 == 1) options.keep = "first";
    run_and_check(collection, options, found);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
  expect_recall(found);
  // With one key in sixteen shingles, texts of 200 shingles and more are found.
  EXPECT_GT(found.contained.of, 150U);
  EXPECT_GE(found.contained.value(), 0.995)
      << found.contained.count << " of " << found.contained.of;
}

TEST(Dedup, OtherThresholdsSchemesAndFilters) {
  std::uint64_t seed = 400;
  for (const Ratio& resemblance : {Ratio(1, 1), Ratio(9, 10), Ratio(1, 2)}) {
    for (const char* scheme : {"fss", "minhash", "exact"}) {
      const MadeCollection collection =
          planted_collection({.seed = ++seed, .documents = 250, .files = 2});
      const ScratchFolder folder;
      DedupOptions options = collection.write(folder);
      options.resemblance = resemblance;
      options.scheme = scheme;
      options.min_tokens = seed % 3 * 2;
      if (options.scheme != "exact") options.seed = seed % 2 * seed;
      Found unused;
      run_and_check(collection, options, unused);
      if (HasFatalFailure()) FAIL() << scheme << " " << resemblance.text();
    }
  }
}

// Short texts go only as copies of the same bytes, and nothing changes for the others.
TEST(Dedup, ShortTextsMayBeComparedExactly) {
  const Analyzer* words = find_analyzer("words");
  constexpr std::size_t below = 40;
  const MadeCollection collection = planted_collection({.seed = 440, .documents = 400, .files = 1});
  std::set<std::string> texts;
  std::uint64_t shorter = 0;
  MadeCollection longer{{{collection.files[0].name, {}, false}}};
  std::vector<std::string> kept_short;
  for (const MadeRecord& record : collection.files[0].records) {
    Analysis analysis;
    words->analyze(record.text, Offsets::drop, analysis);
    const bool is_short = analysis.tokens.size() < below;
    shorter += is_short ? 1 : 0;
    if (is_short && texts.insert(record.text).second) kept_short.push_back(record.text);
    if (!is_short) longer.files[0].records.push_back(record);
  }
  ASSERT_GT(shorter, kept_short.size());
  ASSERT_GT(kept_short.size(), 10U);
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.exact_below = below;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().exact_only, shorter);
  EXPECT_EQ(done.value().total.filtered, 0U);
  const ScratchFolder other;
  DedupOptions plain = longer.write(other);
  const Result<DedupSummary> alone = dedup(plain, quiet_control());
  ASSERT_TRUE(alone.ok()) << alone.error().message;
  EXPECT_EQ(done.value().total.kept, alone.value().total.kept + kept_short.size());
  EXPECT_EQ(done.value().total.identical,
            alone.value().total.identical + shorter - kept_short.size());
  EXPECT_EQ(done.value().total.near, alone.value().total.near);
}

// B 5.2: copies are set aside first and put back afterward. The others are decided as if the copies
// were not there.
TEST(Dedup, CopiesChangeNothingForTheOthers) {
  const Analyzer* words = find_analyzer("words");
  for (const char* keep : {"first", "longest"}) {
    const MadeCollection all = planted_collection({.seed = 450, .documents = 500, .files = 1});
    MadeCollection apart{{{all.files[0].name, {}, false}}};
    std::set<std::vector<std::uint64_t>> seen;
    std::set<std::string> seen_without_tokens;
    for (const MadeRecord& record : all.files[0].records) {
      Analysis analysis;
      words->analyze(record.text, Offsets::drop, analysis);
      const bool first = analysis.tokens.empty() ? seen_without_tokens.insert(record.text).second
                                                 : seen.insert(analysis.tokens).second;
      if (first) apart.files[0].records.push_back(record);
    }
    ASSERT_LT(apart.files[0].records.size(), all.files[0].records.size());
    std::vector<std::string> kept;
    for (const MadeCollection* collection : {&all, &std::as_const(apart)}) {
      const ScratchFolder folder;
      DedupOptions options = collection->write(folder);
      options.keep = keep;
      ASSERT_TRUE(dedup(options, quiet_control()).ok());
      kept.push_back(get_file(options.output + "/" + collection->files[0].name));
    }
    EXPECT_EQ(kept[0], kept[1]) << keep;
  }
}

// A folder of texts, one document a file: kept files are copied under their names, removed ones are
// not, whatever bytes they hold.
TEST(Dedup, AFolderOfTextsKeepsItsShape) {
  const ScratchFolder folder;
  const MadeCollection collection = planted_collection({.seed = 460, .documents = 150, .files = 1});
  std::map<std::string, std::string> texts;
  for (std::size_t i = 0; i < collection.files[0].records.size(); ++i) {
    const std::string name = (i % 3 == 0   ? ""
                              : i % 3 == 1 ? "a/"
                                           : "a/b c/") +
                             std::to_string(i) + (i % 5 == 0 ? "" : ".txt");
    texts[name] = collection.files[0].records[i].text + (i % 7 == 0 ? "\xff\n" : "");
    folder.write("in/" + name, texts[name]);
  }
  DedupOptions options;
  options.inputs = {folder / "in"};
  options.output = folder / "out";
  options.write_removed = true;
  set_small_memory(options, 2, 1 << 24);
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.read, texts.size());
  const RunOutput output = read_output(options.output);
  std::map<std::string, std::string> written;
  std::uint64_t removed = 0;
  for (const auto& [name, bytes] : output.bytes) {
    if (name.starts_with("removed/")) {
      ++removed;
      written[name.substr(8)] = bytes;
    } else if (texts.contains(name)) {
      written[name] = bytes;
    }
  }
  EXPECT_EQ(written, texts);
  EXPECT_EQ(removed, done.value().total.removed());
  EXPECT_GT(removed, 30U);
  for (const RemovedLine& line : output.removed) {
    const std::string survivor = line.survivor_file.substr((folder / "in/").size());
    EXPECT_TRUE(output.bytes.contains(survivor)) << "the survivor " << survivor << " is not kept";
    EXPECT_EQ(line.record, 1U);
  }
}

TEST(Dedup, CountsBlankLinesAsNoRecords) {
  const ScratchFolder folder;
  DedupOptions options;
  options.inputs = {folder.write("a.jsonl", "\n{\"text\":\"one\"}\r\n  \n\n{\"text\":\"two\"}")};
  options.output = folder / "out";
  set_small_memory(options, 2, 1 << 20);
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.read, 2U);
  EXPECT_EQ(folder.read("out/a.jsonl"), "{\"text\":\"one\"}\r\n{\"text\":\"two\"}");
}

TEST(Dedup, StopsAtTheLimitAcrossFiles) {
  const MadeCollection collection = planted_collection({.seed = 3, .documents = 90, .files = 3});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.input.limit = collection.files[0].records.size() + 2;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.read, options.input.limit);
  EXPECT_EQ(done.value().files[1].counts.read, 2U);
  EXPECT_EQ(done.value().files[2].counts.read, 0U);
}

TEST(Dedup, EndsAtTooManyBadRecords) {
  const ScratchFolder folder;
  DedupOptions options;
  options.inputs = {folder.write("a.jsonl", "{\n{\n{\n{\"text\":\"one\"}\n")};
  options.output = folder / "out";
  set_small_memory(options, 1, 1 << 20);
  options.max_bad = 2;
  EXPECT_EQ(dedup(options, quiet_control()).error().code, ErrorCode::bad_records);
}

TEST(Dedup, EveryStageIsInTheSummary) {
  SmallRun small;
  small.run();
  std::string stages;
  for (const StageTime& time : small.summary.stages) stages += time.stage + " ";
  EXPECT_EQ(stages, "read fold pair verify prove write ");
}

}  // namespace
}  // namespace twinset
