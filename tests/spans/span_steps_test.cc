// The steps of spans over texts in memory, against brute force over every N tokens in a row.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "spans/patchwork.h"
#include "spans/span_oracle.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

const char* place_name(const FollowedSpan& span) {
  if (span.is_first && span.is_nearest) return "both";
  return span.is_first ? "first" : "nearest";
}

/// All steps, as an engine takes them; sorted lines of spans. Counts are set.
std::vector<std::string> found_in_steps(const std::vector<std::string>& texts, const SpanRule& rule,
                                        bool across, std::uint64_t& tokens, std::uint64_t& repeated,
                                        std::uint64_t& reused) {
  const SpanSteps steps = SpanSteps::make(rule).value();
  std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, SpanAnchor>>> by_key;
  std::vector<SpanAnchor> anchors;
  for (std::uint32_t text = 0; text < texts.size(); ++text) {
    tokens += steps.anchors(texts[text], anchors);
    for (const SpanAnchor& anchor : anchors) by_key[anchor.key].push_back({text, anchor});
  }
  std::map<std::uint32_t, std::vector<SpanAnchor>> repeated_anchors;
  for (const auto& [key, members] : by_key) {
    if (members.size() < 2) continue;
    for (const auto& [text, anchor] : members) repeated_anchors[text].push_back(anchor);
  }
  std::vector<RunRow> rows;
  for (auto& [text, chosen] : repeated_anchors) {
    std::ranges::sort(chosen, {}, &SpanAnchor::first_run);
    EXPECT_TRUE(steps.runs(texts[text], text, chosen, rows).ok());
  }
  std::ranges::sort(rows, {}, [](const RunRow& row) {
    return std::tuple(row.key, row.check, row.text, row.begin);
  });
  EarlierPlaceScan scan(steps.run_tokens(), across);
  std::map<std::uint32_t, std::vector<EarlierPlaces>> places;
  for (const RunRow& row : rows) {
    if (const auto found = scan.next(row)) places[found->place.text].push_back(*found);
  }
  repeated = scan.counts().first;
  std::vector<std::string> lines;
  HeldTexts held(across ? 0 : std::uint64_t{1} << 14);
  for (auto& [text, own] : places) {
    std::ranges::sort(own, {}, &EarlierPlaces::place);
    const auto followed = steps.follow(
        texts[text], own, [&](std::uint32_t number) -> std::string_view { return texts[number]; },
        held);
    EXPECT_TRUE(followed.ok()) << followed.error().message;
    reused += followed.value().reused_tokens;
    for (const FollowedSpan& found : followed.value().spans) {
      const TextSpan& span = found.span;
      lines.push_back(span_line(found.earlier + 1, span.begin_a, span.end_a, text + 1, span.begin_b,
                                span.end_b, span.tokens, place_name(found)));
    }
  }
  std::ranges::sort(lines);
  return lines;
}

TEST(SpanSteps, SpansAreThoseOfBruteForceAndOfARun) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const std::uint64_t alphabet = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 30 : 100'000;
    const std::vector<std::string> texts = patchwork(seed, 60, alphabet);
    SpanRule rule;
    rule.least_tokens = std::vector<std::uint64_t>{1, 3, 8, 20}[seed % 4];
    const SpanOracle oracle(oracle_texts(texts), rule.least_tokens);
    std::vector<std::string> expected = span_lines(oracle, oracle.followed());
    std::ranges::sort(expected);
    std::uint64_t tokens = 0;
    std::uint64_t repeated = 0;
    std::uint64_t reused = 0;
    EXPECT_EQ(found_in_steps(texts, rule, false, tokens, repeated, reused), expected)
        << "seed " << seed;
    found += expected.size();
    const ScratchFolder folder;
    for (const bool across : {false, true}) {
      SpansOptions options;
      options.columns = {TextColumn(texts)};
      options.output = folder / (across ? "across" : "all");
      options.min_tokens = rule.least_tokens;
      options.across = across;
      const auto run = spans(options, quiet_control());
      ASSERT_TRUE(run.ok()) << run.error().message;
      tokens = repeated = reused = 0;
      const auto lines = found_in_steps(texts, rule, across, tokens, repeated, reused);
      EXPECT_EQ(lines.size(), run.value().spans);
      EXPECT_EQ(tokens, run.value().tokens);
      EXPECT_EQ(repeated, run.value().repeated_runs);
      EXPECT_EQ(reused, run.value().reused_tokens);
    }
  }
  EXPECT_GT(found, 300U);
}

TEST(SpanSteps, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(SpanSteps::make({.analyzer = "none"}).error().code, ErrorCode::usage);
  EXPECT_EQ(SpanSteps::make({.least_tokens = 0}).error().code, ErrorCode::usage);
  const SpanSteps steps = SpanSteps::make({.least_tokens = 3}).value();
  std::vector<SpanAnchor> anchors;
  EXPECT_EQ(steps.anchors("one two three four", anchors), 4U);
  ASSERT_FALSE(anchors.empty());
  std::vector<RunRow> rows;
  EXPECT_TRUE(steps.runs("one two three four", 0, anchors, rows).ok());
  EXPECT_EQ(rows.size(), 2U);
  EXPECT_FALSE(steps.runs("one two three", 0, anchors, rows).ok());
  const auto text_of = [](std::uint32_t) -> std::string_view { return "one two three"; };
  const std::vector<EarlierPlaces> places{{{1, 0}, {0, 0}, {0, 0}}};
  HeldTexts none(0);
  const auto followed = steps.follow("zero one two three", places, text_of, none);
  EXPECT_EQ(followed.error().code, ErrorCode::usage) << "no run begins there";
  EXPECT_EQ(steps.follow("one two three", places, text_of, none).value().spans.size(), 1U);
}

TEST(SpanSteps, AnEarlierTextIsAskedForOnce) {
  const SpanSteps steps = SpanSteps::make({.least_tokens = 3}).value();
  for (const std::uint64_t memory : {0U, 1U << 20}) {
    HeldTexts held(memory);
    int asked = 0;
    const auto text_of = [&](std::uint32_t) -> std::string_view {
      ++asked;
      return "one two three";
    };
    for (std::uint32_t later = 1; later < 6; ++later) {
      const std::vector<EarlierPlaces> places{{{later, 0}, {0, 0}, {0, 0}}};
      EXPECT_EQ(steps.follow("one two three", places, text_of, held).value().spans.size(), 1U);
    }
    EXPECT_EQ(asked, memory == 0 ? 5 : 1);
  }
}

}  // namespace
}  // namespace twinset
