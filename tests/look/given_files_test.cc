// A run and every answer about it stay within the files of its RunControl: here all of them are at
// a path that the disk does not have.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "support/moved_files.h"
#include "support_runs/small_run.h"
#include "twinset/cluster.h"
#include "twinset/lexicon.h"
#include "twinset/look.h"
#include "twinset/pair.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using testing::MovedFiles;
using testing::SmallRun;

constexpr const char* nowhere = "/there-is-no-such-folder";

struct Moved : SmallRun {
  Moved() {
    input.assign(nowhere).append("/notices.jsonl");
    options.inputs = {input};
    options.output.assign(nowhere).append("/out");
  }
  MovedFiles files{nowhere, folder / ""};
  RunControl control{nullptr, nullptr, &files};
};

TEST(GivenFiles, AnswersReadThemAlone) {
  Moved moved;
  const Result<DedupSummary> done = dedup(moved.options, moved.control);
  ASSERT_TRUE(done.ok()) << done.error().text();
  const std::string output = moved.options.output;

  const Result<Explanation> why = explain({.folder = output, .id = "n4"}, moved.control);
  ASSERT_TRUE(why.ok()) << why.error().text();
  EXPECT_EQ(why.value().fate, Explanation::Fate::removed);
  EXPECT_TRUE(why.value().texts.has_value());
  EXPECT_FALSE(explain({.folder = output, .id = "n4"}, RunControl{}).ok());

  const Result<Shown> shown = show({.folder = output}, moved.control);
  ASSERT_TRUE(shown.ok()) << shown.error().text();
  EXPECT_TRUE(shown.value().clusters.at(0).records.at(0).words.has_value());

  for (const std::string& path :
       {moved.input, output, output + "/removed.jsonl.zst", output + "/summary.json"}) {
    EXPECT_TRUE(inspect(path, moved.control).ok()) << path;
    EXPECT_FALSE(inspect(path, RunControl{}).ok()) << path;
  }

  RestoreOptions back;
  back.folder = output;
  back.all = true;
  back.output = std::string(nowhere) + "/again";
  const Result<RestoreSummary> restored = restore(back, moved.control);
  ASSERT_TRUE(restored.ok()) << restored.error().text();
  EXPECT_EQ(restored.value().records, 3U);
}

TEST(GivenFiles, AnswersAboutClustersReadThemAlone) {
  Moved moved;
  ClusterOptions options;
  options.inputs = moved.options.inputs;
  options.output = moved.options.output;
  options.input = moved.options.input;
  const Result<ClusterSummary> done = cluster(options, moved.control);
  ASSERT_TRUE(done.ok()) << done.error().text();
  const Result<Explanation> why = explain({.folder = options.output, .id = "n4"}, moved.control);
  ASSERT_TRUE(why.ok()) << why.error().text();
  EXPECT_EQ(why.value().fate, Explanation::Fate::clustered);
}

TEST(GivenFiles, ComparisonsReadThemAlone) {
  Moved moved;
  CompareOptions two;
  two.a = moved.input + ":1";
  two.b = moved.input + ":4";
  const Result<ComparedTexts> compared = compare(two, moved.control);
  ASSERT_TRUE(compared.ok()) << compared.error().text();
  EXPECT_FALSE(compare(two, RunControl{}).ok());

  SpansOptions spans;
  spans.inputs = {two.a, two.b};
  const Result<ComparedSpans> common = compare_spans(spans, moved.control);
  ASSERT_TRUE(common.ok()) << common.error().text();
  EXPECT_FALSE(compare_spans(spans, RunControl{}).ok());
}

TEST(GivenFiles, TermsAreReadFromThem) {
  Moved moved;
  LexiconOptions options;
  options.inputs = moved.options.inputs;
  options.output = std::string(nowhere) + "/words.df";
  options.input = moved.options.input;
  const Result<LexiconSummary> counted = count_terms(options, moved.control);
  ASSERT_TRUE(counted.ok()) << counted.error().text();
  const Result<TermTable> read = read_terms(options.output, moved.control);
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read.value().terms, counted.value().table.terms);
  EXPECT_FALSE(read_terms(options.output, RunControl{}).ok());
}

TEST(GivenFiles, AnswersStopWhenAsked) {
  SmallRun small;
  small.run();
  const std::atomic<bool> stop = true;
  const RunControl stopped{&stop};
  EXPECT_EQ(explain({.folder = small.options.output, .id = "n4"}, stopped).error().code,
            ErrorCode::interrupted);
  EXPECT_EQ(inspect(small.input, stopped).error().code, ErrorCode::interrupted);
  EXPECT_EQ(read_terms("", stopped).error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace twinset
