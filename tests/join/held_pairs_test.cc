#include "join/held_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "evaluate/trial_for_tests.h"
#include "join/hamming_plan.h"
#include "join/key_partners.h"
#include "text/shingler.h"

namespace twinset {
namespace {

TEST(SketchDocuments, IsWhatTheSchemeMakesForAnyThreads) {
  const TrialSet set = small_set();
  const std::vector<GivenView> views = views_of(set);
  for (const SchemeEntry* entry : schemes()) {
    const auto scheme = make_scheme(entry->declaration->name, 0.8);
    ASSERT_TRUE(scheme.ok());
    const SketchedDocuments one = sketch_documents(*scheme.value(), views, 1);
    const SketchedDocuments three = sketch_documents(*scheme.value(), views, 3);
    EXPECT_EQ(one.stored, three.stored);
    EXPECT_EQ(one.keys, three.keys);
    for (std::size_t d = 0; d < views.size(); ++d) {
      std::vector<std::uint64_t> shingles;
      if (scheme.value()->shingle_tokens() > 0) {
        shingle(views[d].analysis().tokens, scheme.value()->shingle_tokens(), shingles);
      }
      Sketch sketch;
      scheme.value()->sketch(views[d].with(shingles), sketch);
      std::vector<std::uint64_t> keys;
      scheme.value()->keys(sketch, keys);
      EXPECT_EQ(one.stored[d], sketch.stored);
      if (scheme.value()->facts().signature_bits != 0) continue;
      EXPECT_TRUE(
          std::is_permutation(one.keys[d].begin(), one.keys[d].end(), keys.begin(), keys.end()));
    }
  }
}

// Of a scheme that joins by distance exactly the documents within the usual distance share a key.
TEST(SketchDocuments, NearSignaturesShareAKey) {
  const TrialSet set = small_set();
  const std::vector<GivenView> views = views_of(set);
  for (const SchemeEntry* entry : schemes()) {
    const auto scheme = make_scheme(entry->declaration->name, 0.8);
    ASSERT_TRUE(scheme.ok());
    if (scheme.value()->facts().signature_bits == 0) continue;
    const SketchedDocuments sketched = sketch_documents(*scheme.value(), views, 2);
    const KeyPartners shared(sketched.keys, 0);
    PartnerReader partners(shared);
    for (std::uint32_t d = 0; d < views.size(); ++d) {
      std::set<std::uint32_t> expected;
      for (std::uint32_t other = 0; other < d; ++other) {
        const auto found =
            scheme.value()->compare(sketched.stored[other], sketched.stored[d]).distance;
        if (found.has_value() && found->differ <= usual_join_distance) expected.insert(other);
      }
      const auto before = partners.before(d);
      EXPECT_EQ(std::set<std::uint32_t>(before.begin(), before.end()), expected);
    }
  }
}

TEST(JudgePair, FollowsWhatASharedKeyMeans) {
  Analysis analysis;
  Analysis other;
  const std::string a = "one two three four five six seven eight nine ten";
  const std::string b = "one two three four five six seven eight nine eleven";
  split_analyzer().analyze(a, Offsets::drop, analysis);
  split_analyzer().analyze(b, Offsets::drop, other);
  const std::vector<GivenView> views = {{a, analysis}, {b, other}};
  // Five of seven shingles: a sample of all of them knows that exactly.
  const auto counted = scheme_of("mod");
  const SketchedDocuments counts = sketch_documents(*counted, views, 1);
  const Comparison count = compare_pair(*counted, counts, 0, 1);
  EXPECT_TRUE(judge_pair(*counted, count, Ratio(71, 100)).found);
  EXPECT_FALSE(judge_pair(*counted, count, Ratio(72, 100)).found);
  EXPECT_TRUE(finds_containment(*counted, count, Ratio(83, 100)));
  EXPECT_FALSE(finds_containment(*counted, count, Ratio(84, 100)));
  const auto banded = scheme_of("fss");
  const Comparison band = compare_pair(*banded, sketch_documents(*banded, views, 1), 0, 1);
  EXPECT_TRUE(judge_pair(*banded, band, Ratio(99, 100)).found);
  EXPECT_FALSE(judge_pair(*banded, band, Ratio(99, 100)).passed);
  EXPECT_TRUE(judge_pair(*banded, band, Ratio(2, 5)).passed);
  EXPECT_TRUE(judge_pair(*banded, {}, Ratio(99, 100)).passed);
  EXPECT_FALSE(judge_pair(*counted, {}, Ratio(1, 100)).found);
  EXPECT_TRUE(finds_containment(*banded, band, Ratio(99, 100)));
  const auto equal = scheme_of("exact");
  const Comparison none = compare_pair(*equal, sketch_documents(*equal, views, 1), 0, 1);
  EXPECT_FALSE(none.resemblance);
  EXPECT_TRUE(judge_pair(*equal, none, Ratio(1, 1)).passed);
}

}  // namespace
}  // namespace twinset
