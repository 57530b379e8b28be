#include "text/shingler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/hash.h"
#include "text/analyzer.h"
#include "text/text_samples.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

std::vector<std::uint64_t> random_tokens(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> tokens(count);
  for (std::uint64_t& token : tokens) token = random();
  return tokens;
}

/// The definition, term by term.
std::vector<std::uint64_t> defined_shingles(const std::vector<std::uint64_t>& tokens,
                                            std::size_t width) {
  std::vector<std::uint64_t> shingles;
  for (std::size_t i = 0; i + width <= tokens.size(); ++i) {
    std::uint64_t sum = 0;
    std::uint64_t power = 1;
    for (std::size_t j = width; j-- > 0; power *= 0x9e3779b97f4a7c13ULL) {
      sum += tokens[i + j] * power;
    }
    shingles.push_back(mix64(sum));
  }
  return shingles;
}

std::vector<std::uint64_t> shingles_of(std::span<const std::uint64_t> tokens, unsigned width) {
  std::vector<std::uint64_t> out{1, 2, 3};
  shingle(tokens, width, out);
  return out;
}

class ShinglerAtLevel : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override { ASSERT_TRUE(limit_simd(GetParam()).ok()); }
  void TearDown() override { ASSERT_TRUE(limit_simd(supported_simd_levels().back()).ok()); }
};
INSTANTIATE_TEST_SUITE_P(Levels, ShinglerAtLevel, testing::ValuesIn(supported_simd_levels()),
                         [](const auto& level) {
                           return std::string(simd_level_name(level.param));
                         });

TEST_P(ShinglerAtLevel, EqualsItsDefinitionAtEveryWidth) {
  for (unsigned width = 1; width <= max_shingle_tokens; ++width) {
    for (const std::size_t count : {width, width + 1, width + 7, width + 8, width + 100}) {
      // An exact-size buffer: the sanitizer sees a read past the tokens.
      const std::vector<std::uint64_t> tokens = random_tokens(count, width * 1000 + count);
      ASSERT_EQ(shingles_of(tokens, width), defined_shingles(tokens, width))
          << "width " << width << ", tokens " << count;
    }
  }
}

TEST_P(ShinglerAtLevel, EqualsItsDefinitionAcrossTiles) {
  for (const unsigned width : {1u, 2u, 3u, 5u, 7u, 8u, 10u, 31u, 63u, 64u}) {
    for (std::size_t count = 440; count < 520; ++count) {
      const std::vector<std::uint64_t> tokens = random_tokens(count, count);
      ASSERT_EQ(shingles_of(tokens, width), defined_shingles(tokens, width))
          << "width " << width << ", tokens " << count;
    }
    const std::vector<std::uint64_t> tokens = random_tokens(3001, width);
    ASSERT_EQ(shingles_of(tokens, width), defined_shingles(tokens, width)) << "width " << width;
  }
}

TEST_P(ShinglerAtLevel, FewTokensMakeOneShortShingle) {
  for (unsigned width = 2; width <= max_shingle_tokens; ++width) {
    const std::vector<std::uint64_t> tokens = random_tokens(width, width);
    for (std::size_t count = 1; count < width; ++count) {
      const auto some = std::span(tokens).first(count);
      const auto shorter = shingles_of(some, width);
      ASSERT_EQ(shorter.size(), 1u);
      // Neither the full shingle of the same tokens, nor the short one of fewer.
      EXPECT_NE(shorter, shingles_of(some, static_cast<unsigned>(count)));
      if (count > 1) {
        EXPECT_NE(shorter, shingles_of(some.first(count - 1), width));
      }
    }
  }
  EXPECT_TRUE(shingles_of({}, 5).empty());
}

// From an independent implementation of the definition.
TEST_P(ShinglerAtLevel, IsTheWrittenFunction) {
  Analysis analysis;
  find_analyzer("words")->analyze("a rose is a rose", Offsets::drop, analysis);
  EXPECT_EQ(shingles_of(analysis.tokens, 4),
            (std::vector<std::uint64_t>{0x5a43be0e92497a74, 0x64e4550166077359}));
  EXPECT_EQ(shingles_of(analysis.tokens, 8), (std::vector<std::uint64_t>{0xd45a85100b4124}));
}

// B-02 (B section 2): a w-shingling is a set; "a rose is a rose is a rose" has three
// different 4-shingles.
TEST_P(ShinglerAtLevel, B02RoseIsARose) {
  Analysis analysis;
  find_analyzer("words")->analyze("a rose is a rose is a rose", Offsets::drop, analysis);
  const auto windows = shingles_of(analysis.tokens, 4);
  EXPECT_EQ(windows.size(), 5u);
  EXPECT_EQ(std::set(windows.begin(), windows.end()).size(), 3u);
  EXPECT_EQ(windows[0], windows[3]);
  EXPECT_EQ(windows[1], windows[4]);
}

