#include "io/reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using testing::read_file;
using testing::ScratchFolder;

TEST(Reader, FormatsAreListedByName) {
  std::vector<std::string_view> names;
  for (const FormatEntry* format : formats()) {
    names.push_back(format->declaration->name);
    EXPECT_EQ(find_format(format->declaration->name), format);
    EXPECT_FALSE(format->declaration->summary.empty());
    for (std::string_view extension : format->declaration->extensions) {
      EXPECT_TRUE(extension.starts_with('.'));
    }
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_NE(std::find(names.begin(), names.end(), "jsonl"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "text"), names.end());
  EXPECT_EQ(find_format("docx"), nullptr);
}

TEST(Reader, AnUnknownFormatIsAnError) {
  Input input;
  input.shown = "a.docx";
  input.format = "docx";
  EXPECT_EQ(make_reader(input, nullptr, {}).error().message, "a.docx: no format \"docx\"");
}

TEST(Reader, AMissingFileIsAnError) {
  EXPECT_EQ(read_file("/nowhere/x", "jsonl").error,
            "cannot open /nowhere/x: No such file or directory");
}

TEST(Reader, EachRecordSaysHowItsTextIsMarkedUp) {
  const ScratchFolder folder;
  Input input;
  input.path = folder.write("x", "{\"text\": \"<p>a\"}\n{\"text\": \"b\"}\n");
  input.format = "jsonl";
  for (const Markup markup : {Markup::none, Markup::html}) {
    input.markup = markup;
    auto reader = open_reader(disk(), input, {});
    ASSERT_TRUE(reader.ok());
    RecordBatch batch;
    ASSERT_TRUE(reader.value()->read(batch).value());
    reader.value()->decode({}, batch);
    ASSERT_EQ(batch.records.size(), 2U);
    for (const Record& record : batch.records) EXPECT_EQ(record.markup, markup);
    EXPECT_EQ(batch.records[0].text, "<p>a");
    decode_record(input, "{\"text\": \"c\"}", {}, batch);
    EXPECT_EQ(batch.records[0].markup, markup);
  }
}

TEST(Reader, ARecordIsDecodedAgainFromItsBytes) {
  const ScratchFolder folder;
  FieldNames fields;
  fields.named = {"n"};
  const std::string path = folder.write(
      "x", "\xef\xbb\xbf{\"text\": \"a\\nb\", \"id\": \"i\", \"n\": 5}\n{\"text\": 1}\n");
  Input input;
  input.format = "jsonl";
  RecordBatch batch;
  for (const auto& record : read_file(path, "jsonl", Compression::none, {}, fields).records) {
    decode_record(input, record.raw, fields, batch);
    ASSERT_EQ(batch.records.size(), 1U);
    EXPECT_EQ(batch.records[0].raw, record.raw);
    EXPECT_EQ(batch.records[0].text, record.text);
    EXPECT_EQ(batch.records[0].id, record.id);
    EXPECT_EQ(batch.records[0].field(0), record.field);
    EXPECT_EQ(batch.records[0].bad, record.bad);
  }
  input.format = "text";
  decode_record(input, "plain", fields, batch);
  ASSERT_EQ(batch.records.size(), 1U);
  EXPECT_EQ(batch.records[0].text, "plain");
}

}  // namespace
}  // namespace twinset
