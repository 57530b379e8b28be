// Runs with any number of threads, memory and checkpoints, cancelled anywhere, or with every
// operation of the disk failing in turn, all end with the same bytes.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <string>

#include "support/faulty_files.h"
#include "support/tries.h"
#include "support_runs/job_testing.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Sets the flag after so many reports.
class CancelAfter final : public ProgressSink {
 public:
  explicit CancelAfter(std::uint64_t count) : left_(count) {}
  void report(const Progress& progress) override {
    EXPECT_TRUE(progress.total_bytes == 0 || progress.done_bytes <= progress.total_bytes)
        << progress.stage;
    ++reports;
    if (left_ > 0 && --left_ == 0) cancel = true;
  }
  std::atomic<bool> cancel = false;
  std::atomic<std::uint64_t> reports = 0;

 private:
  std::atomic<std::uint64_t> left_;
};

/// Options for a collection in many small files, so that there are many batches, which use every
/// kind of spilled file.
struct ManySides {
  explicit ManySides(std::uint64_t seed)
      : collection(planted_collection({.seed = seed,
                                       .documents = 500,
                                       .files = 12,
                                       .references = 2,
                                       .compressed = true,
                                       .orders = true})) {}

  DedupOptions write(const ScratchFolder& folder) const {
    // One bad record and a blank line in each of two files; ids twice.
    DedupOptions options = collection.write(folder);
    put_file(folder / "in/bad.jsonl",
             "{\"text\":\"a\"}\n\nnot json\n{\"text\":7}\n{\"text\":\"b\"}", Compression::none);
    put_file(folder / "in/bad.jsonl.gz", "\n{}\n{\"id\":\"d1\",\"text\":\"a\"}\n\n",
             Compression::gzip);
    options.inputs.push_back(folder / "in/bad.jsonl");
    options.inputs.push_back(folder / "in/bad.jsonl.gz");
    options.containment = Ratio(9, 10);
    options.keep = "newest:order";
    options.write_removed = true;
    options.min_tokens = 1;
    return options;
  }

  MadeCollection collection;
};

/// The output of an undisturbed run, in a folder of the same name.
std::map<std::string, std::string> undisturbed(const DedupOptions& options) {
  const Result<DedupSummary> done = dedup(options, quiet_control());
  EXPECT_TRUE(done.ok()) << done.error().message;
  auto bytes = folder_bytes(options.output);
  std::filesystem::remove_all(options.output);
  return bytes;
}

void expect_same_bytes(const std::map<std::string, std::string>& found,
                       const std::map<std::string, std::string>& expected) {
  for (const auto& [name, bytes] : expected) {
    ASSERT_TRUE(found.contains(name)) << name << " is missing";
    ASSERT_EQ(found.at(name), bytes) << name;
  }
  for (const auto& [name, bytes] : found) ASSERT_TRUE(expected.contains(name)) << name;
}

TEST(DedupAgain, SameBytesForAnyThreadsMemoryAndCheckpoints) {
  const ManySides many(500);
  const ScratchFolder folder;
  DedupOptions options = many.write(folder);
  const auto expected = undisturbed(options);
  EXPECT_GT(expected.at("removed.jsonl.zst").size(), 1000U);
  EXPECT_EQ(lines_of(expected.at("quarantine.jsonl")).size(), 3U);
  for (const unsigned threads : {1U, 2U, 7U}) {
    for (const std::uint64_t memory : {std::uint64_t{1} << 16, std::uint64_t{1} << 26}) {
      for (const std::uint64_t checkpoint : {std::uint64_t{1}, std::uint64_t{1} << 30}) {
        set_small_memory(options, threads, memory);
        options.resources.checkpoint = checkpoint;
        options.resources.tmp = threads == 2 ? folder.path() : "";
        const Result<DedupSummary> done = dedup(options, quiet_control());
        ASSERT_TRUE(done.ok()) << done.error().message;
        EXPECT_FALSE(done.value().resumed);
        expect_same_bytes(folder_bytes(options.output), expected);
        if (HasFatalFailure()) FAIL() << threads << " " << memory << " " << checkpoint;
        std::filesystem::remove_all(options.output);
      }
    }
  }
  // Only the inputs are left.
  EXPECT_EQ(disk().list(folder.path()).value(), (std::vector<std::string>{"in", "ref"}));
}

