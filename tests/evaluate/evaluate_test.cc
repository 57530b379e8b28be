#include "twinset/evaluate.h"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>

#include "evaluate/random.h"
#include "io/json_read.h"
#include "support/job_testing.h"
#include "support/small_run.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

/// 60 documents, every second a near copy of the one before; the pair is the label, except of the
/// last ten documents, which have none.
std::string collection(bool labeled = true) {
  std::string lines;
  SeededRandom random(6);
  for (int i = 0; i < 60; i += 2) {
    std::string text;
    for (int word = 0; word < 80; ++word) text += "word" + std::to_string(random.below(1000)) + " ";
    for (int copy = 0; copy < 2; ++copy) {
      lines += R"({"id":"d)" + std::to_string(i + copy) + R"(","text":")" + text +
               (copy == 1 ? "end" : "") + "\"";
      if (labeled && i < 50) lines += R"(,"meta":{"label":)" + std::to_string(i) + "}";
      lines += "}\n";
    }
  }
  return lines;
}

EvaluateOptions options_of(const ScratchFolder& folder, const std::string& lines = collection()) {
  EvaluateOptions options;
  options.inputs = {folder.write("in.jsonl", lines)};
  options.input.max_record_bytes = 1 << 20;
  options.resources.tmp = folder.path();
  options.schemes = "all";
  options.json = true;
  return options;
}

/// The JSON report without the measured times.
std::string without_times(std::string report) {
  for (std::size_t at; (at = report.find("\"measured\": {")) != std::string::npos;) {
    report.erase(at, report.find('}', at) + 1 - at);
  }
  return report;
}

std::string message(const EvaluateOptions& options) {
  const Result<std::string> report = evaluate(options, RunControl{});
  EXPECT_FALSE(report.ok());
  return report.ok() ? "" : report.error().message;
}

TEST(Evaluate, IsTheSameForAnyThreads) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.labels = "meta.label";
  options.resources.threads = 1;
  const Result<std::string> one = evaluate(options, RunControl{});
  options.resources.threads = 3;
  const Result<std::string> three = evaluate(options, RunControl{});
  ASSERT_TRUE(one.ok()) << one.error().message;
  ASSERT_TRUE(three.ok());
  EXPECT_EQ(without_times(one.value()), without_times(three.value()));
  const auto node = read_json(one.value(), "report");
  ASSERT_TRUE(node.ok()) << node.error().message;
  EXPECT_EQ(node.value()["documents"].integer(), 60u);
  EXPECT_EQ(node.value()["originals"].integer(), 60u);
  // Natural pairs are 30 of resemblance 76/77; all schemes but exact find them. Of 25 both
  // have a label, the same one.
  const std::vector<JsonNode> methods = node.value()["methods"].elements();
  EXPECT_EQ(methods[0]["name"].text(), "dedup");
  for (const JsonNode& method : methods) {
    if (!method["recall"]) continue;
    EXPECT_EQ(method["recall"]["kind"]["natural"]["of"].integer(), 30u) << method["name"].text();
    EXPECT_EQ(method["recall"]["label"]["one label"]["of"].integer(), 25u);
    EXPECT_FALSE(method["recall"]["label"]["two labels"]);
  }
  const JsonNode truth = node.value()["labels"].elements()[0];
  EXPECT_EQ(truth["documents"].integer(), 50u);
  EXPECT_EQ(truth["labels"].integer(), 25u);
  EXPECT_EQ(truth["adjusted_rand"]["value"].real(), 1);
  EXPECT_EQ(node.value()["labels"].elements()[2]["name"].text(), "dedup");
  EXPECT_EQ(truth["lost_bytes"].integer(), 0u);
}

// One run: no scheme is tried, and everything about schemes is left out.
TEST(Evaluate, JudgesARunAndLeavesNothingBehind) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.schemes.clear();
  options.labels = "meta.label";
  options.sample = 40;
  const Result<std::string> report = evaluate(options, RunControl{});
  ASSERT_TRUE(report.ok()) << report.error().message;
  const auto node = read_json(report.value(), "report");
  ASSERT_TRUE(node.ok());
  EXPECT_LE(node.value()["originals"].integer(), 40u);
  const std::vector<JsonNode> methods = node.value()["methods"].elements();
  ASSERT_EQ(methods.size(), 1u);
  const JsonNode at = methods[0]["thresholds"].elements()[0];
  EXPECT_GT(at["recall"]["of"].integer(), 200u);
  EXPECT_EQ(at["precision"]["count"].integer(), at["precision"]["of"].integer());
  EXPECT_EQ(node.value()["labels"].elements().size(), 3u);
  EXPECT_EQ(evaluate(options, RunControl{}).value(), report.value());
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), "in.jsonl");
  }
}

