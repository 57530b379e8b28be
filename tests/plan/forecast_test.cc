// Predictions compared with the facts: exactly if every key is in the sample, else in the mean over
// many samples.
#include "plan/forecast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

/// Families of documents that share most of their shingles, copies, and unrelated documents.
struct MadeCollection {
  std::vector<std::vector<std::uint64_t>> shingles;
  std::vector<Fingerprint> lexical;
};

MadeCollection make_collection(std::size_t families, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  MadeCollection made;
  const auto add = [&](std::vector<std::uint64_t> shingles) {
    made.shingles.push_back(std::move(shingles));
    made.lexical.push_back({random(), random()});
  };
  for (std::size_t family = 0; family < families; ++family) {
    std::vector<std::uint64_t> text(60 + random() % 200);
    for (std::uint64_t& shingle : text) shingle = random();
    // A sample has every key of one large family, or hardly any.
    const std::uint64_t members = family == 1 ? 12 : family % 3 == 0 ? 2 + random() % 5 : 1;
    for (std::uint64_t member = 0; member < members; ++member) {
      std::vector<std::uint64_t> edited = text;
      const std::uint64_t edits = random() % (edited.size() / 4);
      for (std::uint64_t i = 0; i < edits; ++i) edited[random() % edited.size()] = random();
      add(std::move(edited));
      if (random() % 8 != 0) continue;
      made.shingles.push_back(made.shingles.back());
      made.lexical.push_back(made.lexical.back());
    }
  }
  return made;
}

/// Everything a forecast needs, and the same numbers counted.
struct World {
  std::unique_ptr<Scheme> scheme;
  std::vector<Sketch> sketches;
  std::vector<std::vector<std::uint64_t>> keys;
  std::vector<bool> folded;
  std::uint64_t copies = 0;
  std::set<std::pair<std::size_t, std::size_t>> candidates;  ///< (later, earlier)
  std::uint64_t pairs = 0;                                   ///< of them at the threshold
  std::uint64_t clustered = 0;                               ///< documents
};

World make_world(const MadeCollection& collection, const std::string& spec, double threshold) {
  World world;
  auto scheme = make_scheme(spec, threshold);
  EXPECT_TRUE(scheme.ok());
  world.scheme = std::move(scheme).value();
  std::map<Fingerprint, std::size_t> first;
  std::map<std::uint64_t, std::vector<std::size_t>> groups;
  std::vector<bool> in_cluster(collection.shingles.size());
  for (std::size_t i = 0; i < collection.shingles.size(); ++i) {
    Sketch sketch;
    world.scheme->sketch(GivenView(collection.shingles[i]), sketch);
    std::vector<std::uint64_t> keys;
    world.scheme->keys(sketch, keys);
    world.sketches.push_back(sketch);
    world.keys.push_back(keys);
    const auto [place, fresh] = first.emplace(collection.lexical[i], i);
    world.folded.push_back(!fresh);
    if (!fresh) {
      ++world.copies;
      in_cluster[i] = in_cluster[place->second] = true;
      continue;
    }
    for (const std::uint64_t key : keys) groups[key].push_back(i);
  }
  const bool counts = world.scheme->declaration().shared_key == SharedKey::count;
  for (const auto& [key, members] : groups) {
    for (std::size_t i = 1; i < members.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (counts || j < 4 || j + 1 == i) world.candidates.insert({members[i], members[j]});
      }
    }
  }
  for (const auto& [later, earlier] : world.candidates) {
    const auto said =
        world.scheme->compare(world.sketches[later].stored, world.sketches[earlier].stored);
    if (!said.resemblance.has_value() || said.resemblance->value < threshold) continue;
    ++world.pairs;
    in_cluster[later] = in_cluster[earlier] = true;
  }
  world.clustered =
      static_cast<std::uint64_t>(std::count(in_cluster.begin(), in_cluster.end(), true));
  return world;
}

Forecast predict(const MadeCollection& collection, const World& world, std::uint64_t memory,
                 const ForecastRule& rule) {
  KeySample sample(memory);
  SampleBatch batch;
  for (std::size_t i = 0; i < collection.shingles.size(); ++i) {
    KeyHolder holder;
    holder.document = DocumentId(0, i + 1);
    holder.lexical = collection.lexical[i];
    holder.level = world.sketches[i].level;
    holder.text_bytes = collection.shingles[i].size();
    sample.take_fingerprint(holder.lexical, batch);
    sample.take(holder, world.keys[i], world.sketches[i].stored, batch);
    sample.add(batch);
  }
  const SampleBatch& sampled = sample.finish();
  return forecast(sample, sampled, collection.shingles.size(), *world.scheme, rule);
}

