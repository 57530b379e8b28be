#include <gtest/gtest.h>

#include "io/codecs.h"
#include "support/streams.h"

namespace twinset {
namespace {

using testing::compressed;
using testing::read_stream;
using testing::sample_text;
using testing::ScratchFolder;

TEST(Gzip, HeaderHoldsNoTimeAndNoName) {
  const std::string stored = compressed("text", Compression::gzip);
  EXPECT_EQ(stored.substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
}

TEST(Gzip, EmptyIsOneEmptyMember) {
  const ScratchFolder folder;
  const std::string stored = compressed("", Compression::gzip);
  EXPECT_LE(stored.size(), 23U);
  EXPECT_TRUE(read_stream(folder.write("x", stored), Compression::gzip).faults.empty());
}

TEST(Gzip, HeadersWithAllTheyCanHold) {
  const ScratchFolder folder;
  const std::string plain = compressed("the text\n", Compression::gzip);
  // RFC 1952: FEXTRA, FNAME and FCOMMENT, in this order after the ten bytes.
  std::string header("\x1f\x8b\x08\x1c\1\2\3\4\2\3", 10);
  header += std::string("\x06\0extra!", 8);
  header += std::string("a name that is longer than any buffer for it: ") + std::string(5000, 'n');
  header += '\0';
  header += std::string("a comment") + std::string(5000, 'c');
  header += '\0';
  const std::string stored = header + plain.substr(10) + plain;
  for (const std::size_t step : {1U, 1000U}) {
    const auto whole = read_stream(folder.write("x", stored), Compression::gzip, {}, step);
    EXPECT_EQ(whole.bytes, "the text\nthe text\n");
    EXPECT_TRUE(whole.faults.empty());
  }
}

TEST(Gzip, StoredBlocksAreRead) {
  const ScratchFolder folder;
  // Bytes that no compressor can shrink are stored.
  std::string noise;
  std::uint64_t state = 88172645463325252ULL;
  for (int i = 0; i < 300'000; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    noise += static_cast<char>(state);
  }
  const auto whole =
      read_stream(folder.write("x", compressed(noise, Compression::gzip)), Compression::gzip);
  EXPECT_TRUE(whole.bytes == noise);
}

TEST(Gzip, AFaultLiesWithinTheFile) {
  // At this invalid symbol ISA-L counts one byte more than there is.
  const ScratchFolder folder;
  std::string stored("\x1f\x8b\x08\0", 4);
  stored += std::string(21, '\xfb');
  stored += std::string("\xff\0\xff\x06\xff\xc1\xed\x15\xff\xff\x1f\xff\0\0\0\0\0", 17);
  ASSERT_EQ(stored.size(), 42U);
  const auto whole = read_stream(folder.write("x", stored), Compression::gzip);
  ASSERT_FALSE(whole.faults.empty());
  for (const StreamFault& fault : whole.faults) EXPECT_LE(fault.stored_offset, stored.size());
}

TEST(Gzip, AWrongChecksumIsCorrupt) {
  const ScratchFolder folder;
  const std::string text = sample_text(10'000);
  const std::string good = compressed(text, Compression::gzip);
  for (const std::size_t from_end : {1U, 5U}) {
    std::string bad = good;
    bad[bad.size() - from_end] = static_cast<char>(bad[bad.size() - from_end] + 1);
    const auto whole = read_stream(folder.write("x", bad + good), Compression::gzip);
    ASSERT_EQ(whole.faults.size(), 1U);
    EXPECT_EQ(whole.faults[0].reason, BadReason::corrupt_stream);
    EXPECT_EQ(whole.faults[0].detail, "gzip: checksum differs");
    EXPECT_EQ(whole.bytes, text + text);
  }
}

}  // namespace
}  // namespace twinset
