#include "io/mbox_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/mail.h"
#include "support/records.h"
#include "support/streams.h"
#include "support/tries.h"

namespace twinset {
namespace {

using namespace twinset::testing;

const std::string date_line = " Tue May  5 10:00:00 2026\n";

std::string message(const std::string& body, const std::string& headers = "") {
  return "From a@b.example" + date_line + headers + "Subject: x\n\n" + body + "\n\n";
}

class MboxReaderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_mail()) GTEST_SKIP() << "a build without mail";
  }
  ReadFile read(std::string_view bytes, const ReaderLimits& limits = {},
                Compression compression = Compression::none) {
    MemoryFiles files;
    EXPECT_TRUE(files.write("x", bytes).ok());
    return read_file("x", "mbox", compression, limits, {}, files);
  }
  /// The records' bytes, which together are all.
  std::vector<std::string> split(const std::string& bytes) {
    std::vector<std::string> raws;
    std::string all;
    for (const ReadRecord& record : read(bytes).records) {
      raws.push_back(record.raw);
      all += record.raw;
    }
    EXPECT_EQ(all, bytes);
    return raws;
  }
};

TEST_F(MboxReaderTest, MessagesBeginAtFromLines) {
  using Raws = std::vector<std::string>;
  const std::string one = message("first"), two = message("From here on\n\nFrom noon at 10:00");
  EXPECT_EQ(split(one + two + one), (Raws{one, two, one}));
  EXPECT_EQ(split(one), Raws{one});
  EXPECT_EQ(split(""), Raws());
  // Quoted lines are no From_ lines, and unquoted ones without a date before no header are none.
  const std::string quoted = message(">From a@b.example" + date_line + "words");
  EXPECT_EQ(split(quoted + one), (Raws{quoted, one}));
  // Line ends of Windows; no blank line before; cut in the middle.
  const std::string crlf = "From a@b Tue May  5 10:00:00 2026\r\nSubject: x\r\n\r\nwords\r\n";
  EXPECT_EQ(split(crlf + "\r\n" + crlf), (Raws{crlf + "\r\n", crlf}));
  EXPECT_EQ(split(crlf + crlf.substr(0, 50)), (Raws{crlf, crlf.substr(0, 50)}));
}

TEST_F(MboxReaderTest, WhatStandsBeforeTheFirstMessageIsCarried) {
  const std::string one = message("words");
  const ReadFile file = read("a note\n\n" + one);
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_TRUE(file.records[0].carried);
  EXPECT_EQ(file.records[0].raw, "a note\n\n");
  EXPECT_FALSE(file.records[1].carried);
  EXPECT_EQ(file.records[1].number, 2U);
  EXPECT_TRUE(read("\n\n").records.at(0).carried);
  const ReadRecord none = read("only a note\n").records.at(0);
  EXPECT_EQ(none.bad, BadReason::damaged_record);
  EXPECT_EQ(none.detail, "no message begins here");
}

TEST_F(MboxReaderTest, ALengthIsBelievedOnlyIfItIsRight) {
  using Raws = std::vector<std::string>;
  const std::string inner = message("a mailbox in a mail");
  const auto with_length = [&](std::size_t length, const std::string& body) {
    return message(body, "Content-Length: " + std::to_string(length) + "\n");
  };
  const std::string body = "see:\n\n" + inner + "the end";
  const std::string right = with_length(body.size() + 1, body);
  const std::string one = message("words");
  EXPECT_EQ(split(right + one), (Raws{right, one}));
  EXPECT_EQ(split(right), Raws{right});
  EXPECT_EQ(split(right.substr(0, right.size() - 1)), Raws{right.substr(0, right.size() - 1)});
  for (const std::size_t wrong : {body.size() - 5, body.size() + 20, std::size_t{1} << 40}) {
    const std::string mail = with_length(wrong, body);
    EXPECT_EQ(split(mail + one).size(), 3U) << wrong;
  }
  // A mailbox that is cut off within such a mail.
  EXPECT_EQ(split(right.substr(0, right.size() - 6)).size(), 2U);
}

