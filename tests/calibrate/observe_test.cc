#include "calibrate/observe.h"

#include <gtest/gtest.h>

#include <set>

#include "evaluate/tokens_for_tests.h"
#include "system/memory_files.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

class ObserveTest : public ::testing::Test {
 protected:
  ObserveTest() : analyzer_(*require_analyzer("words").value()) {
    for (const std::string& text : related_texts(8, 40)) {
      SampledText each;
      each.text = text;
      Analysis analysis;
      analyzer_.analyze(text, Offsets::drop, analysis);
      each.analysis.tokens = analysis.tokens;
      if (!analysis.tokens.empty()) sample_.texts.push_back(each);
    }
    sample_.originals = sample_.texts.size();
    EXPECT_TRUE(plant_copies(analyzer_, 1, 1, {}, sample_).ok());
    std::vector<std::span<const std::uint64_t>> tokens;
    for (const SampledText& each : sample_.texts) tokens.emplace_back(each.analysis.tokens);
    shingles_.emplace(ShingleCollection::make(tokens, 5, std::uint64_t{1} << 30).value());
    views_ = sample_.views(analyzer_);
    FoundPairsOptions options;
    options.files = &disk();
    found_.emplace(FoundPairs::make("simhash(weights=unit)", views_, *shingles_, options).value());
  }

  const Analyzer& analyzer_;
  SampledDocuments sample_;
  std::optional<ShingleCollection> shingles_;
  std::vector<GivenView> views_;
  std::optional<FoundPairs> found_;
};

TEST_F(ObserveTest, LabelsGiveAllTheirPairsAndAllThatAreFound) {
  std::vector<std::uint32_t> labels;
  for (std::uint32_t d = 0; d < sample_.originals; ++d) labels.push_back(d % 5);
  const auto pairs = observe_labels(labels, *found_);
  ASSERT_TRUE(pairs.ok());
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const ObservedPair& pair : pairs.value()) {
    EXPECT_TRUE(seen.emplace(pair.a, pair.b).second);
    EXPECT_EQ(pair.same, labels[pair.a] == labels[pair.b]);
    EXPECT_EQ(pair.found, found_->at(pair.a, pair.b));
  }
  for (std::uint32_t a = 0; a < labels.size(); ++a) {
    for (std::uint32_t b = a + 1; b < labels.size(); ++b) {
      EXPECT_EQ(seen.contains({a, b}), labels[a] == labels[b] || found_->at(a, b) != 0);
    }
  }
}

TEST_F(ObserveTest, TooManyPairsOfALabelAreRefusedBeforeTheyAreMade) {
  const std::vector<std::uint32_t> labels(3000, 1);
  const auto pairs = observe_labels(labels, *found_);
  ASSERT_FALSE(pairs.ok());
  EXPECT_EQ(pairs.error().message.substr(0, 43), "4,498,500 pairs of documents share a label,");
}

TEST_F(ObserveTest, JudgedPairsAreAsJudged) {
  MemoryFiles files;
  ASSERT_TRUE(files
                  .write("p",
                         "{\"a\":\"x\",\"b\":\"y\",\"same\":true}\n"
                         "{\"a\":\"x\",\"b\":\"z\",\"same\":false}\n")
                  .ok());
  JudgedPairs judged = JudgedPairs::read(files, "p").value();
  ASSERT_TRUE(judged.take("x", 3).value() && judged.take("y", 1).value() &&
              judged.take("z", 2).value());
  const std::vector<ObservedPair> pairs = observe_judged(judged, *found_);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].a, 1U);
  EXPECT_EQ(pairs[0].b, 3U);
  EXPECT_TRUE(pairs[0].same);
  EXPECT_FALSE(pairs[1].same);
  EXPECT_EQ(pairs[0].found, found_->at(1, 3));
}

TEST_F(ObserveTest, PlantedCopiesTellRecallAndOriginalsPrecision) {
  const auto observed = observe_planted(sample_, {1, 2}, *shingles_, *found_);
  ASSERT_TRUE(observed.ok());
  std::size_t planted = 0;
  for (const ObservedPair& pair : observed.value()) {
    EXPECT_EQ(pair.found, found_->at(pair.a, pair.b));
    if (pair.planted) {
      ++planted;
      EXPECT_TRUE(pair.same);
      continue;
    }
    EXPECT_LT(pair.b, sample_.originals);
    EXPECT_FALSE(pair.natural_recall);
    EXPECT_EQ(pair.same, shingles_->pair(pair.a, pair.b).resemblance().at_least({1, 2}));
  }
  EXPECT_EQ(planted, 3 * sample_.originals);
  std::uint64_t counted = 0;
  for (const PlantedRecall& row : planted_recall(planted_copies(sample_, observed.value()), 8)) {
    ASSERT_EQ(row.found.size(), 8U);
    for (std::size_t i = 1; i < 8; ++i) EXPECT_GE(row.found[i].count, row.found[i - 1].count);
    counted += row.found[0].of;
  }
  EXPECT_EQ(counted, planted);
}

}  // namespace
}  // namespace twinset
