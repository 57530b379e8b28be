#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

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

/// A skippable frame, of the magic that ends with `nibble`.
std::string skippable_frame(char first, std::string_view content) {
  std::string frame{first};
  frame += "\x2a\x4d\x18";
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(content.size() >> (8 * i));
  return frame + std::string(content);
}

std::string shell_file(const ScratchFolder& folder, const std::string& command, const char* name) {
  EXPECT_EQ(std::system(("cd " + folder.path() + " && " + command).c_str()), 0) << command;
  return disk().open(folder / name, OpenMode::read).ok()
             ? read_whole_file(disk(), folder / name, 1 << 20).value()
             : std::string();
}

TEST(Zstd, AFileMayBringItsOwnDictionary) {
  if (std::system("command -v zstd >/dev/null 2>&1") != 0) GTEST_SKIP() << "no zstd program";
  const ScratchFolder folder;
  for (int i = 0; i < 200; ++i) {
    folder.write("s/" + std::to_string(i),
                 "WARC/1.0\r\nWARC-Type: response\r\nnumber " + std::to_string(i * 7919) +
                     "\r\n\r\nsome words that all records have, and " + std::to_string(i));
  }
  folder.write("one", "WARC/1.0\r\nWARC-Type: response\r\nnumber 12\r\n");
  const std::string dictionary =
      shell_file(folder, "zstd -q --train s/* --maxdict=2048 -o d 2>/dev/null", "d");
  ASSERT_TRUE(dictionary.starts_with("\x37\xa4\x30\xec"));
  const std::string frame = shell_file(folder, "zstd -q -D d one -o one.zst", "one.zst");
  const std::string text = "WARC/1.0\r\nWARC-Type: response\r\nnumber 12\r\n";
  for (const std::string& content : {dictionary, compressed(dictionary, Compression::zstd)}) {
    const std::string stored = skippable_frame('\x5d', content) + frame + frame;
    const auto whole = read_stream(folder.write("x", stored), Compression::zstd);
    EXPECT_EQ(whole.bytes, text + text);
    EXPECT_TRUE(whole.faults.empty());
  }
  // Without it the fault says what is missing; other skippable frames hold none.
  for (const std::string& begin :
       {std::string(), skippable_frame('\x5a', dictionary), skippable_frame('\x5d', "notes"),
        skippable_frame('\x5d', ""), skippable_frame('\x5d', "\x28\xb5\x2f\xfd damaged")}) {
    const auto bare = read_stream(folder.write("x", begin + frame), Compression::zstd);
    ASSERT_EQ(bare.faults.size(), 1U);
    EXPECT_NE(bare.faults[0].detail.find("needs a dictionary"), std::string::npos)
        << bare.faults[0].detail;
  }
  // Cut off within the dictionary; too long to be one.
  const auto cut = read_stream(
      folder.write("x", skippable_frame('\x5d', dictionary).substr(0, 100)), Compression::zstd);
  ASSERT_EQ(cut.faults.size(), 1U);
  EXPECT_EQ(cut.faults[0].reason, BadReason::truncated_stream);
  const std::string longer = skippable_frame('\x5d', std::string((16 << 20) + 1, 'x'));
  EXPECT_EQ(read_stream(folder.write("x", longer + compressed("one\n", Compression::zstd)),
                        Compression::zstd)
                .bytes,
            "one\n");
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
