// Tables as they are met with. tests/cli/tables_test.py compares many with Python's csv module.
#include <gtest/gtest.h>

#include <string>

#include "io/first_look.h"
#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using testing::compressed;
using testing::read_file;
using testing::ReadFile;
using testing::ReadRecord;
using testing::ScratchFolder;

class Csv : public ::testing::Test {
 protected:
  ReadFile read(std::string_view bytes, const FieldNames& fields = {},
                const ReaderLimits& limits = {}, Compression compression = Compression::none) {
    return read_file(folder_.write("x.csv", bytes), "csv", compression, limits, fields);
  }
  /// "number:text" of each document, "number!reason" of each bad record, "number-" of a carried
  /// one.
  static std::string told(const ReadFile& file) {
    std::string out;
    for (const ReadRecord& record : file.records) {
      out += (out.empty() ? "" : " ") + std::to_string(record.number) +
             (record.carried                  ? "-"
              : record.bad != BadReason::none ? "!" + std::string(reason_name(record.bad))
                                              : ":" + record.text);
    }
    return out;
  }
  std::string told(std::string_view bytes, const FieldNames& fields = {},
                   const ReaderLimits& limits = {}) {
    return told(read(bytes, fields, limits));
  }
  static FieldNames named(const std::string& text, const std::string& id,
                          std::vector<std::string> others = {}) {
    FieldNames fields;
    fields.text = text;
    fields.id = id;
    fields.named = std::move(others);
    return fields;
  }
  ScratchFolder folder_;
};

TEST_F(Csv, RowsAreRecordsAndTheHeaderIsCarried) {
  const ReadFile file = read("id,text\r\n7,\"one, \"\"two\"\"\nthree\"\r\n\r\nn8,four",
                             named("text", "id", {"text"}));
  ASSERT_EQ(told(file), "1- 2:one, \"two\"\nthree 4:four");
  const ReadRecord& header = file.records[0];
  EXPECT_EQ(header.raw, "id,text\r\n");
  EXPECT_EQ(header.text, "");
  const ReadRecord& first = file.records[1];
  EXPECT_EQ(first.raw, "7,\"one, \"\"two\"\"\nthree\"\r\n");
  EXPECT_EQ(first.offset, 9U);
  EXPECT_EQ(first.length, 24U);
  EXPECT_EQ(first.id, "7");
  EXPECT_EQ(first.field, R"("one, \"two\"\nthree")");
  EXPECT_EQ(file.records[2].id, "\"n8\"");
  EXPECT_EQ(file.lines, 4U);
}

TEST_F(Csv, ATableMayHaveNoRowsOrNothing) {
  EXPECT_EQ(told(""), "");
  EXPECT_EQ(told("\n\r\n"), "");
  EXPECT_EQ(told("\xef\xbb\xbf"), "");
  EXPECT_EQ(told("text"), "1-");
  EXPECT_EQ(told("\n\xef\xbb\xbftext\n\none\n"), "2- 4:one");
}

TEST_F(Csv, AMarkAndQuotesAreNoPartOfAName) {
  EXPECT_EQ(told("\xef\xbb\xbf\"text\",\"a \"\"b\"\"\"\nx,y\n"), "1- 2:x");
  EXPECT_EQ(told("text,\"a \"\"b\"\"\"\nx,y\n", named("a \"b\"", "id")), "1- 2:y");
  EXPECT_EQ(told("text,\"a\nb\"\nx,y\n", named("a\nb", "id")), "1- 2:y");
}

TEST_F(Csv, TheFirstRowTellsTheDelimiter) {
  EXPECT_EQ(told("id;text\n1;a, b\n"), "1- 2:a, b");
  EXPECT_EQ(told("id\ttext\n1\ta, b; c\n"), "1- 2:a, b; c");
  EXPECT_EQ(told("\"a;b;c\",text\n1,x;y\n"), "1- 2:x;y");
  EXPECT_EQ(told("text\na\n\"b\"\n"), "1- 2:a 3:b");
}

