// A verb is its options, its fields and its steps: see lengths.h. Here it is typed, run, found
// finished, read back, reported and helped with, by what all verbs share.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "../../cli/help.h"
#include "../../cli/options.h"
#include "support/scratch_folder.h"
#include "toys/lengths.h"

namespace twinset::testing {
namespace {

class ToyVerb : public ::testing::Test {
 protected:
  ToyVerb() {
    std::ofstream(folder_ / "in.jsonl")
        << "{\"text\": \"one two three\"}\n{broken\n{\"text\": \"four five\"}\n";
  }

  /// Parses what a user would type after "twinset lengths".
  LengthsOptions typed(std::vector<std::string> words) const {
    CLI::App app;
    app.name("twinset");
    LengthsOptions options;
    cli::Talk talk;
    CLI::App& verb = cli::add_verb(app, "lengths", "count words", {{"twinset lengths a", "of a"}});
    cli::add_options(verb, {options_of(options), cli::answer_options(talk)});
    words.insert(words.begin(), "lengths");
    std::reverse(words.begin(), words.end());
    try {
      app.parse(words);
      refused_.clear();
    } catch (const CLI::ParseError& error) {
      refused_ = cli::usage_message(app, error);
    }
    help_ = cli::verb_help(*cli::command_tree(app).find("lengths"));
    return options;
  }

  ScratchFolder folder_;
  mutable std::string refused_;
  mutable std::string help_;
};

TEST_F(ToyVerb, IsTypedRunFoundFinishedAndReadBack) {
  const std::string out = folder_ / "out";
  const LengthsOptions options = typed({folder_ / "in.jsonl", "-o", out, "--at-least", "3", "-j",
                                        "1", "--report", out + "/lengths.html"});
  ASSERT_EQ(refused_, "");
  const Result<LengthsSummary> done = lengths(options, RunControl());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().words, 5U);
  EXPECT_EQ(done.value().long_documents, 1U);
  EXPECT_EQ(folder_.read("out/summary.json"), done.value().json);
  EXPECT_NE(done.value().json.find("\"long_documents\": 1"), std::string::npos);
  EXPECT_NE(done.value().json.find("\"at_least\": 3"), std::string::npos);
  EXPECT_NE(folder_.read("out/lengths.html").find("Words"), std::string::npos);
  const auto facts = read_report_facts(folder_.read("out/lengths.json"), "lengths.json");
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  EXPECT_EQ(facts.value().sections.at(0).numbers.at(0).value.number, 5U);

  const Result<LengthsSummary> again = lengths(options, RunControl());
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again.value().already_done);
  EXPECT_EQ(again.value().words, 5U);
  LengthsSummary read;
  LengthsOptions of_run;
  const auto file = find_summary_file(disk(), out);
  ASSERT_TRUE(file.ok() && file.value().has_value());
  EXPECT_EQ(file.value()->verb, "lengths");
  const Status status = file.value()->read(read, of_run);
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(read.documents, 2U);
  EXPECT_EQ(of_run.at_least, 3U);
}

TEST_F(ToyVerb, HasItsHelpAndItsRefusals) {
  typed({"--at-least", "many", "in.jsonl"});
  EXPECT_NE(refused_.find("--at-least"), std::string::npos) << refused_;
  EXPECT_NE(help_.find("--at-least N"), std::string::npos) << help_;
  EXPECT_NE(help_.find("count documents of so many words or more as long"), std::string::npos);
  EXPECT_NE(help_.find("[100]"), std::string::npos) << help_;
  const Result<LengthsSummary> none = lengths(LengthsOptions(), RunControl());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().text(Door::command_line), "no input given");
}

}  // namespace
}  // namespace twinset::testing
