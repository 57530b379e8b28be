// Small trial sets, and the results that a trial must have by its definition.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "evaluate/edits.h"
#include "evaluate/tally.h"
#include "evaluate/tokens_for_tests.h"
#include "evaluate/trial_set.h"
#include "scheme/document_view.h"
#include "scheme/scheme.h"
#include "support_runs/exact_shingles.h"
#include "twinset/evaluate.h"

namespace twinset {

inline Tally tally(const Share& share) { return {share.count, share.of}; }

inline const SplitAnalyzer& split_analyzer() {
  static const SplitAnalyzer analyzer;
  return analyzer;
}

inline SampledDocument sampled(std::string text, std::uint64_t record) {
  return {std::move(text), {0, record, std::to_string(record), "", false}};
}

/// Texts of several lengths, every third one with an edited neighbor.
inline std::vector<SampledDocument> small_sample(std::uint64_t seed, std::size_t documents) {
  SeededRandom random(seed);
  std::vector<SampledDocument> sample;
  while (sample.size() < documents) {
    const std::size_t words = 3 + random.below(sample.size() % 4 == 0 ? 20 : 300);
    const std::string text = random_text(random, words, 5'000);
    sample.push_back(sampled(text, sample.size()));
    if (random.chance(1, 3)) {
      sample.push_back(sampled(replace_words(text, 1 + random.below(3), seed), sample.size()));
    }
    if (random.chance(1, 10)) sample.push_back(sampled(text, sample.size()));
  }
  return sample;
}

inline TrialSetOptions small_options() {
  TrialSetOptions options;
  options.analyzer = &split_analyzer();
  options.least_copies = 48;
  return options;
}

inline TrialSet small_set(std::uint64_t seed = 1, std::size_t documents = 60,
                          unsigned threads = 1) {
  TrialSetOptions options = small_options();
  options.threads = threads;
  auto set = TrialSet::make(options, small_sample(seed, documents));
  EXPECT_TRUE(set.ok());
  return std::move(set).value();
}

inline std::vector<GivenView> views_of(const TrialSet& set) {
  std::vector<GivenView> views;
  for (const TrialDocument& document : set.documents()) {
    views.emplace_back(document.text, document.analysis);
  }
  return views;
}

inline std::unique_ptr<Scheme> scheme_of(const char* spec) {
  auto scheme = make_scheme(spec, 0.8);
  EXPECT_TRUE(scheme.ok());
  return std::move(scheme).value();
}

/// Every pair of documents, whether or not they share anything, by the oracle of two: by (b, a).
inline std::vector<ExactPair> every_pair(const TrialSet& set) {
  std::vector<ExactShingles> shingles;
  for (const TrialDocument& each : set.documents()) shingles.emplace_back(each.analysis.tokens, 5);
  std::vector<ExactPair> pairs;
  for (std::uint32_t b = 0; b < shingles.size(); ++b) {
    for (std::uint32_t a = 0; a < b; ++a) {
      pairs.push_back({a, b,
                       static_cast<std::uint32_t>(intersection_size(shingles[a], shingles[b])),
                       static_cast<std::uint32_t>(shingles[a].size()),
                       static_cast<std::uint32_t>(shingles[b].size())});
    }
  }
  return pairs;
}

}  // namespace twinset
