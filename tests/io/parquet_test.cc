#include "io/parquet.h"

#include <gtest/gtest.h>

#include <array>

#include "support/parquet_data.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class Parquet : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_parquet()) GTEST_SKIP() << "a build without Parquet";
  }

  std::unique_ptr<ParquetTable> open(std::string_view bytes) {
    EXPECT_TRUE(files_.write("x", bytes).ok());
    Result<std::unique_ptr<ParquetTable>> table = ParquetTable::open(files_, "x");
    if (!table.ok()) {
      why_ = table.error().message;
      return nullptr;
    }
    return std::move(table.value());
  }

  std::uint64_t leaf(const ParquetTable& table, const std::string& name) {
    return table.find(field_path(name), false).leaf.value();
  }

  /// All frames of a column of texts.
  std::string frames(const ParquetTable& table, const std::string& text) {
    const std::unique_ptr<ParquetRows> rows = table.read(std::array{leaf(table, text)}, {});
    std::string all;
    std::string some;
    for (;;) {
      const Result<bool> more = rows->next(some);
      EXPECT_TRUE(more.ok());
      EXPECT_EQ(rows->fault(), "");
      if (!more.ok() || !more.value()) return all;
      all += some;
    }
  }

  MemoryFiles files_;
  std::string why_;
};

TEST_F(Parquet, ShapeAndColumns) {
  const auto table = open(parquet_bytes("nested.parquet"));
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->groups(), 3U);
  EXPECT_EQ(table->group_rows(0), 5U);
  EXPECT_EQ(table->group_rows(2), 2U);
  EXPECT_EQ(table->names(),
            "id, meta, parts, messages, matrix, map, price, day, bytes, fixed, kind");
  const auto find = [&](const std::string& name, bool text) {
    return table->find(text_paths(name).value().front(), text);
  };
  EXPECT_TRUE(find("meta.body", true).leaf.has_value());
  EXPECT_TRUE(find("parts[]", true).leaf.has_value());
  EXPECT_TRUE(find("messages[].content", true).leaf.has_value());
  EXPECT_TRUE(find("bytes", true).leaf.has_value());
  // A list is no text, but a field: its elements are an array.
  EXPECT_EQ(find("parts", true).other,
            "is a list; its elements are \"parts[]\", and their fields \"parts[].NAME\"");
  EXPECT_EQ(find("parts", false).leaf, find("parts[]", true).leaf);
  EXPECT_EQ(find("meta", true).other,
            "is a group of the columns body, lang; name one: \"meta.body\"");
  EXPECT_EQ(find("matrix[][]", true).other, "has values of type INT64, not texts");
  EXPECT_EQ(find("id[]", true).other, "is no list");
  EXPECT_FALSE(find("none", true).leaf.has_value());
  EXPECT_EQ(find("none", true).other, "");
}

TEST_F(Parquet, FramesOfRows) {
  const auto table = open(parquet_bytes("pyarrow.parquet"));
  ASSERT_NE(table, nullptr);
  const auto rows = table->read(std::array{leaf(*table, "lang")},
                                std::array{ParquetField{leaf(*table, "id"), 0x01020304}});
  std::string frames;
  ASSERT_TRUE(rows->next(frames).value());
  const std::string first("\x15\0\0\0\0\0\0\0\1\2\0\0\0\0\0\0\0en\4\3\2\1\0\1\0\0\0001", 29);
  EXPECT_EQ(frames.substr(0, first.size()), first);
  EXPECT_EQ(rows->passed(), 5U);
}

TEST_F(Parquet, CopiesAreAsTheFile) {
  for (const std::string name :
       {"pyarrow", "int96", "nested", "polars", "pandas", "duckdb", "datasets"}) {
    SCOPED_TRACE(name);
    const std::string bytes = parquet_bytes(name + ".parquet");
    const auto table = open(bytes);
    ASSERT_NE(table, nullptr);
    const std::string text = name == "nested" ? "meta.body" : "text";
    const std::string all = frames(*table, text);
    // All rows, and all but the second.
    for (const std::uint8_t first : {std::uint8_t{0xff}, std::uint8_t{0xfd}}) {
      const auto out = create_bytes(files_, "y", Compression::none).value();
      const std::array<std::uint8_t, 2> keep{first, 0x0f};
      const auto copy = table->copy(*out, 2).value();
      ASSERT_TRUE(copy->add(0, table->groups(), keep).ok());
      ASSERT_TRUE(copy->finish().ok());
      ASSERT_TRUE(out->finish().ok());
      const auto made = ParquetTable::open(files_, "y");
      ASSERT_TRUE(made.ok()) << made.error().message;
      EXPECT_EQ(made.value()->groups(), table->groups());
      EXPECT_EQ(made.value()->names(), table->names());
      const std::string kept = frames(*made.value(), text);
      if (first == 0xff) {
        EXPECT_EQ(kept, all);
        // Columns that lose no row are copied byte for byte, behind the same four bytes.
        const std::string copied = files_.read("y");
        EXPECT_EQ(copied.substr(0, 100), bytes.substr(0, 100));
      } else {
        EXPECT_LT(kept.size(), all.size());
        EXPECT_EQ(made.value()->group_rows(0), table->group_rows(0) - 1);
      }
      EXPECT_TRUE(files_.remove_file("y").ok());
    }
  }
}

