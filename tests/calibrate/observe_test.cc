#include "calibrate/observe.h"

#include <gtest/gtest.h>

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

TEST_F(ObserveTest, PlantedCopiesTellRecallByLengthAndShare) {
  std::vector<PlantedCopy> copies;
  for (std::uint32_t original = 0; original < sample_.originals; ++original) {
    for (std::size_t rate = 0; rate < planted_per_mille.size(); ++rate) {
      copies.push_back({rate, sample_.texts[original].analysis.tokens.size(),
                        found_->at(original, sample_.copy_of(original, rate))});
    }
  }
  std::uint64_t counted = 0;
  std::uint64_t found = 0;
  for (const PlantedRecall& row : planted_recall(copies, 8)) {
    ASSERT_EQ(row.found.size(), 8U);
    for (std::size_t i = 1; i < 8; ++i) EXPECT_GE(row.found[i].count, row.found[i - 1].count);
    counted += row.found[0].of;
    found += row.found[7].count;
  }
  EXPECT_EQ(counted, copies.size());
  std::uint64_t due = 0;
  for (const PlantedCopy& copy : copies) due += copy.found >> 7 & 1;
  EXPECT_EQ(found, due);
}

}  // namespace
}  // namespace twinset
