#include "support_runs/synthetic.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "evaluate/oracle.h"
#include "evaluate/tokens_for_tests.h"
#include "support_runs/exact_shingles.h"

namespace twinset {
namespace {

SyntheticCollection make(const SyntheticOptions& options) {
  auto made = SyntheticCollection::make(options);
  EXPECT_TRUE(made.ok());
  return std::move(made).value();
}

SyntheticOptions documents(std::uint64_t count) {
  SyntheticOptions options;
  options.documents = count;
  return options;
}

TEST(SyntheticCollection, EveryDocumentHasOnePlace) {
  for (const std::uint64_t count : {1u, 2u, 3u, 17u, 1'000u, 20'001u}) {
    const SyntheticCollection collection = make(documents(count));
    std::vector<bool> seen(count);
    std::uint64_t total = 0;
    for (std::uint64_t cluster = 0; cluster < collection.clusters(); ++cluster) {
      const std::uint64_t size = collection.cluster_size(cluster);
      total += size;
      for (std::uint64_t copy = 0; copy < size; ++copy) {
        const std::uint64_t document = collection.document(cluster, copy);
        ASSERT_LT(document, count);
        ASSERT_FALSE(seen[document]);
        seen[document] = true;
        const SyntheticTruth truth = collection.truth(document);
        ASSERT_EQ(truth.cluster, cluster);
        ASSERT_EQ(truth.copy, copy);
        ASSERT_EQ(truth.cluster_size, size);
        ASSERT_EQ(truth.original, collection.document(cluster, 0));
        ASSERT_EQ(truth.edit == "original", copy == 0);
      }
    }
    EXPECT_EQ(total, count);
  }
}

TEST(SyntheticCollection, SizesAreHeavyTailed) {
  const SyntheticCollection collection = make(documents(5'000'000));
  EXPECT_EQ(collection.cluster_size(0), 100'000u);
  EXPECT_EQ(collection.cluster_size(1), 50'000u);
  EXPECT_EQ(collection.cluster_size(99), 1'000u);
  std::uint64_t clustered = 0;
  std::uint64_t pairs = 0;
  for (std::uint64_t cluster = 0; cluster < collection.clusters(); ++cluster) {
    const std::uint64_t size = collection.cluster_size(cluster);
    if (size == 1) break;
    clustered += size;
    pairs += size == 2;
  }
  EXPECT_NEAR(static_cast<double>(clustered), 2'000'000, 2'000);
  EXPECT_GT(pairs, 100'000u);
}

TEST(SyntheticCollection, OptionsBoundTheClusters) {
  SyntheticOptions options = documents(10'000);
  options.clustered_per_mille = 0;
  EXPECT_EQ(make(options).clusters(), 10'000u);
  options.clustered_per_mille = 1000;
  options.largest_cluster = 2;
  EXPECT_EQ(make(options).clusters(), 5'000u);
  EXPECT_FALSE(SyntheticCollection::make(documents(0)).ok());
  options.clustered_per_mille = 1001;
  EXPECT_FALSE(SyntheticCollection::make(options).ok());
  options = documents(10);
  options.mean_words = 0;
  EXPECT_FALSE(SyntheticCollection::make(options).ok());
}

TEST(SyntheticCollection, CopiesAreSpreadOverTheWhole) {
  const SyntheticCollection collection = make(documents(100'000));
  const std::uint64_t size = collection.cluster_size(0);
  ASSERT_GT(size, 2'000u);
  std::array<std::uint64_t, 10> tenths{};
  for (std::uint64_t copy = 0; copy < size; ++copy) {
    ++tenths[collection.document(0, copy) / 10'000];
  }
  // Hoeffding at 1e-8 for so many draws.
  const double tolerance = std::sqrt(std::log(2e8) / (2 * static_cast<double>(size)));
  for (const std::uint64_t count : tenths) {
    EXPECT_NEAR(static_cast<double>(count) / static_cast<double>(size), 0.1, tolerance);
  }
}

TEST(SyntheticCollection, TextsDoNotDependOnOrder) {
  const SyntheticCollection collection = make(documents(2'000));
  const SyntheticCollection same = make(documents(2'000));
  SyntheticOptions options = documents(2'000);
  options.seed = 2;
  const SyntheticCollection other = make(options);
  std::vector<std::string> texts(2'000);
  for (std::uint64_t i = 0; i < 2'000; ++i) collection.text(i, texts[i]);
  std::string text = "left over";
  std::uint64_t differ = 0;
  for (std::uint64_t i = 2'000; i-- > 0;) {
    same.text(i, text);
    ASSERT_EQ(text, texts[i]);
    other.text(i, text);
    differ += text != texts[i];
  }
  EXPECT_EQ(differ, 2'000u);
}

TEST(SyntheticCollection, CopiesAreWhatTheTruthSays) {
  const SplitAnalyzer analyzer;
  const SyntheticCollection collection = make(documents(6'000));
  std::map<std::string, std::uint64_t> seen;
  std::string copy;
  std::string original;
  for (std::uint64_t i = 0; i < collection.size(); ++i) {
    const SyntheticTruth truth = collection.truth(i);
    ++seen[std::string(truth.edit)];
    if (truth.copy == 0) continue;
    collection.text(i, copy);
    collection.text(truth.original, original);
    if (truth.edit == "exact") {
      ASSERT_EQ(copy, original);
      continue;
    }
    Analysis a;
    Analysis b;
    analyzer.analyze(copy, Offsets::drop, a);
    analyzer.analyze(original, Offsets::drop, b);
    if (truth.edit == "case" || truth.edit == "wrap") {
      ASSERT_EQ(a.tokens, b.tokens);
      continue;
    }
    const ExactShingles mine(a.tokens, 5);
    const ExactShingles its(b.tokens, 5);
    const std::uint64_t shared = intersection_size(mine, its);
    const std::uint64_t replaced = truth.edit == "replace-1"    ? 1
                                   : truth.edit == "replace-3"  ? 3
                                   : truth.edit == "replace-10" ? 10
                                                                : 0;
    if (replaced > 0) {
      EXPECT_GE(shared + 5 * replaced, its.size());
      EXPECT_EQ(a.tokens.size(), b.tokens.size());
    } else if (truth.edit == "header" && b.tokens.size() >= 5) {
      EXPECT_EQ(shared, its.size());
      EXPECT_GT(mine.size(), its.size());
    } else if (truth.edit == "cut-tail") {
      EXPECT_TRUE(original.starts_with(copy));
    }
  }
  for (const char* edit : {"original", "exact", "case", "wrap", "replace-1", "replace-3",
                           "replace-10", "header", "move", "cut-tail", "chain"}) {
    EXPECT_GT(seen[edit], 10u) << edit;
  }
}

TEST(SyntheticCollection, UnrelatedDocumentsShareNextToNothing) {
  SyntheticOptions options = documents(1'500);
  options.clustered_per_mille = 0;
  const SyntheticCollection collection = make(options);
  std::vector<std::vector<std::uint64_t>> tokens;
  std::string text;
  std::uint64_t words = 0;
  for (std::uint64_t i = 0; i < collection.size(); ++i) {
    collection.text(i, text);
    tokens.push_back(tokens_of(text));
    words += tokens.back().size();
    EXPECT_GE(tokens.back().size(), 3u);
  }
  // Mean 330 with a deviation of about 370: 5.73 standard errors are 55.
  EXPECT_NEAR(static_cast<double>(words) / 1'500, 330, 55);
  const std::vector<std::span<const std::uint64_t>> views(tokens.begin(), tokens.end());
  const auto shingles = ShingleCollection::make(views, 5, std::uint64_t{1} << 30);
  ASSERT_TRUE(shingles.ok());
  // A million pairs; the least bound that a shared shingle can reach.
  for (const ExactPair& pair : all_exact_pairs(shingles.value(), {{1, 100'000}, std::nullopt})) {
    EXPECT_LT(pair.resemblance().value(), 0.02) << pair.a << ' ' << pair.b;
  }
}

}  // namespace
}  // namespace twinset