// --scheme, --verify and --seed belong to the run, whatever schemes are tried beside it.
TEST(Evaluate, TheRunHasItsOwnScheme) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.schemes = "exact";
  options.scheme = "minhash(values=128)";
  options.seed = 5;
  const Result<std::string> report = evaluate(options, RunControl{});
  ASSERT_TRUE(report.ok()) << report.error().message;
  const auto node = read_json(report.value(), "report");
  const std::vector<JsonNode> methods = node.value()["methods"].elements();
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_TRUE(methods[0]["thresholds"].elements()[0]["spec"].text().starts_with("minhash("));
  EXPECT_NE(methods[0]["thresholds"].elements()[0]["spec"].text().find("seed=5"),
            std::string::npos);
}

TEST(Evaluate, StopsWhenAsked) {
  const ScratchFolder folder;
  const std::atomic<bool> stop = true;
  const Result<std::string> report = evaluate(options_of(folder), RunControl{&stop});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::interrupted);
  EXPECT_EQ(report.error().message, "interrupted; nothing was left behind");
}

TEST(Evaluate, WritesItsCopiesOnce) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.copies_out = folder.path() + "/copies.jsonl";
  ASSERT_TRUE(evaluate(options, RunControl{}).ok());
  const auto text = read_whole_file(disk(), options.copies_out, 1 << 24);
  ASSERT_TRUE(text.ok());
  std::size_t lines = 0;
  for (std::size_t at = 0; at < text.value().size();) {
    const std::size_t end = text.value().find('\n', at);
    const auto line = read_json(std::string_view(text.value()).substr(at, end - at), "copies");
    ASSERT_TRUE(line.ok());
    const JsonNode copy = line.value();
    EXPECT_EQ(copy["id"].text(), "planted-" + std::to_string(++lines));
    EXPECT_TRUE(copy["original"].text().starts_with("d"));
    EXPECT_FALSE(copy["text"].text().empty());
    if (copy["edit"].text() == "exact") {
      EXPECT_EQ(copy["resemblance"].real(), 1);
      EXPECT_EQ(copy["containment"].real(), 1);
    } else if (copy["edit"].text() == "header") {
      EXPECT_EQ(copy["original_containment"].real(), 1);
      EXPECT_LT(copy["containment"].real(), 1);
    }
    at = end + 1;
  }
  EXPECT_EQ(lines, 480u);
  EXPECT_THAT(message(options), HasSubstr("nothing is overwritten"));
}

TEST(Evaluate, RefusesWhatMeansNothing) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.sample = 0;
  EXPECT_THAT(message(options), HasSubstr("--sample is at least 1"));
  options.sample = 1'000'000;
  EXPECT_THAT(message(options), HasSubstr("--sample is at most"));
  options.sample.reset();
  options.schemes = "fsss";
  EXPECT_THAT(message(options), HasSubstr("did you mean fss"));
  options.schemes.clear();
  options.scheme = "fsss";
  EXPECT_THAT(message(options), HasSubstr("did you mean fss"));
  EvaluateOptions empty = options_of(folder, "{\"text\":\"...\"}\n");
  EXPECT_THAT(message(empty), HasSubstr("no document has a token"));
}

TEST(Evaluate, ThresholdsBelowAHalfAreKnownExactlyToo) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.resemblance = {1, 4};
  options.schemes = "mod";
  const Result<std::string> report = evaluate(options, RunControl{});
  ASSERT_TRUE(report.ok()) << report.error().message;
  const auto node = read_json(report.value(), "report");
  const auto thresholds = node.value()["methods"].elements()[1]["thresholds"].elements();
  ASSERT_EQ(thresholds.size(), 5u);
  EXPECT_EQ(thresholds[0]["resemblance"].real(), 0.25);
  EXPECT_GT(thresholds[0]["recall"]["of"].integer(), thresholds[1]["recall"]["of"].integer());
}

}  // namespace
}  // namespace twinset
