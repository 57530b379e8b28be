// tests src/scheme/schemes/min.cc through its spec. Its statistics are in statistics_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scheme/little_endian.h"
#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

std::uint64_t bound_of(const Sketch& sketch) {
  return load_little_endian<std::uint64_t>(sketch.stored.data());
}

/// The stored words after the bound.
std::vector<std::uint64_t> hashes_of(std::span<const std::uint8_t> stored) {
  std::vector<std::uint64_t> words;
  for (std::size_t i = 8; i < stored.size(); i += 8) {
    words.push_back(load_little_endian<std::uint64_t>(&stored[i]));
  }
  return words;
}

Shingles joined(const Shingles& a, const Shingles& b) {
  Shingles all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

TEST(Min, StoresItsBoundAndTheSmallestSortedAndUnique) {
  const auto scheme = must_make("min(samples=100)");
  const auto all = must_make("min(samples=65536)");
  for (const std::size_t count : {1U, 99U, 100U, 101U, 5000U}) {
    Shingles shingles = stream_shingles(count, count);
    shingles.insert(shingles.end(), shingles.begin(), shingles.end());
    const Sketch sketch = sketch_of(*scheme, shingles);
    const Sketch whole = sketch_of(*all, shingles);
    ASSERT_EQ(whole.values.size(), count);
    EXPECT_TRUE(std::ranges::is_sorted(whole.values));
    EXPECT_EQ(std::set(whole.values.begin(), whole.values.end()).size(), count);
    const std::size_t taken = std::min<std::size_t>(count, 100);
    EXPECT_EQ(sketch.values,
              std::vector(whole.values.begin(), whole.values.begin() + static_cast<long>(taken)));
    EXPECT_EQ(hashes_of(sketch.stored), sketch.values);
    EXPECT_EQ(bound_of(sketch), count <= 100 ? UINT64_MAX : sketch.values.back());
  }
}

// B-05.
TEST(Min, DocumentsOfAtMostSShinglesAreKnownExactly) {
  const auto scheme = must_make("min(samples=200)");
  const SetPair pair = make_pair_of_sets(1, 200, 150);
  const Comparison comparison =
      scheme->compare(sketch_of(*scheme, pair.a).stored, sketch_of(*scheme, pair.b).stored);
  EXPECT_DOUBLE_EQ(comparison.resemblance->value, 150 / 250.0);
  EXPECT_DOUBLE_EQ(comparison.containment_a_in_b->value, 0.75);
  EXPECT_EQ(comparison.resemblance->standard_error, 0);
  EXPECT_EQ(comparison.resemblance->low, comparison.resemblance->high);

  const SetPair longer = make_pair_of_sets(1, 201, 150);
  const Comparison sampled =
      scheme->compare(sketch_of(*scheme, longer.a).stored, sketch_of(*scheme, longer.b).stored);
  EXPECT_GT(sampled.resemblance->standard_error, 0);
}

// B-05: the sketch of a union is made of the two sketches alone.
TEST(Min, SketchesMerge) {
  const auto scheme = must_make("min(samples=100)");
  for (const std::size_t size : {10U, 60U, 100U, 3000U}) {
    const Shingles a = stream_shingles(1, size);
    const Shingles b = stream_shingles(1, 2 * size, size / 2);
    const Sketch left = sketch_of(*scheme, a);
    const Sketch right = sketch_of(*scheme, b);
    std::vector<std::uint64_t> merged;
    std::ranges::set_union(hashes_of(left.stored), hashes_of(right.stored),
                           std::back_inserter(merged));
    merged.resize(std::min<std::size_t>(merged.size(), 100));
    EXPECT_EQ(merged, sketch_of(*scheme, joined(a, b)).values) << size;
  }
}

// The theorem's estimate, from its own words.
TEST(Min, ComparesTheSmallestOfTheUnion) {
  const auto scheme = must_make("min(samples=64)");
  for (const std::uint64_t stream : {1U, 2U, 3U}) {
    const SetPair pair = make_pair_of_sets(stream, 500, 300);
    const Sketch a = sketch_of(*scheme, pair.a);
    const Sketch b = sketch_of(*scheme, pair.b);
    const Sketch both = sketch_of(*scheme, joined(pair.a, pair.b));
    const std::set<std::uint64_t> in_a(a.values.begin(), a.values.end());
    const std::set<std::uint64_t> in_b(b.values.begin(), b.values.end());
    double shared = 0;
    double of_a = 0;
    for (const std::uint64_t value : both.values) {
      shared += in_a.contains(value) && in_b.contains(value) ? 1 : 0;
      of_a += in_a.contains(value) ? 1 : 0;
    }
    const Comparison comparison = scheme->compare(a.stored, b.stored);
    EXPECT_DOUBLE_EQ(comparison.resemblance->value, shared / 64);
    EXPECT_DOUBLE_EQ(comparison.containment_a_in_b->value, shared / of_a);
  }
}

// If the union's s smallest hold none of a short document, it is unknown, not 0.
TEST(Min, ContainmentOfAHandfulInMuchIsUnknown) {
  const auto scheme = must_make("min(samples=16)");
  const Shingles longer = stream_shingles(1, 200000);
  const Shingles shorter(longer.begin(), longer.begin() + 3);
  const Comparison comparison =
      scheme->compare(sketch_of(*scheme, shorter).stored, sketch_of(*scheme, longer).stored);
  EXPECT_FALSE(comparison.containment_a_in_b.has_value());
  EXPECT_EQ(comparison.containment_b_in_a->value, 0);
  EXPECT_GT(comparison.containment_b_in_a->standard_error, 0);
}

TEST(Min, BrokenStoredFormsAreUnknown) {
  const auto scheme = must_make("min");
  const Sketch sketch = sketch_of(*scheme, stream_shingles(1, 100));
  const std::vector<std::uint8_t> cut(sketch.stored.begin(), sketch.stored.end() - 1);
  EXPECT_FALSE(scheme->compare(sketch.stored, cut).resemblance.has_value());
  const std::vector<std::uint8_t> no_hashes(8, 0xff);
  EXPECT_FALSE(scheme->compare(sketch.stored, no_hashes).resemblance.has_value());
  EXPECT_FALSE(scheme->compare({}, sketch.stored).resemblance.has_value());
}

}  // namespace
}  // namespace twinset
