// tests src/scheme/schemes/exact.cc through its spec.
#include <gtest/gtest.h>

#include "scheme/identity.h"
#include "scheme/little_endian.h"
#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

bool same_key(const Scheme& scheme, std::string_view a, std::string_view b) {
  return keys_of(scheme, sketch_text(scheme, a)) == keys_of(scheme, sketch_text(scheme, b));
}

TEST(Exact, EachLevelIsItsIdentity) {
  const auto identical = must_make("exact(level=0)");
  const auto lexical = must_make("exact");
  const auto shingle_set = must_make("exact(level=2, shingle=2)");
  const std::string_view rose = "a rose is a rose is a rose";
  EXPECT_TRUE(same_key(*identical, rose, rose));
  EXPECT_FALSE(same_key(*identical, rose, "A rose is a rose is a rose"));
  EXPECT_TRUE(same_key(*lexical, rose, "A rose is a rose is a rose"));
  EXPECT_FALSE(same_key(*lexical, rose, "a rose is a rose"));
  EXPECT_TRUE(same_key(*shingle_set, rose, "a rose is a rose"));
  EXPECT_FALSE(same_key(*shingle_set, rose, "a rose is"));
}

TEST(Exact, WithoutTokensOnlyEqualBytesShareAKey) {
  for (const char* spec : {"exact(level=0)", "exact(level=1)", "exact(level=2)"}) {
    const auto scheme = must_make(spec);
    EXPECT_TRUE(same_key(*scheme, "?!", "?!"));
    EXPECT_TRUE(same_key(*scheme, "", ""));
    EXPECT_FALSE(same_key(*scheme, "?!", "!?"));
    EXPECT_FALSE(same_key(*scheme, "?!", ""));
    EXPECT_FALSE(sketch_text(*scheme, "").empty);
  }
}

TEST(Exact, StoresTheWholeFingerprint) {
  const Sketch sketch = sketch_text(*must_make("exact(level=0)"), "some text");
  const Fingerprint fingerprint = identical_fingerprint("some text");
  ASSERT_EQ(sketch.stored.size(), 16U);
  EXPECT_EQ(load_little_endian<std::uint64_t>(sketch.stored.data()), fingerprint.high);
  EXPECT_EQ(load_little_endian<std::uint64_t>(sketch.stored.data() + 8), fingerprint.low);
}

TEST(Exact, UnlikeFingerprintsSayNothing) {
  const auto scheme = must_make("exact");
  const Comparison comparison =
      scheme->compare(sketch_text(*scheme, "one").stored, sketch_text(*scheme, "two").stored);
  EXPECT_FALSE(comparison.resemblance.has_value());
  EXPECT_FALSE(comparison.containment_a_in_b.has_value());
}

}  // namespace
}  // namespace twinset
