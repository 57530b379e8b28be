// Refusals before a run begins, files that a run must not touch, and standard input.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "support_runs/job_testing.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Unsynced files; a function may replace open().
class WatchedFiles final : public ForwardingFiles {
 public:
  using Opening = std::function<Result<std::unique_ptr<File>>(const std::string&, OpenMode)>;
  explicit WatchedFiles(Opening opening)
      : ForwardingFiles(unsynced()), opening_(std::move(opening)) {}
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    return opening_(path, mode);
  }

 private:
  Opening opening_;
};

constexpr std::string_view two_records = "{\"text\":\"one two three\"}\n{\"text\":\"four five\"}\n";

DedupOptions small_options(const ScratchFolder& folder) {
  DedupOptions options;
  options.output = folder / "out";
  set_small_memory(options, 1, 1 << 20);
  return options;
}

ErrorCode code_of(const DedupOptions& options) {
  const Result<DedupSummary> done = dedup(options, quiet_control());
  EXPECT_FALSE(done.ok());
  return done.ok() ? ErrorCode::io : done.error().code;
}

std::string message_of(const DedupOptions& options) {
  const Result<DedupSummary> done = dedup(options, quiet_control());
  EXPECT_FALSE(done.ok());
  return done.ok() ? "" : done.error().text(Door::command_line);
}

TEST(DedupRefuses, OptionsThatMeanNothing) {
  const ScratchFolder folder;
  DedupOptions good = small_options(folder);
  good.inputs = {folder.write("in.jsonl", two_records)};
  const auto refused = [&](const std::function<void(DedupOptions&)>& spoil) {
    DedupOptions options = good;
    spoil(options);
    EXPECT_EQ(code_of(options), ErrorCode::usage);
    EXPECT_FALSE(std::filesystem::exists(good.output));
    EXPECT_FALSE(std::filesystem::exists(good.output + ".partial"));
    return message_of(options);
  };
  refused([](DedupOptions& options) { options.inputs = {}; });
  refused([](DedupOptions& options) { options.output = ""; });
  refused([](DedupOptions& options) { options.resemblance = Ratio(0, 1); });
  refused([](DedupOptions& options) { options.containment = Ratio(0, 1); });
  refused([](DedupOptions& options) { options.keep = "best"; });
  refused([](DedupOptions& options) { options.scheme = "fsss"; });
  refused([](DedupOptions& options) { options.analyzer = "letters"; });
  refused([](DedupOptions& options) { options.verify = Check::none; });
  refused([](DedupOptions& options) { options.input.max_record = 0; });
  refused([](DedupOptions& options) { options.input.max_record = std::uint64_t{1} << 33; });
  refused([](DedupOptions& options) { options.resources.threads = 5000; });
  refused([](DedupOptions& options) {
    options.scheme = "mod";
    options.verify = Check::sketch;
  });
  refused([](DedupOptions& options) {
    options.containment = Ratio(1, 1);
    options.verify = Check::sketch;
  });
  refused([](DedupOptions& options) { options.inputs.push_back("no such file"); });
  refused([](DedupOptions& options) { options.inputs.push_back(options.inputs[0]); });
  // The error of too small a budget names the bytes needed, and these are enough.
  const std::string message =
      refused([](DedupOptions& options) { options.resources.memory = 1 << 20; });
  const std::uint64_t needed = std::stoull(message.substr(message.find("needs ") + 6));
  DedupOptions enough = good;
  enough.resources.memory = needed + 1024;
  EXPECT_TRUE(dedup(enough, quiet_control()).ok());
}

TEST(DedupRefuses, AnOutputThatIsThereOrAnInputWithinIt) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in/a.jsonl", two_records)};
  // A folder or a file that twinset did not make.
  folder.write("out/mine.txt", "mine");
  EXPECT_EQ(code_of(options), ErrorCode::usage);
  EXPECT_EQ(folder.read("out/mine.txt"), "mine");
  std::filesystem::remove_all(folder / "out");
  folder.write("out", "mine");
  EXPECT_EQ(code_of(options), ErrorCode::usage);
  EXPECT_EQ(folder.read("out"), "mine");
  std::filesystem::remove(folder / "out");

  options.inputs = {folder / "in"};
  options.output = folder / "in/out";
  EXPECT_EQ(code_of(options), ErrorCode::usage);
  options.output = folder / "in";
  EXPECT_EQ(code_of(options), ErrorCode::usage);
  options.inputs = {folder / "in/a.jsonl"};
  EXPECT_EQ(code_of(options), ErrorCode::usage);
  options.output = folder.path();
  EXPECT_EQ(code_of(options), ErrorCode::usage);
}