/// A text like a language's: words of a Zipf-like vocabulary, hashed as tokens are.
std::vector<std::uint64_t> language_tokens(std::size_t count, std::uint64_t seed) {
  constexpr std::size_t vocabulary = 50'000;
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < vocabulary; ++i) words.push_back(token_hash(std::to_string(i)));
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> tokens(count);
  for (std::uint64_t& token : tokens) {
    // The product of two uniform numbers favors the small.
    token = words[random() % vocabulary * (random() % vocabulary) / vocabulary];
  }
  return tokens;
}

template <class Value>
std::vector<Value> distinct(std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Reliability rows A15 and A16 for shingles.
TEST(ShinglerQuality, A15EveryOutputBitIsBalanced) {
  for (const unsigned width : {1u, 2u, 5u, 10u, 64u}) {
    BitCounts ones;
    const auto windows = distinct(shingles_of(language_tokens(million, width), width));
    for (const std::uint64_t window : windows) ones.add(window);
    const double draws = static_cast<double>(windows.size());
    EXPECT_LT(ones.imbalance(), hoeffding(draws, 1e-10)) << "width " << width;
  }
}

TEST(ShinglerQuality, A15EveryBitOfATokenFlipsEveryOutputBitHalfTheTime) {
  constexpr std::size_t trials = million / 4;
  const std::vector<std::uint64_t> tokens = language_tokens(trials + 5, 15);
  for (std::size_t place : {std::size_t{0}, std::size_t{4}}) {
    std::vector<BitCounts> flips(64);
    std::vector<std::uint64_t> before, after;
    for (std::size_t i = 0; i < trials; ++i) {
      std::array<std::uint64_t, 5> window;
      std::copy_n(&tokens[i], 5, window.begin());
      shingle(window, 5, before);
      for (std::size_t bit = 0; bit < 64; ++bit) {
        window[place] ^= std::uint64_t{1} << bit;
        shingle(window, 5, after);
        flips[bit].add(before[0] ^ after[0]);
        window[place] ^= std::uint64_t{1} << bit;
      }
    }
    for (std::size_t bit = 0; bit < 64; ++bit) {
      EXPECT_LT(flips[bit].imbalance(), hoeffding(trials, 1e-10))
          << "token " << place << ", bit " << bit;
    }
  }
}

TEST(Statistics, A16ShinglesCutTo32BitsCollideAsByChance) {
  for (const unsigned width : {3u, 5u, 8u, 10u, 64u}) {
    const auto tokens = language_tokens(a16_hashes + a16_hashes / 4, width);
    std::vector<std::uint64_t> hashes = shingles_of(tokens, width);
    // The windows by their content, which 128 bits of another hash distinguish.
    std::vector<Fingerprint> windows;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      windows.push_back(
          fingerprint_bytes({reinterpret_cast<const char*>(&tokens[i]), width * sizeof tokens[0]}));
    }
    hashes = distinct(std::move(hashes));
    EXPECT_EQ(hashes.size(), distinct(std::move(windows)).size()) << "width " << width;

    ASSERT_GE(hashes.size(), a16_hashes);
    std::shuffle(hashes.begin(), hashes.end(), std::mt19937_64(1));
    hashes.resize(a16_hashes);
    const Collisions found = collisions(std::move(hashes));
    EXPECT_PRED1(is_chance, found.high) << "width " << width;
    EXPECT_PRED1(is_chance, found.low) << "width " << width;
  }
}

TEST(ShinglerQuality, TheSameWordsInAnotherOrderAreOtherShingles) {
  // Every two places of a window swapped, at every width, for many windows: the
  // polynomial's coefficients differ at any two places.
  for (const unsigned width : {2u, 5u, 10u, 33u, 64u}) {
    const std::vector<std::uint64_t> tokens = random_tokens(width, width);
    const auto whole = shingles_of(tokens, width);
    std::set<std::uint64_t> seen{whole[0]};
    std::size_t swaps = 1;
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < i; ++j, ++swaps) {
        std::vector<std::uint64_t> swapped = tokens;
        std::swap(swapped[i], swapped[j]);
        seen.insert(shingles_of(swapped, width)[0]);
      }
    }
    EXPECT_EQ(seen.size(), swaps) << "width " << width;
  }
}

}  // namespace
}  // namespace twinset