TEST(DedupAgain, ARunCancelledAnywhereGoesOnToTheSameBytes) {
  const ManySides many(501);
  const ScratchFolder folder;
  DedupOptions options = many.write(folder);
  options.resources.checkpoint = 1;
  const auto expected = undisturbed(options);
  CancelAfter all(0);
  ASSERT_TRUE(dedup(options, {&all.cancel, &all, &unsynced()}).ok());
  std::filesystem::remove_all(options.output);

  SeededRandom random(502);
  int resumed = 0;
  for (int round = 0; round < 25; ++round) {
    const auto threads = static_cast<unsigned>(1 + random.below(3));
    set_small_memory(options, threads, random.chance(1, 2) ? 1 << 15 : 1 << 25);
    // Cancelled once or several times in a row, at any report.
    bool finished = false;
    for (std::uint64_t time = 1 + random.below(3); time > 0 && !finished; --time) {
      CancelAfter sink(1 + random.below(all.reports));
      const Result<DedupSummary> done = dedup(options, {&sink.cancel, &sink, &unsynced()});
      finished = done.ok();
      if (finished) {
        resumed += done.value().resumed ? 1 : 0;
        break;
      }
      ASSERT_EQ(done.error().code, ErrorCode::interrupted) << done.error().message;
      ASSERT_FALSE(std::filesystem::exists(options.output));
    }
    if (!finished) {
      const Result<DedupSummary> done = dedup(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      resumed += done.value().resumed ? 1 : 0;
    }
    expect_same_bytes(folder_bytes(options.output), expected);
    ASSERT_FALSE(std::filesystem::exists(options.output + ".partial"));
    if (HasFatalFailure()) FAIL() << "round " << round;
    std::filesystem::remove_all(options.output);
  }
  EXPECT_GT(resumed, 10);
}

// The report is also made again, or found.
TEST(DedupAgain, AReportOutsideTheOutputIsNoObstacleToGoingOn) {
  const MadeCollection collection =
      planted_collection({.seed = 506, .documents = 120, .files = 3, .compressed = true});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.report = folder / "report.html";
  options.resources.checkpoint = 1;
  FaultyFiles files(unsynced());
  const RunControl control{nullptr, nullptr, &files};
  ASSERT_TRUE(dedup(options, control).ok());
  const std::uint64_t operations = files.operations();
  const auto expected = folder_bytes(options.output);
  const std::string report = folder.read("report.html");
  EXPECT_NE(report.find("<html"), std::string::npos);
  const Result<DedupSummary> again = dedup(options, control);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again.value().already_done);
  // The last operations: the report exists, the output does not yet.
  for (std::uint64_t k = 0; k < 40; ++k) {
    std::filesystem::remove_all(options.output);
    std::filesystem::remove_all(options.output + ".partial");
    std::filesystem::remove(options.report);
    std::filesystem::remove(folder / "report.json");
    FaultyFiles broken(unsynced());
    broken.fail_at(operations - 60 + k, FaultyFiles::Fault::io, FaultyFiles::Lasting::for_ever);
    if (!dedup(options, {nullptr, nullptr, &broken}).ok()) {
      const Result<DedupSummary> done = dedup(options, quiet_control());
      ASSERT_TRUE(done.ok()) << k << ": " << done.error().message;
    }
    expect_same_bytes(folder_bytes(options.output), expected);
    EXPECT_TRUE(std::filesystem::exists(options.report));
    EXPECT_TRUE(std::filesystem::exists(folder / "report.json"));
  }
}

TEST(DedupAgain, TheSameCommandOverAFinishedRunSaysSoAndAnotherIsRefused) {
  const MadeCollection collection = planted_collection({.seed = 510, .documents = 100});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  const auto first = dedup(options, quiet_control());
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(first.value().already_done);
  const auto before = folder_bytes(options.output);
  options.resources.threads = 2;
  options.resources.memory += std::uint64_t{64} << 20;
  const auto again = dedup(options, quiet_control());
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again.value().already_done);

  options.resemblance = Ratio(9, 10);
  const auto other = dedup(options, quiet_control());
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::usage);
  options.resemblance = Ratio(4, 5);
  std::filesystem::remove(options.inputs[0]);
  put_file(options.inputs[0], "{\"text\":\"changed\"}\n", Compression::none);
  const auto changed = dedup(options, quiet_control());
  ASSERT_FALSE(changed.ok());
  EXPECT_EQ(changed.error().code, ErrorCode::usage);
  EXPECT_EQ(folder_bytes(options.output), before);
}

