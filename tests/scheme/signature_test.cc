#include "scheme/signature.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <string_view>

#include "scheme/shingle_sets.h"
#include "support/simd_levels.h"

namespace twinset {
namespace {

/// The first four bits, as the paper prints them.
std::string first_bits(const FeatureList& features) {
  SignatureSums sums(64, simd_level());
  sums.add(features);
  std::string bits;
  for (unsigned bit = 63; bit > 59; --bit) bits += (sums.signs()[0] >> bit & 1) != 0 ? '1' : '0';
  return bits;
}

/// S Table 3.1, weights in hundredths; without one feature.
FeatureList medicare_table(std::string_view left_out = "") {
  struct Row {
    std::string_view feature;
    std::uint64_t weight;
    std::uint64_t hash;
  };
  FeatureList features;
  for (const Row& row :
       {Row{"medicare", 9, 0b1001}, Row{"plan", 1, 0b1110}, Row{"democrats", 6, 0b0010},
        Row{"health", 5, 0b0101}, Row{"negotiate", 4, 0b1101}}) {
    if (row.feature != left_out) features.add(row.hash << 60, row.weight);
  }
  return features;
}

// S-04.
TEST(Signature, IsTheWorkedExample) {
  testing::for_each_simd_level([] {
    SignatureSums sums(64, simd_level());
    sums.add(medicare_table());
    // +.03 -.05 -.11 +.11
    const std::map<unsigned, std::pair<bool, std::uint64_t>> expected{
        {63, {true, 3}}, {62, {false, 5}}, {61, {false, 11}}, {60, {true, 11}}};
    for (const auto& [bit, sum] : expected) {
      EXPECT_EQ(sums.sign(bit), sum.first) << bit;
      EXPECT_EQ(sums.magnitude(bit), sum.second) << bit;
    }
    EXPECT_EQ(first_bits(medicare_table()), "1001");
    EXPECT_EQ(first_bits(medicare_table("plan")), "1001");
    EXPECT_EQ(first_bits(medicare_table("health")), "1001");
    EXPECT_EQ(first_bits(medicare_table("medicare")), "0101");
    EXPECT_EQ(first_bits(medicare_table("democrats")), "1101");
    EXPECT_EQ(first_bits(medicare_table("negotiate")), "0001");
  });
}

FeatureList random_features(std::uint64_t stream, std::size_t size, std::uint64_t largest) {
  FeatureList features;
  for (const std::uint64_t hash : stream_shingles(stream, size)) {
    features.add(hash, 1 + mix64(hash) % largest);
  }
  return features;
}

SignatureWords signature_of(const FeatureList& features, unsigned bits) {
  SignatureSums sums(bits, simd_level());
  sums.add(features);
  return sums.signs();
}

// A sum of zero is bit 0: a feature and its complement cancel in every bit.
TEST(Signature, ATieIsZero) {
  FeatureList features;
  features.add(0x0123456789abcdef, 5);
  features.add(~std::uint64_t{0x0123456789abcdef}, 5);
  EXPECT_EQ(signature_of(features, 64), (SignatureWords{0, 0}));
  features.add(0xff, 1);
  EXPECT_EQ(signature_of(features, 64), (SignatureWords{0xff, 0}));
}

// S-12, A12: scaling all weights changes nothing, and the order of features neither. With a
// document's length as the factor this is document length normalization.
TEST(Signature, ScalingAndOrderChangeNothing) {
  std::mt19937_64 random(3);
  for (std::uint64_t stream = 1; stream <= 20000; ++stream) {
    const FeatureList features = random_features(stream, 1 + random() % 40, 60);
    const unsigned bits = stream % 2 == 0 ? 64 : 128;
    const SignatureWords signature = signature_of(features, bits);
    FeatureList scaled = features;
    const std::uint64_t factor = 1 + random() % (std::uint64_t{1} << 26);  // no weight reaches 2^32
    for (std::uint64_t& weight : scaled.weights) weight *= factor;
    ASSERT_EQ(signature_of(scaled, bits), signature) << stream;
    for (std::size_t i = scaled.size(); i > 1; --i) {
      const std::size_t other = random() % i;
      std::swap(scaled.hashes[i - 1], scaled.hashes[other]);
      std::swap(scaled.weights[i - 1], scaled.weights[other]);
    }
    ASSERT_EQ(signature_of(scaled, bits), signature) << stream;
  }
}

// Powers of two bring weights up to 2^64, where last bits are dropped: those are 0 here.
TEST(Signature, LargeWeightsAreScaledDown) {
  for (std::uint64_t stream = 1; stream <= 300; ++stream) {
    const FeatureList features = random_features(stream, 50, 1000);
    for (const int shift : {22, 23, 40, 53}) {
      FeatureList scaled = features;
      for (std::uint64_t& weight : scaled.weights) weight <<= shift;
      ASSERT_EQ(signature_of(scaled, 128), signature_of(features, 128)) << shift;
    }
  }
}

TEST(Signature, WithoutWeightsIsThatOfOnes) {
  testing::for_each_simd_level([] {
    for (const unsigned bits : {64U, 128U}) {
      for (std::size_t size = 1; size < 300; size += 7) {
        const Shingles hashes = stream_shingles(size, size);
        FeatureList features;
        for (const std::uint64_t hash : hashes) features.add(hash, 1);
        ASSERT_EQ(signs_of_unweighted(hashes, bits, simd_level()), signature_of(features, bits));
      }
    }
  });
}

// A feature that outweighs all others is the signature.
TEST(Signature, TheSecondWordIsASecondHash) {
  FeatureList features = random_features(1, 10, 10);
  features.add(0x1234, 1000);
  EXPECT_EQ(signature_of(features, 128), (SignatureWords{0x1234, second_hash(0x1234)}));
  EXPECT_EQ(signature_of(features, 64), (SignatureWords{0x1234, 0}));
}

// S-17: running sums of 3, 5, 11 and 11 for the first bits, and 25 for the others.
TEST(Signature, TheWeakestBitsAreDecided) {
  const auto decided = [](std::uint64_t hash, unsigned count) {
    SignatureSums sums(64, simd_level());
    sums.add(medicare_table());
    sums.decide_weakest(hash << 60, count);
    EXPECT_EQ(sums.signs()[0] << 4, 0U);
    return sums.signs()[0] >> 60;
  };
  EXPECT_EQ(decided(0b0000, 1), 0b0001U);
  EXPECT_EQ(decided(0b1111, 1), 0b1001U);
  EXPECT_EQ(decided(0b0110, 2), 0b0101U);
  EXPECT_EQ(decided(0b1001, 2), 0b1001U);
  // The third and the fourth sum are equal, so both are decided.
  EXPECT_EQ(decided(0b0110, 3), 0b0110U);
  EXPECT_EQ(decided(0b0110, 4), 0b0110U);
}

}  // namespace
}  // namespace twinset
