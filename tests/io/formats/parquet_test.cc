// Parquet: rows as records, and copies of rows.
#include "io/parquet.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/faulty_files.h"
#include "support/parquet_data.h"
#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class ParquetFormat : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_parquet()) GTEST_SKIP() << "a build without Parquet";
  }

  ReadFile read(const std::string& name, const std::string& text = "text",
                const std::vector<std::string>& named = {}, const ReaderLimits& limits = {}) {
    FieldNames fields;
    fields.text = text;
    fields.named = named;
    return read_file(parquet_path(name), "parquet", Compression::none, limits, fields);
  }

  static const RowFormat& format() { return *find_format("parquet")->rows; }

  /// What waits to be written is in a file at once.
  RunContext context(unsigned threads = 0, FileSystem& files = disk()) {
    RunContext context;
    context.files = &files;
    context.threads = threads;
    context.tmp = folder_.path();
    return context;
  }

  ScratchFolder folder_;
};

TEST_F(ParquetFormat, RowsOfEveryLibraryAreTheSame) {
  for (const std::string name : {"pyarrow", "int96", "polars", "pandas", "duckdb", "datasets"}) {
    SCOPED_TRACE(name);
    const ReadFile file = read(name + ".parquet", "text", {"date"});
    ASSERT_EQ(file.records.size(), 12U) << file.error;
    for (std::uint64_t i = 0; i < 12; ++i) {
      const ReadRecord& record = file.records[i];
      EXPECT_EQ(record.number, i + 1);
      EXPECT_EQ(record.id, std::to_string(i + 1));
      EXPECT_EQ(record.bad, i == 5 ? BadReason::text_not_string : BadReason::none);
      const std::string day = (i < 9 ? "0" : "") + std::to_string(i + 1);
      EXPECT_EQ(record.field.substr(0, 20), "\"2024-01-" + day + "T12:30:00");
      EXPECT_EQ(record.offset + record.length,
                i + 1 < 12 ? file.records[i + 1].offset : record.offset + record.length);
    }
    EXPECT_EQ(file.records[5].detail, "\"text\" is null");
    EXPECT_EQ(file.records[0].text,
              "the harbour master counted the ships that came in before noon");
    EXPECT_EQ(file.records[3].text, file.records[0].text);
  }
}

TEST_F(ParquetFormat, TextsInStructsAndLists) {
  const std::string whole = read("nested.parquet", "meta.body").records[2].text;
  EXPECT_TRUE(whole.starts_with("a clock without hands"));
  EXPECT_EQ(read("nested.parquet", "bytes").records[2].text, whole);
  EXPECT_EQ(read("nested.parquet", "messages[].content").records[2].text, whole);
  std::string split = whole;
  split[1] = '\n';
  EXPECT_EQ(read("nested.parquet", "parts[]").records[2].text, split);
  EXPECT_EQ(read("nested.parquet", "id,meta.body,none").records[2].text, "3\n" + whole);
  EXPECT_EQ(read("nested.parquet", "kind").records[1].text, "de");
}

TEST_F(ParquetFormat, FieldsAsTokens) {
  const auto field = [&](const std::string& name, std::size_t row) {
    return read("nested.parquet", "bytes", {name}).records[row].field;
  };
  EXPECT_EQ(field("id", 0), "\"1\"");
  EXPECT_EQ(field("price", 0), "0.25");
  EXPECT_EQ(field("day", 11), "\"2024-01-12\"");
  EXPECT_EQ(field("fixed", 0), "[1.0,2.0]");
  EXPECT_EQ(field("parts", 0),
            "[\"the\",\"harbour master counted the ships that came in before noon\"]");
  EXPECT_EQ(field("parts", 5), "");
  EXPECT_EQ(field("none", 0), "");
  EXPECT_EQ(field("meta.lang", 1), "\"de\"");
}

TEST_F(ParquetFormat, OtherCharsetsAreDecodedAsInJsonLines) {
  const ReadFile file = read("latin1.parquet");
  EXPECT_EQ(file.records[0].text,
            "gr\xc3\xbc\xc3\x9f"
            "e aus der stra\xc3\x9f"
            "e am h\xc3\xbcgel");
  EXPECT_EQ(file.records[1].text, "plain words of a text");
}

TEST_F(ParquetFormat, AnyBatchGivesTheSame) {
  const ReadFile usual = read("pyarrow.parquet", "text", {"lang"});
  ReaderLimits limits;
  limits.batch_bytes = 1;
  EXPECT_EQ(read("pyarrow.parquet", "text", {"lang"}, limits).records, usual.records);
  EXPECT_EQ(read("no_rows.parquet").records.size(), 0U);
  EXPECT_EQ(read("wide.parquet").records.size(), 1U);
}