TEST(DedupOutput, FoldersAboveItAreMadeAndAnEmptyFolderIsTaken) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in.jsonl", two_records)};
  options.output = folder / "none/of/these/out";
  const Result<DedupSummary> deep = dedup(options, quiet_control());
  ASSERT_TRUE(deep.ok()) << deep.error().message;
  EXPECT_EQ(get_file(options.output + "/in.jsonl"), two_records);
  options.output = folder / "empty";
  std::filesystem::create_directory(options.output);
  const Result<DedupSummary> taken = dedup(options, quiet_control());
  ASSERT_TRUE(taken.ok()) << taken.error().message;
  EXPECT_FALSE(taken.value().already_done);
  EXPECT_EQ(get_file(options.output + "/in.jsonl"), two_records);
}

// The summary is always the file's own bytes, in the first run and in every later one.
TEST(DedupOutput, TheSummaryIsWhatStandsInItsFile) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in.jsonl", two_records)};
  options.report = folder / "out/report.html";
  const Result<DedupSummary> first = dedup(options, quiet_control());
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(first.value().json, folder.read("out/summary.json"));
  std::vector<std::string> names;
  for (const OutputFile& file : first.value().outputs) {
    names.push_back(file.name);
    EXPECT_EQ(file.bytes, folder.read("out/" + file.name).size()) << file.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"clusters.jsonl.zst", "in.jsonl", "quarantine.jsonl",
                                             "removed.jsonl.zst", "report.html", "report.json"}));
  const Result<DedupSummary> again = dedup(options, quiet_control());
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again.value().already_done);
  EXPECT_EQ(again.value().json, first.value().json);
  // The run reports each file that is missing.
  for (const std::string& name : names) {
    std::filesystem::rename(folder / ("out/" + name), folder / "aside");
    EXPECT_EQ(code_of(options), ErrorCode::io);
    EXPECT_NE(message_of(options).find("out/" + name + " is missing"), std::string::npos) << name;
    std::filesystem::rename(folder / "aside", folder / ("out/" + name));
  }
  EXPECT_TRUE(dedup(options, quiet_control()).ok());
  // A dry run gives the summary that would be written.
  options.output.clear();
  options.report.clear();
  options.dry_run = true;
  const Result<DedupSummary> dry = dedup(options, quiet_control());
  ASSERT_TRUE(dry.ok());
  EXPECT_TRUE(dry.value().json.starts_with("{\n  \"read\": 2,")) << dry.value().json;
  EXPECT_TRUE(dry.value().outputs.empty());
}

TEST(DedupOutput, AReportOfAFinishedRunIsMissedOutsideToo) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in.jsonl", two_records)};
  options.report = folder / "report.html";
  ASSERT_TRUE(dedup(options, quiet_control()).ok());
  std::filesystem::remove(options.report);
  EXPECT_NE(message_of(options).find("its report " + options.report + " is missing"),
            std::string::npos);
}

TEST(DedupRefuses, AReportThatCannotBeWritten) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in.jsonl", two_records)};
  const std::string too_long = std::string(245, 'x') + ".html";  // ".partial" makes it so
  for (const std::string& report : {folder / too_long, options.output + "/" + too_long}) {
    options.report = report;
    EXPECT_EQ(code_of(options), ErrorCode::usage) << report;
    EXPECT_NE(message_of(options).find("its name is longer than the 247 bytes"), std::string::npos)
        << report;
    EXPECT_EQ(disk().list(folder.path()).value(), std::vector<std::string>{"in.jsonl"});
  }
}

// A foreign folder that has the name of a work folder is not emptied.
TEST(DedupRefuses, AWorkFolderThatIsNotItsOwn) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in.jsonl", two_records)};
  folder.write("out.partial/novel.txt", "chapter one");
  EXPECT_EQ(code_of(options), ErrorCode::usage);
  EXPECT_EQ(folder.read("out.partial/novel.txt"), "chapter one");
  EXPECT_EQ(disk().list(folder / "out.partial").value(), std::vector<std::string>{"novel.txt"});
}