TEST_F(Csv, FieldsHaveTheNamesOfColumns) {
  const std::string table = "text,meta.id,title,text\na,1,T,b\nc,,,d\n,2,,\n";
  EXPECT_EQ(told(table), "1- 2:b 3:d 4:");  // Of equal names the last counts, as in JSON.
  EXPECT_EQ(told(table, named("title,text", "x")), "1- 2:T\nb 3:d 4:");
  EXPECT_EQ(told(table, named("none,title", "x")), "1- 2:T 3: 4:");
  const ReadFile file = read(table, named("text", "meta.id", {"title"}));
  EXPECT_EQ(file.records[1].id, "1");
  EXPECT_EQ(file.records[1].field, "\"T\"");
  EXPECT_EQ(file.records[2].id, "");
  EXPECT_EQ(file.records[2].field, "");
  const ReadFile body = read("id,body\n1,a\n2,b\n");
  EXPECT_EQ(told(body), "1- 2!missing_text 3!missing_text");
  EXPECT_EQ(body.records[1].detail, "no column \"text\"");
}

TEST_F(Csv, NumbersAreThoseOfJson) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"17", "17"},
      {"-1.5e3", "-1.5e3"},
      {"007", "\"007\""},
      {"NaN", "\"NaN\""},
      {"1 ", "\"1 \""},
      {"123456789012345", "123456789012345"},
      {"1234567890123456", "\"1234567890123456\""},
      {"true", "\"true\""}};
  for (const auto& [value, token] : cases) {
    EXPECT_EQ(read("id,text\n" + value + ",a\n").records[1].id, token);
  }
}

TEST_F(Csv, RowsWithOtherColumnsAreBadAndTheOthersAreNot) {
  const ReadFile file = read("id,text\n1,a\n2\n3,\"b\nb\",c\n4,d\n");
  ASSERT_EQ(told(file), "1- 2:a 3!invalid_row 4!invalid_row 5:d");
  EXPECT_EQ(file.records[2].detail, "line 3: 1 column, and the header has 2");
  EXPECT_EQ(file.records[2].offset, 12U);
  EXPECT_EQ(file.records[3].detail, "line 4: 3 columns, and the header has 2");
  EXPECT_EQ(file.records[3].raw, "3,\"b\nb\",c\n");
}

// The rows after it are not swallowed: the next one that is a row by itself is read.
TEST_F(Csv, AQuoteThatIsNotClosedHarmsItsRowAlone) {
  const ReadFile file = read("id,text\n1,\"a\n2,\"b\"\n3,c\n");
  ASSERT_EQ(told(file), "1- 2!invalid_row 3:b 4:c");
  EXPECT_EQ(file.records[1].raw, "1,\"a\n");
  EXPECT_EQ(file.records[1].offset, 8U);
  EXPECT_EQ(file.records[1].length, 5U);
  EXPECT_EQ(file.records[1].detail, "line 2: a quote is not closed, or not doubled");
  EXPECT_EQ(told("id,text\n1,\"a\n2,b\n3,c\n"), "1- 2!invalid_row 3:b 4:c");
  EXPECT_EQ(told("id,text\n1,\"a\n2,\"\"\n3,c\n"), "1- 2!invalid_row 3: 4:c");
  EXPECT_EQ(told("id,text\n1,\"a"), "1- 2!invalid_row");
  // The lines of a bad row are no rows, even if they have the right number of commas.
  EXPECT_EQ(told("id,text\n1,\"he said \"yes\", and\nwent, he did\"\n2,b\n"),
            "1- 2!invalid_row 3:b");
  EXPECT_EQ(told("id,text\n1,\"a \"b\" c\"\n2,\"x\ny\"\n"), "1- 2!invalid_row 3:x\ny");
}

TEST_F(Csv, QuotesWithinAFieldAreCharacters) {
  EXPECT_EQ(told("id,text\n1,6\" nails\n2,a \"b\"\n"), "1- 2:6\" nails 3:a \"b\"");
}

TEST_F(Csv, LongRowsArePassedOver) {
  ReaderLimits limits;
  limits.max_record_bytes = 20;
  limits.batch_bytes = 7;
  const std::string lengthy(30, 'a');
  EXPECT_EQ(told("id,text\n1," + lengthy + "\n2,b\n", {}, limits), "1- 2!record_too_long 3:b");
  EXPECT_EQ(told("id,text\n1,\"" + lengthy + "\n\"\n2,b\n", {}, limits), "1- 2!invalid_row 3:b");
  // A quote that nothing closes is given up after the longest record.
  EXPECT_EQ(told("id,text\n1,\"a\n2,b\n3,c\n4,d\n5,e\n6,f\n", {}, limits),
            "1- 2!invalid_row 3:b 4:c 5:d 6:e 7:f");
  limits.max_record_bytes = 1000;
  limits.max_held_bytes = 20;
  EXPECT_EQ(told("id,text\n1," + lengthy + "\n", {}, limits), "1- 2!over_memory");
}

