#include "text/token_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "text/text_samples.h"

namespace twinset {
namespace {

/// The hash if just enough is readable, and the bytes after the token are not zeros.
std::uint64_t padded(std::string token) {
  const std::size_t length = token.size();
  const std::size_t blocks = length == 0 ? 1 : (length + 15) / 16;
  token.resize(blocks * 16, '\xA5');
  const TightText tight(token, 1);
  return token_hash_padded(reinterpret_cast<const std::uint8_t*>(tight.view().data()), length);
}

// From an independent implementation of the formula in the header.
TEST(TokenHash, IsTheWrittenFunction) {
  EXPECT_EQ(token_hash(""), 0xf25941e2e8964bc1u);
  EXPECT_EQ(token_hash("a"), 0x4cd641ff4b84d02eu);
  EXPECT_EQ(token_hash("rose"), 0xc9883fdd6192abbu);
  EXPECT_EQ(token_hash("eightlet"), 0x78400822fe70cfe2u);
  EXPECT_EQ(token_hash("sixteen letters!"), 0x22850538d0cd7336u);
  EXPECT_EQ(token_hash("seventeen letters"), 0x975a5d89f5077200u);
  EXPECT_EQ(token_hash(std::string(40, 'x')), 0x677cb9f6ec69775u);
  EXPECT_EQ(token_hash(utf8_of(0x6F22)), 0x142a88ead5fd04dbu);
}

TEST(TokenHash, PiecesAndPaddingChangeNothing) {
  Samples samples(3);
  for (std::size_t length = 0; length < 200; ++length) {
    const std::string token = samples.bytes(length);
    const std::uint64_t expected = token_hash(token);
    EXPECT_EQ(padded(token), expected) << length;
    for (int i = 0; i < 20; ++i) {
      TokenHasher hasher;
      for (std::size_t begin = 0; begin < length;) {
        const std::size_t count = std::min<std::size_t>(1 + samples.below(20), length - begin);
        hasher.add(reinterpret_cast<const std::uint8_t*>(token.data()) + begin, count);
        begin += count;
      }
      ASSERT_EQ(hasher.value(), expected) << length;
    }
  }
}

TEST(TokenHash, ZerosAndLengthsCount) {
  std::set<std::uint64_t> seen;
  for (std::size_t length = 0; length < 100; ++length) {
    EXPECT_TRUE(seen.insert(token_hash(std::string(length, '\0'))).second) << length;
  }
}

/// Distinct tokens as texts have them: numbers, words of a few letters, words
/// with endings; in an order and of a likeness that a weak hash would show.
std::vector<std::string> distinct_tokens(int kind, std::size_t count) {
  std::vector<std::string> tokens;
  tokens.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    std::string letters;
    for (std::size_t rest = i; letters.size() < 5; rest /= 26) {
      letters += static_cast<char>('a' + rest % 26);
    }
    switch (kind % 5) {
      case 0:
        tokens.push_back(number);
        break;
      case 1:
        tokens.push_back(letters);
        break;
      case 2:
        tokens.push_back(letters + "ation" + std::to_string(kind));
        break;
      case 3:
        tokens.push_back("internationalization" + number);
        break;
      default:
        tokens.push_back(utf8_of({static_cast<std::uint32_t>(0x4E00 + i % 20000),
                                  static_cast<std::uint32_t>(0x430 + i / 20000)}));
        break;
    }
    if (kind >= 5) tokens.back() += 'x';
  }
  return tokens;
}

// Reliability rows A15 and A16 for the token hash.
TEST(TokenHash, A15EveryOutputBitIsBalanced) {
  for (int kind = 0; kind < 5; ++kind) {
    BitCounts ones;
    for (const std::string& token : distinct_tokens(kind, million)) ones.add(token_hash(token));
    EXPECT_LT(ones.imbalance(), hoeffding(million, 1e-10)) << "kind " << kind;
  }
}

TEST(TokenHash, A15EveryInputBitFlipsEveryOutputBitHalfTheTime) {
  // 64 input bits of eight-letter tokens, 64 output bits each.
  Samples samples(15);
  std::vector<BitCounts> flips(64);
  for (std::size_t trial = 0; trial < million; ++trial) {
    std::array<std::uint8_t, 16> token{};
    for (int i = 0; i < 8; ++i) {
      token[i] = static_cast<std::uint8_t>('a' + samples.below(26));
    }
    const std::uint64_t before = token_hash_padded(token.data(), 8);
    for (std::size_t bit = 0; bit < 64; ++bit) {
      token[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      flips[bit].add(before ^ token_hash_padded(token.data(), 8));
      token[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    }
  }
  for (std::size_t bit = 0; bit < 64; ++bit) {
    EXPECT_LT(flips[bit].imbalance(), hoeffding(million, 1e-10)) << "input bit " << bit;
  }
}

TEST(TokenHash, A15LongTokensToo) {
  // 20 bytes: two blocks; each of 160 input bits.
  constexpr std::size_t trials = million / 20;
  Samples samples(16);
  std::vector<BitCounts> flips(160);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    std::array<std::uint8_t, 32> token{};
    for (int i = 0; i < 20; ++i) token[i] = static_cast<std::uint8_t>('a' + samples.below(26));
    const std::uint64_t before = token_hash_padded(token.data(), 20);
    for (std::size_t bit = 0; bit < flips.size(); ++bit) {
      token[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      flips[bit].add(before ^ token_hash_padded(token.data(), 20));
      token[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    }
  }
  for (std::size_t bit = 0; bit < flips.size(); ++bit) {
    EXPECT_LT(flips[bit].imbalance(), hoeffding(trials, 1e-10)) << "input bit " << bit;
  }
}

TEST(Statistics, A16TokensCutTo32BitsCollideAsByChance) {
  for (int kind = 0; kind < 10; ++kind) {
    std::vector<std::uint64_t> hashes;
    hashes.reserve(a16_hashes);
    for (const std::string& token : distinct_tokens(kind, a16_hashes)) {
      hashes.push_back(token_hash(token));
    }
    const Collisions found = collisions(std::move(hashes));
    EXPECT_EQ(found.whole, 0u) << "kind " << kind;
    EXPECT_PRED1(is_chance, found.high) << "kind " << kind;
    EXPECT_PRED1(is_chance, found.low) << "kind " << kind;
  }
}

}  // namespace
}  // namespace twinset
