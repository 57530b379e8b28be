// Groups predicted from a sample of keys, compared with all of them counted.
#include "plan/key_forecast.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace twinset {
namespace {

using Documents = std::vector<std::vector<std::uint64_t>>;

/// Families of two to six documents that share most of 30 keys.
Documents small_families(std::size_t families, std::mt19937_64& random) {
  Documents documents;
  for (std::size_t family = 0; family < families; ++family) {
    std::vector<std::uint64_t> keys(30);
    for (std::uint64_t& key : keys) key = random();
    for (std::uint64_t member = 2 + random() % 5; member > 0; --member) {
      documents.push_back(keys);
      for (int i = 0; i < 5; ++i) documents.back()[random() % 30] = random();
    }
  }
  return documents;
}

double meetings_of(const Documents& documents) {
  std::map<std::uint64_t, double> holders;
  for (const auto& document : documents) {
    for (const std::uint64_t key : document) ++holders[key];
  }
  double meetings = 0;
  for (const auto& [key, of] : holders) meetings += of * (of - 1) / 2;
  return meetings;
}

struct Sampled {
  KeyForecast keys;
  double share = 1;
};

Sampled forecast_of(const Documents& documents, std::uint64_t memory, std::uint64_t max_group) {
  KeySample sample(memory);
  SampleBatch batch;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    KeyHolder holder;
    holder.document = DocumentId(0, i + 1);
    holder.lexical = {i, i};
    sample.take(holder, documents[i], {}, batch);
    sample.add(batch);
  }
  const SampleBatch& sampled = sample.finish();
  return {forecast_keys(sampled, sample.halvings(), max_group), sample.share()};
}

TEST(KeyForecast, IsExactWhereEveryKeyIsSampled) {
  std::mt19937_64 random(1);
  const Documents documents = small_families(200, random);
  const Sampled all = forecast_of(documents, 1 << 28, 0);
  ASSERT_EQ(all.share, 1);
  EXPECT_EQ(all.keys.meetings.value, meetings_of(documents));
  EXPECT_EQ(all.keys.meetings.low, all.keys.meetings.high);
  const Sampled cut = forecast_of(documents, 1 << 28, 1);
  EXPECT_EQ(cut.keys.meetings.value, 0);
  EXPECT_EQ(cut.keys.groups.value, 0);
  EXPECT_EQ(cut.keys.common_keys.value, all.keys.groups.value);
}

// Of 40 samples of 95 % fewer than 29 hold the truth once in 10^6.
TEST(KeyForecast, IntervalsHoldTheTruthOfSmallGroups) {
  int held = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    const Documents documents = small_families(2000, random);
    const Sampled some = forecast_of(documents, 1 << 20, 0);
    ASSERT_LT(some.share, 0.1);
    ASSERT_TRUE(some.keys.meetings.predictable);
    const double came = meetings_of(documents);
    held += some.keys.meetings.low <= came && came <= some.keys.meetings.high ? 1 : 0;
  }
  EXPECT_GE(held, 29);
}

// A template of 20 keys in 2,000 documents: a sample of one key in dozens has none of them,
// or one, and 40 million meetings hang on that. Either way it is noticed.
TEST(KeyForecast, ATemplateIsNotPredictable) {
  int doubtful = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    std::mt19937_64 random(seed);
    Documents documents = small_families(2000, random);
    std::vector<std::uint64_t> common(20);
    for (std::uint64_t& key : common) key = random();
    for (std::size_t i = 0; i < 2000; ++i) {
      documents[i].insert(documents[i].end(), common.begin(), common.end());
    }
    const Sampled some = forecast_of(documents, 1 << 20, 0);
    ASSERT_LT(some.share, 0.1);
    EXPECT_FALSE(some.keys.meetings.predictable) << seed;
    doubtful += forecast_of(documents, 1 << 20, 2000).keys.common_known ? 0 : 1;
  }
  // No sample knows whether 2,000 holders are more than 2,000, and most forecasts say so.
  EXPECT_GE(doubtful, 8);
}

}  // namespace
}  // namespace twinset
