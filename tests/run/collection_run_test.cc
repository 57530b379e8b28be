// The beginning and the end of every run: the owner of its folder, the files it leaves, its facts.
#include "run/collection_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/scratch_folder.h"

namespace twinset {
namespace {

class CollectionRunTest : public ::testing::Test {
 protected:
  CollectionRunTest() {
    std::ofstream(folder_ / "in.jsonl") << R"({"text": "one two three"})"
                                        << "\n{broken\n";
    options_.inputs = {folder_ / "in.jsonl"};
    options_.scheme = "fss";
    options_.resources.threads = 1;
  }
  VerbOptions verb(const std::string& name) const {
    VerbOptions verb;
    verb.name = verb.identity = name;
    verb.output = folder_ / "out";
    return verb;
  }
  bool there(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  testing::ScratchFolder folder_;
  CollectionOptions options_;
  RunControl control_;
};

TEST_F(CollectionRunTest, ReadsAndPublishes) {
  CollectionRun run(options_, verb("some verb"), control_);
  ASSERT_TRUE(run.prepare().ok());
  const Result<bool> finished = run.open();
  ASSERT_TRUE(finished.ok()) << finished.error().message;
  EXPECT_FALSE(finished.value());
  EXPECT_TRUE(there("out.partial"));
  ASSERT_TRUE(run.read(DocumentKeys::Stored::count).ok());
  EXPECT_EQ(run.state.records, 2U);
  EXPECT_EQ(run.state.bad, 1U);
  RunFacts facts;
  run.describe(facts);
  EXPECT_EQ(facts.text_bytes, 13U);
  EXPECT_GT(facts.peak_memory_bytes, 0U);
  ASSERT_EQ(facts.stages.size(), 1U);
  EXPECT_EQ(facts.stages[0].stage, "read");
  const std::string summary = R"({"run": {"identity": ")" + facts.identity + "\"}}\n";
  ASSERT_TRUE(run.complete_outputs({}, facts).ok());
  ASSERT_EQ(facts.outputs.size(), 1U);
  EXPECT_EQ(facts.outputs[0].name, "quarantine.jsonl");
  EXPECT_GT(facts.outputs[0].bytes, 0U);
  ASSERT_TRUE(run.publish(summary).ok());
  EXPECT_TRUE(there("out/summary.json"));
  EXPECT_TRUE(there("out/quarantine.jsonl"));
  EXPECT_FALSE(there("out.partial"));

  CollectionRun again(options_, verb("some verb"), control_);
  ASSERT_TRUE(again.prepare().ok());
  const Result<bool> second = again.open();
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(second.value());
  RunFacts found;
  ASSERT_TRUE(again
                  .read_finished({{"run", Nested([&] {
                                     return std::vector<Field>{{"identity", &found.identity}};
                                   })}},
                                 found)
                  .ok());
  EXPECT_EQ(found.json, summary);
  EXPECT_EQ(found.identity, facts.identity);
  EXPECT_TRUE(found.already_done);
}

TEST_F(CollectionRunTest, AnotherVerbsFolderIsRefused) {
  {
    CollectionRun run(options_, verb("one verb"), control_);
    ASSERT_TRUE(run.prepare().ok());
    ASSERT_TRUE(run.open().ok());
    ASSERT_TRUE(run.read(DocumentKeys::Stored::count).ok());
  }
  CollectionRun other(options_, verb("other verb"), control_);
  ASSERT_TRUE(other.prepare().ok());
  const Result<bool> opened = other.open();
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::usage);
}

TEST_F(CollectionRunTest, WhatIsRefusedLeavesNothingAndKeepsItsReason) {
  CollectionRun run(options_, verb("verb"), control_);
  ASSERT_TRUE(run.prepare().ok());
  ASSERT_TRUE(run.open().ok());
  EXPECT_EQ(run.refuse(usage_error("too many pairs")).message, "too many pairs");
  EXPECT_FALSE(there("out.partial"));
}

TEST_F(CollectionRunTest, NothingToReadSaysWhatTheRecordsAre) {
  CollectionRun run(options_, verb("verb"), control_);
  ASSERT_TRUE(run.prepare().ok());
  ASSERT_TRUE(run.open().ok());
  EXPECT_EQ(run.nothing_to_read("page to read", "", "repeats").message, "there is no page to read");
  ASSERT_TRUE(run.read(DocumentKeys::Stored::count).ok());
  EXPECT_EQ(run.nothing_to_read("page to read", ", 1 are odd", "repeats").text(Door::command_line),
            "none of 2 records is a page to read (1 are bad, 1 are odd); look at --text, --format "
            "and --repeats");
}

TEST_F(CollectionRunTest, AbandonedLeavesNothing) {
  CollectionRun run(options_, verb("verb"), control_);
  ASSERT_TRUE(run.prepare().ok());
  ASSERT_TRUE(run.open().ok());
  ASSERT_TRUE(run.read(DocumentKeys::Stored::count).ok());
  ASSERT_TRUE(run.abandon().ok());
  EXPECT_FALSE(there("out.partial"));
  EXPECT_FALSE(there("out"));
}

}  // namespace
}  // namespace twinset
