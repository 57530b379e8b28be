// Properties of all compressed files: cut, damaged, padded, too large.
#include "io/coded_source.h"

#include <gtest/gtest.h>

#include "support/streams.h"

namespace twinset {
namespace {

using testing::compressed;
using testing::read_stream;
using testing::sample_text;
using testing::ScratchFolder;
using testing::WholeStream;

class CodedSource : public ::testing::TestWithParam<Compression> {
 protected:
  WholeStream read(std::string_view stored, const ReaderLimits& limits = {}) {
    return read_stream(folder_.write("x", stored), GetParam(), limits);
  }
  std::string frame(std::string_view text) { return compressed(text, GetParam()); }

 private:
  ScratchFolder folder_;
};

TEST_P(CodedSource, FramesInARowAreOneStream) {
  std::string stored;
  std::string text;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const std::string part = sample_text(i * i * 37, i);
    stored += frame(part);
    text += part;
  }
  const WholeStream whole = read(stored);
  EXPECT_EQ(whole.bytes, text);
  EXPECT_TRUE(whole.faults.empty());
}

TEST_P(CodedSource, ZerosBehindAFrameAreNothing) {
  const std::string stored =
      frame("one\n") + std::string(1000, '\0') + frame("two\n") + std::string(600'000, '\0');
  const WholeStream whole = read(stored);
  EXPECT_EQ(whole.bytes, "one\ntwo\n");
  EXPECT_TRUE(whole.faults.empty());
}

TEST_P(CodedSource, CutAtEveryByte) {
  const std::string text = sample_text(700);
  const std::string first = frame(text);
  const std::string stored = first + frame("the second\n");
  for (std::size_t size = 0; size < stored.size(); ++size) {
    const WholeStream whole = read(stored.substr(0, size));
    // A file of no bytes is an empty one.
    if (size == 0 || size == first.size()) {
      EXPECT_TRUE(whole.faults.empty());
      continue;
    }
    ASSERT_EQ(whole.faults.size(), 1U) << size;
    EXPECT_EQ(whole.faults[0].reason, BadReason::truncated_stream) << size;
    // Too few bytes to recognize are not read.
    EXPECT_LE(whole.faults[0].stored_offset, size);
    EXPECT_GT(whole.faults[0].stored_offset + 4, size);
    const std::string both = text + "the second\n";
    EXPECT_EQ(whole.bytes, both.substr(0, whole.bytes.size())) << size;
    if (size > first.size()) {
      EXPECT_GE(whole.bytes.size(), text.size()) << size;
    }
  }
}

// A changed byte is never taken for the truth: any difference comes after a fault, and the frames
// before and after it are read.
TEST_P(CodedSource, DamagedAtEveryByte) {
  const std::string before = sample_text(800, 1);
  const std::string middle = sample_text(600, 2);
  const std::string after = sample_text(900, 3);
  const std::string a = frame(before);
  const std::string b = frame(middle);
  const std::string c = frame(after);
  const std::string text = before + middle + after;
  for (std::size_t i = 0; i < b.size(); ++i) {
    std::string damaged = b;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    const WholeStream whole = read(a + damaged + c);
    EXPECT_TRUE(whole.bytes.starts_with(before)) << i;
    if (whole.faults.empty()) {
      // Some header bytes do not affect the output.
      EXPECT_EQ(whole.bytes, text) << i;
      continue;
    }
    EXPECT_GE(whole.faults[0].stored_offset, a.size()) << i;
    EXPECT_TRUE(whole.bytes.ends_with(after)) << i;
    EXPECT_GE(whole.fault_places[0], before.size()) << i;
  }
}

TEST_P(CodedSource, GoesOnBehindWhatIsNoFrame) {
  const std::string junk = "this is not compressed at all, " + sample_text(300'000);
  const WholeStream whole = read(frame("one\n") + junk + frame("two\n") + junk);
  EXPECT_EQ(whole.bytes, "one\ntwo\n");
  ASSERT_EQ(whole.faults.size(), 2U);
  EXPECT_EQ(whole.faults[0].reason, BadReason::corrupt_stream);
  EXPECT_EQ(whole.faults[0].stored_offset, frame("one\n").size());
  EXPECT_EQ(whole.fault_places[0], 4U);
  EXPECT_EQ(whole.fault_places[1], 8U);
}

TEST_P(CodedSource, AFileThatIsNoSuchFileAtAll) {
  const WholeStream whole = read("{\"text\": \"plain\"}\n");
  EXPECT_EQ(whole.bytes, "");
  ASSERT_EQ(whole.faults.size(), 1U);
  EXPECT_EQ(whole.faults[0].reason, BadReason::corrupt_stream);
  EXPECT_EQ(whole.faults[0].stored_offset, 0U);
}

TEST_P(CodedSource, ChanceBeginningsAreTriedFirst) {
  std::string junk;
  for (int i = 0; i < 50; ++i) {
    junk += GetParam() == Compression::gzip ? std::string("\x1f\x8b\x08\0", 4)
                                            : std::string("\x28\xb5\x2f\xfd", 4);
    junk += "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
  }
  const WholeStream whole = read(frame("one\n") + "junk" + junk + frame("two\n"));
  EXPECT_EQ(whole.bytes, "one\ntwo\n");
  EXPECT_EQ(whole.faults.size(), 1U);
}

TEST_P(CodedSource, GivesUpAfterAThousandFaults) {
  const std::string one = frame("x") + "junk";
  std::string stored;
  for (int i = 0; i < 1100; ++i) stored += one;
  const WholeStream whole = read(stored);
  EXPECT_EQ(whole.faults.size(), 1000U);
  EXPECT_EQ(whole.bytes.size(), 1000U);
}

TEST_P(CodedSource, StopsAtBombs) {
  const std::string stored = frame(std::string(8'000'000, '\n'));
  ReaderLimits limits;
  limits.max_decoded_bytes = 1'000'000;
  WholeStream whole = read(stored, limits);
  ASSERT_EQ(whole.faults.size(), 1U);
  EXPECT_EQ(whole.faults[0].reason, BadReason::decompression_bomb);
  EXPECT_LE(whole.bytes.size(), 1'000'000U + (1 << 16));

  limits = {};
  limits.ratio_floor_bytes = 2'000'000;
  limits.max_ratio = 100;
  whole = read(stored, limits);
  ASSERT_EQ(whole.faults.size(), 1U);
  EXPECT_EQ(whole.faults[0].reason, BadReason::decompression_bomb);
  EXPECT_GE(whole.bytes.size(), 2'000'000U);
  EXPECT_LT(whole.bytes.size(), 8'000'000U);

  EXPECT_EQ(read(stored).bytes.size(), 8'000'000U);
}

INSTANTIATE_TEST_SUITE_P(Codecs, CodedSource,
                         ::testing::Values(Compression::gzip, Compression::zstd),
                         [](const auto& codec) {
                           return codec.param == Compression::gzip ? "gzip" : "zstd";
                         });

}  // namespace
}  // namespace twinset