TEST(Forecast, IsExactWhereEveryKeyIsSampled) {
  const MadeCollection collection = make_collection(300, 1);
  for (const char* spec : {"fss", "mod(samples=64)", "minhash", "mod(modulus=4)"}) {
    const World world = make_world(collection, spec, 0.7);
    const Forecast seen = predict(collection, world, 1 << 26, {.threshold = Ratio(7, 10)});
    EXPECT_EQ(seen.key_share, 1);
    EXPECT_EQ(seen.copies.value, static_cast<double>(world.copies)) << spec;
    EXPECT_EQ(seen.candidates.value, static_cast<double>(world.candidates.size())) << spec;
    EXPECT_EQ(seen.candidates.low, seen.candidates.high) << spec;
    EXPECT_EQ(seen.pairs.value, static_cast<double>(world.pairs)) << spec;
    EXPECT_EQ(seen.clustered.value, static_cast<double>(world.clustered)) << spec;
    EXPECT_GT(world.pairs, 100U);
    double in_bins = 0;
    for (const double bin : seen.by_resemblance) in_bins += bin;
    EXPECT_DOUBLE_EQ(in_bins, seen.candidates.value) << spec;
  }
}

// The estimators are unbiased: over 24 collections their mean is within five standard errors of the
// counted numbers (a correct build fails once in a million).
void expect_unbiased(const std::string& spec, std::uint64_t memory, std::uint64_t most_pairs,
                     double largest_share) {
  struct Sum {
    double sum = 0;
    double squares = 0;
    int covered = 0;
    void add(const Predicted& predicted, double truth) {
      const double error = predicted.value - truth;
      sum += error;
      squares += error * error;
      covered += predicted.low <= truth && truth <= predicted.high ? 1 : 0;
    }
  };
  constexpr int trials = 24;
  Sum pairs;
  Sum clustered;
  Sum copies;
  double truth = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const MadeCollection collection = make_collection(200, 100 + static_cast<std::uint64_t>(trial));
    const World world = make_world(collection, spec, 0.7);
    const Forecast seen =
        predict(collection, world, memory,
                {.threshold = Ratio(7, 10), .max_group = 15, .most_pairs = most_pairs});
    EXPECT_LE(seen.key_share, largest_share);
    pairs.add(seen.pairs, static_cast<double>(world.pairs));
    clustered.add(seen.clustered, static_cast<double>(world.clustered));
    copies.add(seen.copies, static_cast<double>(world.copies));
    truth += static_cast<double>(world.pairs) / trials;
  }
  for (const auto& [name, sum] :
       {std::pair{"pairs", &pairs}, {"clustered", &clustered}, {"copies", &copies}}) {
    const double mean = sum->sum / trials;
    const double error = std::sqrt(sum->squares / trials / trials);
    EXPECT_LE(std::abs(mean), 5 * error + 1e-9) << spec << " " << name;
    // Of 24 intervals of 95 % fewer than 15 hold the truth once in 10^7.
    EXPECT_GE(sum->covered, 15) << spec << " " << name;
  }
  EXPECT_LE(std::sqrt(pairs.squares / trials), 0.8 * truth) << "useless";
}

