// tests src/scheme/schemes/simhash.cc through its spec. Its kernel, features and sums have tests of
// their own.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

std::uint32_t distance(const Scheme& scheme, const Sketch& a, const Sketch& b) {
  const Comparison comparison = scheme.compare(a.stored, b.stored);
  EXPECT_TRUE(comparison.distance.has_value());
  EXPECT_EQ(comparison.distance->bits, scheme.facts().signature_bits);
  return comparison.distance->differ;
}

/// Chi-square of hashes over 256 bins, by the byte at `shift`.
double chi_square(const std::vector<std::uint64_t>& hashes, unsigned shift) {
  std::array<double, 256> bins{};
  for (const std::uint64_t hash : hashes) ++bins[hash >> shift & 255];
  const double expected = static_cast<double>(hashes.size()) / 256;
  double sum = 0;
  for (const double bin : bins) sum += (bin - expected) * (bin - expected) / expected;
  return sum;
}

/// A chi-square variable of 255 degrees of freedom is larger with probability 1e-8.
constexpr double chi_square_limit = 403;

// S-02, S Figure 3-2: "Hash value of over 800,000 features, split into 256 bins". The signature of
// a text of one word is the word's hash.
TEST(Simhash, FeatureHashesAreUniform) {
  constexpr std::size_t features = 800000;
  const auto scheme = must_make("simhash(bits=128)");
  std::array<std::vector<std::uint64_t>, 2> hashes;
  std::vector<std::uint64_t> first_byte;
  for (std::size_t i = 0; i < features; ++i) {
    const std::string word = "w" + std::to_string(i * 7919);
    const Sketch sketch = sketch_text(*scheme, word);
    for (std::size_t half = 0; half < 2; ++half) hashes[half].push_back(sketch.values[half]);
    first_byte.push_back(mix64(static_cast<unsigned char>(word[1])));
  }
  for (unsigned shift = 0; shift < 64; shift += 8) {
    for (const auto& half : hashes) EXPECT_LT(chi_square(half, shift), chi_square_limit) << shift;
    EXPECT_GT(chi_square(first_byte, shift), 1e6) << shift;
  }
}

TEST(Simhash, StoresAByteAndTheWords) {
  for (const unsigned bits : {64U, 128U}) {
    const auto scheme = must_make("simhash(bits=" + std::to_string(bits) + ")");
    EXPECT_EQ(scheme->facts().signature_bits, bits);
    const Sketch sketch = sketch_text(*scheme, "a rose is a rose is a rose");
    ASSERT_EQ(sketch.values.size(), bits / 64);
    ASSERT_EQ(sketch.stored.size(), 1 + bits / 8);
    EXPECT_EQ(sketch.stored[0], 1);
    for (std::size_t i = 0; i < bits / 8; ++i) {
      EXPECT_EQ(sketch.stored[1 + i], sketch.values[i / 8] >> i % 8 * 8 & 255);
    }
    EXPECT_TRUE(keys_of(*scheme, sketch).empty());
    EXPECT_EQ(distance(*scheme, sketch, sketch), 0U);
    Sketch other = sketch;
    other.stored[1] ^= 0x81;
    other.stored.back() ^= 0x10;
    EXPECT_EQ(distance(*scheme, sketch, other), 3U);
  }
}

TEST(Simhash, BrokenFormsAndNoFeaturesAreUnknown) {
  const auto scheme = must_make("simhash");
  const Sketch sketch = sketch_text(*scheme, "one");
  std::vector<std::uint8_t> broken = sketch.stored;
  broken[0] = 2;
  EXPECT_FALSE(scheme->compare(sketch.stored, broken).distance.has_value());
  broken = sketch.stored;
  broken.pop_back();
  EXPECT_FALSE(scheme->compare(broken, broken).distance.has_value());
  EXPECT_FALSE(scheme->compare({}, {}).distance.has_value());
  const Sketch empty = sketch_text(*scheme, "?!");
  EXPECT_TRUE(empty.empty);
  EXPECT_TRUE(empty.values.empty() && empty.stored.empty());
}

