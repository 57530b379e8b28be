#include "look/output_folder.h"

#include "run/summary.h"
#include "support/cluster_testing.h"
#include "support/small_run.h"
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
  EXPECT_NE(refusal("{\"run\": {\"verb\": \"dedup\"}}").find("damaged"), std::string::npos);
  EXPECT_NE(refusal(R"({"run": {"verb": "dedup"}, "options": {"analyzer": "none"}})")
                .find("names an analyzer this build lacks"),
            std::string::npos);
  EXPECT_NE(refusal("{\"options\": {\"analyzer\": \"words\"}, \"files\": [{\"file\": \"x\"}], "
                    "\"run\": {\"verb\": \"dedup\"}}")
                .find("damaged"),
            std::string::npos);
}

TEST(OutputFolder, FingerprintsAreSixteenDigits) {
  EXPECT_EQ(read_fingerprint_text("fedcba9876543210"), 0xfedcba9876543210U);
  EXPECT_EQ(read_fingerprint_text("0"), 0U);
  EXPECT_EQ(read_fingerprint_text("no"), 0U);
  EXPECT_EQ(read_fingerprint_text(""), 0U);
}

}  // namespace
}  // namespace twinset
