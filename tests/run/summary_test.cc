#include "run/summary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/message.h"
#include "run/run_fields.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

TEST(Summary, ListsAreJsonWhateverTheyHold) {
  std::vector<std::string> values{"a \"quoted\"\n.jsonl", "\xff"};
  const std::string text = value_json({"", &values, Unit::text});
  const Result<JsonNode> parsed = read_json(text, "list");
  ASSERT_TRUE(parsed.ok());
  const std::vector<JsonNode> elements = parsed.value().elements();
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_EQ(elements[0].text(), "a \"quoted\"\n.jsonl");
  EXPECT_EQ(elements[1].text(), "\xef\xbf\xbd");
}

// A file has no door, and no mark of a message.
TEST(Summary, MessagesNameOptionsPlainly) {
  std::vector<std::string> warnings{"raise " + option("max_group") + " or add " +
                                    option("shape", "stars")};
  EXPECT_EQ(value_json({"", &warnings, Unit::sentence}),
            "[\"raise max_group or add shape=stars\"]");
}

/// A result of a verb with one option.
struct SmallSummary : RunFacts {};
struct SmallOptions {
  bool sure = false;
  std::string keep = "first";
};
std::vector<Field> fields_of(SmallSummary& summary) {
  return {{"read", &summary.read}, inputs_field(summary), run_field(summary)};
}
std::vector<Option> options_of(SmallOptions& options) {
  return {{"--sure", &options.sure, OptionRole::decides},
          {"--keep RULE", &options.keep, OptionRole::decides}};
}

std::string small_json() {
  SmallSummary summary;
  summary.read = 3;
  summary.verb = "small";
  return fields_json(with_options(fields_of(summary), {}), JsonLayout::lines);
}

TEST(Summary, OptionsStandBeforeTheFiles) {
  SmallSummary summary;
  SmallOptions options{true, "longest"};
  const std::string json =
      fields_json(with_options(fields_of(summary), options_of(options)), JsonLayout::lines);
  EXPECT_TRUE(
      json.starts_with("{\n  \"read\": 0,\n  \"options\": {\"sure\": true, \"keep\": "
                       "\"longest\"},\n  \"files\": [],\n"))
      << json;
  SmallOptions again;
  SmallSummary read;
  const std::vector<Field> fields = with_options(fields_of(read), options_of(again));
  ASSERT_TRUE(read_fields(json, "out/summary.json", fields).ok());
  EXPECT_TRUE(again.sure);
  EXPECT_EQ(again.keep, "longest");
  const std::string wrong = std::string(json).replace(json.find("true"), 4, "7   ");
  const Status refused = read_fields(wrong, "out/summary.json", fields);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "out/summary.json is damaged, or of another version: line 3, byte 28: options has no "
            "valid value of sure");
}

TEST(Summary, AFileSaysOfWhichVerbItIs) {
  const testing::ScratchFolder folder;
  EXPECT_FALSE(find_summary_file(disk(), folder.path()).value().has_value());
  folder.write("summary.json", small_json());
  const std::optional<SummaryFile> file = find_summary_file(disk(), folder.path()).value();
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->verb, "small");
  EXPECT_EQ(file->json, small_json());
  folder.write("summary.json", "{\"read\": 1}");
  EXPECT_EQ(find_summary_file(disk(), folder.path()).value()->verb, "");
  folder.write("summary.json", "{\"read\": ");
  const auto cut = find_summary_file(disk(), folder.path());
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().code, ErrorCode::io);
}

TEST(Summary, FingerprintsAreSixteenDigits) {
  EXPECT_EQ(read_fingerprint_text("fedcba9876543210"), 0xfedcba9876543210U);
  EXPECT_EQ(read_fingerprint_text("0"), 0U);
  EXPECT_EQ(read_fingerprint_text("no"), 0U);
  EXPECT_EQ(read_fingerprint_text(""), 0U);
}

TEST(Summary, LostInputsAreALineEach) {
  std::vector<LostInput> lost;
  EXPECT_EQ(value_json(lost_inputs_field(lost)), "[]");
  lost = {{"a", "binary", "why", 1, 2}};
  EXPECT_EQ(value_json(lost_inputs_field(lost)),
            "[\n    {\"file\": \"a\", \"reason\": \"binary\", \"cause\": \"why\", "
            "\"bytes_read\": 1, \"records_read\": 2}]");
}

}  // namespace
}  // namespace twinset
