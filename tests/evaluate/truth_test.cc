#include "evaluate/truth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "evaluate/tokens_for_tests.h"

namespace twinset {
namespace {

// 6 shingles shared by sets of 8 and 10: resemblance 6/12, containment 6/8 and 6/10.
constexpr ExactPair pair{2, 5, 6, 8, 10};

TEST(Truth, ResemblanceIsOfTheUnion) {
  EXPECT_EQ(resemblance_truth({1, 2})->value(pair).value(), 0.5);
  EXPECT_TRUE(resemblance_truth({1, 2})->due(pair));
  EXPECT_FALSE(resemblance_truth({500'001, 1'000'000})->due(pair));
}

TEST(Truth, ContainmentIsOfEitherOrOfTheRemovedDocument) {
  EXPECT_EQ(containment_truth({3, 4})->value(pair).value(), 0.75);
  EXPECT_TRUE(containment_truth({3, 4})->due(pair));
  EXPECT_FALSE(removal_truth({3, 4})->due(pair));
  EXPECT_EQ(removal_truth({3, 4})->value(pair).value(), 0.6);
  EXPECT_TRUE(removal_truth({3, 5})->due(pair));
  EXPECT_TRUE(removal_truth({3, 4})->due({5, 2, 6, 10, 8}));
}

TEST(Truth, LabelsAreEqualOrNotOrUnknown) {
  const auto truth = label_truth({1, 1, 2, no_label, no_label, 2});
  EXPECT_TRUE(truth->due(pair));
  EXPECT_FALSE(truth->due({1, 2, 6, 8, 10}));
  EXPECT_TRUE(truth->value({1, 2, 6, 8, 10}).known());
  EXPECT_FALSE(truth->value({3, 4, 6, 8, 10}).known());
  EXPECT_FALSE(truth->due({3, 4, 6, 8, 10}));
  EXPECT_FALSE(truth->value({0, 3, 6, 8, 10}).known());
}

// I-17: at least .9. The papers also print "greater than".
TEST(Truth, CosineIsComparedByIntegersOnTheBound) {
  const auto truth = make_truth(parse_truth("cosine:0.9").value());
  EXPECT_TRUE(truth->due({0, 1, 90, 100, 100}));
  EXPECT_FALSE(truth->due({0, 1, 89, 100, 100}));
  // 81 / sqrt(81 * 100) is 0.9, which no float says reliably.
  EXPECT_TRUE(truth->due({0, 1, 81, 81, 100}));
  EXPECT_FALSE(truth->due({0, 1, 81, 81, 101}));
  EXPECT_FALSE(truth->due({0, 1, 80, 80, 100}));
  const std::uint32_t most = ~std::uint32_t{0};
  EXPECT_TRUE(truth->due({0, 1, most, most, most}));
  const auto odd = make_truth(parse_truth("cosine:999999998/999999999").value());
  EXPECT_TRUE(odd->due({0, 1, most, most, most}));
  EXPECT_FALSE(odd->due({0, 1, most - 9, most, most}));
  EXPECT_FALSE(truth->due({0, 1, 0, 0, 0}));
}

// S-30.
TEST(Truth, OverlapIsOfTheShorterTextAndBoundsLengths) {
  const auto truth = make_truth(parse_truth("overlap:0.8,length:0.2").value());
  EXPECT_TRUE(truth->due({0, 1, 80, 100, 100}));
  EXPECT_FALSE(truth->due({0, 1, 79, 100, 100}));
  EXPECT_TRUE(truth->due({0, 1, 64, 80, 100}));
  EXPECT_FALSE(truth->due({0, 1, 79, 79, 100}));  // a fifth shorter, and a little more
  EXPECT_TRUE(make_truth(parse_truth("overlap:0.8").value())->due({0, 1, 10, 10, 100}));
  EXPECT_FALSE(make_truth(parse_truth("overlap:0.8,length:0").value())->due({0, 1, 99, 99, 100}));
  EXPECT_FALSE(truth->due({0, 1, 0, 0, 0}));
}

TEST(Truth, TheBoundOnSharedFeaturesLosesNothingAndIsReached) {
  for (const char* spec :
       {"resemblance:0.8", "resemblance:1/3", "cosine:0.9", "cosine:0.31", "cosine:1",
        "overlap:0.8,length:0.2", "overlap:0.35,length:0.5", "overlap:1,length:0"}) {
    const auto truth = make_truth(parse_truth(spec).value());
    for (std::uint32_t a = 1; a <= 30; ++a) {
      std::uint32_t least = ~std::uint32_t{0};
      for (std::uint32_t b = 1; b <= 400; ++b) {
        for (std::uint32_t shared = 1; shared <= std::min(a, b); ++shared) {
          if (truth->due({0, 1, shared, a, b})) least = std::min(least, shared);
        }
      }
      EXPECT_LE(truth->least_shared(a), least) << spec << " " << a;
      EXPECT_GE(truth->least_shared(a) + 1, least) << spec << " " << a;
    }
  }
}

TEST(Truth, IsWrittenAsItIsRead) {
  EXPECT_EQ(parse_truth("resemblance:50%").value().spec(), "resemblance:0.5");
  EXPECT_EQ(parse_truth("cosine:9/10").value().spec(), "cosine:0.9");
  EXPECT_EQ(parse_truth("cosine:.9").value().text(), "cosine 0.9 or more");
  EXPECT_EQ(parse_truth("overlap:0.8").value().spec(), "overlap:0.8,length:1");
  EXPECT_EQ(parse_truth("overlap:0.8,length:0.2").value().text(),
            "overlap 0.8 or more and lengths within 0.2");
}

TEST(Truth, RefusesOtherRules) {
  for (const char* bad :
       {"", "cosine", "cosine:", "cosine:0", "cosine:1.1", "cosine:-1", "cosine:x", "sine:0.9",
        "cosine:0.9,length:0.1", "length:0.2", "length:0.2,overlap:0.8", "overlap:0,length:0.2",
        "overlap:0.8,length:1.2", "overlap:0.8,length:0.2,length:0.2", "overlap:0.8,cosine:0.9",
        "overlap:0.8,", ",overlap:0.8", "Cosine:0.9", "overlap:0.8,length"}) {
    const auto rule = parse_truth(bad);
    ASSERT_FALSE(rule.ok()) << bad;
    EXPECT_EQ(rule.error().code, ErrorCode::usage);
    EXPECT_NE(rule.error().message.find("write resemblance:R, cosine:C"), std::string::npos);
  }
}

/// The definitions, over strings.
struct SlowPair {
  std::uint64_t shared = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};

SlowPair slow_sets(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::set<std::string> left(a.begin(), a.end());
  const std::set<std::string> right(b.begin(), b.end());
  SlowPair out{0, left.size(), right.size()};
  for (const std::string& word : left) out.shared += right.count(word);
  return out;
}

SlowPair slow_multisets(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  SlowPair out{0, a.size(), b.size()};
  std::map<std::string, std::uint64_t> left;
  for (const std::string& word : a) ++left[word];
  for (const std::string& word : b) {
    if (left[word] == 0) continue;
    --left[word];
    ++out.shared;
  }
  return out;
}

// I-17, S-30: cosine of sets of words, overlap of texts of like lengths.
TEST(TruthFeatures, PairsEqualTheDefinitionsOverStrings) {
  constexpr std::uint64_t plenty = std::uint64_t{1} << 30;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Corpus corpus(related_texts(seed, 90));
    for (const char* spec : {"cosine:0.9", "cosine:0.5", "overlap:0.8,length:0.2", "overlap:0.6"}) {
      const TruthRule rule = parse_truth(spec).value();
      const auto features = truth_features(rule, corpus.views, 5, plenty);
      ASSERT_TRUE(features.ok());
      const auto truth = make_truth(rule);
      std::vector<ExactPair> expected;
      for (std::uint32_t a = 0; a < corpus.texts.size(); ++a) {
        for (std::uint32_t b = a + 1; b < corpus.texts.size(); ++b) {
          const auto left = words_of(corpus.texts[a]);
          const auto right = words_of(corpus.texts[b]);
          const bool sets = rule.of == TruthRule::Of::cosine;
          const SlowPair slow = sets ? slow_sets(left, right) : slow_multisets(left, right);
          const std::uint64_t n = rule.least.numerator();
          const std::uint64_t d = rule.least.denominator();
          const std::uint64_t shorter = std::min(slow.a, slow.b);
          bool due = slow.shared > 0;
          if (sets) {
            due = due && slow.shared * slow.shared * d * d >= n * n * slow.a * slow.b;
          } else {
            due = due && slow.shared * d >= n * shorter;
            if (rule.length == Ratio(1, 5))
              due = due && 10 * shorter >= 8 * std::max(slow.a, slow.b);
          }
          if (!due) continue;
          expected.push_back({a, b, static_cast<std::uint32_t>(slow.shared),
                              static_cast<std::uint32_t>(slow.a),
                              static_cast<std::uint32_t>(slow.b)});
        }
      }
      EXPECT_GT(expected.size(), 10u);
      EXPECT_EQ(all_exact_pairs(features.value(), truth->search()), expected) << spec;
      // Each pair has a key in common.
      const auto keys = truth_keys(features.value(), *truth);
      for (const ExactPair& each : expected) {
        EXPECT_TRUE(std::any_of(keys[each.a].begin(), keys[each.a].end(), [&](std::uint64_t key) {
          return std::find(keys[each.b].begin(), keys[each.b].end(), key) != keys[each.b].end();
        }));
      }
    }
  }
}

TEST(TruthFeatures, RefuseMoreThanTheirMemory) {
  const Corpus corpus(related_texts(1, 40));
  for (const char* spec : {"resemblance:0.5", "cosine:0.9", "overlap:0.8"}) {
    const auto made = truth_features(parse_truth(spec).value(), corpus.views, 5, 1000);
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().code, ErrorCode::usage);
  }
}

TEST(Truth, DocumentsWithoutShinglesAreNeverDue) {
  EXPECT_FALSE(resemblance_truth({0, 1})->due({0, 1, 0, 0, 0}));
  EXPECT_FALSE(containment_truth({0, 1})->due({0, 1, 0, 0, 0}));
  EXPECT_FALSE(removal_truth({0, 1})->due({0, 1, 0, 0, 0}));
}

}  // namespace
}  // namespace twinset