TEST_F(Parquet, DamagedFilesAreErrors) {
  const std::string good = parquet_bytes("pyarrow.parquet");
  EXPECT_EQ(open(""), nullptr);
  EXPECT_EQ(why_, "it is empty");
  EXPECT_EQ(open(good.substr(0, good.size() - 1)), nullptr);
  EXPECT_EQ(why_, "it is cut off: Parquet ends with a footer");
  std::string bad = good;
  bad.replace(bad.size() - 4, 4, "PARE");
  EXPECT_EQ(open(bad), nullptr);
  EXPECT_EQ(why_, "it is encrypted, which twinset does not read");
  bad = good;
  bad[bad.size() - 5] = 0x7f;
  EXPECT_EQ(open(bad), nullptr);
  EXPECT_EQ(why_, "its footer is damaged: it would be longer than the file");
  // No byte of the footer can do more than that.
  for (std::size_t at = good.size() - 1800; at < good.size(); at += 3) {
    bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    const auto table = open(bad);
    if (table == nullptr) {
      EXPECT_NE(why_, "") << at;
      continue;
    }
    const ParquetColumn text = table->find(field_path("text"), true);
    if (!text.leaf.has_value()) continue;
    const auto rows = table->read(std::array{*text.leaf}, {});
    std::string frames;
    for (int i = 0; i < 10; ++i) {
      if (!rows->next(frames).value()) break;
    }
  }
}

// A schema of one group that claims 2^31 - 1 columns, as Thrift's compact protocol has it.
TEST_F(Parquet, AFooterCannotClaimMoreThanItHas) {
  const auto file = [](std::string footer) {
    const auto size = static_cast<char>(footer.size());
    return "PAR1" + footer + std::string{size, 0, 0, 0} + "PAR1";
  };
  const std::string version("\x15\x02", 2);
  EXPECT_EQ(open(file(version + "\x19\x1c\x48\x01x\x15\xfe\xff\xff\xff\x0f" + std::string(2, 0))),
            nullptr);
  EXPECT_EQ(why_, "its footer is damaged: a group claims more columns than there are");
  // And one of groups within groups.
  std::string deep = version + "\x19\xfc\x50";
  for (int i = 0; i < 80; ++i) deep += std::string("\x35\x02\x18\x01x\x15\x02\0", 8);
  std::string bytes = "PAR1" + deep;
  const std::size_t size = deep.size();
  bytes += {static_cast<char>(size & 0xff), static_cast<char>(size >> 8), 0, 0};
  EXPECT_EQ(open(bytes + "PAR1"), nullptr);
  EXPECT_EQ(why_, "its columns are nested too deeply");
}

TEST_F(Parquet, ADamagedGroupIsPassedOver) {
  std::string bad = parquet_bytes("pyarrow.parquet");
  const auto whole = open(bad);
  ASSERT_NE(whole, nullptr);
  // Within the pages of the second group, which have checksums.
  for (std::size_t at = bad.size() / 5; at < bad.size() / 5 + 60; ++at) bad[at] ^= 1;
  const auto table = open(bad);
  ASSERT_NE(table, nullptr);
  std::uint64_t given = 0;
  std::uint64_t lost = 0;
  for (const std::string name : {"id", "text", "lang", "score", "date"}) {
    const auto rows = table->read(std::array{leaf(*table, name)}, {});
    std::string frames;
    for (;;) {
      if (rows->next(frames).value()) continue;
      if (rows->fault().empty()) break;
      EXPECT_NE(rows->fault().find("row group "), std::string::npos) << rows->fault();
      EXPECT_NE(rows->fault().find("column " + name), std::string::npos) << rows->fault();
      lost += rows->skip_group();
    }
    given += rows->passed();
  }
  EXPECT_EQ(given, 5 * 12U);
  EXPECT_GT(lost, 0U);
  EXPECT_LT(lost, 5 * 12U);
}

}  // namespace
}  // namespace twinset
