#include "scheme/kernels/fss_rounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

/// The definition, word for word: each bin's smallest word over all rounds.
std::map<std::uint16_t, std::uint32_t> by_definition(const FssRounds& rounds,
                                                     const Shingles& shingles,
                                                     const std::vector<std::uint16_t>& empty) {
  std::map<std::uint16_t, std::uint32_t> words;
  for (const std::uint16_t bin : empty) words[bin] = fss_empty;
  for (unsigned round = 1; round < rounds.count(); ++round) {
    for (const std::uint64_t shingle : shingles) {
      const std::uint32_t hash = fss_round_hash(shingle, rounds.low[round], rounds.high[round]);
      const auto bin = static_cast<std::uint16_t>(
          round < rounds.bins() ? fss_bin(hash, rounds.log2_bins) : round - rounds.bins());
      const auto place = words.find(bin);
      if (place != words.end()) {
        place->second = std::min(place->second, fss_word(round, hash, rounds.log2_bins));
      }
    }
  }
  return words;
}

TEST(FssRounds, EveryLevelIsTheDefinition) {
  const SimdLevelGuard guard;
  for (const SimdLevel level : supported_simd_levels()) {
    ASSERT_TRUE(limit_simd(level).ok());
    for (const unsigned log2_bins : {6U, 7U, 8U, 9U}) {
      const FssRounds rounds(log2_bins, log2_bins * 1000);
      std::vector<std::uint16_t> all(rounds.bins());
      std::iota(all.begin(), all.end(), std::uint16_t{0});
      const std::vector<std::uint16_t> few{0, 5, static_cast<std::uint16_t>(rounds.bins() - 1)};
      for (const std::size_t count :
           {1U, 2U, 3U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 33U, 100U, 600U}) {
        Shingles shingles = stream_shingles(count, count);
        if (count == 33) std::fill(shingles.begin(), shingles.begin() + 20, shingles[30]);
        for (const std::vector<std::uint16_t>& empty : {all, few}) {
          std::vector<std::uint32_t> words(rounds.bins());
          fill_fss_bins(rounds, shingles, empty, words, level);
          for (const auto& [bin, word] : by_definition(rounds, shingles, empty)) {
            ASSERT_EQ(words[bin], word) << simd_level_name(level) << " " << log2_bins << " bins 2^"
                                        << count << " shingles, bin " << bin;
          }
        }
      }
    }
  }
}

// With a single shingle about a third of the bins gets nothing in all the random rounds; the last
// rounds must fill them.
TEST(FssRounds, LeavesNoBinEmpty) {
  for (const unsigned log2_bins : {6U, 9U}) {
    const FssRounds rounds(log2_bins, 1);
    std::vector<std::uint16_t> all(rounds.bins());
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    std::vector<std::uint32_t> words(rounds.bins());
    fill_fss_bins(rounds, Shingles{42}, all, words, simd_level());
    std::size_t last = 0;
    for (std::size_t bin = 0; bin < words.size(); ++bin) {
      ASSERT_NE(words[bin], fss_empty);
      const std::uint32_t round = words[bin] >> fss_value_bits;
      if (round >= rounds.bins()) {
        EXPECT_EQ(round - rounds.bins(), bin);
        ++last;
      }
    }
    EXPECT_NEAR(static_cast<double>(last) / rounds.bins(), 0.368, 0.2);
  }
}

TEST(FssRounds, SeedsGiveOtherRounds) {
  EXPECT_NE(FssRounds(8, 1).low, FssRounds(8, 2).low);
  EXPECT_NE(FssRounds(8, 1).high, FssRounds(8, 2).high);
}

}  // namespace
}  // namespace twinset
