#include "base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace twinset {
namespace {

// The values are part of every file twinset has written: a change here is a new
// hash_version.
TEST(Hash, IsTheSameForEver) {
  EXPECT_EQ(hash_version, 1U);
  EXPECT_EQ(checksum(""), 0x2d06800538d394c2ULL);
  EXPECT_EQ(fingerprint_bytes(""), (Fingerprint{0x99aa06d3014798d8ULL, 0x6001c324468d497fULL}));
  EXPECT_EQ(mix64(0), 0U);
  EXPECT_EQ(multiply_fold(1, 5), 5U);
  EXPECT_EQ(multiply_fold(~0ULL, ~0ULL), 0xfffffffffffffffeULL ^ 1U);
}

TEST(Hash, Mix64IsABijectionNearZero) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t x = 0; x < 100'000; ++x) seen.insert(mix64(x));
  EXPECT_EQ(seen.size(), 100'000U);
}

TEST(Hash, SeedAndBytesMatter) {
  EXPECT_NE(fingerprint_bytes("a"), fingerprint_bytes("b"));
  EXPECT_NE(fingerprint_bytes("a", 1), fingerprint_bytes("a", 2));
  EXPECT_NE(checksum("a", 1), checksum("a", 2));
  EXPECT_NE(fingerprint_bytes(std::string_view("\0", 1)), fingerprint_bytes(""));
}

TEST(Hash, RunningChecksumEqualsWhole) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>(mix64(static_cast<std::uint64_t>(i)));
  for (const std::size_t piece : {1U, 7U, 64U, 1000U, 5000U}) {
    RunningChecksum running;
    for (std::size_t i = 0; i < text.size(); i += piece) {
      running.add(std::string_view(text).substr(i, piece));
    }
    EXPECT_EQ(running.value(), checksum(text)) << piece;
  }
  EXPECT_EQ(RunningChecksum().value(), checksum(""));
}

}  // namespace
}  // namespace twinset
