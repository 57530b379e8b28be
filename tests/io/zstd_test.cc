#include <gtest/gtest.h>

#include "io/codecs.h"
#include "support/streams.h"

namespace twinset {
namespace {

using testing::compressed;
using testing::read_stream;
using testing::ScratchFolder;

/// A frame that declares a window of 2^log bytes, by hand (RFC 8878): magic, an
/// empty descriptor, the window, and one raw block, the last.
std::string frame_with_window(int log, std::string_view text) {
  std::string frame("\x28\xb5\x2f\xfd\0", 5);
  frame += static_cast<char>((log - 10) << 3);
  const std::size_t block = text.size() << 3 | 1;
  frame += static_cast<char>(block);
  frame += static_cast<char>(block >> 8);
  frame += static_cast<char>(block >> 16);
  frame += text;
  return frame;
}

TEST(Zstd, AcceptsTheLongestWindow) {
  const ScratchFolder folder;
  for (const int log : {10, 23, 27, 31}) {
    const auto whole =
        read_stream(folder.write("x", frame_with_window(log, "far away\n")), Compression::zstd);
    EXPECT_EQ(whole.bytes, "far away\n") << log;
    EXPECT_EQ(whole.error, "");
    EXPECT_TRUE(whole.faults.empty());
  }
}

TEST(Zstd, AWindowOverTheLimitIsAnErrorThatNamesTheRemedy) {
  const ScratchFolder folder;
  ReaderLimits limits;
  limits.max_window_bytes = std::uint64_t{1} << 26;
  const std::string path = folder.write("x", frame_with_window(27, "far away\n"));
  const auto whole = read_stream(path, Compression::zstd, limits);
  const std::string asks =
      path + ": the zstd frame at byte 0 asks for a window of 134217728 bytes; ";
  EXPECT_EQ(whole.error, asks + "at most 67108864 are allowed");
  limits.window_remedy = [](std::uint64_t bytes) { return "give " + std::to_string(2 * bytes); };
  EXPECT_EQ(read_stream(path, Compression::zstd, limits).error, asks + "give 268435456");
  limits.max_window_bytes = std::uint64_t{1} << 27;
  EXPECT_EQ(read_stream(path, Compression::zstd, limits).bytes, "far away\n");
}

TEST(Zstd, SkippableFramesAreSkipped) {
  const ScratchFolder folder;
  const std::string skippable = std::string("\x5a\x2a\x4d\x18\x04\0\0\0", 8) + "note";
  const std::string stored = skippable + compressed("one\n", Compression::zstd) + skippable +
                             compressed("two\n", Compression::zstd) + skippable;
  const auto whole = read_stream(folder.write("x", stored), Compression::zstd);
  EXPECT_EQ(whole.bytes, "one\ntwo\n");
  EXPECT_TRUE(whole.faults.empty());
}

TEST(Zstd, HasAChecksumThatIsChecked) {
  const ScratchFolder folder;
  std::string stored = compressed("some text, and its checksum\n", Compression::zstd);
  stored.back() = static_cast<char>(stored.back() + 1);
  const auto whole = read_stream(folder.write("x", stored), Compression::zstd);
  ASSERT_EQ(whole.faults.size(), 1U);
  EXPECT_EQ(whole.faults[0].reason, BadReason::corrupt_stream);
  EXPECT_NE(whole.faults[0].detail.find("checksum"), std::string::npos);
}

}  // namespace
}  // namespace twinset
