#include "io/parquet.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "io/reader.h"
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
    std::string_view some;
    for (;;) {
      const Result<bool> more = rows->next(some);
      EXPECT_TRUE(more.ok());
      EXPECT_EQ(rows->fault(), "");
      if (!more.ok() || !more.value()) return all;
      all += some;
    }
  }

  const RunContext& context_of(unsigned threads) {
    context_.threads = threads;
    return context_;
  }

  static RunContext context_on(FileSystem& files) {
    RunContext context;
    context.files = &files;
    context.memory_bytes = std::uint64_t{16} << 20;
    return context;
  }

  MemoryFiles files_;
  RunContext context_ = context_on(files_);
  Spool spool_{context_, "spool"};
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
  std::string_view frames;
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
      const auto copy = table->copy(context_of(2), *out, spool_).value();
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

/// The frames of a column whatever its type, one by one; nothing if there is no such column.
std::vector<std::string> values_of(const ParquetTable& table, std::uint64_t leaf) {
  const auto rows = table.read({}, std::array{ParquetField{leaf, 1}});
  std::vector<std::string> all;
  std::string_view some;
  while (rows->next(some).value()) {
    for (std::string_view rest = some; !rest.empty();) {
      std::uint64_t length = 0;
      for (unsigned i = 0; i < 8; ++i) {
        length |= std::uint64_t{static_cast<unsigned char>(rest[i])} << (8 * i);
      }
      all.emplace_back(rest.substr(8, length));
      rest.remove_prefix(8 + length);
    }
  }
  return all;
}

TEST_F(Parquet, CopiesHaveTheValuesOfEveryColumn) {
  for (const std::string name : {"pyarrow", "int96", "nested", "polars", "pandas", "duckdb",
                                 "datasets", "repeated", "delta"}) {
    SCOPED_TRACE(name);
    const auto table = open(parquet_bytes(name + ".parquet"));
    ASSERT_NE(table, nullptr);
    std::vector<bool> kept;
    for (std::uint64_t i = 0; i < table->groups(); ++i) {
      kept.resize(kept.size() + table->group_rows(i), true);
    }
    std::vector<std::uint8_t> keep(kept.size() / 8 + 1, 0xff);
    for (const std::size_t row : {std::size_t{0}, std::size_t{3}, kept.size() - 2}) {
      kept[row] = false;
      keep[row / 8] &= static_cast<std::uint8_t>(~(1U << row % 8));
    }
    const auto out = create_bytes(files_, "y", Compression::none).value();
    const auto copy = table->copy(context_of(2), *out, spool_).value();
    ASSERT_TRUE(copy->add(0, table->groups(), keep).ok());
    ASSERT_TRUE(copy->finish().ok());
    ASSERT_TRUE(out->finish().ok());
    const auto made = ParquetTable::open(files_, "y").value();
    std::uint64_t leaf = 0;
    for (;; ++leaf) {
      const std::vector<std::string> all = values_of(*table, leaf);
      if (all.empty()) break;
      std::vector<std::string> wanted;
      for (std::size_t row = 0; row < all.size(); ++row) {
        if (kept[row]) wanted.push_back(all[row]);
      }
      EXPECT_EQ(values_of(*made, leaf), wanted) << leaf;
    }
    EXPECT_GE(leaf, name == "nested" ? 13U : name == "repeated" || name == "delta" ? 2U : 5U);
    EXPECT_TRUE(files_.remove_file("y").ok());
  }
}

TEST_F(Parquet, NoMarksKeepNoRows) {
  const auto table = open(parquet_bytes("pyarrow.parquet"));
  const auto out = create_bytes(files_, "y", Compression::none).value();
  const auto copy = table->copy(context_of(1), *out, spool_).value();
  ASSERT_TRUE(copy->add(0, table->groups(), {}).ok());
  ASSERT_TRUE(copy->finish().ok());
  ASSERT_TRUE(out->finish().ok());
  EXPECT_EQ(ParquetTable::open(files_, "y").value()->groups(), 0U);
}

