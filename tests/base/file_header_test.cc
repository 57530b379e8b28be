#include "base/file_header.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace twinset {
namespace {

FileHeader sample() {
  return {.format = "bands",
          .version = 3,
          .row_bytes = 24,
          .fingerprint = 0x0123456789abcdefULL,
          .rows = 1'000'000'007};
}

const ExpectedHeader expected{
    .format = "bands", .version = 3, .row_bytes = 24, .fingerprint = 0x0123456789abcdefULL};

std::string message_of(std::string_view bytes, const ExpectedHeader& demands = expected) {
  const Result<FileHeader> header = decode_file_header("tmp/x", bytes, demands);
  EXPECT_FALSE(header.ok());
  EXPECT_EQ(header.error().code, ErrorCode::io);
  return header.ok() ? "" : header.error().message;
}

TEST(FileHeader, LayoutIsFixed) {
  const std::string bytes = encode_file_header(sample());
  ASSERT_EQ(bytes.size(), file_header_bytes);
  EXPECT_EQ(bytes.substr(0, 40), std::string("twinset\n"
                                             "bands\0\0\0"
                                             "\3\0\0\0"
                                             "\x18\0\0\0"
                                             "\xef\xcd\xab\x89\x67\x45\x23\x01"
                                             "\x07\xca\x9a\x3b\0\0\0\0",
                                             40));
}

TEST(FileHeader, ReadsWhatItWrote) {
  EXPECT_EQ(decode_file_header("x", encode_file_header(sample()) + "rows", expected).value(),
            sample());
  FileHeader longest = sample();
  longest.format = "eightby8";
  EXPECT_EQ(decode_any_file_header("x", encode_file_header(longest)).value(), longest);
}

TEST(FileHeader, EveryChangedBitIsSeen) {
  const std::string good = encode_file_header(sample());
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(decode_any_file_header("x", bad).ok()) << bit;
  }
}

TEST(FileHeader, EveryCutIsSeen) {
  const std::string good = encode_file_header(sample());
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_EQ(message_of(good.substr(0, size)),
              "tmp/x is cut off within its first 48 bytes; remove it and run again");
  }
}

TEST(FileHeader, SaysWhatDoesNotFit) {
  const std::string good = encode_file_header(sample());
  EXPECT_EQ(message_of(std::string(48, 'x')), "tmp/x is not a file twinset wrote");
  ExpectedHeader other = expected;
  other.format = "edges";
  EXPECT_EQ(message_of(good, other), "tmp/x holds \"bands\" where \"edges\" should be");
  other = expected;
  other.version = 4;
  EXPECT_EQ(message_of(good, other),
            "tmp/x is of \"bands\" version 3; this twinset reads version 4");
  other = expected;
  other.row_bytes = 16;
  EXPECT_EQ(message_of(good, other), "tmp/x has rows of 24 bytes where 16 are expected");
  other = expected;
  other.fingerprint = 0xff;
  const std::string unlike = message_of(good, other);
  EXPECT_NE(unlike.find("0123456789abcdef"), std::string::npos);
  EXPECT_NE(unlike.find("00000000000000ff"), std::string::npos);
}

}  // namespace
}  // namespace twinset
