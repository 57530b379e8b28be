#include "run/options_json.h"

#include <gtest/gtest.h>

#include "twinset/ratio.h"

namespace twinset {
namespace {

enum class Shape : std::uint8_t { round, square };

struct Sample {
  std::vector<std::string> inputs;
  std::string text = "text";
  std::uint64_t bytes = 1024;
  std::uint64_t limit = 0;
  std::optional<std::uint64_t> most;
  std::optional<Ratio> share;
  std::optional<Shape> shape;
  bool is_dry = false;
  std::string output;
};

std::vector<Option> options_of(Sample& sample) {
  using enum OptionRole;
  return {
      {"inputs IN", &sample.inputs, decides},
      {"--text FIELD", &sample.text, decides},
      {"--max-record SIZE", Bytes{&sample.bytes}, decides},
      {"--limit N", &sample.limit, decides},
      {"--max-bad N", &sample.most, recorded},
      {"--share SHARE", &sample.share, decides},
      {"--shape", Choice(&sample.shape, {"round", "square"}), decides},
      {"-n, --dry-run", &sample.is_dry, recorded},
      {"-o, --output DIR", &sample.output, unrecorded},
  };
}

Status read(const std::string& json, Sample& sample) {
  const Result<JsonNode> made = read_json(json, "summary");
  TWINSET_TRY(made);
  return read_options(made.value(), options_of(sample), "out/summary.json");
}

TEST(OptionsJson, HasEachKindInItsForm) {
  Sample sample;
  EXPECT_EQ(options_json(sample),
            R"({"inputs": [], "text": "text", "max_record": 1024, "limit": 0, "max_bad": "", )"
            R"("share": "", "shape": "", "dry_run": false})");
  sample = {{"a \"b\"", "\xff"}, "", 3, 4, 5, Ratio(1, 3), Shape::square, true, "out"};
  EXPECT_EQ(options_json(sample),
            "{\"inputs\": [\"a \\\"b\\\"\",\"\xef\xbf\xbd\"], \"text\": \"\", \"max_record\": 3, "
            "\"limit\": 4, \"max_bad\": \"5\", \"share\": \"1/3\", \"shape\": \"square\", "
            "\"dry_run\": true}");
}

TEST(OptionsJson, IdentityIsOfTheVerbAndWhatDecides) {
  Sample sample;
  const std::string identity = options_identity("wash", sample);
  sample.most = 3;
  sample.is_dry = true;
  sample.output = "out";
  EXPECT_EQ(options_identity("wash", sample), identity);
  EXPECT_NE(options_identity("dry", sample), identity);
  sample.shape = Shape::round;
  EXPECT_NE(options_identity("wash", sample), identity);
}

TEST(OptionsJson, IsReadBack) {
  const Sample sample{{"a", "b\n"}, "", 3, 4, 5, Ratio(1, 3), Shape::square, true, "out"};
  Sample again;
  ASSERT_TRUE(read(options_json(sample), again).ok());
  EXPECT_EQ(options_json(again), options_json(sample));
  EXPECT_EQ(again.inputs, sample.inputs);
  EXPECT_EQ(again.shape, sample.shape);
  EXPECT_EQ(again.output, "");  // The summary does not have it.
}

TEST(OptionsJson, AnOptionThatIsMissingOrUnsetKeepsItsDefault) {
  Sample sample;
  ASSERT_TRUE(read(R"({"limit": 4, "share": "", "output": "no", "unknown": [1]})", sample).ok());
  EXPECT_EQ(sample.limit, 4U);
  EXPECT_EQ(sample.text, "text");
  EXPECT_EQ(sample.bytes, 1024U);
  EXPECT_FALSE(sample.share.has_value());
  EXPECT_EQ(sample.output, "");
}

TEST(OptionsJson, AValueOfAnotherKindIsDamage) {
  for (const char* json :
       {R"({"limit": -1})", R"({"limit": "many"})", R"({"limit": null})", R"({"share": "2"})",
        R"({"shape": "oval"})", R"({"dry_run": 1})", R"({"max_record": 1e3})",
        R"({"limit": [1, "x"]})", R"({"share": {"a": 1}})", "[]"}) {
    Sample sample;
    const Status done = read(json, sample);
    ASSERT_FALSE(done.ok()) << json;
    EXPECT_EQ(done.error().message, "out/summary.json is damaged, or of another version");
    EXPECT_EQ(done.error().code, ErrorCode::io);
  }
}

}  // namespace
}  // namespace twinset
