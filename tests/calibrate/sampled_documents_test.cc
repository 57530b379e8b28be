#include "calibrate/sampled_documents.h"

#include <gtest/gtest.h>

#include <set>

#include "text/analyzer.h"

namespace twinset {
namespace {

SampledDocuments two() {
  const Analyzer& analyzer = *require_analyzer("words").value();
  SampledDocuments sample;
  for (const char* first : {"a", "b"}) {
    SampledText each;
    for (int word = 0; word < 300; ++word) each.text += first + std::to_string(word) + " ";
    analyzer.analyze(each.text, Offsets::drop, each.analysis);
    sample.texts.push_back(each);
  }
  sample.originals = 2;
  return sample;
}

TEST(SampledDocuments, EachOriginalHasACopyOfEachRate) {
  const Analyzer& analyzer = *require_analyzer("words").value();
  std::vector<std::string> texts;
  for (const unsigned threads : {1U, 3U}) {
    SampledDocuments sample = two();
    ASSERT_TRUE(plant_copies(analyzer, 9, threads, {}, sample).ok());
    ASSERT_EQ(sample.texts.size(), 8U);
    for (std::uint32_t original = 0; original < 2; ++original) {
      for (std::size_t rate = 0; rate < planted_per_mille.size(); ++rate) {
        const SampledText& copy = sample.texts[sample.copy_of(original, rate)];
        const auto& tokens = sample.texts[original].analysis.tokens;
        ASSERT_EQ(copy.analysis.tokens.size(), tokens.size());
        std::size_t changed = 0;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
          changed += tokens[i] != copy.analysis.tokens[i] ? 1 : 0;
        }
        EXPECT_EQ(changed, planted_per_mille[rate] * 300 / 1000);
      }
    }
    for (const SampledText& each : sample.texts) texts.push_back(each.text);
    EXPECT_EQ(sample.tokens(), std::vector<std::uint64_t>(8, 300));
    EXPECT_EQ(sample.views(analyzer)[1].text(), sample.texts[1].text);
  }
  EXPECT_EQ(std::vector(texts.begin(), texts.begin() + 8),
            std::vector(texts.begin() + 8, texts.end()))
      << "threads change nothing";
}

TEST(SampledDocuments, PlantingStopsWhenAsked) {
  SampledDocuments sample = two();
  const Status stopped = plant_copies(
      *require_analyzer("words").value(), 9, 2, [] { return Status(io_error("stop")); }, sample);
  EXPECT_FALSE(stopped.ok());
}

}  // namespace
}  // namespace twinset
