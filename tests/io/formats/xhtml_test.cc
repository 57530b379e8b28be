#include <gtest/gtest.h>

#include "io/reader.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

Markup markup_of(std::string_view bytes, std::string_view format, Markup markup) {
  Input input;
  input.format = format;
  input.markup = markup;
  RecordBatch batch;
  decode_record(input, bytes, {}, batch);
  const Markup again = batch.records.front().markup;
  // A run reads the same from its file.
  MemoryFiles files;
  EXPECT_TRUE(files.write("x", bytes).ok());
  input.path = "x";
  const std::unique_ptr<Reader> reader = open_reader(files, input, {}).value();
  EXPECT_TRUE(reader->read(batch).value());
  reader->decode({}, batch);
  EXPECT_EQ(batch.records.front().markup, again);
  return again;
}

TEST(XhtmlFormat, FilesAreReadByTheRulesThatTheyKeep) {
  EXPECT_EQ(markup_of("<html><p/></html>", "xhtml", Markup::xhtml), Markup::xhtml);
  EXPECT_EQ(markup_of("<html><p></html>", "xhtml", Markup::xhtml), Markup::loose_xhtml);
  EXPECT_EQ(markup_of("", "xhtml", Markup::xhtml), Markup::loose_xhtml);
  // Features have no markup.
  EXPECT_EQ(markup_of("<html><p></html>", "xhtml", Markup::none), Markup::none);
}

TEST(XhtmlFormat, AFinishedFolderKnowsOnlyThatItHadPages) {
  EXPECT_EQ(markup_of("<html><p/></html>", "xhtml", Markup::html), Markup::xhtml);
}

TEST(XhtmlFormat, PagesOfOtherNamesMustSayIt) {
  const std::string_view said =
      "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><p/></html>";
  EXPECT_EQ(markup_of(said, "html", Markup::html), Markup::xhtml);
  EXPECT_EQ(markup_of(said.substr(21), "html", Markup::html), Markup::html);
  EXPECT_EQ(markup_of(std::string(said) + "<p>", "html", Markup::html), Markup::html);
}

}  // namespace
}  // namespace twinset
