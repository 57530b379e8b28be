#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "support/faulty_files.h"
#include "support/json_samples.h"
#include "support/records.h"
#include "support/simd_levels.h"
#include "support/streams.h"

namespace twinset {
namespace {

using namespace std::string_literals;
using testing::compressed;
using testing::read_file;
using testing::ReadFile;
using testing::ReadRecord;
using testing::sample_text;
using testing::ScratchFolder;

class Jsonl : public ::testing::Test {
 protected:
  ReadFile read(std::string_view bytes, const ReaderLimits& limits = {},
                const FieldNames& fields = {}) {
    return read_file(folder_.write("x.jsonl", bytes), "jsonl", Compression::none, limits, fields);
  }
  ReadFile read_stored(std::string_view stored, Compression compression,
                       const ReaderLimits& limits = {}) {
    return read_file(folder_.write("x.jsonl.z", stored), "jsonl", compression, limits);
  }
  /// The one record of a file that has one.
  ReadRecord one(std::string_view bytes, const FieldNames& fields = {}) {
    const ReadFile file = read(bytes, {}, fields);
    EXPECT_EQ(file.records.size(), 1U) << bytes;
    return file.records.empty() ? ReadRecord{} : file.records[0];
  }
  ScratchFolder folder_;
};

ReaderLimits batches_of(std::uint64_t bytes) {
  ReaderLimits limits;
  limits.batch_bytes = bytes;
  return limits;
}

TEST_F(Jsonl, ReadsRecordsWithTheirPlaces) {
  const ReadFile file = read("{\"id\": 1, \"text\": \"one\"}\n\n  \t\r\n{\"text\":\"tw\\u006f\"}");
  ASSERT_EQ(file.records.size(), 2U);
  const ReadRecord& first = file.records[0];
  EXPECT_EQ(first.number, 1U);
  EXPECT_EQ(first.offset, 0U);
  EXPECT_EQ(first.length, 25U);
  EXPECT_EQ(first.raw, "{\"id\": 1, \"text\": \"one\"}\n");
  EXPECT_EQ(first.text, "one");
  EXPECT_EQ(first.id, "1");
  const ReadRecord& second = file.records[1];
  EXPECT_EQ(second.number, 4U);
  EXPECT_EQ(second.offset, 31U);
  EXPECT_EQ(second.raw, "{\"text\":\"tw\\u006f\"}");
  EXPECT_EQ(second.text, "two");
  EXPECT_EQ(second.id, "");
  EXPECT_EQ(file.lines, 4U);
}

TEST_F(Jsonl, EmptyFilesHaveNoRecords) {
  for (const std::string& bytes :
       {""s, "\n"s, "\n\n\r\n"s, "\xef\xbb\xbf"s, "\xef\xbb\xbf\n"s, "  "s}) {
    const ReadFile file = read(bytes);
    EXPECT_TRUE(file.records.empty()) << bytes;
    EXPECT_EQ(file.error, "");
  }
  EXPECT_EQ(read("\n\n  ").lines, 3U);
}

TEST_F(Jsonl, KeepsOddTextAsItIs) {
  const ReadRecord bom = one("\xef\xbb\xbf{\"text\": \"a\"}\r\n");
  EXPECT_EQ(bom.text, "a");
  EXPECT_EQ(bom.raw, "\xef\xbb\xbf{\"text\": \"a\"}\r\n");
  EXPECT_EQ(one("{\"text\": \"\xc3\xa9 \xc3\xa8 \xff\xfe\"}").text, "\xc3\xa9 \xc3\xa8 \xff\xfe");
  EXPECT_EQ(one("{\"te\xffxt\": 1, \"text\": \"a\"}").text, "a");
  EXPECT_EQ(one("{\"text\": \"\\ud83d\"}").text, "\xed\xa0\xbd");
  EXPECT_EQ(one("{\"text\": \"a\\u0000b\"}").text, "a\0b"s);
  EXPECT_EQ(one("{\"text\": \"first\", \"text\": \"last\"}").text, "last");
  const ReadRecord empty = one("{\"text\": \"\"}");
  EXPECT_EQ(empty.text, "");
  EXPECT_EQ(empty.bad, BadReason::none);
}

// As where files that begin with one were concatenated.
TEST_F(Jsonl, AMarkMayStandAtTheFrontOfAnyLine) {
  const ReadFile file = read(
      "{\"text\":\"a\"}\n\xef\xbb\xbf{\"text\":\"b\"}\n\xef\xbb\xbf\n"
      "{\"text\":\"c\"}\xef\xbb\xbf\n");
  ASSERT_EQ(file.records.size(), 3U);
  EXPECT_EQ(file.records[1].text, "b");
  EXPECT_EQ(file.records[2].number, 4U);
  EXPECT_EQ(file.records[2].bad, BadReason::invalid_json);
}

TEST_F(Jsonl, NumbersThatAreNoJsonAreReadAndNotWritten) {
  FieldNames fields;
  fields.named = {"score"};
  const ReadRecord record = one("{\"id\": NaN, \"score\": -Infinity, \"text\": \"x\"}", fields);
  EXPECT_EQ(record.bad, BadReason::none);
  EXPECT_EQ(record.text, "x");
  EXPECT_EQ(record.id, "");
  EXPECT_EQ(record.field, "");
}

TEST_F(Jsonl, SeveralFieldsMakeOneText) {
  FieldNames fields;
  fields.text = "title,messages[].content";
  EXPECT_EQ(one("{\"title\":\"a\",\"messages\":[{\"content\":\"b\"}],\"id\":7}", fields).text,
            "a\nb");
  EXPECT_EQ(one("{\"title\":\"a\",\"messages\":[],\"id\":7}", fields).id, "7");
  EXPECT_EQ(one("{\"id\":7}", fields).bad, BadReason::missing_text);
  EXPECT_EQ(one("{\"title\":7}", fields).bad, BadReason::text_not_string);
  EXPECT_EQ(one("{\"title\":\"a\"", fields).bad, BadReason::invalid_json);
}

TEST_F(Jsonl, NamedFieldsComeInTheOrderAsked) {
  FieldNames fields;
  fields.named = {"url", "meta.date", "none"};
  const std::string path =
      folder_.write("named",
                    "{\"meta\": {\"date\": 7}, \"text\": \"a\", \"url\": \"u1\"}\nbad\n"
                    "{\"text\": \"b\", \"meta\": {\"date\": \"2020\"}}\n");
  Input input;
  input.path = path;
  input.format = "jsonl";
  auto reader = open_reader(disk(), input, {});
  ASSERT_TRUE(reader.ok());
  RecordBatch batch;
  ASSERT_TRUE(reader.value()->read(batch).value());
  reader.value()->decode(fields, batch);
  ASSERT_EQ(batch.records.size(), 3U);
  EXPECT_EQ(batch.records[0].field(0), "\"u1\"");
  EXPECT_EQ(batch.records[0].field(1), "7");
  EXPECT_EQ(batch.records[0].field(2), "");
  EXPECT_EQ(batch.records[1].field(0), "");
  EXPECT_EQ(batch.records[2].field(0), "");
  EXPECT_EQ(batch.records[2].field(1), "\"2020\"");
  EXPECT_EQ(batch.records[2].field(3), "");
}

TEST_F(Jsonl, IdsAndFieldsAreTokensAsWritten) {
  FieldNames fields;
  fields.id = "meta.key";
  fields.named = {"meta.date"};
  const auto record = [&](std::string_view meta) {
    return one("{\"text\": \"x\", \"meta\": {" + std::string(meta) + "}}", fields);
  };
  EXPECT_EQ(record("\"key\": \"a\\u0062\", \"date\": 1e5").id, "\"a\\u0062\"");
  EXPECT_EQ(record("\"key\": \"a\\u0062\", \"date\": 1e5").field, "1e5");
  EXPECT_EQ(record("\"key\": 12345678901234567890123").id, "12345678901234567890123");
  EXPECT_EQ(record("\"key\": true").id, "true");
  EXPECT_EQ(record("\"key\": null, \"date\": null").id, "");
  EXPECT_EQ(record("\"key\": null, \"date\": null").field, "");
  EXPECT_EQ(record("\"key\": [1, 2]").id, "[1, 2]");
  EXPECT_EQ(record("\"other\": 1").id, "");
  // It is written again as JSON, so it has to be UTF-8.
  EXPECT_EQ(record("\"key\": \"a\xff"
                   "b\"")
                .id,
            "\"a\xef\xbf\xbd"
            "b\"");
}

TEST_F(Jsonl, NamesEachKindOfBadRecord) {
  const auto expect = [&](std::string_view line, BadReason reason, std::string_view detail) {
    const ReadRecord record = one(line);
    EXPECT_EQ(record.bad, reason) << line;
    EXPECT_EQ(record.detail, detail) << line;
    EXPECT_EQ(record.raw, line);
    EXPECT_EQ(record.text, "");
  };
  expect("{\"text\": \"cut off", BadReason::invalid_json,
         "string without its closing quote at byte 17 of the record");
  expect("not json", BadReason::invalid_json, "not an object at byte 0 of the record");
  expect("[{\"text\": \"x\"}]", BadReason::invalid_json, "not an object at byte 0 of the record");
  expect("{\"text\": \"x\"} {}", BadReason::invalid_json,
         "something follows the object at byte 14 of the record");
  expect("{\"text\": \"x\", \"y\": .5}", BadReason::invalid_json,
         "a value is missing at byte 19 of the record");
  expect("{\"text\": \"\t\"}", BadReason::invalid_json,
         "control character in a string at byte 10 of the record");
  expect("{\"x\": " + std::string(100'000, '['), BadReason::invalid_json,
         "nested too deeply at byte 1029 of the record");
  expect("{\"body\": \"x\"}", BadReason::missing_text, "no field \"text\"");
  expect("{}", BadReason::missing_text, "no field \"text\"");
  expect("{\"text\": null}", BadReason::text_not_string, "\"text\" is null");
  expect("{\"text\": 4}", BadReason::text_not_string, "\"text\" is a number");
  expect("{\"text\": [\"x\"]}", BadReason::text_not_string,
         "\"text\" is an array; its elements are \"text[]\", and their fields \"text[].NAME\"");
}

// B-22: with `features` the text is an array of ids, as written; nothing else is.
TEST_F(Jsonl, FeaturesAreTheArrayAsWritten) {
  FieldNames fields;
  fields.text = "meta.ids";
  fields.features = true;
  const ReadRecord good =
      one(R"({"id": 3, "meta": {"ids": [ 1, "\u0061",-99999999999999999999 ]}})", fields);
  EXPECT_EQ(good.bad, BadReason::none);
  EXPECT_EQ(good.text, R"([ 1, "\u0061",-99999999999999999999 ])");
  EXPECT_EQ(good.id, "3");
  const auto expect = [&](std::string_view line, BadReason reason, std::string_view detail) {
    const ReadRecord record = one(line, fields);
    EXPECT_EQ(record.bad, reason) << line;
    EXPECT_EQ(record.detail, detail) << line;
    EXPECT_EQ(record.text, "");
  };
  expect(R"({"meta": {"ids": [1, 2.0]}})", BadReason::text_not_features,
         "\"meta.ids\": element 2 is a number with a fraction or an exponent; features are "
         "integers and strings");
  expect(R"({"meta": {"ids": "1 2"}})", BadReason::text_not_features,
         "\"meta.ids\" is a string, not an array of features");
  expect(R"({"meta": {"ids": null}})", BadReason::text_not_features,
         "\"meta.ids\" is null, not an array of features");
  expect(R"({"meta": {"id": [1]}})", BadReason::missing_text, "no field \"meta.ids\"");
  expect(R"({"meta": {"ids": [01]}})", BadReason::invalid_json,
         "number with a leading zero at byte 18 of the record");
}

TEST_F(Jsonl, ABadRecordCostsNoOther) {
  const ReadFile file = read("{\"text\":\"a\"}\n\xff\xfe\n{\"text\":\"b\n{\"text\":\"c\"}\n");
  ASSERT_EQ(file.records.size(), 4U);
  EXPECT_EQ(file.records[0].text, "a");
  EXPECT_EQ(file.records[1].bad, BadReason::invalid_json);
  EXPECT_EQ(file.records[2].bad, BadReason::invalid_json);
  EXPECT_EQ(file.records[3].text, "c");
  EXPECT_EQ(file.records[3].number, 4U);
}

TEST_F(Jsonl, BatchesMaySplitAnywhere) {
  testing::JsonSamples samples(2);
  std::string bytes = "\xef\xbb\xbf";
  for (int i = 0; i < 60; ++i) {
    bytes += i % 7 == 0 ? samples.spoiled(samples.object()) : samples.object();
    bytes += i % 5 == 0 ? "\r\n" : i % 11 == 0 ? "\n \n\n" : "\n";
  }
  bytes += "{\"text\": \"" + sample_text(700) + "\"}";
  const ReadFile whole = read(bytes);
  for (std::uint64_t size = 1; size < 150; ++size) {
    ASSERT_EQ(read(bytes, batches_of(size)).records, whole.records) << size;
  }
  std::uint64_t length = 0;
  for (const ReadRecord& record : whole.records) {
    EXPECT_EQ(record.raw, bytes.substr(record.offset, record.length));
    length += record.length;
  }
  EXPECT_LE(length, bytes.size());
}

TEST_F(Jsonl, EveryLevelReadsTheSame) {
  testing::JsonSamples samples(9);
  std::string bytes;
  for (int i = 0; i < 500; ++i) {
    bytes += i % 3 == 0 ? samples.spoiled(samples.object()) : samples.object();
    bytes += '\n';
  }
  const ReadFile once = read(bytes);
  testing::for_each_simd_level([&] { EXPECT_EQ(read(bytes).records, once.records); });
}

TEST_F(Jsonl, TooLongARecordIsSkippedAndCounted) {
  ReaderLimits limits;
  limits.max_record_bytes = 1000;
  const auto line_of = [](std::size_t bytes) {
    return "{\"text\": \"" + std::string(bytes - 13, 'x') + "\"}\n";
  };
  const std::string bytes =
      line_of(1000) + line_of(1001) + line_of(100) + line_of(50'000) + line_of(30);
  for (const std::uint64_t batch : {1U, 100U, 999U, 1000U, 1001U, 5000U, 100'000U}) {
    limits.batch_bytes = batch;
    const ReadFile file = read(bytes, limits);
    ASSERT_EQ(file.records.size(), 5U) << batch;
    EXPECT_EQ(file.records[0].text.size(), 987U);
    for (const std::size_t i : {1U, 3U}) {
      const ReadRecord& record = file.records[i];
      EXPECT_EQ(record.bad, BadReason::record_too_long);
      EXPECT_EQ(record.number, i + 1);
      EXPECT_EQ(record.length, i == 1 ? 1001U : 50'000U);
      EXPECT_EQ(record.offset, i == 1 ? 1000U : 2101U);
      EXPECT_EQ(record.raw, bytes.substr(record.offset, 256));
    }
    EXPECT_EQ(file.records[2].text.size(), 87U);
    EXPECT_EQ(file.records[4].text.size(), 17U);
    EXPECT_EQ(file.records[4].number, 5U);
    EXPECT_EQ(file.records[4].offset, 52'101U);
  }
  // Also at the end, without a line end.
  limits.batch_bytes = 64;
  const ReadFile file = read("{}\n" + std::string(3000, 'x'), limits);
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_EQ(file.records[1].length, 3000U);
  EXPECT_EQ(file.records[1].bad, BadReason::record_too_long);
}

// A record that memory cannot hold has its number, place and whole length, however it is cut into
// batches; beyond the longest record allowed it is too long, as with any memory.
TEST_F(Jsonl, ARecordThatIsNotHeldIsCounted) {
  ReaderLimits limits;
  limits.max_record_bytes = 10'000;
  limits.max_held_bytes = 1000;
  const auto line_of = [](std::size_t bytes) {
    return "{\"text\": \"" + std::string(bytes - 13, 'x') + "\"}\n";
  };
  const std::string bytes = line_of(1000) + line_of(1001) + line_of(10'000) + line_of(10'001);
  for (const std::uint64_t batch : {1U, 999U, 1001U, 5000U, 100'000U}) {
    limits.batch_bytes = batch;
    const ReadFile file = read(bytes, limits);
    ASSERT_EQ(file.records.size(), 4U) << batch;
    EXPECT_EQ(file.records[0].bad, BadReason::none);
    EXPECT_EQ(file.records[1].bad, BadReason::over_memory);
    EXPECT_EQ(file.records[1].length, 1001U);
    EXPECT_EQ(file.records[2].bad, BadReason::over_memory);
    EXPECT_EQ(file.records[2].length, 10'000U);
    EXPECT_EQ(file.records[2].number, 3U);
    EXPECT_EQ(file.records[3].bad, BadReason::record_too_long);
    EXPECT_LE(file.largest_batch_bytes, std::max<std::size_t>(batch, 2000) + 1000);
  }
}

TEST_F(Jsonl, MemoryDoesNotGrowWithWhatIsSkipped) {
  ReaderLimits limits;
  limits.max_record_bytes = 1 << 20;
  limits.batch_bytes = 1 << 18;
  const ReadFile file =
      read("{\"text\": \"" + std::string(40 << 20, 'x') + "\"}\n{\"text\":\"a\"}\n", limits);
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_EQ(file.records[0].bad, BadReason::record_too_long);
  EXPECT_EQ(file.records[1].text, "a");
  EXPECT_LE(file.largest_batch_bytes, 3U << 20);
}

TEST_F(Jsonl, ALineOfSixtyMegabytesIsRead) {
  const std::string text = sample_text(1 << 20) + std::string(60'000'000, 'w');
  std::string line = "{\"text\": \"";
  for (const char byte : text) {
    if (byte == '\n') {
      line += "\\n";
    } else {
      line += byte;
    }
  }
  const ReadFile file = read("{\"text\":\"a\"}\n" + line + "\"}\n{\"text\":\"b\"}\n");
  ASSERT_EQ(file.records.size(), 3U);
  EXPECT_EQ(file.records[0].text, "a");
  EXPECT_TRUE(file.records[1].text == text);
  EXPECT_EQ(file.records[2].text, "b");
}

/// Text on one line.
std::string words(std::size_t bytes) {
  std::string text = sample_text(bytes, bytes);
  for (char& byte : text) byte = byte == '\n' ? ' ' : byte;
  return text;
}

class JsonlStreams : public Jsonl, public ::testing::WithParamInterface<Compression> {};

TEST_P(JsonlStreams, CutAtEveryByte) {
  const std::string text =
      "{\"text\": \"" + words(300) + "\"}\n{\"text\": \"" + words(200) + "\"}\n";
  const std::string stored = compressed(text, GetParam());
  const ReadFile whole = read_stored(stored, GetParam());
  ASSERT_EQ(whole.records.size(), 2U);
  EXPECT_TRUE(read_stored("", GetParam()).records.empty());
  for (std::size_t size = 1; size < stored.size(); ++size) {
    const ReadFile cut = read_stored(stored.substr(0, size), GetParam());
    ASSERT_FALSE(cut.records.empty()) << size;
    const ReadRecord& last = cut.records.back();
    EXPECT_EQ(last.bad, BadReason::truncated_stream) << size;
    EXPECT_NE(last.detail.find("of the file as stored"), std::string::npos);
    EXPECT_EQ(last.raw, text.substr(last.offset, last.length));
    for (std::size_t i = 0; i + 1 < cut.records.size(); ++i) {
      EXPECT_EQ(cut.records[i], whole.records[i]) << size;
    }
  }
}

TEST_P(JsonlStreams, ADamagedFrameCostsItsLinesOnly) {
  const auto lines = [](int from, int to) {
    std::string out;
    for (int i = from; i < to; ++i) {
      out += "{\"id\": " + std::to_string(i) + ", \"text\": \"line " + std::to_string(i) + "\"}\n";
    }
    return out;
  };
  std::string middle = compressed(lines(100, 200), GetParam());
  middle[middle.size() / 2] = static_cast<char>(middle[middle.size() / 2] ^ 0x10);
  const ReadFile file = read_stored(
      compressed(lines(0, 100), GetParam()) + middle + compressed(lines(200, 300), GetParam()),
      GetParam());
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t faults = 0;
  for (const ReadRecord& record : file.records) {
    if (record.bad == BadReason::corrupt_stream) ++faults;
    if (record.bad != BadReason::none) continue;
    // Within the damaged frame anything may have been read before it was noticed.
    if (record.text != "line " + record.id) continue;
    const int id = std::stoi(record.id);
    before += id < 100;
    after += id >= 200;
  }
  EXPECT_EQ(before, 100U);
  EXPECT_EQ(after, 100U);
  EXPECT_EQ(faults, 1U);
}

TEST_P(JsonlStreams, AFaultWithinWhatIsSkippedEndsIt) {
  ReaderLimits limits;
  limits.max_record_bytes = 1000;
  limits.batch_bytes = 100;
  const std::string text = words(1'000'000);
  const std::string long_line = compressed("{}\n" + text, GetParam());
  const ReadFile file = read_stored(long_line.substr(0, long_line.size() / 2), GetParam(), limits);
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_EQ(file.records[1].bad, BadReason::truncated_stream);
  EXPECT_EQ(file.records[1].offset, 3U);
  EXPECT_GT(file.records[1].length, 1000U);
  EXPECT_EQ(file.records[1].raw, text.substr(0, 256));
}

TEST_P(JsonlStreams, ABombIsOneBadRecord) {
  ReaderLimits limits;
  limits.max_decoded_bytes = 100'000;
  limits.max_record_bytes = 10'000;
  limits.batch_bytes = 1000;
  const ReadFile file =
      read_stored(compressed("{\"text\":\"a\"}\n" + std::string(5'000'000, ' '), GetParam()),
                  GetParam(), limits);
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_EQ(file.records[0].text, "a");
  EXPECT_EQ(file.records[1].bad, BadReason::decompression_bomb);
}

INSTANTIATE_TEST_SUITE_P(Codecs, JsonlStreams,
                         ::testing::Values(Compression::gzip, Compression::zstd),
                         [](const auto& codec) {
                           return codec.param == Compression::gzip ? "gzip" : "zstd";
                         });

TEST_F(Jsonl, ADiskThatFailsIsAnErrorNotARecord) {
  const std::string path = folder_.write("x", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n");
  for (std::uint64_t k = 0;; ++k) {
    testing::FaultyFiles files(disk());
    files.fail_at(k, testing::FaultyFiles::Fault::io, testing::FaultyFiles::Lasting::once);
    const ReadFile file = read_file(path, "jsonl", Compression::none, batches_of(7), {}, files);
    if (!files.failed()) {
      EXPECT_EQ(file.records.size(), 2U);
      break;
    }
    EXPECT_NE(file.error.find(path), std::string::npos);
    ASSERT_LT(k, 100U);
  }
}

}  // namespace
}  // namespace twinset
