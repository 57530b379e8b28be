#include <gtest/gtest.h>

#include "judge/source.h"
#include "support_runs/cluster_testing.h"
#include "support_runs/small_run.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

using namespace twinset::testing;

Result<Sample> draw(JudgeSource& source, std::optional<JudgeBy> by) {
  Sampler sampler({by, 10, 1});
  TWINSET_TRY(source.draw(sampler));
  TWINSET_ASSIGN(Sample sample, std::move(sampler).finish());
  TWINSET_TRY(source.name(sample.pairs));
  return sample;
}

std::string refusal(const std::string& folder, std::optional<JudgeBy> by) {
  const auto source = open_run_pairs(disk(), folder, nullptr);
  if (!source.ok()) return source.error().message;
  const Result<Sample> sample = draw(*source.value(), by);
  return sample.ok() ? "" : sample.error().message;
}

class RunPairsOfDedup : public ::testing::Test {
 protected:
  void SetUp() override { small_.run(); }
  SmallRun small_;
};

TEST_F(RunPairsOfDedup, AreRemovedRecordsAndTheirSurvivors) {
  const auto source = open_run_pairs(disk(), small_.options.output, nullptr).value();
  const Sample near = draw(*source, JudgeBy::resemblance).value();
  ASSERT_EQ(near.pairs.size(), 1U);  // No copies: n2 and n3 have the words of n1.
  EXPECT_EQ(near.pairs[0].a.document.id, "n4");
  EXPECT_EQ(near.pairs[0].b.document.id, "n1");
  EXPECT_EQ(near.classes.at(0).name, "0.9-1.0");
  const Sample all = draw(*source, JudgeBy::label).value();
  ASSERT_EQ(all.classes.size(), 3U);
  EXPECT_EQ(all.classes[0].name, "identical");
  EXPECT_EQ(all.classes[1].name, "lexical");
  EXPECT_EQ(all.classes[2].name, "near");
  const std::vector<JudgedPair> texts = source->read(near.pairs).value();
  EXPECT_EQ(texts.at(0).a.text.substr(texts[0].a.text.size() - 9), "that week");
  EXPECT_EQ(texts.at(0).b.text.substr(texts[0].b.text.size() - 8), "that day");
  EXPECT_FALSE(texts.at(0).a.cut);
}

TEST_F(RunPairsOfDedup, HaveNoDistance) {
  EXPECT_NE(refusal(small_.options.output, JudgeBy::distance).find("no distance"),
            std::string::npos);
}

TEST_F(RunPairsOfDedup, AreNotShownIfTheInputHasChanged) {
  const auto source = open_run_pairs(disk(), small_.options.output, nullptr).value();
  const Sample near = draw(*source, {}).value();
  std::string text = read_whole_file(disk(), small_.input, 1 << 20).value();
  text.replace(text.find("that week"), 9, "that year");
  ASSERT_TRUE(write_file_atomically(disk(), small_.input, text).ok());
  const auto refused = source->read(near.pairs);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_NE(refused.error().message.find(small_.input + " has changed since the run"),
            std::string::npos);
}

TEST_F(RunPairsOfDedup, StopWhenAsked) {
  std::atomic<bool> stop = true;
  const auto source = open_run_pairs(disk(), small_.options.output, &stop).value();
  const auto stopped = source->read({});
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

class RunPairsOfCluster : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.inputs = {small_.input};
    options_.input.max_record = 1 << 20;
    options_.output = small_.folder / "groups";
  }
  SmallRun small_;
  ClusterOptions options_;
};

TEST_F(RunPairsOfCluster, HaveResemblancesOrDistances) {
  ASSERT_TRUE(cluster(options_, quiet_control()).ok());
  const auto source = open_run_pairs(disk(), options_.output, nullptr).value();
  const Sample sample = draw(*source, JudgeBy::resemblance).value();
  ASSERT_EQ(sample.pairs.size(), 1U);
  EXPECT_EQ(sample.pairs[0].a.document.id, "n4");
  EXPECT_EQ(sample.pairs[0].b.document.id, "n1");
  EXPECT_NE(sample.pairs[0].a.fingerprint, 0U);
  EXPECT_EQ(draw(*source, JudgeBy::label).value().classes.size(), 3U);
  EXPECT_NE(refusal(options_.output, JudgeBy::distance).find("of the kind shingles"),
            std::string::npos);

  options_.output = small_.folder / "near";
  options_.scheme = "simhash";
  options_.distance = "7";
  ASSERT_TRUE(cluster(options_, quiet_control()).ok());
  const auto far = open_run_pairs(disk(), options_.output, nullptr).value();
  const Sample distances = draw(*far, JudgeBy::distance).value();
  for (const SamplePair& pair : distances.pairs) EXPECT_LE(pair.value.distance.value(), 7U);
  EXPECT_NE(refusal(options_.output, JudgeBy::resemblance).find("of the kind distance"),
            std::string::npos);
}

TEST_F(RunPairsOfCluster, BelowTheThresholdAreForClassesOfValues) {
  options_.floor = Ratio(1, 10);
  options_.resemblance = Ratio(99, 100);
  const auto made = cluster(options_, quiet_control());
  ASSERT_TRUE(made.ok()) << made.error().message;
  const auto source = open_run_pairs(disk(), options_.output, nullptr).value();
  EXPECT_EQ(draw(*source, {}).value().pairs.size(), 0U);
  EXPECT_EQ(draw(*source, JudgeBy::resemblance).value().pairs.size(), 1U);
}

TEST_F(RunPairsOfCluster, RecutHasNone) {
  ASSERT_TRUE(cluster(options_, quiet_control()).ok());
  RecutOptions again;
  again.from = options_.output;
  again.output = small_.folder / "recut";
  ASSERT_TRUE(recut(again, quiet_control()).ok());
  EXPECT_NE(refusal(again.output, {}).find("recut writes clusters alone"), std::string::npos);
}

TEST(JudgedText, IsCutAtACharacter) {
  EXPECT_FALSE(judged_text("short").cut);
  std::string text(most_judged_bytes - 1, 'x');
  text += "\xc3\xa9";
  const JudgedText cut = judged_text(text);
  EXPECT_TRUE(cut.cut);
  EXPECT_EQ(cut.text.size(), most_judged_bytes - 1);
}

}  // namespace
}  // namespace twinset