TEST_F(MboxReaderTest, WrongLengthsCostNoMoreThanALook) {
  std::string bytes;
  for (int i = 0; i < 20'000; ++i) bytes += message("words", "Content-Length: 3000000\n");
  ReaderLimits limits;
  limits.batch_bytes = 1 << 16;
  EXPECT_EQ(read(bytes, limits).records.size(), 20'000U);
}

TEST_F(MboxReaderTest, AMessageThatIsTooLongIsSkipped) {
  ReaderLimits limits;
  limits.max_record_bytes = 1000;
  limits.batch_bytes = 100;
  const std::string one = message("words"), two = message("more words");
  const std::string huge = message(std::string(1 << 16, 'x') + "\n\nFrom here\nno\n");
  const ReadFile file = read(one + huge + two, limits);
  ASSERT_EQ(file.records.size(), 3U);
  EXPECT_EQ(file.records[1].bad, BadReason::record_too_long);
  EXPECT_EQ(file.records[1].length, huge.size());
  EXPECT_EQ(file.records[1].raw, huge.substr(0, 256));
  EXPECT_EQ(file.records[2].raw, two);
  EXPECT_EQ(file.records[2].offset, one.size() + huge.size());
  EXPECT_EQ(read(huge, limits).records.at(0).length, huge.size());
}

TEST_F(MboxReaderTest, ADamagedStreamLosesNoOtherMessage) {
  std::string bytes;
  for (int i = 0; i < 50; ++i) bytes += message("words " + std::to_string(i));
  const std::string packed = compressed(bytes, Compression::gzip);
  const ReadFile cut =
      read(std::string_view(packed).substr(0, packed.size() - 20), {}, Compression::gzip);
  ASSERT_GT(cut.records.size(), 10U);
  EXPECT_EQ(cut.records.back().bad, BadReason::truncated_stream);
  for (std::size_t i = 0; i + 1 < cut.records.size(); ++i) {
    EXPECT_EQ(cut.records[i].bad, BadReason::none);
  }
  // Two members, the first of them damaged: the messages of the second are read.
  std::string two = packed + compressed(message("after"), Compression::gzip);
  two[packed.size() / 2] = static_cast<char>(~two[packed.size() / 2]);
  const ReadFile damaged = read(two, {}, Compression::gzip);
  EXPECT_EQ(damaged.records.back().raw, message("after"));
  EXPECT_EQ(damaged.records.back().bad, BadReason::none);
}

TEST_F(MboxReaderTest, RecordsDoNotDependOnBatches) {
  std::mt19937_64 random(7);
  const std::vector<std::string> pieces{"From a@b Tue May  5 10:00:00 2026\n",
                                        "From a@b\n",
                                        "Subject: x\n",
                                        "Content-Length: 40\n",
                                        "\n",
                                        "\r\n",
                                        "words\n",
                                        "From x\n\n",
                                        ">From a Tue May  5 10:00\n",
                                        "x",
                                        "From "};
  for (int i = 0; i < tries(400); ++i) {
    std::string bytes;
    for (std::size_t n = random() % 60; n > 0; --n) bytes += pieces[random() % pieces.size()];
    ReaderLimits limits;
    limits.max_record_bytes = random() % 2 == 0 ? 1 << 20 : random() % 200 + 1;
    const ReadFile whole = read(bytes, limits);
    std::uint64_t at = 0;
    for (const ReadRecord& record : whole.records) {
      EXPECT_EQ(record.offset, at);
      at += record.length;
    }
    EXPECT_EQ(at, bytes.size());
    limits.batch_bytes = random() % 100 + 1;
    EXPECT_EQ(read(bytes, limits).records, whole.records) << bytes;
  }
}

}  // namespace
}  // namespace twinset
