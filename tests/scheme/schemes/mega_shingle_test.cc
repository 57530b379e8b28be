// tests src/scheme/schemes/mega_shingle.cc through its spec. Its statistics are in
// statistics_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

std::size_t shared_keys(const Scheme& scheme, const Sketch& a, const Sketch& b) {
  const std::vector<std::uint64_t> left = keys_of(scheme, a);
  std::size_t shared = 0;
  for (const std::uint64_t key : keys_of(scheme, b)) {
    shared += std::ranges::find(left, key) != left.end() ? 1 : 0;
  }
  return shared;
}

// B-19: the figures of the method, from its formula.
TEST(MegaShingle, FindsWhatTwoOfSixFind) {
  const auto scheme = must_make("mega_shingle");
  EXPECT_NEAR(*scheme->match_probability(0.8), 0.026, 0.0005);
  EXPECT_NEAR(*scheme->match_probability(0.9), 0.415, 0.0005);
  EXPECT_NEAR(*scheme->match_probability(0.95), 0.879, 0.0005);
  EXPECT_NEAR(*scheme->match_probability(0.98), 0.996, 0.0005);
  EXPECT_EQ(scheme->facts().stored_bytes, 48U);
  EXPECT_EQ(keys_of(*scheme, sketch_of(*scheme, stream_shingles(1, 100))).size(), 15U);
  const auto one = must_make("mega_shingle(shared=1)");
  EXPECT_NEAR(*one->match_probability(0.9), 0.7896, 0.0005);
  EXPECT_EQ(keys_of(*one, sketch_of(*one, stream_shingles(1, 100))).size(), 6U);
}

// Documents with g equal groups share g super shingles and g (g - 1) / 2 pairs: a pair names two
// groups, and which two.
TEST(MegaShingle, PairsAreSharedWhereTwoGroupsAre) {
  const auto one = must_make("mega_shingle(shared=1)");
  const auto two = must_make("mega_shingle(shared=2)");
  std::set<std::size_t> seen;
  for (std::uint64_t stream = 1; stream <= 400; ++stream) {
    const SetPair pair = make_pair_of_sets(stream, 100, 96);
    const std::size_t groups = shared_keys(*one, sketch_of(*one, pair.a), sketch_of(*one, pair.b));
    const std::size_t pairs = shared_keys(*two, sketch_of(*two, pair.a), sketch_of(*two, pair.b));
    ASSERT_EQ(pairs, groups * (groups - 1) / 2 * (groups == 0 ? 0 : 1));
    seen.insert(groups);
  }
  EXPECT_GE(seen.size(), 5U);
}

TEST(MegaShingle, ComparisonTellsEqualSketchesOnly) {
  const auto scheme = must_make("mega_shingle");
  EXPECT_FALSE(scheme->estimates());
  const SetPair pair = make_pair_of_sets(1, 300, 200);
  const Sketch a = sketch_of(*scheme, pair.a);
  const Sketch b = sketch_of(*scheme, pair.b);
  EXPECT_EQ(scheme->compare(a.stored, a.stored).resemblance->value, 1);
  EXPECT_FALSE(scheme->compare(a.stored, a.stored).containment_a_in_b.has_value());
  EXPECT_FALSE(scheme->compare(a.stored, b.stored).resemblance.has_value());
  EXPECT_FALSE(scheme->compare({}, {}).resemblance.has_value());
}

TEST(MegaShingle, RefusesWhatMakesNoGroups) {
  EXPECT_FALSE(make_scheme("mega_shingle(values=85)", 0.8).ok());
  EXPECT_FALSE(make_scheme("mega_shingle(groups=1)", 0.8).ok());
  EXPECT_TRUE(make_scheme("mega_shingle(groups=1, shared=1)", 0.8).ok());
  EXPECT_TRUE(make_scheme("mega_shingle(values=6)", 0.8).ok());
}

}  // namespace
}  // namespace twinset
