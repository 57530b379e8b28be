#include "scheme/packed_bits.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace twinset {
namespace {

std::vector<std::uint32_t> random_words(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  return words;
}

unsigned field(const std::vector<std::uint8_t>& packed, unsigned bits, std::size_t i) {
  return packed[i * bits / 8] >> (i * bits % 8) & ((1U << bits) - 1);
}

TEST(PackedBits, KeepsTheHighBitsOfAHashInOrder) {
  const std::vector<std::uint32_t> words = random_words(64, 1);
  for (const unsigned bits : {1U, 2U, 4U, 8U}) {
    std::vector<std::uint8_t> packed(words.size() * bits / 8, 0xaa);
    pack_bits(words, bits, packed);
    for (std::size_t i = 0; i < words.size(); ++i) {
      EXPECT_EQ(field(packed, bits, i), words[i] * 0x9e3779b1U >> (32 - bits));
    }
  }
}

// Against a loop over single fields, with every share of agreement.
TEST(PackedBits, CountsAgreementFieldByField) {
  std::mt19937_64 random(2);
  for (const unsigned bits : {1U, 2U, 4U, 8U}) {
    for (const std::size_t count : {64U, 128U, 256U, 512U, 4096U}) {
      for (const int percent : {0, 30, 90, 100}) {
        const std::vector<std::uint32_t> left = random_words(count, 3);
        std::vector<std::uint32_t> right = left;
        for (std::uint32_t& word : right) {
          if (random() % 100 >= static_cast<unsigned>(percent)) {
            word = static_cast<std::uint32_t>(random());
          }
        }
        std::vector<std::uint8_t> a(count * bits / 8);
        std::vector<std::uint8_t> b(count * bits / 8);
        pack_bits(left, bits, a);
        pack_bits(right, bits, b);
        std::uint32_t equal = 0;
        for (std::size_t i = 0; i < count; ++i) {
          equal += field(a, bits, i) == field(b, bits, i) ? 1 : 0;
        }
        EXPECT_EQ(count_matching(a, b, bits), equal) << bits << " " << count << " " << percent;
      }
    }
  }
}

TEST(PackedBits, OppositesAgreeNowhere) {
  const std::vector<std::uint8_t> zeros(512, 0);
  const std::vector<std::uint8_t> ones(512, 0xff);
  for (const unsigned bits : {1U, 2U, 4U, 8U}) {
    EXPECT_EQ(count_matching(zeros, ones, bits), 0U);
    EXPECT_EQ(count_matching(ones, ones, bits), 512 * 8 / bits);
  }
}

}  // namespace
}  // namespace twinset
