#include <gtest/gtest.h>

#include "evaluate/labels.h"
#include "evaluate/trial.h"
#include "evaluate/trial_for_tests.h"
#include "support_runs/exact_shingles.h"

namespace twinset {
namespace {

std::vector<LabeledDocument> labeled(const std::vector<SampledDocument>& sample) {
  std::vector<LabeledDocument> documents;
  for (const SampledDocument& each : sample) {
    LabeledDocument document;
    document.text = each.text;
    document.analysis.tokens = tokens_of(each.text);
    document.label = static_cast<std::uint32_t>(each.place.record % 7);
    documents.push_back(std::move(document));
  }
  return documents;
}

bool alike(const LabeledDocument& a, const LabeledDocument& b) {
  return exact_resemblance(ExactShingles(a.analysis.tokens, 5), ExactShingles(b.analysis.tokens, 5))
      .at_least({4, 5});
}

LabelMeasures slow_measures(const std::vector<LabeledDocument>& documents, bool stars) {
  std::vector<std::uint32_t> clusters(documents.size());
  std::vector<std::uint32_t> labels;
  std::vector<std::uint64_t> bytes;
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    clusters[d] = d;
    labels.push_back(documents[d].label);
    bytes.push_back(documents[d].text.size());
  }
  if (stars) {
    for (std::uint32_t b = 0; b < documents.size(); ++b) {
      for (std::uint32_t a = 0; a < b && clusters[b] == b; ++a) {
        if (clusters[a] == a && alike(documents[a], documents[b])) clusters[b] = a;
      }
    }
  } else {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t b = 0; b < documents.size(); ++b) {
        for (std::uint32_t a = 0; a < b; ++a) {
          if (clusters[a] == clusters[b] || !alike(documents[a], documents[b])) continue;
          clusters[a] = clusters[b] = std::min(clusters[a], clusters[b]);
          changed = true;
        }
      }
    }
  }
  return measure_labels(clusters, labels, bytes, 41, {}).value();
}

void expect_equal(const LabelMeasures& a, const LabelMeasures& b) {
  EXPECT_EQ(a.clusters, b.clusters);
  EXPECT_EQ(tally(a.pair_precision), tally(b.pair_precision));
  EXPECT_EQ(a.pair_precision.low, b.pair_precision.low);
  EXPECT_EQ(tally(a.pair_recall), tally(b.pair_recall));
  EXPECT_EQ(a.adjusted_rand.value, b.adjusted_rand.value);
  EXPECT_EQ(a.bcubed_f1.value, b.bcubed_f1.value);
  EXPECT_EQ(a.lost_bytes, b.lost_bytes);
}

TEST(TryLabels, TruthComesFirstAndIsExact) {
  const std::vector<LabeledDocument> documents = labeled(small_sample(4, 120));
  TrialOptions options;
  options.specs = {"fss", "exact"};
  const auto trials = try_labels(documents, {}, 5, std::uint64_t{1} << 30, options);
  ASSERT_TRUE(trials.ok());
  ASSERT_EQ(trials.value().size(), 2u + 4u + 1u);
  const LabelEvaluation& stars = trials.value()[0];
  const LabelEvaluation& components = trials.value()[1];
  EXPECT_EQ(stars.name, "every pair");
  EXPECT_TRUE(stars.stars);
  EXPECT_FALSE(components.stars);
  expect_equal(stars.measures, slow_measures(documents, true));
  expect_equal(components.measures, slow_measures(documents, false));
  EXPECT_LT(stars.measures.clusters, documents.size());
}

TEST(TryLabels, AVerifiedSchemeThatFindsAllEqualsTheTruth) {
  const std::vector<LabeledDocument> documents = labeled(small_sample(5, 100));
  TrialOptions options;
  // One row a band finds about every pair at 0.8.
  options.specs = {"fss(bands=128, rows=1)"};
  const auto trials = try_labels(documents, {}, 5, std::uint64_t{1} << 30, options);
  ASSERT_TRUE(trials.ok());
  ASSERT_EQ(trials.value().size(), 6u);
  for (const std::size_t verified : {4u, 5u}) {
    EXPECT_EQ(trials.value()[verified].accepted, "verified");
    expect_equal(trials.value()[verified].measures, trials.value()[verified - 4].measures);
  }
}

TEST(TryLabels, CountedKeysOfEveryShingleAreTheTruth) {
  const std::vector<LabeledDocument> documents = labeled(small_sample(6, 100));
  TrialOptions options;
  options.specs = {"mod(modulus=1)"};
  options.threads = 3;
  const auto trials = try_labels(documents, {}, 5, std::uint64_t{1} << 30, options);
  ASSERT_TRUE(trials.ok());
  ASSERT_EQ(trials.value().size(), 6u);
  for (std::size_t i = 2; i < 6; ++i) {
    expect_equal(trials.value()[i].measures, trials.value()[i % 2].measures);
  }
}

TEST(TryLabels, ARunStandsAfterTheTruth) {
  const std::vector<LabeledDocument> documents = labeled(small_sample(4, 60));
  std::vector<std::uint32_t> survivors(documents.size());
  for (std::uint32_t d = 0; d < survivors.size(); ++d) survivors[d] = d / 2 * 2;
  const auto trials = try_labels(documents, survivors, 5, std::uint64_t{1} << 30, {});
  ASSERT_TRUE(trials.ok());
  ASSERT_EQ(trials.value().size(), 3u);
  const LabelEvaluation& run = trials.value()[2];
  EXPECT_EQ(run.name, "dedup");
  EXPECT_EQ(run.accepted, "as run");
  EXPECT_TRUE(run.stars);
  EXPECT_EQ(run.measures.clusters, (documents.size() + 1) / 2);
}

TEST(TryLabels, ErrorsAreSaid) {
  const std::vector<LabeledDocument> documents = labeled(small_sample(5, 30));
  TrialOptions options;
  options.specs = {"fss"};
  EXPECT_EQ(try_labels(documents, {}, 5, 100, options).error().code, ErrorCode::usage);
  options.keep_going = [] { return Status(Error{ErrorCode::interrupted, "stop"}); };
  EXPECT_EQ(try_labels(documents, {}, 5, std::uint64_t{1} << 30, options).error().code,
            ErrorCode::interrupted);
}

}  // namespace
}  // namespace twinset