// An input may not have the name of one of twinset's own outputs.
TEST(DedupRefuses, InputsNamedAsItsOwnFiles) {
  for (const char* name :
       {"removed.jsonl.zst", "clusters.jsonl.zst", "quarantine.jsonl", "summary.json"}) {
    const ScratchFolder folder;
    DedupOptions options = small_options(folder);
    put_file(folder / "in/" + name, two_records, compression_of(name));
    options.inputs = {folder / "in/" + name};
    options.input.format = "jsonl";
    EXPECT_EQ(code_of(options), ErrorCode::usage) << name;
    options.emit = Emit::ids;
    EXPECT_TRUE(dedup(options, quiet_control()).ok()) << name;
  }
}

TEST(DedupRefuses, AReportOverAnInputOrIntoNowhere) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in.jsonl", two_records)};
  options.against = {folder.write("ref.jsonl", two_records)};
  for (const char* report : {"in.jsonl", "ref.jsonl", "none/report.html", "out/summary.json"}) {
    options.report = folder / report;
    EXPECT_FALSE(dedup(options, quiet_control()).ok()) << report;
    EXPECT_EQ(folder.read("in.jsonl"), two_records);
    EXPECT_EQ(folder.read("ref.jsonl"), two_records);
    EXPECT_FALSE(std::filesystem::exists(options.output));
  }
  for (const char* report : {"out/report.html", "report.html"}) {
    options.report = folder / report;
    const Result<DedupSummary> done = dedup(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_NE(folder.read(report).find("<html"), std::string::npos);
    std::filesystem::remove_all(options.output);
  }
}

TEST(DedupRefuses, AnotherRunIntoTheSameFolder) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in.jsonl", two_records)};
  // While the first run is in its first progress report, a second one starts.
  class SecondComes final : public ProgressSink {
   public:
    explicit SecondComes(const DedupOptions& options) : options_(options) {}
    void report(const Progress&) override {
      if (std::exchange(came_, true)) return;
      const Result<DedupSummary> second = dedup(options_, quiet_control());
      ASSERT_FALSE(second.ok());
      EXPECT_EQ(second.error().code, ErrorCode::usage);
      EXPECT_NE(second.error().message.find(std::to_string(::getpid())), std::string::npos);
    }
    bool came_ = false;

   private:
    const DedupOptions& options_;
  };
  SecondComes sink(options);
  EXPECT_TRUE(dedup(options, {nullptr, &sink, &unsynced()}).ok());
  EXPECT_TRUE(sink.came_);
}

TEST(DedupStops, BeforeTooManyBadRecordsOrTooManyRemoved) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {
      folder.write("in.jsonl", "{\"text\":\"a b c\"}\n{\"text\":\"a b c\"}\n{\"text\":1}\n{\n")};
  options.max_bad = 1;
  EXPECT_EQ(code_of(options), ErrorCode::bad_records);
  EXPECT_FALSE(std::filesystem::exists(options.output));
  std::filesystem::remove_all(options.output + ".partial");
  options.max_bad = 2;
  options.max_removed = Ratio(24, 100);
  EXPECT_EQ(code_of(options), ErrorCode::bad_records);
  EXPECT_FALSE(std::filesystem::exists(options.output));
  std::filesystem::remove_all(options.output + ".partial");
  options.max_removed = Ratio(1, 4);
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done.value().total.quarantined, 2U);
  EXPECT_EQ(done.value().total.identical, 1U);
}

// Counting that would take hours is refused before it begins, and nothing is left that would
// prevent the next command.
TEST(DedupStops, BeforeTooManyMeetings) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  SeededRandom random(3);
  const std::string common = made_words("a page that all have in common", 60, 1);
  for (int i = 0; i < 60; ++i) {
    collection.files[0].records.push_back(
        {"", common + " " + made_words("and what is its own", 60, random.next()), ""});
  }
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.scheme = "mod(modulus=1)";
  options.max_group = 0;
  options.max_meetings = 10'000;
  const Result<DedupSummary> refused = dedup(options, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_NE(refused.error()
                .text(Door::command_line)
                .find("more than --max-meetings 10,000; --max-group 50 would"),
            std::string::npos)
      << refused.error().text(Door::command_line);
  EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
  options.max_group = 50;
  EXPECT_TRUE(dedup(options, quiet_control()).ok());
  // Containment counts keys too.
  options.output = folder / "contained";
  options.scheme = "fss";
  options.containment = Ratio(9, 10);
  options.max_meetings = 0;
  options.max_group = 0;
  EXPECT_EQ(dedup(options, quiet_control()).error().code, ErrorCode::usage);
  options.max_meetings = 1'000'000;
  EXPECT_TRUE(dedup(options, quiet_control()).ok());
}

