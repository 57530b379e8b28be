// Columns in memory: the records read from them, and their faults.
#include "collection/memory_collection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "system/memory_files.h"

namespace twinset {
namespace {

/// The texts of a column, "-" and the reason for a bad one.
std::vector<std::string> read(Collection& collection, const FieldNames& fields = {},
                              const ReaderLimits& limits = {}) {
  std::vector<std::string> texts;
  for (std::uint64_t source = 0; source < collection.sources().size(); ++source) {
    auto reader = collection.open(source, limits);
    EXPECT_TRUE(reader.ok());
    RecordBatch batch;
    std::uint64_t number = 0;
    while (reader.value()->read(batch).value()) {
      reader.value()->decode(fields, batch);
      for (const Record& record : batch.records) {
        EXPECT_EQ(record.number, ++number);
        if (record.bad != BadReason::none) {
          texts.push_back("-" + std::string(reason_name(record.bad)));
          continue;
        }
        texts.emplace_back(record.text);
        std::string raw(record.raw.size(), '\0');
        EXPECT_EQ(collection.read_at(source, record.offset, raw).value(), raw.size());
        EXPECT_EQ(raw, record.raw);
        RecordBatch again;
        collection.decode(source, record.offset, raw, fields, again);
        EXPECT_EQ(again.records[0].text, record.text);
        EXPECT_EQ(again.records[0].id, record.id);
        EXPECT_TRUE(std::ranges::equal(again.records[0].fields, record.fields));
        EXPECT_EQ(again.records[0].markup, record.markup);
      }
      EXPECT_EQ(batch.lines, number);
    }
  }
  return texts;
}

TEST(MemoryCollection, GivesTheTextsOfEachLayout) {
  const std::vector<std::string> strings{"one", "", "three"};
  const std::vector<std::string_view> views{"four", "five"};
  const std::string bytes = "..sixseven";
  const std::array<std::int64_t, 5> offsets{2, 5, 5, 5, 10};
  const std::uint8_t validity = 0b1101;
  TextColumn a(strings);
  TextColumn b(views);
  TextColumn c(StringColumn::from_offsets(bytes, offsets, {{&validity, 1}}).value());
  a.name = "a";
  b.name = "b";
  c.name = "c";
  const std::vector<TextColumn> columns{a, b, c};
  ASSERT_TRUE(check_columns(columns).ok());
  MemoryCollection collection(columns);
  EXPECT_EQ(read(collection), (std::vector<std::string>{"one", "", "three", "four", "five", "six",
                                                        "-missing_text", "", "seven"}));
  EXPECT_EQ(collection.sources()[2].stored_bytes, 8U);
  EXPECT_EQ(collection.identity(), "");
  EXPECT_EQ(collection.sources()[0].path, "");
  MemoryFiles files;
  EXPECT_FALSE(collection.create_output(0, RunContext(), "", "").ok());
}

TEST(MemoryCollection, ReferencesStandFirstAndPagesAreMarked) {
  const std::vector<std::string> texts{"<p>x"};
  TextColumn own(texts);
  TextColumn known(texts);
  known.name = "known";
  known.reference = known.html = true;
  MemoryCollection collection(std::vector<TextColumn>{own, known});
  EXPECT_EQ(collection.sources()[0].shown, "known");
  EXPECT_TRUE(collection.sources()[0].is_protected());
  EXPECT_TRUE(collection.sources()[0].pages);
  EXPECT_EQ(protected_sources(collection), 1U);
  read(collection);
}

TEST(MemoryCollection, TheFormatSaysWhichTextsArePages) {
  const std::vector<std::string> texts{"<p>x", "no page", "<br/>"};
  const std::vector<TextColumn> columns{TextColumn(texts)};
  const auto markups = [&](const std::string& format) {
    const auto collection = MemoryCollection::make(columns, format).value();
    EXPECT_EQ(collection->sources()[0].pages, !format.empty());
    EXPECT_EQ(collection->sources()[0].pages_by_text, format == "auto");
    EXPECT_EQ(read(*collection), texts);
    std::vector<Markup> found;
    const auto reader = collection->open(0, {}).value();
    RecordBatch batch;
    EXPECT_TRUE(reader->read(batch).value());
    reader->decode({}, batch);
    for (const Record& record : batch.records) found.push_back(record.markup);
    return found;
  };
  using enum Markup;
  EXPECT_EQ(markups(""), (std::vector{none, none, none}));
  EXPECT_EQ(markups("html"), (std::vector{html, html, html}));
  EXPECT_EQ(markups("auto"), (std::vector{html, none, html}));
  EXPECT_EQ(markups("xhtml"), (std::vector{loose_xhtml, loose_xhtml, xhtml}));
  for (const char* format : {"warc", "jsonl", "text", "lines", "none of these"}) {
    const auto refused = MemoryCollection::make(columns, format);
    ASSERT_FALSE(refused.ok()) << format;
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
    EXPECT_NE(refused.error().message.find("is of files"), std::string::npos);
  }
}

TEST(MemoryCollection, ABatchEndsWhereItIsFull) {
  std::vector<std::string> texts;
  for (int i = 0; i < 20'000; ++i) texts.push_back(std::to_string(i));
  MemoryCollection collection(std::vector<TextColumn>{TextColumn(texts)});
  for (const std::uint64_t batch_bytes : {std::uint64_t{1}, std::uint64_t{1000}, UINT64_MAX}) {
    ReaderLimits limits;
    limits.batch_bytes = batch_bytes;
    EXPECT_EQ(read(collection, {}, limits), texts);
  }
}

TEST(MemoryCollection, LongTextsAreBadRecords) {
  const std::vector<std::string> texts{"short", std::string(1001, 'x')};
  MemoryCollection collection(std::vector<TextColumn>{TextColumn(texts)});
  ReaderLimits limits;
  limits.max_record_bytes = 1000;
  EXPECT_EQ(read(collection, {}, limits), (std::vector<std::string>{"short", "-record_too_long"}));
  limits.max_record_bytes = 2000;
  limits.max_held_bytes = 1000;
  EXPECT_EQ(read(collection, {}, limits), (std::vector<std::string>{"short", "-over_memory"}));
}

TEST(MemoryCollection, ListsOfFeaturesAreChecked) {
  const std::vector<std::string> texts{" [1, 2]", "[1.5]", "words"};
  MemoryCollection collection(std::vector<TextColumn>{TextColumn(texts)});
  FieldNames fields;
  fields.features = true;
  EXPECT_EQ(read(collection, fields),
            (std::vector<std::string>{"[1, 2]", "-text_not_features", "-text_not_features"}));
}

TEST(MemoryCollection, IdsAndFieldsAreThoseOfTheRow) {
  const std::vector<std::string> texts{"a", "b", "c"};
  const std::vector<std::string> urls{"https://a.example/", "", "say \"hi\""};
  const std::string bytes = "xz";
  const std::array<std::int32_t, 4> offsets{0, 1, 1, 2};
  const std::uint8_t validity = 0b101;
  TextColumn column(texts);
  const StringColumn ids = StringColumn::from_offsets(bytes, offsets, {{&validity, 1}}).value();
  ASSERT_TRUE(column.set_ids(ids).ok());
  ASSERT_TRUE(column.add_field("url", urls).ok());
  MemoryCollection collection(std::vector<TextColumn>{column});
  FieldNames fields;
  fields.named = {"date", "url"};
  EXPECT_EQ(read(collection, fields), texts);
  auto reader = collection.open(0, {});
  RecordBatch batch;
  ASSERT_TRUE(reader.value()->read(batch).value());
  reader.value()->decode(fields, batch);
  EXPECT_EQ(batch.records[0].id, "\"x\"");
  EXPECT_EQ(batch.records[1].id, "");
  EXPECT_EQ(batch.records[2].id, "\"z\"");
  EXPECT_EQ(batch.records[0].field("url"), "\"https://a.example/\"");
  EXPECT_EQ(batch.records[1].field("url"), "\"\"");
  EXPECT_EQ(batch.records[2].field("url"), R"("say \"hi\"")");
  EXPECT_EQ(batch.records[2].field("date"), "");
}

TEST(CheckColumns, TwoOfOneNameAreRefused) {
  const std::vector<std::string> none;
  EXPECT_FALSE(check_columns(std::vector<TextColumn>{TextColumn(none), TextColumn(none)}).ok());
}

}  // namespace
}  // namespace twinset
