// Arrays as they are met with. tests/cli/formats_test.py compares many with Python's json module.
#include <gtest/gtest.h>

#include <string>

#include "io/bytes.h"
#include "support/records.h"
#include "support/streams.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

class JsonArray : public ::testing::Test {
 protected:
  testing::ReadFile read(std::string_view bytes, const ReaderLimits& limits = {}) {
    return testing::read_file(folder_.write("x.json", bytes), "json", Compression::none, limits);
  }
  /// "number:text" of each document, "number!reason" of each bad record, "number-" of a carried
  /// one.
  std::string told(std::string_view bytes, const ReaderLimits& limits = {}) {
    std::string out;
    for (const testing::ReadRecord& record : read(bytes, limits).records) {
      out += (out.empty() ? "" : " ") + std::to_string(record.number) +
             (record.carried                  ? "-"
              : record.bad != BadReason::none ? "!" + std::string(reason_name(record.bad))
                                              : ":" + record.text);
    }
    return out;
  }
  testing::ScratchFolder folder_;
};

TEST_F(JsonArray, ElementsAreRecords) {
  const testing::ReadFile file =
      read("\xef\xbb\xbf [\n  {\"id\": 7, \"text\": \"a\"} ,\n  {\"text\": \"b\\n\"}\n]\n");
  ASSERT_EQ(file.records.size(), 3U);
  const testing::ReadRecord& first = file.records[0];
  EXPECT_EQ(first.number, 1U);
  EXPECT_EQ(first.raw, "\n  {\"id\": 7, \"text\": \"a\"}");
  EXPECT_EQ(first.offset, 5U);
  EXPECT_EQ(first.text, "a");
  EXPECT_EQ(first.id, "7");
  const testing::ReadRecord& second = file.records[1];
  EXPECT_EQ(second.raw, " ,\n  {\"text\": \"b\\n\"}");
  EXPECT_EQ(second.text, "b\n");
  EXPECT_EQ(file.records[2].raw, "\n]\n");
  EXPECT_TRUE(file.records[2].carried);
}

TEST_F(JsonArray, AnArrayMayBeEmptyOrMissing) {
  EXPECT_EQ(told("[]"), "1-");
  EXPECT_EQ(told(" [ ] "), "1-");
  EXPECT_EQ(told(""), "");
  EXPECT_EQ(told("\n"), "");
  EXPECT_EQ(told("{\"text\": \"a\"}"), "1!invalid_json");
  EXPECT_EQ(told("["), "");
}

TEST_F(JsonArray, ABadElementHarmsItselfAlone) {
  const std::string good = "{\"text\": \"g\"}";
  EXPECT_EQ(told("[" + good + ", 7, " + good + ", null]"),
            "1:g 2!invalid_json 3:g 4!invalid_json 5-");
  EXPECT_EQ(told("[" + good + ", {\"body\": \"x\"}, {\"text\": 3}]"),
            "1:g 2!missing_text 3!text_not_string 4-");
  // Not closed: the next one that stands as the others do, and begins with their key.
  const std::string lines = "[\n" + good + ",\n" + good + ",\n";
  EXPECT_EQ(told(lines + "{\"text\": \"open},\n" + good + "\n]"), "1:g 2:g 3!invalid_json 4:g 5-");
  EXPECT_EQ(told(lines + "{\"text\": \"a\" \"b\": [{\"text\": \"c\"}, {\"text\": \"d\"}]},\n" +
                 good + "\n]"),
            "1:g 2:g 3!invalid_json 4:g 5-");
  EXPECT_EQ(told("[" + good + ",," + good + "]"), "1:g 2!invalid_json 3:g 4-");
  EXPECT_EQ(told("[" + good + good + "," + good + "]"), "1:g 2!invalid_json 3:g 4-");
  EXPECT_EQ(told("[" + good + ",{\"text\": \"cut"), "1:g 2!invalid_json");
  EXPECT_EQ(told("[" + good + "]\n[" + good + "]"), "1:g 2- 3!invalid_json");
}

TEST_F(JsonArray, LongElementsArePassedOver) {
  ReaderLimits limits;
  limits.max_record_bytes = 30;
  limits.batch_bytes = 8;
  EXPECT_EQ(
      told("[{\"text\": \"a\"},\n{\"text\": \"" + std::string(50, 'x') + "\"},\n{\"text\": \"b\"}]",
           limits),
      "1:a 2!record_too_long 3:b 4-");
}

TEST_F(JsonArray, RecordsDoNotDependOnBatches) {
  const std::string bytes =
      "[ {\"text\": \"a\"},\n {\"text\": \"b]},{\\\"\"},\n {\"text\": \"open },\n {\"text\": "
      "\"c\"},\n 12 ]  ";
  const std::string whole = told(bytes);
  EXPECT_EQ(whole, "1:a 2:b]},{\" 3!invalid_json 4:c 5!invalid_json 6-");
  for (std::uint64_t i = 1; i < 80; ++i) {
    ReaderLimits limits;
    limits.batch_bytes = i;
    EXPECT_EQ(told(bytes, limits), whole) << i;
  }
}

// The bytes at hand may end behind the point of a number, or behind its exponent's sign.
TEST_F(JsonArray, ANumberMayGoOnInTheNextBatch) {
  const std::string bytes =
      "[{\"text\": \"a\", \"v\": [0.12345678901234567890123, -1.2345678901234567890e-05]},\n"
      "{\"v\": 55555555555555555555.5, \"text\": \"open },\n"
      "{\"text\": \"b\", \"v\": 1.2345678901234567890E+300}, 12345678901234567890123.5e1]";
  const std::string whole = told(bytes);
  EXPECT_EQ(whole, "1:a 2!invalid_json 3:b 4!invalid_json 5-");
  for (std::uint64_t i = 1; i < bytes.size(); ++i) {
    ReaderLimits limits;
    limits.batch_bytes = i;
    EXPECT_EQ(told(bytes, limits), whole) << i;
  }
}

/// What the sink makes of some records.
std::string written(const std::vector<std::string>& pieces) {
  MemoryFiles files;
  const auto sink = find_format("json")->wrap(create_bytes(files, "x", Compression::none).value());
  for (const std::string& piece : pieces) EXPECT_TRUE(sink->write(piece).ok());
  EXPECT_TRUE(sink->finish().ok());
  return files.read("x");
}

TEST_F(JsonArray, AnySubsetIsWrittenAsAnArray) {
  EXPECT_EQ(written({"\n {}", ",\n {}", "\n]\n"}), "[\n {},\n {}\n]\n");
  EXPECT_EQ(written({",\n {\"a\": 1}", "\n]\n"}), "[\n {\"a\": 1}\n]\n");
  EXPECT_EQ(written({"\n]\n"}), "[\n]\n");
  EXPECT_EQ(written({" ", " , {}", ", {}"}), "[   {}, {}\n]\n");
  EXPECT_EQ(written({}), "");
  EXPECT_EQ(written({", {\"a\": []}"}), "[ {\"a\": []}\n]\n");
}

}  // namespace
}  // namespace twinset