TEST(DedupLimit, ReadsTheFirstRecordsOfAllInputs) {
  const MadeCollection collection =
      planted_collection({.seed = 600, .documents = 90, .files = 4, .compressed = true});
  std::uint64_t all = 0;
  for (const MadeFile& file : collection.files) all += file.records.size();
  for (const std::uint64_t limit : {std::uint64_t{1}, std::uint64_t{30}, all - 1, all, all + 9}) {
    const ScratchFolder folder;
    DedupOptions options = collection.write(folder);
    options.input.limit = limit;
    const Result<DedupSummary> done = dedup(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().total.read, std::min(limit, all));
    // As if the records after the limit were not there.
    std::uint64_t left = limit;
    std::string expected;
    for (const MadeFile& file : collection.files) {
      for (const MadeRecord& record : file.records) {
        if (left > 0) expected += record.line();
        left -= left > 0 ? 1 : 0;
      }
    }
    const ScratchFolder cut_folder;
    DedupOptions cut = small_options(cut_folder);
    cut.inputs = {cut_folder.write("in.jsonl", expected)};
    const Result<DedupSummary> of_cut = dedup(cut, quiet_control());
    ASSERT_TRUE(of_cut.ok());
    std::string kept;
    for (const MadeFile& file : collection.files)
      kept += get_file(options.output + "/" + file.name);
    EXPECT_EQ(kept, get_file(cut.output + "/in.jsonl"));
    EXPECT_EQ(of_cut.value().total.kept, done.value().total.kept);
  }
}

TEST(DedupDryRun, TellsTheSameAndLeavesNothing) {
  const MadeCollection collection =
      planted_collection({.seed = 610, .documents = 200, .files = 3, .references = 1});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  const Result<DedupSummary> real = dedup(options, quiet_control());
  ASSERT_TRUE(real.ok());
  std::filesystem::remove_all(options.output);
  options.dry_run = true;
  options.resources.tmp = folder.path();
  const auto nothing_left = [&] {
    return disk().list(folder.path()).value() == std::vector<std::string>{"in", "ref"};
  };
  const Result<DedupSummary> dry = dedup(options, quiet_control());
  ASSERT_TRUE(dry.ok()) << dry.error().message;
  EXPECT_EQ(dry.value().total.kept, real.value().total.kept);
  EXPECT_EQ(dry.value().total.near, real.value().total.near);
  EXPECT_EQ(dry.value().total.removed(), real.value().total.removed());
  EXPECT_TRUE(nothing_left());
  // It leaves nothing when it ends early either, and may work in a folder that has the inputs.
  const std::atomic<bool> cancel = true;
  EXPECT_FALSE(dedup(options, {&cancel, nullptr, &unsynced()}).ok());
  EXPECT_TRUE(nothing_left());
  options.max_removed = Ratio(0, 1);
  EXPECT_EQ(code_of(options), ErrorCode::bad_records);
  EXPECT_TRUE(nothing_left());
  options.max_removed.reset();
  options.inputs = {folder.path()};
  options.against = {};
  EXPECT_TRUE(dedup(options, quiet_control()).ok());
  EXPECT_TRUE(nothing_left());
}

TEST(DedupStandardInput, IsSpooledAndNeverTakenForAnEarlierOne) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {"-"};
  std::string path = folder.write("one", two_records);
  WatchedFiles files([&](const std::string& asked, OpenMode mode) {
    return unsynced().open(asked == standard_input_path ? path : asked, mode);
  });
  const RunControl control{nullptr, nullptr, &files};
  const Result<DedupSummary> first = dedup(options, control);
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(first.value().total.read, 2U);
  EXPECT_EQ(get_file(options.output + "/stdin.jsonl"), two_records);
  const auto before = folder_bytes(options.output);
  // The same command with other input is not the same run.
  path = folder.write("two", "{\"text\":\"six\"}\n");
  const Result<DedupSummary> second = dedup(options, control);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::usage);
  EXPECT_EQ(folder_bytes(options.output), before);
  // An unfinished run over another standard input does not prevent a new one.
  std::filesystem::remove_all(options.output);
  const std::atomic<bool> cancel = true;
  EXPECT_FALSE(dedup(options, {&cancel, nullptr, &files}).ok());
  const Result<DedupSummary> third = dedup(options, control);
  ASSERT_TRUE(third.ok()) << third.error().message;
  EXPECT_EQ(get_file(options.output + "/stdin.jsonl"), "{\"text\":\"six\"}\n");
}

