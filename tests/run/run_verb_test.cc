// However a run ends: with a folder or without, finished, failed, refused or found finished.
#include "run/run_verb.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/scratch_folder.h"
#include "twinset/field.h"

namespace twinset {
namespace {

/// Notes each step, and fails in one of them if it is told to.
class NotedSteps final : public VerbSteps {
 public:
  explicit NotedSteps(CollectionRun& run) : run_(run) {}

  std::vector<std::string> steps;
  std::string fails_in;
  Error failure = io_error("the verb failed");
  std::string made;  ///< a file that keep() makes

 private:
  Status step(const std::string& name) {
    steps.push_back(name);
    return name == fails_in ? Status(failure) : Status();
  }
  Status check() override { return step("check"); }
  Status found() override { return step("found"); }
  Status work() override {
    TWINSET_TRY(run_.read(DocumentKeys::Stored::count));
    return step("work");
  }
  Status conclude() override { return step("conclude"); }
  Result<ReportFiles> report() override {
    TWINSET_TRY(step("report"));
    return ReportFiles{"<p>page</p>", "{}\n"};
  }
  Status keep() override {
    TWINSET_TRY(step("keep"));
    if (!made.empty()) std::ofstream(made) << "made";
    return {};
  }
  void end(const Status& done) override { steps.push_back(done.ok() ? "end" : "failed"); }

