#include "web/chunk_hash.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "base/blake3.h"

namespace twinset {
namespace {

constexpr std::string_view hex_of_nothing = "af1349b9f5f9a1a6a0404dea36dcc949";

constexpr std::array<ChunkHash, 5> all_hashes{ChunkHash::xxh3, ChunkHash::sha1, ChunkHash::sha256,
                                              ChunkHash::blake3, ChunkHash::blake3_128};

// Values of Python's hashlib and xxhash.
TEST(HashChunk, IsTheNamedHash) {
  const auto hex = [](ChunkHash hash, std::uint64_t seed = 0) {
    return to_hex(hash_chunk("<p>Fish", hash, seed), hash);
  };
  EXPECT_EQ(hex(ChunkHash::xxh3), "cc1d16434ffffc1ed6b2b777f5deed7e");
  EXPECT_EQ(hex(ChunkHash::xxh3, 7), "25778cf23c4995ff151339541e9d910a");
  EXPECT_EQ(hex(ChunkHash::sha1), "de3636727e7e8bbc02b41c9c1ea5428cee0aef68");
  EXPECT_EQ(hex(ChunkHash::sha256),
            "d38e4b4e7a11682c319ad2a00e36badf823f61b5fb8749440622944df96958f5");
  // That of blake3 is held against the published digests in tests/base/blake3_test.cc.
  EXPECT_EQ(hex(ChunkHash::blake3).substr(0, 32), hex(ChunkHash::blake3_128));
  EXPECT_EQ(hash_chunk("<p>Fish", ChunkHash::blake3).bytes, blake3("<p>Fish"));
  EXPECT_EQ(hash_chunk("", ChunkHash::blake3_128),
            parse_hex(hex_of_nothing, ChunkHash::blake3_128));
}

TEST(HashChunk, HasAKeyOfItsFirstBits) {
  const ChunkDigest digest = hash_chunk("<p>Fish", ChunkHash::sha1);
  EXPECT_EQ(digest.key(), (Fingerprint{0xde3636727e7e8bbc, 0x02b41c9c1ea5428c}));
  EXPECT_EQ(hash_chunk("<p>Fish", ChunkHash::xxh3, 7).key(), fingerprint_bytes("<p>Fish", 7));
}

TEST(ChunkHash, HasAName) {
  for (const ChunkHash hash : all_hashes) {
    EXPECT_EQ(find_chunk_hash(chunk_hash_name(hash)), hash);
    EXPECT_EQ(to_hex({}, hash).size() * 4, static_cast<std::size_t>(chunk_hash_bits(hash)));
  }
  EXPECT_FALSE(find_chunk_hash("md5"));
  EXPECT_FALSE(find_chunk_hash(""));
}

TEST(ParseHex, ReadsWhatToHexWrites) {
  for (const ChunkHash hash : all_hashes) {
    const ChunkDigest digest = hash_chunk("x", hash);
    std::string hex = to_hex(digest, hash);
    EXPECT_EQ(parse_hex(hex, hash), digest);
    for (char& c : hex) {
      if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
    }
    EXPECT_EQ(parse_hex(hex, hash), digest);
    EXPECT_FALSE(parse_hex(hex + "0", hash));
    EXPECT_FALSE(parse_hex(hex.substr(1), hash));
    hex[5] = 'g';
    EXPECT_FALSE(parse_hex(hex, hash));
    EXPECT_FALSE(parse_hex("", hash));
  }
}

// the false matches of a hash of so many bits.
TEST(ExpectedFalseMatches, AreThoseOfTheBirthdays) {
  EXPECT_DOUBLE_EQ(expected_false_matches(23, 0), 253) << "every pair";
  EXPECT_DOUBLE_EQ(expected_false_matches(2, 1), 0.5);
  EXPECT_DOUBLE_EQ(expected_false_matches(1, 64), 0);
  // The paper's 40.5e9 chunks.
  EXPECT_NEAR(expected_false_matches(40.5e9, 64), 44.459, 0.001);
  EXPECT_NEAR(expected_false_matches(40.5e9, 128), 2.410e-18, 0.001e-18);
  EXPECT_NEAR(expected_false_matches(40.5e9, 160), 5.611e-28, 0.001e-28);
}

// A hash of b bits is a remainder of random numbers here: pairs that share it are counted.
TEST(ExpectedFalseMatches, AreWhatHappens) {
  constexpr int bits = 16;
  constexpr std::uint64_t things = 4000;
  constexpr int trials = 100;
  double found = 0;
  double labeled = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    std::vector<std::uint32_t> counts(1 << bits);
    std::vector<bool> labels(1 << bits);
    for (std::uint64_t i = 0; i < things; ++i) {
      const std::string text = std::to_string(trial) + "/" + std::to_string(i);
      found += counts[checksum(text) % counts.size()]++;
      if (i < 100) labels[checksum("label" + text) % labels.size()] = true;
    }
    for (std::uint64_t i = 0; i < things; ++i) {
      labeled += labels[checksum(std::to_string(trial) + "/" + std::to_string(i)) % labels.size()];
    }
  }
  // Both counts are nearly Poisson, of some 12,000 and 610: five standard deviations and more.
  const double expected = trials * expected_false_matches(things, bits);
  EXPECT_NEAR(found, expected, 6 * std::sqrt(expected));
  const double expected_labeled = trials * expected_false_labels(things, 100, bits);
  EXPECT_NEAR(labeled, expected_labeled, 6 * std::sqrt(expected_labeled));
}

TEST(ExpectedFalseLabels, GrowWithBoth) {
  EXPECT_DOUBLE_EQ(expected_false_labels(40.5e9, 2121, 64), 40.5e9 * 2121 / 18446744073709551616.0);
  EXPECT_DOUBLE_EQ(expected_false_labels(8, 4, 5), 1);
}

}  // namespace
}  // namespace twinset