// A file that vanishes between listing and reading is one bad record; a disk error ends the run.
TEST(DedupUnreadable, AVanishedFileIsQuarantinedAndADiskErrorIsAnError) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in/a.jsonl", two_records),
                    folder.write("in/b.jsonl", two_records)};
  bool vanish = false;
  int opened = 0;  // The first time only the first bytes are read, to find the format.
  WatchedFiles files([&](const std::string& path, OpenMode mode) -> Result<std::unique_ptr<File>> {
    if (path.ends_with("/in/a.jsonl")) {
      if (!vanish) return io_error("cannot open " + path + ": Input/output error");
      if (++opened == 2) std::filesystem::remove(path);
    }
    return unsynced().open(path, mode);
  });
  const RunControl control{nullptr, nullptr, &files};
  const Result<DedupSummary> broken = dedup(options, control);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, ErrorCode::io);
  vanish = true;
  const Result<DedupSummary> done = dedup(options, control);
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.read, 3U);
  EXPECT_EQ(done.value().total.quarantined, 1U);
  EXPECT_EQ(done.value().total.kept, 2U);
  ASSERT_EQ(done.value().lost_inputs.size(), 1U);
  EXPECT_EQ(done.value().lost_inputs[0].reason, "unreadable");
  EXPECT_EQ(done.value().lost_inputs[0].records_read, 0U);
  EXPECT_NE(get_file(options.output + "/quarantine.jsonl").find("unreadable"), std::string::npos);
}

// A worker with a large record makes all others wait, and the one before it fails: all must end.
TEST(DedupThreads, AFailureInFrontOfALargeRecordEndsTheRun) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.input.max_record = std::uint64_t{24} << 20;
  options.resources.threads = 2;
  options.resources.memory = std::uint64_t{1} << 30;
  std::string text;
  while (text.size() < (std::size_t{10} << 20)) text += "some words of a large record ";
  options.inputs = {folder.write("in/a.jsonl", two_records),
                    folder.write("in/b.jsonl", "{\"text\":\"" + text + "\"}\n")};

  /// Fails to write, after a while.
  class SlowFailure final : public ForwardingFile {
   public:
    using ForwardingFile::ForwardingFile;
    Status write_at(std::uint64_t, std::string_view) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(600));
      return io_error("cannot write run.records: No space left on device");
    }
    Status sync() override { return {}; }
  };
  WatchedFiles files([&](const std::string& path, OpenMode mode) -> Result<std::unique_ptr<File>> {
    Result<std::unique_ptr<File>> opened = unsynced().open(path, mode);
    if (!opened.ok() || !path.ends_with("run.records")) return opened;
    return std::unique_ptr<File>(std::make_unique<SlowFailure>(std::move(opened).value()));
  });
  const Result<DedupSummary> done = dedup(options, {nullptr, nullptr, &files});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message, "cannot write run.records: No space left on device");
}

// If an input changes between the passes, the proofs are not valid: no output.
TEST(DedupChanged, AnInputThatChangesBetweenThePassesIsAnError) {
  for (const bool shorter : {false, true}) {
    const MadeCollection collection =
        planted_collection({.seed = 630, .documents = 60, .files = 2});
    const ScratchFolder folder;
    const DedupOptions options = collection.write(folder);
    class ChangeInMatch final : public ProgressSink {
     public:
      ChangeInMatch(std::string path, bool cut) : path_(std::move(path)), cut_(cut) {}
      void report(const Progress& progress) override {
        if (progress.stage != "write" || std::exchange(changed_, true)) return;
        if (cut_) {
          std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
          return;
        }
        std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(12);
        file.put('~');
      }

     private:
      std::string path_;
      bool cut_;
      bool changed_ = false;
    };
    // The first input is already written when the second one changes.
    ChangeInMatch sink(options.inputs[1], shorter);
    const Result<DedupSummary> done = dedup(options, {nullptr, &sink, &unsynced()});
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, ErrorCode::io);
    EXPECT_NE(done.error().message.find("changed"), std::string::npos) << done.error().message;
    EXPECT_NE(done.error().message.find(options.inputs[1]), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(options.output));
    // Nothing prevents the same command.
    EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
    const Result<DedupSummary> again = dedup(options, quiet_control());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_FALSE(again.value().resumed);
  }
}

