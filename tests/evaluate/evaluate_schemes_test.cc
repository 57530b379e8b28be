#include "evaluate/evaluate_schemes.h"

#include <gmock/gmock.h>

#include "evaluate/random.h"
#include "io/json_read.h"
#include "support/job_testing.h"
#include "support/small_run.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

/// 60 documents, every second a near copy of the one before; label: the pair, but
/// for the last ten documents, which have none.
std::string collection(bool labelled = true) {
  std::string lines;
  SeededRandom random(6);
  for (int i = 0; i < 60; i += 2) {
    std::string text;
    for (int word = 0; word < 80; ++word) text += "word" + std::to_string(random.below(1000)) + " ";
    for (int copy = 0; copy < 2; ++copy) {
      lines += R"({"id":"d)" + std::to_string(i + copy) + R"(","text":")" + text +
               (copy == 1 ? "end" : "") + "\"";
      if (labelled && i < 50) lines += R"(,"meta":{"label":)" + std::to_string(i) + "}";
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

/// The JSON report without what is measured.
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

TEST(EvaluateSchemes, IsTheSameForAnyThreads) {
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
  // Natural pairs are 30 of resemblance 76/77; all schemes but exact find them.
  for (const JsonNode& scheme : node.value()["schemes"].elements()) {
    if (!scheme["by_kind"]) continue;
    EXPECT_EQ(scheme["by_kind"]["natural"]["of"].integer(), 30u) << scheme["name"].text();
  }
  const JsonNode truth = node.value()["labels"].elements()[0];
  EXPECT_EQ(truth["documents"].integer(), 50u);
  EXPECT_EQ(truth["labels"].integer(), 25u);
  EXPECT_EQ(truth["adjusted_rand"].real(), 1);
  EXPECT_EQ(truth["lost_bytes"].integer(), 0u);
}

TEST(EvaluateSchemes, LabelsFromAFileAreThoseOfTheField) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.labels = "meta.label";
  const Result<std::string> field = evaluate(options, RunControl{});
  ASSERT_TRUE(field.ok());
  std::string lines;
  for (int i = 0; i < 50; ++i) {
    lines +=
        R"({"id":"d)" + std::to_string(i) + R"(","label":")" + std::to_string(i / 2 * 2) + "\"}\n";
  }
  options.labels.clear();
  options.labels_file = folder.write("labels.jsonl", lines);
  const Result<std::string> file = evaluate(options, RunControl{});
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(without_times(file.value()), without_times(field.value()));
}

TEST(EvaluateSchemes, UnknownIdsAreNamedUnlessIgnored) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  std::string lines = R"({"id":"d0","label":1})"
                      "\n";
  for (int i = 0; i < 7; ++i)
    lines += R"({"id":"x)" + std::to_string(i) + R"(","label":"a"})" + "\n";
  options.labels_file = folder.write("labels.jsonl", lines);
  const std::string said = message(options);
  EXPECT_THAT(said, HasSubstr("labels 7 ids that no document has: x0, x1, x2, x3, x4, ...;"));
  EXPECT_THAT(said, HasSubstr("--ignore-unknown-labels"));
  options.ignore_unknown_labels = true;
  EXPECT_TRUE(evaluate(options, RunControl{}).ok());
}

TEST(EvaluateSchemes, RefusesLabelsItCannotUse) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.labels = "nosuch";
  EXPECT_THAT(message(options), HasSubstr("no record has a string or a number in its field "
                                          "'nosuch'"));
  options.labels_file = "labels.jsonl";
  EXPECT_THAT(message(options), HasSubstr("leave one out"));
  options.labels.clear();
  const auto refused = [&](const std::string& lines, const std::string& why) {
    options.labels_file = folder.write("wrong.jsonl", lines);
    EXPECT_THAT(message(options), HasSubstr(why));
  };
  refused("{\"id\":\"d0\"}\n", "wrong.jsonl: a line is {\"id\": ..., \"label\": ...}");
  refused("{\"id\":\"d0\",\"label\":[1]}\n", "each a string or a number");
  refused("{\"id\":\"d0\",\"label\":1}\n{\"id\":\"d0\",\"label\":2}\n", "id d0 has two labels");
  refused("not json\n", "wrong.jsonl:1");
  refused("", "no document has an id that");
}

TEST(EvaluateSchemes, WritesItsCopiesOnce) {
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

TEST(EvaluateSchemes, RefusesWhatMeansNothing) {
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
  options.labels = "label";
  EXPECT_THAT(message(options), HasSubstr("--labels goes with --schemes"));
  options.labels.clear();
  options.copies_out = "x";
  EXPECT_THAT(message(options), HasSubstr("--copies-out goes with --schemes"));
  EvaluateOptions empty = options_of(folder, "{\"text\":\"...\"}\n");
  EXPECT_THAT(message(empty), HasSubstr("no document has a token"));
}

TEST(EvaluateSchemes, ThresholdsBelowAHalfAreKnownExactlyToo) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.resemblance = {1, 4};
  options.schemes = "mod";
  const Result<std::string> report = evaluate(options, RunControl{});
  ASSERT_TRUE(report.ok()) << report.error().message;
  const auto node = read_json(report.value(), "report");
  const auto thresholds = node.value()["schemes"].elements()[0]["thresholds"].elements();
  ASSERT_EQ(thresholds.size(), 5u);
  EXPECT_EQ(thresholds[0]["resemblance"].real(), 0.25);
  EXPECT_GT(thresholds[0]["recall"]["of"].integer(), thresholds[1]["recall"]["of"].integer());
}

}  // namespace
}  // namespace twinset