/// How often the footer declares that rows are sorted by one column.
std::size_t sorted_groups(std::string_view bytes) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = bytes.find("\x19\x1c\x15", at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

TEST_F(Parquet, AnOrderIsDeclaredOnlyIfAllGroupsHaveIt) {
  std::string bytes = parquet_bytes("pyarrow.parquet");
  for (const bool same : {true, false}) {
    ASSERT_EQ(sorted_groups(bytes), 3U);
    if (!same) bytes[bytes.rfind("\x19\x1c\x15") + 3] = 2;  // by another column
    const auto table = open(bytes);
    ASSERT_NE(table, nullptr);
    const auto out = create_bytes(files_, "y", Compression::none).value();
    const auto copy = table->copy(context_of(1), *out, spool_).value();
    ASSERT_TRUE(copy->add(0, 3, std::array<std::uint8_t, 2>{0xfe, 0x0f}).ok());
    ASSERT_TRUE(copy->finish().ok());
    ASSERT_TRUE(out->finish().ok());
    EXPECT_EQ(sorted_groups(files_.read("y")), same ? 3U : 0U);
    EXPECT_TRUE(files_.remove_file("y").ok());
  }
}

TEST_F(Parquet, OfAGroupWithOtherTextsOnlyTheirColumnIsWrittenAnew) {
  const std::string bytes = parquet_bytes("pyarrow.parquet");
  const auto table = open(bytes);
  ASSERT_NE(table, nullptr);
  // Rows are sorted by column 0: that order is still declared if texts change, and not if ids do.
  for (const std::uint64_t edited : {leaf(*table, "text"), std::uint64_t{0}}) {
    const auto out = create_bytes(files_, "y", Compression::none).value();
    const auto copy = table->copy(context_of(2), *out, spool_, edited).value();
    // Row 2 of the second group.
    std::string text;
    append_row_number(text, 2);
    append_row_number(text, 3);
    text += "new";
    const std::uint64_t end = edited == 0 ? 0 : text.size();
    if (edited != 0) {
      ASSERT_EQ(spool_.append(text).value(), 0U);
    }
    ASSERT_TRUE(copy->add(0, 3, std::array<std::uint8_t, 2>{0xff, 0x0f},
                          std::array<std::uint64_t, 4>{0, 0, end, end})
                    .ok());
    ASSERT_TRUE(copy->finish().ok());
    ASSERT_TRUE(out->finish().ok());
    const auto made = ParquetTable::open(files_, "y").value();
    const std::string copied = files_.read("y");
    EXPECT_EQ(sorted_groups(copied), edited != 0 ? 3U : 0U);
    // The first group is the same to its last byte.
    EXPECT_EQ(copied.substr(0, table->group_bytes(0) + 4),
              bytes.substr(0, table->group_bytes(0) + 4));
    for (std::uint64_t i = 0; i < 5; ++i) {
      std::vector<std::string> wanted = values_of(*table, i);
      const std::vector<std::string> values = values_of(*made, i);
      if (edited != 0 && i == edited) {
        EXPECT_TRUE(values[7].ends_with("new"));
        wanted[7] = values[7];
      }
      EXPECT_EQ(values, wanted) << i;
    }
    EXPECT_TRUE(files_.remove_file("y").ok());
  }
}

// 300 texts of 64 KiB from a dictionary of twenty, after 700 short ones.
TEST_F(Parquet, ABatchOfFramesIsSmallHoweverLongRowsAre) {
  const auto table = open(parquet_bytes("repeated.parquet"));
  ASSERT_NE(table, nullptr);
  const auto rows = table->read(std::array{leaf(*table, "text")}, {});
  std::string_view frames;
  std::size_t all = 0;
  while (rows->next(frames).value()) {
    all += frames.size();
    EXPECT_LT(frames.size(), std::size_t{330} << 10);
  }
  EXPECT_EQ(rows->fault(), "");
  EXPECT_EQ(rows->passed(), 1000U);
  EXPECT_EQ(all, 700 * (17 + 5) + 300 * (17 + 65536U));
}

// The dictionary of its texts is larger than the usual most, 1 MiB.
TEST_F(Parquet, ALargeDictionaryStaysOne) {
  const std::string bytes = parquet_bytes("repeated.parquet");
  const auto table = open(bytes);
  const auto out = create_bytes(files_, "y", Compression::none).value();
  const auto copy = table->copy(context_of(1), *out, spool_).value();
  std::vector<std::uint8_t> keep(125, 0xff);
  keep[0] = 0xfe;
  ASSERT_TRUE(copy->add(0, 1, keep).ok());
  ASSERT_TRUE(copy->finish().ok());
  ASSERT_TRUE(out->finish().ok());
  EXPECT_LT(files_.read("y").size(), bytes.size() + 1000);
}

TEST_F(Parquet, ACopyIsTheSameHoweverLittleMayWaitInMemory) {
  const auto table = open(parquet_bytes("repeated.parquet"));
  std::vector<std::uint8_t> keep(125, 0xff);
  keep[0] = 0xfe;
  std::string whole;
  for (const std::uint64_t memory : {std::uint64_t{16} << 20, std::uint64_t{0}}) {
    context_.memory_bytes = memory;
    Spool spool(context_, "small");
    const auto out = create_bytes(files_, "y", Compression::none).value();
    const auto copy = table->copy(context_of(2), *out, spool).value();
    ASSERT_TRUE(copy->add(0, 1, keep).ok());
    EXPECT_EQ(spool.size(), 0U);
    ASSERT_TRUE(copy->finish().ok());
    ASSERT_TRUE(out->finish().ok());
    if (memory != 0) whole = files_.read("y");
    EXPECT_EQ(files_.read("y"), whole);
    EXPECT_TRUE(files_.remove_file("y").ok());
  }
}

TEST_F(Parquet, ACopyThatIsCancelledEnds) {
  const auto table = open(parquet_bytes("pyarrow.parquet"));
  const auto out = create_bytes(files_, "y", Compression::none).value();
  std::atomic<bool> cancel = false;
  context_.cancel = &cancel;
  const auto copy = table->copy(context_of(1), *out, spool_).value();
  cancel = true;
  for (const std::uint8_t first : {std::uint8_t{0xff}, std::uint8_t{0xfd}}) {
    const Status added = copy->add(0, 3, std::array<std::uint8_t, 2>{first, 0x0f});
    ASSERT_FALSE(added.ok());
    EXPECT_EQ(added.error().code, ErrorCode::interrupted);
  }
}

/// The words of the fault that reading a column of `bytes` finds, after `good` became `bad` in it.
std::string fault_with(std::string bytes, std::string_view good, std::string_view bad,
                       std::size_t nth, const std::string& column) {
  std::size_t at = bytes.find(good);
  for (; nth > 0 && at != std::string::npos; --nth) at = bytes.find(good, at + 1);
  if (at == std::string::npos) return "no such bytes";
  bytes.replace(at, good.size(), bad);
  MemoryFiles files;
  EXPECT_TRUE(files.write("x", bytes).ok());
  const auto table = ParquetTable::open(files, "x").value();
  const std::uint64_t leaf = table->find(field_path(column), false).leaf.value();
  const auto rows = table->read(std::array{leaf}, {});
  std::string_view frames;
  while (rows->next(frames).value()) {
  }
  return rows->fault();
}

// 2^31 - 1 values in a page of a few bytes.
TEST_F(Parquet, APageCannotClaimMoreThanItHas) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(fault_with(parquet_bytes("repeated.parquet"), "\x4c\x15\x2a\x15",
                       "\x4c\x15\xfe\xff\xff\xff\x0f\x15", 0, "text"),
            "row group 1: column text: a dictionary claims more values than it has");
  const std::string delta = parquet_bytes("delta.parquet");
  const std::string_view good = "\x80\x01\x04\x0c"sv;
  const std::string_view bad = "\x80\x01\x04\xff\xff\xff\xff\x07"sv;
  for (const auto& [column, nth] : {std::pair("length", 0), {"prefix", 1}, {"prefix", 2}}) {
    EXPECT_EQ(
        fault_with(delta, good, bad, static_cast<std::size_t>(nth), column),
        "row group 1: column " + std::string(column) + ": a page claims more values than it has");
    EXPECT_EQ(fault_with(delta, good, good, static_cast<std::size_t>(nth), column), "");
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
    std::string_view frames;
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
    std::string_view frames;
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
