#include "look/output_folder.h"

#include "support_runs/cluster_testing.h"
#include "support_runs/small_run.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

using testing::SmallRun;

TEST(OutputFolder, KnowsTheVerbTheInputsAndHowTheyWereRead) {
  SmallRun small;
  small.run();
  const Result<OutputFolder> made = open_output_folder(disk(), small.options.output + "/");
  ASSERT_TRUE(made.ok()) << made.error().message;
  const OutputFolder& folder = made.value();
  EXPECT_EQ(folder.verb, "dedup");
  EXPECT_EQ(folder.path, small.options.output);
  EXPECT_EQ(folder.fields.text, "text");
  EXPECT_EQ(folder.limits.max_record_bytes, std::uint64_t{1} << 20);
  EXPECT_FALSE(folder.elsewhere);  // The input has an absolute name.
  EXPECT_EQ(folder.analyzer_note(), "");
  ASSERT_EQ(folder.inputs.size(), 1U);
  const MadeInput* input = folder.find(small.input);
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->input.path, small.input);
  EXPECT_EQ(input->input.format, "jsonl");
  EXPECT_EQ(input->facts.lines, 6U);
  EXPECT_NE(input->facts.checksum, 0U);
  EXPECT_EQ(folder.find("another"), nullptr);
}

TEST(OutputFolder, RefusesWhatTwinsetDidNotMake) {
  const testing::ScratchFolder folder;
  const auto refusal = [&](const std::string& summary) {
    if (!summary.empty()) folder.write("summary.json", summary);
    const Result<OutputFolder> made = open_output_folder(disk(), folder.path());
    return made.ok() ? "" : made.error().message;
  };
  EXPECT_NE(refusal("").find("has no summary.json"), std::string::npos);
  EXPECT_NE(refusal("{").find("summary.json"), std::string::npos);
  EXPECT_NE(refusal("{\"read\": 1}").find("older version"), std::string::npos);
  EXPECT_EQ(refusal("{\"run\": {\"verb\": \"dedup\"}}"),
            (folder / "summary.json") +
                " is damaged, or of another version: line 1, byte 0: read is missing");
  EXPECT_TRUE(refusal("{\"run\": {\"verb\": \"spans\"}}")
                  .starts_with(folder.path() + " was made by twinset spans; this takes a folder of "
                                               "dedup, cluster or recut. "));
}

TEST(OutputFolder, RefusesWhatThisBuildCannotReadAgain) {
  SmallRun small;
  small.run();
  const std::string path = small.options.output + "/summary.json";
  const std::string whole = small.folder.read("out/summary.json");
  const auto refusal = [&](const std::string& old, const std::string& by) {
    std::string changed = whole;
    EXPECT_NE(changed.find(old), std::string::npos) << old;
    small.folder.write("out/summary.json", changed.replace(changed.find(old), old.size(), by));
    const Result<OutputFolder> made = open_output_folder(disk(), small.options.output);
    return made.ok() ? "" : made.error().message;
  };
  EXPECT_EQ(refusal("\"analyzer\": \"words\"", "\"analyzer\": \"none\""),
            path + " names an analyzer this build lacks");
  EXPECT_EQ(refusal("\"format\": \"jsonl\"", "\"format\": \"x\""),
            path + " is damaged, or of another version");
  EXPECT_NE(refusal("\"kept\": 2", "\"kept\": 3").find("does not hold: read = kept"),
            std::string::npos);
  EXPECT_EQ(refusal("\"kept\": 2", "\"kept\": 2, \"later\": 1"), "");
}

}  // namespace
}  // namespace twinset
