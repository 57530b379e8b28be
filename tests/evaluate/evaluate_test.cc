#include "twinset/evaluate.h"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <mutex>

#include "evaluate/random.h"
#include "io/json_read.h"
#include "support_runs/job_testing.h"
#include "support_runs/small_run.h"

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
  options.input.max_record = 1 << 20;
  options.resources.tmp = folder.path();
  options.schemes = "all";
  return options;
}

/// As JSON, without the measured times.
std::string without_times(const Evaluation& evaluation) {
  std::string json = to_json(evaluation);
  for (std::size_t at; (at = json.find("\"measured\": {")) != std::string::npos;) {
    json.erase(at, json.find('}', at) + 1 - at);
  }
  return json;
}

Evaluation evaluated(const EvaluateOptions& options) {
  Result<Evaluation> done = evaluate(options, RunControl{});
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.ok() ? std::move(done).value() : Evaluation();
}

std::string message(const EvaluateOptions& options) {
  const Result<Evaluation> done = evaluate(options, RunControl{});
  EXPECT_FALSE(done.ok());
  return done.ok() ? "" : done.error().text(Door::command_line);
}

/// A method's recall of one part.
Share recall_of(const Evaluation& evaluation, const MethodEvaluation& method,
                const std::string& family, const std::string& label) {
  for (const PartFamily& each : evaluation.families) {
    for (std::size_t i = 0; i < each.labels.size(); ++i) {
      if (each.name == family && each.labels[i] == label) return method.recall[each.first + i];
    }
  }
  ADD_FAILURE() << family << ": " << label;
  return {};
}

TEST(Evaluate, IsTheSameForAnyThreads) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.labels = "meta.label";
  options.resources.threads = 1;
  const Evaluation one = evaluated(options);
  options.resources.threads = 3;
  EXPECT_EQ(without_times(one), without_times(evaluated(options)));
  EXPECT_EQ(one.documents, 60u);
  EXPECT_EQ(one.originals, 60u);
  // Natural pairs are 30 of resemblance 76/77; all schemes but exact find them. Of 25 both
  // have a label, the same one.
  ASSERT_EQ(one.methods.size(), 1 + known_schemes().size());
  EXPECT_EQ(one.methods[0].name, "dedup");
  for (const MethodEvaluation& method : one.methods) {
    if (method.recall.empty()) continue;
    EXPECT_EQ(recall_of(one, method, "kind", "natural").of, 30u) << method.name;
    EXPECT_EQ(recall_of(one, method, "label", "one label").of, 25u);
    EXPECT_FALSE(recall_of(one, method, "label", "two labels").known());
  }
  const LabelMeasures& truth = one.labels[0].measures;
  EXPECT_EQ(truth.documents, 50u);
  EXPECT_EQ(truth.labels, 25u);
  EXPECT_EQ(truth.adjusted_rand.value, 1);
  EXPECT_EQ(truth.lost_bytes, 0u);
  EXPECT_EQ(one.labels[2].name, "dedup");
}

// The label of a pair of near copies as the wanted one: each of the two finds the other.
TEST(Evaluate, AsksQueriesByAnotherTruth) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.truth = "cosine:0.9";
  options.schemes = "fss,exact";
  const Evaluation all = evaluated(options);
  EXPECT_EQ(all.truth, "cosine:0.9");
  ASSERT_EQ(all.thresholds.size(), 1u);
  ASSERT_TRUE(all.queries.has_value());
  EXPECT_EQ(all.queries->queries, 60u);
  EXPECT_EQ(all.queries->with_partner, 60u);
  EXPECT_EQ(all.queries->rows[0].recall.value, 1);
  EXPECT_EQ(all.queries->rows.back().name, "exact");
  EXPECT_EQ(all.queries->rows.back().found, 0u);
  options.labels = "meta.label";
  options.utility = "8";
  options.cost = 7;
  const Evaluation labeled = evaluated(options);
  ASSERT_TRUE(labeled.queries.has_value());
  EXPECT_EQ(labeled.queries->documents, 50u);
  EXPECT_EQ(labeled.queries->queries, 2u);
  EXPECT_EQ(labeled.queries->rows[0].utility.value, 1);
  EXPECT_EQ(labeled.queries->rows[0].one_label.value(), 1);
  EXPECT_EQ(labeled.labels[0].measures.adjusted_rand.value, 1);
  options.truth.clear();
  EXPECT_EQ(evaluated(options).queries->rows[0].wanted, 2u);
  options.utility.clear();
  EXPECT_FALSE(evaluated(options).queries.has_value());
}