TEST_F(Csv, ADamagedStreamLosesOnlyItsRow) {
  std::string table;
  std::string more;
  for (int i = 0; i < 2000; ++i) table += std::to_string(i) + ",\"text of\nrow\"\n";
  for (int i = 0; i < 20; ++i) more += std::to_string(i) + ",after\n";
  std::string stored = compressed(table, Compression::zstd);
  stored[stored.size() / 2] = static_cast<char>(~stored[stored.size() / 2]);
  stored += compressed(more, Compression::zstd);
  const ReadFile file = read(compressed("id,text\n0,before\n", Compression::zstd) + stored, {}, {},
                             Compression::zstd);
  std::size_t faults = 0;
  std::size_t after = 0;
  for (const ReadRecord& record : file.records) {
    faults += is_stream_fault(record.bad) ? 1 : 0;
    after += record.text == "after" ? 1 : 0;
  }
  EXPECT_EQ(faults, 1U);
  // The first line after the damage may be the rest of another.
  EXPECT_EQ(after, 19U);
  // Without its first line nothing of a table is read.
  for (const ReadRecord& record : read(stored, {}, {}, Compression::zstd).records) {
    EXPECT_NE(record.bad, BadReason::none);
  }
}

TEST_F(Csv, ARowIsDecodedByItselfWithTheHeaderOfItsInput) {
  Input input;
  input.format = "csv";
  input.header = "id;text\r\n";
  RecordBatch batch;
  decode_record(input, "7;\"a \"\"b\"\"\"\n", {}, batch);
  EXPECT_EQ(batch.records[0].text, "a \"b\"");
  EXPECT_EQ(batch.records[0].id, "7");
  decode_record(input, "7", {}, batch);
  EXPECT_EQ(batch.records[0].bad, BadReason::invalid_row);
}

TEST_F(Csv, TextsMayBeInOtherCharsetsOrPages) {
  const ReadFile file = read("id,text\n1,caf\xe9 au lait, \xe0 la carte\n");
  EXPECT_EQ(file.records[1].bad, BadReason::invalid_row);
  EXPECT_EQ(told("id;text\n1;caf\xe9 au lait, d\xe9j\xe0 vu, \xe0 la carte, tr\xe8s "
                 "bien, l'\xe9t\xe9 pass\xe9\n"),
            "1- 2:caf\u00e9 au lait, d\u00e9j\u00e0 vu, \u00e0 la carte, tr\u00e8s bien, "
            "l'\u00e9t\u00e9 pass\u00e9");
}

TEST_F(Csv, TheFirstLookKnowsTheColumns) {
  const auto look = [&](std::string_view bytes, const LookOptions& options = {}) {
    return look_at(disk(), folder_.write("look.csv", bytes), options);
  };
  EXPECT_EQ(look("id,text\n1,a\n").header, "id,text\n");
  EXPECT_EQ(look("id,text\n1,a\n").format, "csv");
  EXPECT_EQ(look("\n\"te\nxt\",a\n1,a\n", {"", false, false, "a"}).header, "\"te\nxt\",a\n");
  const FirstLook body = look("id,body\n1,a\n");
  EXPECT_EQ(body.fault, "has no column \"text\"; it has: id, body");
  EXPECT_EQ(body.unread, Unread::foreign);
  EXPECT_TRUE(body.records);
  EXPECT_FALSE(look("id,body\n1,a\n", {"", true}).records);
  EXPECT_EQ(look("id,body\n1,a\n", {"", false, false, ""}).fault, "");
  EXPECT_EQ(look("text\rone\rtwo\r").fault,
            "has lines that end in a carriage return alone; send it through tr '\\r' '\\n'");
  EXPECT_EQ(look("id,\"text\n1,a\n").fault, "has a quote in its first line that is not closed");
  EXPECT_EQ(look(std::string(70000, 'a')).fault,
            "has a first line, which should name its columns, of over 64 KiB");
  EXPECT_NE(look(std::string("\xff\xfei\0d\0,\0t\0", 10)).fault.find("iconv -f UTF-16"),
            std::string::npos);
}

}  // namespace
}  // namespace twinset
