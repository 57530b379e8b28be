// A page is read like a file of text, and its text is marked as HTML.
#include <gtest/gtest.h>

#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using testing::read_file;
using testing::ReadFile;
using testing::ScratchFolder;

TEST(HtmlFormat, AFileIsOneDocumentByteForByte) {
  ScratchFolder folder;
  for (const std::string_view page : {std::string_view(), std::string_view("<p>a&lt;b"),
                                      std::string_view("\xc3\xa9\xff\0<", 5)}) {
    const ReadFile file = read_file(folder.write("x", page), "html", Compression::none, {});
    EXPECT_EQ(file.error, "");
    ASSERT_EQ(file.records.size(), 1U);
    EXPECT_EQ(file.records[0].number, 1U);
    EXPECT_TRUE(file.records[0].raw == page);
    EXPECT_TRUE(file.records[0].text == page);
    EXPECT_EQ(file.records[0].bad, BadReason::none);
  }
}

TEST(HtmlFormat, TooLongAPageIsBad) {
  ScratchFolder folder;
  ReaderLimits limits;
  limits.max_record_bytes = 3;
  const ReadFile file = read_file(folder.write("x", "<p>a"), "html", Compression::none, limits);
  ASSERT_EQ(file.records.size(), 1U);
  EXPECT_EQ(file.records[0].bad, BadReason::record_too_long);
}

TEST(HtmlFormat, SaysThatItsTextsAreHtml) {
  EXPECT_EQ(find_format("html")->declaration->markup, Markup::html);
  EXPECT_EQ(find_format("text")->declaration->markup, Markup::none);
  EXPECT_EQ(find_format("jsonl")->declaration->markup, Markup::none);
}

}  // namespace
}  // namespace twinset
