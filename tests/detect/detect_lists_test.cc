#include "detect/detect_lists.h"

#include <gtest/gtest.h>

#include "detect/detect_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(ThresholdRule, AutoOrAShare) {
  EXPECT_FALSE(ThresholdRule::parse("auto", "threshold").value().fixed.has_value());
  EXPECT_EQ(ThresholdRule::parse("0.163", "threshold").value().fixed, 0.163);
  EXPECT_EQ(ThresholdRule::parse("50%", "threshold").value().fixed, 0.5);
  for (const char* wrong : {"", "1.1", "-0.1", "mean", "0.1x"}) {
    const Result<ThresholdRule> rule = ThresholdRule::parse(wrong, "page_threshold");
    ASSERT_FALSE(rule.ok()) << wrong;
    EXPECT_EQ(rule.error().code, ErrorCode::usage);
    EXPECT_TRUE(rule.error().text(Door::command_line).starts_with("--page-threshold "))
        << rule.error().text(Door::command_line);
  }
}

//
TEST(ThresholdRule, IsTheMeanAndOneDeviation) {
  ShareSums sums;
  sums.add(0, 3);
  sums.add(whole_share);
  const DetectThreshold by_mean = ThresholdRule().of(sums);
  EXPECT_EQ(by_mean.of, 4U);
  EXPECT_DOUBLE_EQ(by_mean.mean, 0.25);
  EXPECT_DOUBLE_EQ(by_mean.deviation, std::sqrt(3.0) / 4);
  EXPECT_DOUBLE_EQ(by_mean.threshold, 0.25 + std::sqrt(3.0) / 4);
  const DetectThreshold fixed = ThresholdRule{0.144}.of(sums);
  EXPECT_EQ(fixed.threshold, 0.144);
  EXPECT_DOUBLE_EQ(fixed.mean, 0.25) << "for comparison";
  const DetectThreshold public_one = detect_threshold("auto", "threshold", sums).value();
  EXPECT_EQ(public_one.threshold, by_mean.threshold);
  EXPECT_TRUE(public_one.is_above(whole_share));
  EXPECT_FALSE(detect_threshold("25%", "threshold", sums).value().is_above(whole_share / 4));
  EXPECT_TRUE(detect_threshold("25%", "threshold", sums).value().is_above(whole_share / 4 + 1));
  EXPECT_FALSE(detect_threshold("2", "threshold", sums).ok());
}

TEST(DetectRules, OnePageThresholdOrTwo) {
  DetectOptions options;
  options.threshold = "0.2";
  EXPECT_EQ(DetectRules::parse(options).value().pages.fixed, 0.2);
  options.page_threshold = "auto";
  EXPECT_FALSE(DetectRules::parse(options).value().pages.fixed.has_value());
  EXPECT_EQ(DetectRules::parse(options).value().neighborhoods.fixed, 0.2);
}

/// Without a folder to write, and with labels that are found again and again.
TEST(DetectLists, ChooseWhatAReportShows) {
  const ScratchFolder folder;
  RunContext context;
  context.files = &unsynced();
  context.memory_bytes = 1 << 16;
  Detections found(context, folder / "", 1 << 16);
  for (std::uint64_t i = 0; i < 60; ++i) {
    std::string blob;
    for (std::uint64_t label = 0; label < 40; ++label) {
      // Label n stands in the pages from n on.
      if (label > i) continue;
      append_match({LabelKind::chunk,
                    hash_chunk(std::to_string(label), ChunkHash::xxh3),
                    label,
                    1,
                    label % 2 == 0 ? "" : "text of " + std::to_string(label),
                    {"u", 0, 1}},
                   blob);
    }
    const std::string_view blobs[] = {blob};
    LabeledPage page{"http://a.org/" + std::to_string(i), "f",   i + 1, 100,
                     std::min<std::uint64_t>(i + 1, 40),  false, 0,     1};
    page.first_matches = found.add_matches(blobs).value();
    found.shares.add(page.units());
    ASSERT_TRUE(found.add(page).ok());
  }
  ASSERT_TRUE(found.seal().ok());
  DetectRules rules;
  rules.top = 7;
  rules.counts_labels = true;
  DetectLists lists(context, folder / "", rules, found);
  DetectSummary summary;
  const Status written = lists.write("", summary);
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(summary.top_pages.size(), 7U);
  const ShownDetections& shown = lists.shown();
  ASSERT_EQ(shown.pages.size(), 7U);
  EXPECT_EQ(shown.pages[0].all_matches, 40U);
  EXPECT_EQ(shown.pages[0].matches.size(), 12U);
  ASSERT_EQ(shown.labels.size(), 20U);
  EXPECT_EQ(shown.labels[0].times, 60U);
  EXPECT_EQ(shown.labels[1].times, 59U);
  EXPECT_EQ(shown.labels[1].match.text, "text of 1");
}

}  // namespace
}  // namespace twinset
