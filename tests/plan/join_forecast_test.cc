#include "plan/join_forecast.h"

#include <gtest/gtest.h>

#include <random>

#include "join/hamming_plan.h"
#include "scheme/little_endian.h"
#include "system/files.h"

namespace twinset {
namespace {

struct Sampled {
  explicit Sampled(std::uint64_t memory) : sample(memory) {}
  KeySample sample;
  SampleBatch batch;
};

/// Documents of random signatures, each twice, and each near one that differs in two bits.
void fill(std::uint64_t families, Sampled& sampled) {
  std::mt19937_64 random(1);
  SampleBatch batch;
  std::uint64_t record = 0;
  for (std::uint64_t family = 0; family < families; ++family) {
    const std::uint64_t first = random();
    for (const std::uint64_t signature : {first, first, first ^ 0x8001}) {
      std::vector<std::uint8_t> stored{1};
      const std::vector<std::uint64_t> words{signature};
      append_little_endian<std::uint64_t>(words, stored);
      KeyHolder document;
      document.document = DocumentId(0, ++record);
      document.lexical = {record, mix64(record)};
      const std::vector<std::uint64_t> keys{mix64(signature)};
      sampled.sample.take(document, keys, stored, batch);
    }
    sampled.sample.add(batch);
  }
  sampled.batch = sampled.sample.finish();
}

TEST(ForecastJoin, CountsThePairsOfAWholeSample) {
  Sampled sampled(std::uint64_t{64} << 20);
  fill(20'000, sampled);
  ASSERT_EQ(sampled.sample.share(), 1);
  RunContext context;
  context.files = &disk();
  const auto scheme = make_scheme("simhash", 0.8).value();
  for (const std::uint32_t distance : {1U, 2U}) {
    const JoinForecast seen =
        forecast_join(context, sampled.sample, sampled.batch, *scheme, distance, 1e12).value();
    EXPECT_EQ(seen.join.signatures, 40'000);
    EXPECT_TRUE(seen.pairs.predictable);
    EXPECT_EQ(seen.pairs.value, distance == 1 ? 20'000 : 40'000);
    EXPECT_GT(seen.join.tables, distance);
  }
  // Too many to be compared are not counted, and their number is told.
  const JoinForecast seen =
      forecast_join(context, sampled.sample, sampled.batch, *scheme, 2, 10).value();
  EXPECT_FALSE(seen.pairs.predictable);
  EXPECT_GT(seen.join.comparisons, 10);
}

TEST(ForecastJoin, ASampleTellsTheComparisons) {
  Sampled whole(std::uint64_t{512} << 20);
  Sampled part(std::uint64_t{4} << 20);
  fill(100'000, whole);
  fill(100'000, part);
  ASSERT_EQ(whole.sample.share(), 1);
  ASSERT_LT(part.sample.share(), 1);
  RunContext context;
  context.files = &disk();
  const auto scheme = make_scheme("simhash", 0.8).value();
  const auto forecast = [&](const Sampled& of) {
    return forecast_join(context, of.sample, of.batch, *scheme, 3, 1e12).value();
  };
  const JoinForecast seen = forecast(whole);
  const JoinForecast guessed = forecast(part);
  EXPECT_FALSE(guessed.pairs.predictable);
  // Some ten thousand are sampled, and a pair for each: four standard errors are 4 %.
  EXPECT_NEAR(guessed.join.signatures, seen.join.signatures, .05 * seen.join.signatures);
  EXPECT_EQ(guessed.join.tables, seen.join.tables);
  EXPECT_NEAR(guessed.join.comparisons, seen.join.comparisons, .2 * seen.join.comparisons);
}

}  // namespace
}  // namespace twinset
