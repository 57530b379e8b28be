// tests src/scheme/schemes/fss.cc through its spec. Its statistics are in statistics_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

TEST(Fss, SizesFollowBinsAndBits) {
  EXPECT_EQ(must_make("fss")->facts().stored_bytes, 128U);
  EXPECT_EQ(must_make("fss(bins=512, bits=2)")->facts().stored_bytes, 128U);
  EXPECT_EQ(must_make("fss(bins=64, bits=1)")->facts().stored_bytes, 8U);
  EXPECT_EQ(must_make("fss(bins=512, bits=8)")->facts().stored_bytes, 512U);
  const auto scheme = must_make("fss(bins=64, bits=1)");
  EXPECT_EQ(sketch_of(*scheme, stream_shingles(1, 10)).stored.size(), 8U);
  EXPECT_EQ(sketch_of(*scheme, stream_shingles(1, 10)).values.size(), 64U);
}

// A sketch depends on the set only: order and repeats change nothing, at any length, also if
// repeats make it go through the distinct shingles.
TEST(Fss, IsOfTheSet) {
  for (const char* spec : {"fss(bins=64)", "fss", "fss(bins=512, bits=2)"}) {
    const auto scheme = must_make(spec);
    for (const std::size_t count : {1U, 2U, 5U, 40U, 300U, 2000U}) {
      const Shingles set = stream_shingles(count, count);
      const Sketch sketch = sketch_of(*scheme, set);
      Shingles repeated;
      for (const std::size_t times : {2U, 50U}) {
        while (repeated.size() < set.size() * times) {
          repeated.insert(repeated.end(), set.begin(), set.end());
        }
        std::ranges::reverse(repeated);
        const Sketch other = sketch_of(*scheme, repeated);
        EXPECT_EQ(other.values, sketch.values) << spec << " " << count << " x " << times;
        EXPECT_EQ(other.stored, sketch.stored);
      }
    }
  }
}

// A text of one word a million times: 2k throws of each would be a billion.
TEST(Fss, AMillionRepeatsCostOnePass) {
  const auto scheme = must_make("fss(bins=512, bits=1)");
  Shingles repeats(2000000, 77);
  EXPECT_EQ(sketch_of(*scheme, repeats).values, sketch_of(*scheme, {77}).values);
  for (std::size_t i = 0; i < repeats.size(); ++i) repeats[i] = i % 3;
  EXPECT_EQ(sketch_of(*scheme, repeats).values, sketch_of(*scheme, {2, 1, 0}).values);
}

TEST(Fss, SeedsGiveOtherSketches) {
  const Shingles shingles = stream_shingles(1, 1000);
  const Sketch a = sketch_of(*must_make("fss(seed=1)"), shingles);
  const Sketch b = sketch_of(*must_make("fss(seed=2)"), shingles);
  int equal = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) equal += a.values[i] == b.values[i] ? 1 : 0;
  EXPECT_EQ(equal, 0);
}

TEST(Fss, KeysAreOneABand) {
  const auto scheme = must_make("fss(bands=7, rows=30)");
  const auto keys = keys_of(*scheme, sketch_of(*scheme, stream_shingles(1, 100)));
  EXPECT_EQ(keys.size(), 7U);
  EXPECT_EQ(std::set(keys.begin(), keys.end()).size(), 7U);
}

TEST(Fss, StoredFormsOfAnotherSizeAreUnknown) {
  const auto scheme = must_make("fss");
  const Sketch a = sketch_of(*scheme, stream_shingles(1, 100));
  const Sketch b = sketch_of(*must_make("fss(bits=8)"), stream_shingles(1, 100));
  EXPECT_FALSE(scheme->compare(a.stored, b.stored).resemblance.has_value());
  EXPECT_FALSE(scheme->compare(a.stored, {}).resemblance.has_value());
  EXPECT_FALSE(scheme->compare({}, {}).resemblance.has_value());
}

}  // namespace
}  // namespace twinset
