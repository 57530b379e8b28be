// tests src/scheme/schemes/super_shingle.cc through its spec. Its statistics are in
// statistics_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scheme/little_endian.h"
#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

std::set<std::uint64_t> key_set(const Scheme& scheme, const Shingles& shingles) {
  const std::vector<std::uint64_t> keys = keys_of(scheme, sketch_of(scheme, shingles));
  return {keys.begin(), keys.end()};
}

// As many windows as fit into the sample. Two documents share those whose samples are adjacent in
// both.
TEST(SuperShingle, KeysAreTheWindowsOverTheSortedSample) {
  const auto single = must_make("super_shingle(modulus=1, window=1)");
  for (const std::size_t window : {2U, 3U, 6U}) {
    const auto scheme =
        must_make("super_shingle(modulus=1, window=" + std::to_string(window) + ")");
    for (const std::size_t size : {1U, 2U, 5U, 6U, 7U, 100U}) {
      const SetPair pair = make_pair_of_sets(size, size, size - size / 10);
      const Sketch a = sketch_of(*scheme, pair.a);
      EXPECT_EQ(a.values.size(), size < window ? 0 : size - window + 1);
      EXPECT_EQ(load_little_endian<std::uint64_t>(a.stored.data()), size);
      EXPECT_EQ(a.stored.size(), 8 * (a.values.size() + 1));
      // With a window of 1 the keys are the samples, in the samples' order.
      const auto left = keys_of(*single, sketch_of(*single, pair.a));
      const auto right = keys_of(*single, sketch_of(*single, pair.b));
      std::set<std::uint64_t> expected;
      const std::vector<std::uint64_t> keys = keys_of(*scheme, a);
      for (std::size_t i = 0; i + window <= left.size(); ++i) {
        const auto run = left.begin() + static_cast<long>(i);
        if (std::search(right.begin(), right.end(), run, run + static_cast<long>(window)) !=
            right.end()) {
          expected.insert(keys[i]);
        }
      }
      std::set<std::uint64_t> shared;
      for (const std::uint64_t key : key_set(*scheme, pair.b)) {
        if (std::ranges::find(keys, key) != keys.end()) shared.insert(key);
      }
      EXPECT_EQ(shared, expected) << window << " over " << size;
    }
  }
}

// B-21: a short document has none, and says so instead of matching anything.
TEST(SuperShingle, ShortDocumentsHaveNoSuperShingles) {
  const auto scheme = must_make("super_shingle");
  const Sketch nothing = sketch_of(*scheme, stream_shingles(1, 20));
  EXPECT_FALSE(nothing.empty);
  EXPECT_TRUE(keys_of(*scheme, nothing).empty());
  EXPECT_FALSE(scheme->compare(nothing.stored, nothing.stored).resemblance.has_value());
  EXPECT_TRUE(sketch_of(*scheme, {}).empty);
}

// Against the sum in its definition, by brute force over the binomial.
TEST(SuperShingle, BlindLengthIsWhereOneInAHundredHasNone) {
  EXPECT_EQ(must_make("super_shingle(modulus=1, window=7)")->facts().blind_shingles, 7U);
  const auto chance = [](std::uint64_t window, std::uint64_t count, double share) {
    double sum = 0;
    for (std::uint64_t i = 0; i < window && i <= count; ++i) {
      const auto n = static_cast<double>(count);
      const auto k = static_cast<double>(i);
      sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                      k * std::log(share) + (n - k) * std::log1p(-share));
    }
    return sum;
  };
  for (const std::uint64_t modulus : {2U, 25U, 1000U, 1000000U}) {
    for (const std::uint64_t window : {1U, 4U, 64U}) {
      const std::uint64_t blind = must_make("super_shingle(modulus=" + std::to_string(modulus) +
                                            ", window=" + std::to_string(window) + ")")
                                      ->facts()
                                      .blind_shingles;
      const double share = 1 / static_cast<double>(modulus);
      EXPECT_LE(chance(window, blind, share), 0.01 * (1 + 1e-6)) << modulus << " " << window;
      EXPECT_GT(chance(window, blind - 1, share), 0.01 * (1 - 1e-6)) << modulus << " " << window;
    }
  }
  EXPECT_EQ(must_make("super_shingle(window=1)")->facts().blind_shingles,
            must_make("mod(modulus=25)")->facts().blind_shingles);
}

TEST(SuperShingle, ComparisonTellsEqualSketchesOnly) {
  const auto scheme = must_make("super_shingle(modulus=5)");
  EXPECT_FALSE(scheme->estimates());
  const Shingles shingles = stream_shingles(1, 1000);
  const Sketch a = sketch_of(*scheme, shingles);
  const Sketch b = sketch_of(*scheme, Shingles(shingles.begin(), shingles.end() - 100));
  EXPECT_EQ(scheme->compare(a.stored, a.stored).resemblance->value, 1);
  EXPECT_GT(scheme->compare(a.stored, a.stored).resemblance->standard_error, 0);
  EXPECT_FALSE(scheme->compare(a.stored, b.stored).resemblance.has_value());
  EXPECT_EQ(must_make("super_shingle(modulus=1)")
                ->compare(a.stored, a.stored)
                .resemblance->standard_error,
            0);
  const std::vector<std::uint8_t> cut(a.stored.begin(), a.stored.end() - 1);
  EXPECT_FALSE(scheme->compare(cut, cut).resemblance.has_value());
}

}  // namespace
}  // namespace twinset