  CollectionRun& run_;
};

class RunVerbTest : public ::testing::Test {
 protected:
  RunVerbTest() {
    std::ofstream(folder_ / "in.jsonl") << R"({"text": "one two three"})"
                                        << "\n{broken\n";
    options_.inputs = {folder_ / "in.jsonl"};
    options_.scheme = "fss";
    options_.resources.tmp = folder_ / "tmp";
    options_.resources.threads = 1;
    std::filesystem::create_directories(folder_ / "tmp");
    verb_.name = verb_.identity = "noted";
    verb_.output = folder_ / "out";
  }
  bool there(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  bool scratch_left() const { return !std::filesystem::is_empty(folder_ / "tmp"); }

  /// Returns the steps, and what they came to.
  std::vector<std::string> run(const std::string& fails_in = "",
                               const Error& failure = io_error("the verb failed")) {
    facts_ = {};
    CollectionRun run(options_, verb_, RunControl());
    NotedSteps steps(run);
    steps.fails_in = fails_in;
    steps.failure = failure;
    steps.made = folder_ / "made";
    const std::vector<Field> fields{{"run", Nested([&] {
                                       return std::vector<Field>{{"identity", &facts_.identity}};
                                     })}};
    done_ = run_verb(
        run,
        {facts_, [&] { return fields; }, [&] { return fields_json(fields, JsonLayout::lines); }},
        steps);
    return steps.steps;
  }

  using Steps = std::vector<std::string>;
  testing::ScratchFolder folder_;
  CollectionOptions options_;
  VerbOptions verb_;
  RunFacts facts_;
  Status done_;
};

TEST_F(RunVerbTest, AFolderIsPublishedAndFoundFinishedLater) {
  verb_.report = folder_ / "out/report.html";
  EXPECT_EQ(run(), (Steps{"check", "work", "conclude", "report", "end"}));
  ASSERT_TRUE(done_.ok()) << done_.error().message;
  EXPECT_TRUE(there("out/report.html") && there("out/report.json") && there("out/summary.json"));
  EXPECT_EQ(folder_.read("out/summary.json"), facts_.json);
  EXPECT_EQ(facts_.verb, "noted");
  const std::string identity = facts_.identity;
  EXPECT_EQ(run(), (Steps{"check", "found", "end"}));
  EXPECT_TRUE(done_.ok() && facts_.already_done);
  EXPECT_EQ(facts_.identity, identity);
}

TEST_F(RunVerbTest, AFailureLeavesTheWorkToContinue) {
  EXPECT_EQ(run("work"), (Steps{"check", "work", "failed"}));
  ASSERT_FALSE(done_.ok());
  EXPECT_EQ(done_.error().message, "the verb failed");
  EXPECT_TRUE(there("out.partial"));
  EXPECT_FALSE(there("out"));
  EXPECT_EQ(run(), (Steps{"check", "work", "conclude", "end"}));
  EXPECT_TRUE(done_.ok() && there("out/summary.json"));
}

// To remove one file of the spill alone would not help: the checkpoint relies on it.
TEST_F(RunVerbTest, DamageOfItsOwnFilesSaysWhatToRemove) {
  const std::string spill = folder_ / "out.partial/spill/run.records";
  const std::string advice = "; remove " + (folder_ / "out.partial") +
                             " and run the same command again: it starts from the beginning";
  options_.resources.tmp.clear();
  run("work", io_error(spill + " is not that of the checkpoint; start anew"));
  EXPECT_EQ(done_.error().message, spill + " is not that of the checkpoint" + advice);
  run("work", io_error(spill + " is damaged; remove it and run again"));
  EXPECT_EQ(done_.error().message, spill + " is damaged" + advice);
  run("work", io_error("x.labels is damaged; remove it and run again"));
  EXPECT_EQ(done_.error().message, "x.labels is damaged; remove it and run again");
}

// A run that no checkpoint continues leaves nothing, and says so.
TEST_F(RunVerbTest, AnInterruptionSaysWhatBecomesOfTheRun) {
  const std::atomic<bool> stop = true;
  struct Interrupted final : VerbSteps {
    Interrupted(CollectionRun& of, bool after_saving) : of_(of), saves_(after_saving) {}
    Status work() override {
      if (saves_) TWINSET_TRY(of_.save({}));
      return of_.job.context.check_cancelled();
    }
    Result<ReportFiles> report() override { return ReportFiles(); }
    CollectionRun& of_;
    bool saves_;
  };
  const auto interrupted = [&](bool saves) {
    CollectionRun collection(options_, verb_, RunControl{&stop, nullptr, nullptr, nullptr});
    Interrupted steps(collection, saves);
    RunFacts facts;
    const Status done =
        run_verb(collection,
                 {facts, [] { return std::vector<Field>(); }, [] { return std::string(); }}, steps);
    return done.ok() ? "" : done.error().message;
  };
  EXPECT_EQ(interrupted(false), "interrupted; nothing was left behind");
  EXPECT_FALSE(there("out.partial"));
  EXPECT_EQ(interrupted(true), "interrupted; the same command continues this run");
  EXPECT_TRUE(there("out.partial/state"));
}

TEST_F(RunVerbTest, AChangedInputLeavesNothingToContinue) {
  Error changed = io_error("in.jsonl changed");
  changed.input_changed = true;
  run("work", changed);
  EXPECT_FALSE(done_.ok());
  EXPECT_FALSE(there("out.partial") || there("out"));
}

TEST_F(RunVerbTest, WithoutAFolderOnlyTheFilesAskedForStay) {
  verb_.works_in = WorksIn::own;
  verb_.report = folder_ / "report.html";
  EXPECT_EQ(run(), (Steps{"check", "work", "conclude", "report", "keep", "end"}));
  ASSERT_TRUE(done_.ok()) << done_.error().message;
  EXPECT_TRUE(there("report.html") && there("report.json") && there("made"));
  EXPECT_FALSE(there("out") || there("out.partial") || scratch_left());
  EXPECT_TRUE(facts_.outputs.empty());
}

TEST_F(RunVerbTest, WithoutAFolderAFailureLeavesNothing) {
  verb_.works_in = WorksIn::own;
  verb_.report = folder_ / "report.html";
  for (const char* const step : {"check", "work", "conclude", "report", "keep"}) {
    EXPECT_EQ(run(step).back(), "failed") << step;
    EXPECT_FALSE(done_.ok()) << step;
    EXPECT_FALSE(there("made") || scratch_left()) << step;
    EXPECT_FALSE(there("report.html") || there("report.json")) << step;
  }
}

TEST_F(RunVerbTest, WhatExistsIsRefusedBeforeAnyStep) {
  verb_.works_in = WorksIn::own;
  verb_.new_files = {{"output", folder_ / "in.jsonl"}};
  EXPECT_EQ(run(), (Steps{"failed"}));
  EXPECT_EQ(done_.error().code, ErrorCode::usage);
  EXPECT_FALSE(scratch_left());
}

}  // namespace
}  // namespace twinset