TEST(Evaluate, RefusesQueriesThatAskNothing) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.truth = "cosine:90";
  EXPECT_THAT(message(options), HasSubstr("a bound is above 0 and at most 1"));
  options.truth.clear();
  options.utility = "8";
  EXPECT_THAT(message(options), HasSubstr("needs --labels"));
  options.labels = "meta.label";
  options.schemes.clear();
  EXPECT_THAT(message(options), HasSubstr("name some with --schemes"));
  options.schemes = "exact";
  options.cost = 1'000'001;
  EXPECT_THAT(message(options), HasSubstr("--cost is at most 1000000"));
  options.cost = 0;
  options.utility = "seven";
  EXPECT_THAT(message(options), HasSubstr("no document has the label 'seven'"));
}

// One run: no scheme is tried, and everything about schemes is left out.
TEST(Evaluate, JudgesARunAndLeavesNothingBehind) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.schemes.clear();
  options.labels = "meta.label";
  options.sample = 40;
  const Evaluation run = evaluated(options);
  EXPECT_LE(run.originals, 40u);
  ASSERT_EQ(run.methods.size(), 1u);
  EXPECT_EQ(run.choice(), nullptr);
  const ThresholdEvaluation& at = run.methods[0].at[run.chosen];
  EXPECT_GT(at.recall.of, 200u);
  EXPECT_EQ(at.precision.count, at.precision.of);
  EXPECT_EQ(run.labels.size(), 3u);
  EXPECT_EQ(to_json(evaluated(options)), to_json(run));
  EXPECT_EQ(to_text(evaluated(options)), to_text(run));
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), "in.jsonl");
  }
}

/// Counts the reports of a stage.
class StageCounter final : public ProgressSink {
 public:
  explicit StageCounter(std::string stage) : stage_(std::move(stage)) {}
  void report(const Progress& progress) override {
    const std::lock_guard lock(mutex_);
    count += progress.stage == stage_ ? 1 : 0;
  }
  int count = 0;

 private:
  std::string stage_;
  std::mutex mutex_;
};

TEST(Evaluate, ShowsNoProgressOfTheRunsThatItJudges) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.schemes.clear();
  options.sample = 40;
  StageCounter verified("verify");
  RunControl control;
  control.progress = &verified;
  ASSERT_TRUE(evaluate(options, control).ok());
  EXPECT_EQ(verified.count, 0);
}

TEST(Evaluate, TellsTheFactsOfTheRun) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.schemes.clear();
  options.inputs.push_back(folder.write("none.jsonl", "{}\n"));
  const Evaluation run = evaluated(options);
  EXPECT_EQ(run.verb, "evaluate");
  EXPECT_EQ(run.analyzer, "words");
  EXPECT_GT(run.text_bytes, 60 * 80 * 5u);
  ASSERT_EQ(run.stages.size(), 2u);
  EXPECT_EQ(run.stages[0].stage, "read");
  EXPECT_GE(run.seconds, run.stages[1].seconds);
  ASSERT_EQ(run.lost_inputs.size(), 1u);
  EXPECT_THAT(run.lost_inputs[0].file, HasSubstr("none.jsonl"));
  EXPECT_THAT(to_json(run), HasSubstr("none.jsonl"));
}

// --scheme, --verify and --seed belong to the run, whatever schemes are tried beside it.
TEST(Evaluate, TheRunHasItsOwnScheme) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.schemes = "exact";
  options.scheme = "minhash(values=128)";
  options.seed = 5;
  const Evaluation evaluation = evaluated(options);
  ASSERT_EQ(evaluation.methods.size(), 2u);
  const std::string& spec = evaluation.methods[0].at[evaluation.chosen].spec;
  EXPECT_TRUE(spec.starts_with("minhash("));
  EXPECT_THAT(spec, HasSubstr("seed=5"));
}

TEST(Evaluate, StopsWhenAsked) {
  const ScratchFolder folder;
  const std::atomic<bool> stop = true;
  const Result<Evaluation> done = evaluate(options_of(folder), RunControl{&stop});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::interrupted);
  EXPECT_EQ(done.error().message, "interrupted; nothing was left behind");
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
  EXPECT_THAT(message(options), HasSubstr("overwrites nothing"));
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
  const Evaluation evaluation = evaluated(options);
  ASSERT_EQ(evaluation.thresholds.size(), 5u);
  EXPECT_EQ(evaluation.thresholds[0], Ratio(1, 4));
  const std::vector<ThresholdEvaluation>& at = evaluation.methods[1].at;
  EXPECT_GT(at[0].recall.of, at[1].recall.of);
}

}  // namespace
}  // namespace twinset
