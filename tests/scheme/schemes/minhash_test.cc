// tests src/scheme/schemes/minhash.cc through its spec. Its statistics are in statistics_test.cc.
#include <gtest/gtest.h>

#include <algorithm>

#include "scheme/little_endian.h"
#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

TEST(MinHash, StoresItsValues) {
  for (const char* spec :
       {"minhash", "minhash(values=16)", "minhash(values=100, bands=20, rows=5)"}) {
    const auto scheme = must_make(spec);
    const Sketch sketch = sketch_of(*scheme, stream_shingles(1, 700));
    ASSERT_EQ(sketch.stored.size(), scheme->facts().stored_bytes);
    ASSERT_EQ(sketch.stored.size(), 4 * sketch.values.size());
    for (std::size_t i = 0; i < sketch.values.size(); ++i) {
      EXPECT_EQ(load_little_endian<std::uint32_t>(&sketch.stored[4 * i]), sketch.values[i]);
    }
  }
}

TEST(MinHash, IsOfTheSet) {
  const auto scheme = must_make("minhash");
  Shingles shingles = stream_shingles(5, 1300);
  const Sketch sketch = sketch_of(*scheme, shingles);
  shingles.insert(shingles.end(), shingles.begin(), shingles.begin() + 600);
  std::ranges::reverse(shingles);
  EXPECT_EQ(sketch_of(*scheme, shingles).values, sketch.values);
}

// The minimum of a union is the smaller of two minima, value by value.
TEST(MinHash, SketchesOfPartsMakeThatOfTheWhole) {
  const auto scheme = must_make("minhash(values=64)");
  const Shingles whole = stream_shingles(9, 2000);
  const Sketch a = sketch_of(*scheme, Shingles(whole.begin(), whole.begin() + 1200));
  const Sketch b = sketch_of(*scheme, Shingles(whole.begin() + 900, whole.end()));
  const Sketch all = sketch_of(*scheme, whole);
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    EXPECT_EQ(all.values[i], std::min(a.values[i], b.values[i]));
  }
}

TEST(MinHash, SeedsGiveOtherSketches) {
  const Shingles shingles = stream_shingles(1, 1000);
  const Sketch a = sketch_of(*must_make("minhash(seed=1)"), shingles);
  const Sketch b = sketch_of(*must_make("minhash(seed=2)"), shingles);
  int equal = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) equal += a.values[i] == b.values[i] ? 1 : 0;
  EXPECT_EQ(equal, 0);
}

}  // namespace
}  // namespace twinset