/// Every operation of a tiny run fails in turn, once or from then on. The run either succeeds, or
/// gives an Error and leaves nothing under the final name; then the same command on a repaired disk
/// gives the undisturbed output.
void expect_faults_survived(FaultyFiles::Fault fault, FaultyFiles::Lasting lasting,
                            unsigned threads, std::uint64_t step) {
  const MadeCollection collection = planted_collection({.seed = 520,
                                                        .documents = 40,
                                                        .files = 3,
                                                        .references = 1,
                                                        .compressed = true,
                                                        .orders = true});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  set_small_memory(options, threads, 1 << 15);
  options.resources.checkpoint = 2000;
  options.keep = "newest:order";
  options.write_removed = true;
  const auto expected = undisturbed(options);
  FaultyFiles files(unsynced());
  const RunControl control{nullptr, nullptr, &files};
  ASSERT_TRUE(dedup(options, control).ok());
  std::filesystem::remove_all(options.output);
  const std::uint64_t operations = files.operations();
  ASSERT_GT(operations, 150U);
  const std::uint64_t stride = sanitized ? 5 * step : step;
  std::uint64_t errors = 0;
  for (std::uint64_t k = 0; k < operations; k += stride) {
    files.fail_at(k, fault, lasting);
    const Result<DedupSummary> broken = dedup(options, control);
    files.never_fail();
    if (!broken.ok()) {
      ++errors;
      ASSERT_EQ(broken.error().code, ErrorCode::io) << broken.error().message;
      ASSERT_NE(broken.error().message.find('/'), std::string::npos) << broken.error().message;
      // Nothing is half written: an output under the final name is complete.
      if (std::filesystem::exists(options.output)) {
        expect_same_bytes(folder_bytes(options.output), expected);
      }
      const Result<DedupSummary> mended = dedup(options, control);
      ASSERT_TRUE(mended.ok()) << "operation " << k << ": " << mended.error().message;
    }
    expect_same_bytes(folder_bytes(options.output), expected);
    if (::testing::Test::HasFatalFailure()) {
      FAIL() << "operation " << k << (broken.ok() ? "" : ": " + broken.error().message);
    }
    std::filesystem::remove_all(options.output);
    std::filesystem::remove_all(options.output + ".partial");
  }
  EXPECT_GT(errors, operations / stride / 3);
}

TEST(DedupFaults, AnInputOutputErrorOnce) {
  expect_faults_survived(FaultyFiles::Fault::io, FaultyFiles::Lasting::once, 1, 1);
}

TEST(DedupFaults, AFullDiskForEver) {
  expect_faults_survived(FaultyFiles::Fault::no_space, FaultyFiles::Lasting::for_ever, 1, 3);
}

TEST(DedupFaults, ShortTransfersOnce) {
  expect_faults_survived(FaultyFiles::Fault::short_transfer, FaultyFiles::Lasting::once, 1, 2);
}

TEST(DedupFaults, ErrorsWhileThreeThreadsWork) {
  expect_faults_survived(FaultyFiles::Fault::io, FaultyFiles::Lasting::once, 3, 9);
  expect_faults_survived(FaultyFiles::Fault::no_space, FaultyFiles::Lasting::for_ever, 3, 13);
}

// A disk of any size: either the run says before the work that there is no room, or writing stops
// at some byte; with more room the run succeeds.
TEST(DedupFaults, ADiskThatFillsUpAtAnyByte) {
  const MadeCollection collection =
      planted_collection({.seed = 530, .documents = 60, .files = 3, .compressed = true});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  set_small_memory(options, 1, 1 << 15);
  options.resources.checkpoint = 2000;
  const auto expected = undisturbed(options);
  std::uint64_t filled = 0;
  for (std::uint64_t bytes = 1; bytes < 4'000'000; bytes += bytes / 6 + 1) {
    FaultyFiles files(unsynced());
    files.limit_bytes(bytes);
    const Result<DedupSummary> done = dedup(options, {nullptr, nullptr, &files});
    if (!done.ok()) {
      ASSERT_EQ(done.error().code, ErrorCode::io) << done.error().message;
      ASSERT_FALSE(std::filesystem::exists(options.output));
      ++filled;
      // The same command, now with room, continues or starts over.
      ASSERT_TRUE(dedup(options, quiet_control()).ok());
    }
    expect_same_bytes(folder_bytes(options.output), expected);
    if (HasFatalFailure()) FAIL() << bytes << " bytes";
    std::filesystem::remove_all(options.output);
  }
  EXPECT_GT(filled, 10U);
}

// The room that is needed is only estimated, so the run warns before the work and does not refuse.
TEST(DedupFaults, LittleRoomIsToldBeforeTheWork) {
  class Notices final : public ProgressSink {
   public:
    explicit Notices(std::size_t expected) : expected_(expected) {}
    void report(const Progress&) override {
      EXPECT_EQ(lines.size(), expected_) << "before the work";
      ++reports;
    }
    void notice(const std::string& line) override { lines.push_back(line); }
    std::vector<std::string> lines;
    int reports = 0;

   private:
    std::size_t expected_;
  };
  const MadeCollection collection = planted_collection({.seed = 531, .documents = 60, .files = 1});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  set_small_memory(options, 1, 1 << 20);
  const std::uint64_t stored = std::filesystem::file_size(options.inputs[0]);
  for (const bool little : {true, false}) {
    FaultyFiles files(unsynced());
    files.limit_bytes(little ? stored - 1 : 100'000'000);
    Notices notices(little ? 1 : 0);
    static_cast<void>(dedup(options, {nullptr, &notices, &files}));
    ASSERT_EQ(notices.lines.size(), little ? 1U : 0U);
    EXPECT_GT(notices.reports, 0);
    if (little) {
      EXPECT_NE(notices.lines[0].find("may not have enough room"), std::string::npos);
    }
    std::filesystem::remove_all(options.output);
    std::filesystem::remove_all(options.output + ".partial");
  }
}

}  // namespace
}  // namespace twinset