TEST(Forecast, IsUnbiasedOverSampledBands) { expect_unbiased("fss", 240'000, 1 << 20, 0.25); }

TEST(Forecast, IsUnbiasedOverSampledCountedKeys) {
  expect_unbiased("mod(samples=64)", 300'000, 1 << 20, 0.25);
}

// Few keys a document, so that few documents of a sample represent many.
TEST(Forecast, IsUnbiasedOverFewCountedKeys) {
  expect_unbiased("mod(modulus=16)", 80'000, 1 << 20, 0.25);
}

TEST(Forecast, IsUnbiasedWithProbes) { expect_unbiased("fss", 1 << 26, 1'000, 1); }

TEST(Forecast, IsUnbiasedWithCountedProbes) {
  expect_unbiased("mod(samples=64)", 1 << 26, 7'000, 1);
}

/// Templates, each filled in so often: their texts differ in a few of 100 shingles.
MadeCollection make_campaigns(std::size_t templates, std::size_t texts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  MadeCollection made;
  for (std::size_t i = 0; i < templates; ++i) {
    std::vector<std::uint64_t> text(100);
    for (std::uint64_t& shingle : text) shingle = random();
    for (std::size_t j = 0; j < texts; ++j) {
      std::vector<std::uint64_t> filled = text;
      for (std::size_t hole = 0; hole < 8; ++hole) filled[hole * 7] = random();
      made.shingles.push_back(std::move(filled));
      made.lexical.push_back({random(), random()});
    }
  }
  return made;
}

// Under bands not all documents of a large group meet, and which do is seen under sampled keys
// only: weighted by all the keys that they share, candidates came out half as many.
TEST(Forecast, CandidatesOfLargeGroupsAreNotPredictedFromASample) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const MadeCollection collection = make_campaigns(200, 30, seed);
    const World world = make_world(collection, "fss", 0.7);
    const ForecastRule rule{.threshold = Ratio(7, 10)};
    const Forecast all = predict(collection, world, 1 << 26, rule);
    ASSERT_TRUE(all.candidates.predictable);
    EXPECT_EQ(all.candidates.value, static_cast<double>(world.candidates.size()));
    const Forecast some = predict(collection, world, 2'000'000, rule);
    ASSERT_LT(some.key_share, 1);
    EXPECT_FALSE(some.candidates.predictable) << some.candidates.value;
  }
}

TEST(Forecast, CommonKeysAreCutAsTheRunWill) {
  // 50 documents of one template of 40 shingles, each with 40 of its own.
  MadeCollection collection;
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> shared(40);
  for (std::uint64_t& shingle : shared) shingle = random();
  for (int i = 0; i < 50; ++i) {
    std::vector<std::uint64_t> text = shared;
    for (int j = 0; j < 40; ++j) text.push_back(random());
    collection.shingles.push_back(text);
    collection.lexical.push_back({random(), random()});
  }
  const World world = make_world(collection, "mod(modulus=1)", 0.3);
  const Forecast kept =
      predict(collection, world, 1 << 26, {.threshold = Ratio(3, 10), .max_group = 50});
  EXPECT_EQ(kept.pairs.value, 50 * 49 / 2);
  EXPECT_EQ(kept.common_keys.value, 0);
  EXPECT_EQ(kept.meetings.value, 40 * 50 * 49 / 2);
  EXPECT_EQ(kept.clusters.value, 1);
  const Forecast cut =
      predict(collection, world, 1 << 26, {.threshold = Ratio(3, 10), .max_group = 49});
  EXPECT_EQ(cut.pairs.value, 0);
  EXPECT_EQ(cut.common_keys.value, 40);
  EXPECT_EQ(cut.meetings.value, 0);
}

TEST(Forecast, WhatNoSampledKeyShowsMayStillBeThere) {
  MadeCollection collection;
  std::mt19937_64 random(6);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint64_t> text(50);
    for (std::uint64_t& shingle : text) shingle = random();
    // One pair, of a single shingle.
    if (i == 2999) text[0] = collection.shingles[0][0];
    collection.shingles.push_back(text);
    collection.lexical.push_back({random(), random()});
  }
  const World world = make_world(collection, "mod(modulus=1)", 0.001);
  ASSERT_EQ(world.pairs, 1U);
  const ForecastRule rule{.threshold = Ratio(1, 1000)};
  const Forecast all = predict(collection, world, 1 << 26, rule);
  EXPECT_EQ(all.pairs.high, 1);
  int unseen = 0;
  for (std::uint64_t memory = 200'000; memory <= 6'400'000; memory *= 2) {
    const Forecast seen = predict(collection, world, memory, rule);
    ASSERT_LT(seen.key_share, 1) << memory;
    for (const Predicted& predicted : {seen.pairs, seen.candidates, seen.groups}) {
      EXPECT_LE(predicted.low, 1);
      EXPECT_GE(predicted.high, 1);
    }
    if (seen.pairs.value == 0) {
      EXPECT_NEAR(std::pow(1 - seen.key_share, seen.pairs.high), 0.05, 1e-9) << memory;
      ++unseen;
    }
  }
  EXPECT_GT(unseen, 1);
}

// The run keeps the sets of documents that several others are compared with, and no others.
TEST(Forecast, ADocumentOfOnePairIsNotCached) {
  std::mt19937_64 random(12);
  MadeCollection collection;
  double in_several = 0;
  for (std::size_t family = 0; family < 60; ++family) {
    std::vector<std::uint64_t> text(200);
    for (std::uint64_t& shingle : text) shingle = random();
    const std::size_t members = 1 + family % 3;  // Of three, two are compared with the first.
    for (std::size_t i = 0; i < members; ++i) {
      collection.shingles.push_back(text);
      collection.lexical.push_back({random(), random()});
      text[i] = random();
    }
    if (members == 3) in_several += 200;
  }
  const World world = make_world(collection, "fss", 0.8);
  const Forecast seen = predict(collection, world, 1 << 26, {.threshold = Ratio(4, 5)});
  EXPECT_EQ(seen.cached_bytes, in_several);
  EXPECT_EQ(seen.judged_bytes, 100 * 200);
}

TEST(Forecast, NothingIsFoundInNothing) {
  const MadeCollection collection = make_collection(1, 9);
  const World world = make_world(collection, "fss", 0.8);
  KeySample sample(1 << 20);
  const SampleBatch& sampled = sample.finish();
  const Forecast seen = forecast(sample, sampled, 0, *world.scheme, {.threshold = Ratio(4, 5)});
  EXPECT_EQ(seen.copies.value, 0);
  EXPECT_EQ(seen.pairs.value, 0);
  EXPECT_EQ(seen.removed.value, 0);
}

}  // namespace
}  // namespace twinset