TEST_F(ParquetFormat, LongRowsAreNotHeld) {
  ReaderLimits limits;
  limits.max_record_bytes = 120;
  const ReadFile file = read("pyarrow.parquet", "text", {}, limits);
  ASSERT_EQ(file.records.size(), 12U);
  EXPECT_EQ(file.records[0].bad, BadReason::none);
  EXPECT_EQ(file.records[1].bad, BadReason::record_too_long);
  EXPECT_EQ(file.records[1].text, "");
  EXPECT_EQ(file.records[11].bad, BadReason::none);
  EXPECT_EQ(file.records[11].text, file.records[0].text);
}

TEST_F(ParquetFormat, ColumnsAreCheckedBeforeReading) {
  const auto look = [](const std::string& name, const std::string& text) {
    return format().look(disk(), parquet_path(name), text);
  };
  EXPECT_EQ(look("pyarrow.parquet", "text"), "");
  EXPECT_EQ(look("pyarrow.parquet", "body"),
            "has no column \"body\"; it has: id, text, lang, score, date");
  EXPECT_EQ(look("pyarrow.parquet", "body,text"), "");
  EXPECT_EQ(look("pyarrow.parquet", "id"),
            "has a column \"id\" that has values of type INT64, not texts");
  EXPECT_EQ(look("wide.parquet", "body"),
            "has no column \"body\"; it has: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, "
            "and 389 more");
  EXPECT_EQ(read("pyarrow.parquet", "body").error,
            parquet_path("pyarrow.parquet") +
                " has no column \"body\"; it has: id, text, lang, score, "
                "date");
}

TEST_F(ParquetFormat, ADamagedGroupIsOneBadRecordAndRowsKeepTheirNumbers) {
  std::string bytes = parquet_bytes("pyarrow.parquet");
  const ReadFile whole = read("pyarrow.parquet");
  // Its pages have checksums.
  std::size_t met = 0;
  for (std::size_t i = 4; i < bytes.size() / 2; i += 7) {
    std::string bad = bytes;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    const ReadFile file = read_file(folder_.write("bad.parquet", bad), "parquet");
    for (const ReadRecord& record : file.records) {
      if (record.bad == BadReason::corrupt_stream) {
        ++met;
        EXPECT_NE(record.detail.find("Parquet: row group"), std::string::npos) << record.detail;
        EXPECT_EQ((record.number - 1) % 5, 0U);
      } else {
        EXPECT_EQ(record.text, whole.records[record.number - 1].text);
      }
    }
    EXPECT_EQ(file.lines, 12U);
  }
  EXPECT_GT(met, 10U);
  const ReadFile cut = read_file(folder_.write("cut.parquet", bytes.substr(0, 900)), "parquet");
  ASSERT_EQ(cut.records.size(), 1U);
  EXPECT_EQ(cut.records[0].detail,
            "byte 0 of the file as stored: Parquet: it is cut off: Parquet ends with a footer");
}

std::string rows(const std::vector<std::uint64_t>& numbers) {
  std::string out;
  for (const std::uint64_t number : numbers) append_row_number(out, number);
  return out;
}

TEST_F(ParquetFormat, CopiesRowsByNumber) {
  for (const unsigned threads : {0U, 2U}) {
    const std::string path = folder_ / "out.parquet";
    const auto sink = format().copy(context(threads), parquet_path("pyarrow.parquet"), path);
    ASSERT_TRUE(sink->write(rows({2, 3})).ok());
    ASSERT_TRUE(sink->write(rows({11, 12})).ok());
    ASSERT_TRUE(sink->finish().ok());
    const ReadFile file = read_file(path, "parquet");
    ASSERT_EQ(file.records.size(), 4U);
    EXPECT_EQ(file.records[0].id, "2");
    EXPECT_EQ(file.records[3].id, "12");
    std::filesystem::remove(path);
  }
}