// The input changes between a kill and the run that continues. If its time is put back, only the
// bytes show it, and the same command then starts over.
TEST(DedupChanged, AnInputThatChangesUnderAnUnfinishedRunIsNoDeadEnd) {
  for (const bool time_put_back : {true, false}) {
    const MadeCollection collection =
        planted_collection({.seed = 640, .documents = 60, .files = 2});
    const ScratchFolder folder;
    DedupOptions options = collection.write(folder);
    options.resources.checkpoint = 1;
    class CancelInWrite final : public ProgressSink {
     public:
      void report(const Progress& progress) override {
        if (progress.stage == "write") cancel = true;
      }
      void notice(const std::string& line) override { notices += line; }
      std::atomic<bool> cancel = false;
      std::string notices;
    };
    CancelInWrite sink;
    ASSERT_FALSE(dedup(options, {&sink.cancel, &sink, &unsynced()}).ok());
    ASSERT_TRUE(std::filesystem::exists(options.output + ".partial/state"));

    const auto time = std::filesystem::last_write_time(options.inputs[1]);
    std::string bytes = get_file(options.inputs[1]);
    bytes[bytes.find('"', bytes.find("text\"") + 5) + 1] = '~';
    std::ofstream(options.inputs[1], std::ios::binary) << bytes;
    std::filesystem::last_write_time(options.inputs[1],
                                     time_put_back ? time : time + std::chrono::seconds(2));
    if (time_put_back) {
      EXPECT_NE(message_of(options).find("changed"), std::string::npos);
      EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
    }
    const Result<DedupSummary> done = dedup(options, {nullptr, &sink, &unsynced()});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_FALSE(done.value().resumed);
    EXPECT_EQ(sink.notices.find("the inputs have changed") != std::string::npos, !time_put_back)
        << sink.notices;
    const auto expected = folder_bytes(options.output);
    std::filesystem::remove_all(options.output);
    ASSERT_TRUE(dedup(options, quiet_control()).ok());
    EXPECT_EQ(folder_bytes(options.output), expected);
  }
}

// The message says that the same command continues only if it does.
TEST(DedupInterrupted, SaysWhetherTheSameCommandContinues) {
  const ScratchFolder folder;
  DedupOptions options = small_options(folder);
  options.inputs = {folder.write("in.jsonl", two_records)};
  const std::atomic<bool> cancel = true;
  const RunControl control{&cancel, nullptr, &unsynced()};
  // Before there is a checkpoint, nothing continues.
  EXPECT_EQ(dedup(options, control).error().message, "interrupted; nothing was left behind");
  EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
  options.dry_run = true;
  EXPECT_EQ(dedup(options, control).error().message, "interrupted; nothing was left behind");
}

// With another --tmp the spilled files are not found: the run starts over.
TEST(DedupTmp, AnotherFolderForSpillsStartsAnew) {
  const MadeCollection collection = planted_collection({.seed = 620, .documents = 200, .files = 6});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  const Result<DedupSummary> plain = dedup(options, quiet_control());
  ASSERT_TRUE(plain.ok());
  const auto expected = folder_bytes(options.output);
  std::filesystem::remove_all(options.output);

  class CancelInMatch final : public ProgressSink {
   public:
    void report(const Progress& progress) override {
      if (progress.stage == "match") cancel = true;
    }
    std::atomic<bool> cancel = false;
  };
  CancelInMatch sink;
  options.resources.checkpoint = 1;
  options.resources.tmp = folder / "one";
  std::filesystem::create_directory(options.resources.tmp);
  EXPECT_FALSE(dedup(options, {&sink.cancel, &sink, &unsynced()}).ok());
  options.resources.tmp = folder / "two";
  std::filesystem::create_directory(options.resources.tmp);
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_FALSE(done.value().resumed);
  EXPECT_EQ(folder_bytes(options.output), expected);
  EXPECT_TRUE(std::filesystem::is_empty(options.resources.tmp));
}

}  // namespace
}  // namespace twinset
