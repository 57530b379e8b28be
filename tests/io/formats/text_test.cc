#include <gtest/gtest.h>

#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using testing::compressed;
using testing::read_file;
using testing::ReadFile;
using testing::ReadRecord;
using testing::sample_text;
using testing::ScratchFolder;

class TextFormat : public ::testing::Test {
 protected:
  ReadRecord read(std::string_view bytes, const ReaderLimits& limits = {},
                  Compression compression = Compression::none) {
    const ReadFile file = read_file(folder_.write("x", bytes), "text", compression, limits);
    EXPECT_EQ(file.error, "");
    EXPECT_EQ(file.records.size(), 1U);
    EXPECT_EQ(file.lines, file.records.empty() ? 0U : 1U);
    return file.records.empty() ? ReadRecord{} : file.records[0];
  }
  ScratchFolder folder_;
};

TEST_F(TextFormat, AFileIsOneDocument) {
  for (const std::size_t size : {0U, 1U, 1000U, 262'144U, 262'145U, 3'000'000U}) {
    const std::string text = sample_text(size);
    const ReadRecord record = read(text);
    EXPECT_EQ(record.number, 1U);
    EXPECT_EQ(record.offset, 0U);
    EXPECT_EQ(record.length, size);
    EXPECT_TRUE(record.raw == text);
    EXPECT_TRUE(record.text == text);
    EXPECT_EQ(record.id, "");
    EXPECT_EQ(record.bad, BadReason::none);
  }
}

TEST_F(TextFormat, AnyBytesAreText) {
  const std::string bytes("\xef\xbb\xbf\xff\0\r\n\x1b", 8);
  EXPECT_EQ(read(bytes).text, bytes);
}

// A mark of UTF-16 or UTF-32 tells how to read it; the kept bytes are unchanged.
TEST_F(TextFormat, MarkedTextIsDecoded) {
  for (const Compression compression : {Compression::none, Compression::gzip}) {
    const std::string bytes("\xff\xfeh\0i\0\xe9\0", 8);
    const std::string stored =
        compression == Compression::none ? bytes : compressed(bytes, compression);
    const ReadRecord record = read(stored, {}, compression);
    EXPECT_EQ(record.text, "hi\xc3\xa9");
    EXPECT_EQ(record.raw, bytes);
  }
  Input input;
  input.format = "text";
  RecordBatch batch;
  decode_record(input, std::string("\xfe\xff\0h\0i", 6), {}, batch);
  EXPECT_EQ(batch.records[0].text, "hi");
}

// B-22: with `features` a file is one array of ids, white space around it free.
TEST_F(TextFormat, FeaturesAreOneArray) {
  FieldNames fields;
  fields.features = true;
  const auto decoded = [&](std::string_view bytes) {
    Input input;
    input.path = folder_.write("x", bytes);
    input.format = "text";
    RecordBatch batch;
    decode_record(input, bytes, fields, batch);
    return std::pair(batch.records[0].bad, std::string(batch.records[0].text));
  };
  EXPECT_EQ(decoded(" [1, \"a\"]\n"), std::pair(BadReason::none, std::string("[1, \"a\"]")));
  for (const char* bytes : {"", "words", "[1", "[1.5]", "[1] [2]"}) {
    EXPECT_EQ(decoded(bytes), std::pair(BadReason::text_not_features, std::string())) << bytes;
  }
}

TEST_F(TextFormat, TooLongAFileIsBad) {
  ReaderLimits limits;
  limits.max_record_bytes = 1000;
  for (const std::uint64_t batch : {1U, 100U, 5000U}) {
    limits.batch_bytes = batch;
    EXPECT_EQ(read(sample_text(1000), limits).bad, BadReason::none);
    for (const std::size_t size : {1001U, 70'000U}) {
      const ReadRecord record = read(sample_text(size), limits);
      EXPECT_EQ(record.bad, BadReason::record_too_long);
      EXPECT_EQ(record.length, size);
      EXPECT_EQ(record.raw, sample_text(256));
      EXPECT_EQ(record.text, "");
    }
  }
}

// A batch is reused from file to file: its number of lines is of the current one.
TEST_F(TextFormat, LinesAreOfTheFileReadNow) {
  ReaderLimits limits;
  limits.max_record_bytes = 1000;
  RecordBatch batch;
  for (const std::size_t size : {10U, 70'000U, 20U}) {
    Input input;
    input.path = folder_.write("x", sample_text(size));
    input.format = "text";
    auto reader = open_reader(disk(), input, limits).value();
    std::uint64_t records = 0;
    while (reader->read(batch).value()) {
      records += batch.records.size();
      EXPECT_EQ(batch.lines, records) << size;
    }
    EXPECT_EQ(records, 1U);
  }
}

TEST_F(TextFormat, AFaultMakesTheDocumentBad) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const std::string text = sample_text(50'000);
    const std::string stored = compressed(text, compression);
    EXPECT_TRUE(read(stored, {}, compression).text == text);
    const ReadRecord cut = read(stored.substr(0, stored.size() - 1), {}, compression);
    EXPECT_EQ(cut.bad, BadReason::truncated_stream);
    EXPECT_EQ(cut.text, "");
    EXPECT_TRUE(text.starts_with(cut.raw));
    EXPECT_NE(cut.detail, "");
    // Bytes after a broken frame are not joined with the bytes before it.
    const ReadRecord torn = read(stored + "junk" + stored, {}, compression);
    EXPECT_EQ(torn.bad, BadReason::corrupt_stream);
    EXPECT_TRUE(torn.raw == text);
  }
}

}  // namespace
}  // namespace twinset