TEST_F(ParquetFormat, CopiesRowsWithOtherTexts) {
  for (const std::string name : {"pyarrow", "int96", "polars", "pandas", "duckdb", "datasets"}) {
    SCOPED_TRACE(name);
    const std::string path = folder_ / "out.parquet";
    const std::string from = parquet_path(name + ".parquet");
    const auto sink = format().copy(context(2), from, path);
    std::string rows;
    append_row_text(rows, 0, "text");
    for (const std::uint64_t row : {1, 2, 3, 4, 5, 7, 8, 11, 12}) {
      if (row == 2 || row == 8 || row == 12) {
        append_row_text(rows, row, row == 8 ? "" : "text " + std::to_string(row));
      } else {
        append_row_number(rows, row);
      }
    }
    ASSERT_TRUE(sink->write(rows).ok());
    const Status done = sink->finish();
    ASSERT_TRUE(done.ok()) << done.error().message;
    FieldNames fields;
    fields.named = {"date"};
    const auto all = read(name + ".parquet", "text", {"date"}).records;
    const auto made = read_file(path, "parquet", Compression::none, {}, fields).records;
    ASSERT_EQ(made.size(), 9U);
    for (const ReadRecord& record : made) {
      const std::uint64_t row = std::stoull(record.id);
      EXPECT_EQ(record.field, all[row - 1].field);
      EXPECT_EQ(record.text, row == 8                ? ""
                             : row == 2 || row == 12 ? "text " + record.id
                                                     : all[row - 1].text);
    }
    std::filesystem::remove(path);
  }
}

TEST_F(ParquetFormat, ARowWithoutATextTakesNone) {
  const auto sink = format().copy(context(), parquet_path("pyarrow.parquet"), folder_ / "x");
  std::string rows;
  append_row_text(rows, 0, "text");
  append_row_text(rows, 6, "of a row that was not null when it was read");
  ASSERT_TRUE(sink->write(rows).ok());
  const Status done = sink->finish();
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message.find("a text that was read is null now"), std::string::npos)
      << done.error().message;
}

/// The fixture with a third group of rows that claims 2^40 of them in place of two.
std::string claims_rows() {
  std::string bytes = parquet_bytes("pyarrow.parquet");
  const std::size_t at = bytes.rfind("\x16\x04\x19\x1c\x15");
  EXPECT_NE(at, std::string::npos);
  const std::string claim("\x16\x80\x80\x80\x80\x80\x80\x01");  // 2^41, zigzag
  bytes.replace(at, 2, claim);
  const std::size_t length = bytes.size() - 8;
  const auto footer = static_cast<unsigned char>(bytes[length]) +
                      256U * static_cast<unsigned char>(bytes[length + 1]) + claim.size() - 2;
  bytes[length] = static_cast<char>(footer & 0xff);
  bytes[length + 1] = static_cast<char>(footer >> 8);
  return bytes;
}

TEST_F(ParquetFormat, AClaimOfRowsTakesNoMemory) {
  const std::string from = folder_.write("claims.parquet", claims_rows());
  const auto sink = format().copy(context(), from, folder_ / "out.parquet");
  ASSERT_TRUE(sink->write(rows({2, 11})).ok());
  const Status done = sink->finish();
  ASSERT_TRUE(done.ok()) << done.error().message;
  const ReadFile file = read_file(folder_ / "out.parquet", "parquet");
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_EQ(file.records[0].id, "2");
  EXPECT_EQ(file.records[1].id, "11");
}

TEST_F(ParquetFormat, ACopyThatFailsNamesTheFileAndWhatToDo) {
  const auto of = [&](const std::string& from, std::uint64_t row) {
    const auto sink = format().copy(context(), from, folder_ / "none.parquet");
    const Status done = sink->write(rows({row}));
    std::filesystem::remove(folder_ / "none.parquet");
    return done.ok() ? "" : done.error().message;
  };
  EXPECT_NE(of(parquet_path("pyarrow.parquet"), 13).find("run the same command again"),
            std::string::npos);
  const std::string no_footer =
      folder_.write("short.parquet", parquet_bytes("pyarrow.parquet").substr(0, 900));
  const std::string why = of(no_footer, 1);
  EXPECT_EQ(why.rfind(no_footer + ": its rows cannot be copied: ", 0), 0U) << why;
  EXPECT_NE(why.find("leave the file out"), std::string::npos) << why;
}

TEST_F(ParquetFormat, FaultsOfTheFileSystemAreErrors) {
  const std::string from = parquet_path("pyarrow.parquet");
  const std::string path = folder_ / "out.parquet";
  FaultyFiles files(disk());
  const auto copy = [&]() -> Status {
    const auto sink = format().copy(context(0, files), from, path);
    TWINSET_TRY(sink->write(rows({1, 7})));
    return sink->finish();
  };
  ASSERT_TRUE(copy().ok());
  // The last one removes the file of what waited, which nobody needs any more.
  const std::uint64_t operations = files.operations() - 1;
  for (std::uint64_t k = 0; k < operations; ++k) {
    std::filesystem::remove(path);
    files.fail_at(k, FaultyFiles::Fault::io, FaultyFiles::Lasting::once);
    const Status done = copy();
    EXPECT_FALSE(done.ok()) << k;
    if (done.ok()) continue;
    EXPECT_EQ(done.error().code, ErrorCode::io) << done.error().message;
  }
}

}  // namespace
}  // namespace twinset