// "rose" has 3 of 5 votes, and with them every bit; with unit weights one of 3.
TEST(Simhash, WeightsAreOccurrencesOrOne) {
  const auto tf = must_make("simhash");
  const auto unit = must_make("simhash(weights=unit)");
  const std::string_view text = "rose is a rose rose";
  EXPECT_EQ(sketch_text(*tf, text).values, sketch_text(*tf, "rose").values);
  EXPECT_EQ(sketch_text(*unit, text).values, sketch_text(*unit, "a rose is").values);
  EXPECT_EQ(sketch_text(*unit, text).values, sketch_text(*tf, "a rose is").values);
  EXPECT_NE(sketch_text(*unit, text).values, sketch_text(*unit, "rose").values);
  // Words in any order; bigrams not.
  EXPECT_EQ(sketch_text(*tf, text).values, sketch_text(*tf, "is a rose rose rose").values);
  const auto bigrams = must_make("simhash(shingle=2)");
  EXPECT_NE(sketch_text(*bigrams, "a rose is").values, sketch_text(*bigrams, "is a rose").values);
}

/// Words of which the first occur often.
std::string text_of(const std::vector<std::pair<std::string, int>>& counts) {
  std::string text;
  for (const auto& [word, count] : counts) {
    for (int i = 0; i < count; ++i) text += word + " ";
  }
  return text;
}

// S-10, S-11, S-15: each cut leaves the signature of the text that the rest makes.
TEST(Simhash, CutsLeaveTheRest) {
  const auto plain = must_make("simhash");
  const std::string text = text_of({{"ten", 10}, {"five", 5}, {"four", 4}, {"one", 1}});
  const auto cut = [&](const std::string& spec) {
    return sketch_text(*must_make("simhash(" + spec + ")"), text).values;
  };
  const auto rest = [&](const std::vector<std::pair<std::string, int>>& counts) {
    return sketch_text(*plain, text_of(counts)).values;
  };
  EXPECT_EQ(cut("least=.1"), rest({{"ten", 10}, {"five", 5}, {"four", 4}, {"one", 1}}));
  EXPECT_EQ(cut("least=.11"), rest({{"ten", 10}, {"five", 5}, {"four", 4}}));
  EXPECT_EQ(cut("least=.5"), rest({{"ten", 10}, {"five", 5}}));
  EXPECT_EQ(cut("least=.2, most=.5"), rest({{"five", 5}, {"four", 4}}));
  EXPECT_EQ(cut("top=1"), rest({{"ten", 10}}));
  EXPECT_EQ(cut("top=3"), rest({{"ten", 10}, {"five", 5}, {"four", 4}}));
  EXPECT_EQ(cut("clip=3"), rest({{"ten", 4}, {"five", 4}, {"four", 4}, {"one", 1}}));
  // Weights are clipped before they are cut.
  EXPECT_EQ(cut("clip=2, least=.8"), rest({{"ten", 5}, {"five", 5}, {"four", 4}}));
}

TEST(Simhash, NothingLeftIsNoSignature) {
  const Sketch sketch = sketch_text(*must_make("simhash(most=0)"), "some words");
  EXPECT_TRUE(sketch.empty);
  EXPECT_TRUE(sketch.stored.empty());
}

// A document whose words are replaced by others moves as far as the angle between the two says:
// random signs of many features, S section 2.4.2 and Charikar.
TEST(SimhashStatistics, DistanceFollowsTheAngle) {
  const auto scheme = must_make("simhash(weights=unit)");
  constexpr std::size_t words = 400;
  constexpr double pi = 3.14159265358979323846;
  for (const std::size_t shared : {0, 200, 300, 380}) {
    double sum = 0;
    constexpr int pairs = 2000;
    for (int i = 0; i < pairs; ++i) {
      const SetPair pair =
          make_pair_of_sets(mix64(static_cast<std::uint64_t>(i) * 1000 + shared), words, shared);
      sum +=
          distance(*scheme, sketch_of_tokens(*scheme, pair.a), sketch_of_tokens(*scheme, pair.b));
    }
    const double cosine = static_cast<double>(shared) / words;
    const double expected = std::acos(cosine) / pi;
    // 128,000 bits, of which those of a pair are independent: Hoeffding at 1e-8; and the angle is
    // a limit, which 400 features miss by 0.001 at cosine 1/2 (0.3318 for 200: A11).
    EXPECT_NEAR(sum / (64.0 * pairs), expected, 0.0087 + 0.003) << shared;
  }
}

}  // namespace
}  // namespace twinset
