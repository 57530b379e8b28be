// S-24: news in SGML as found. Where TWINSET_DATA is set, Reuters-21578 is read by the test
// end to end (tests/cli/formats_test.py) and held against another reader.
#include <gtest/gtest.h>

#include <string>

#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

const std::string first =
    "<REUTERS TOPICS=\"YES\" OLDID=\"5544\" NEWID=\"1\">\n<DATE>26-FEB-1987 15:01:01.79</DATE>\n"
    "<TOPICS><D>cocoa</D><D>tea &amp; "
    "milk</D></TOPICS>\n<PLACES><D>usa</D></PLACES>\n<PEOPLE></PEOPLE>\n"
    "<TEXT>&#2;\n<TITLE>BAHIA COCOA\nREVIEW</TITLE>\n<AUTHOR>    By A. Writer</AUTHOR>\n"
    "<DATELINE>    SALVADOR, Feb 26 - </DATELINE><BODY>Showers &lt;continued>\n\nthroughout.\n"
    "&#3;</BODY></TEXT>\n</REUTERS>\n";
const std::string brief =
    "<REUTERS NEWID=\"2\"><TEXT TYPE=\"BRIEF\">&#2;\n<TITLE>RATES UP "
    "***</TITLE>\n&#3;</TEXT></REUTERS>\n";
const std::string trec =
    "<DOC>\n<DOCNO> FT911-3 </DOCNO>\n<HEADLINE>\nA head\n</HEADLINE>\n<TEXT>\nOne.\n</TEXT>\n"
    "<TEXT>Two.</TEXT>\n</DOC>\n";

class Sgml : public ::testing::Test {
 protected:
  testing::ReadFile read(std::string_view bytes, const FieldNames& fields = {},
                         const ReaderLimits& limits = {}) {
    return testing::read_file(folder_.write("x.sgm", bytes), "sgml", Compression::none, limits,
                              fields);
  }
  std::string field(std::string_view story, const std::string& name) {
    FieldNames fields;
    fields.named = {name};
    return read(story, fields).records.at(0).field;
  }
  std::string text(std::string_view story, const std::string& name) {
    FieldNames fields;
    fields.text = name;
    const testing::ReadRecord record = read(story, fields).records.at(0);
    return record.bad == BadReason::none ? record.text : std::string(reason_name(record.bad));
  }
  testing::ScratchFolder folder_;
};

TEST_F(Sgml, StoriesAreRecordsAndTheRestIsCarried) {
  const std::string doctype = "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n";
  const testing::ReadFile file = read(doctype + first + "\n" + brief + "stray\n");
  ASSERT_EQ(file.records.size(), 4U);
  EXPECT_EQ(file.records[0].raw, doctype);
  EXPECT_TRUE(file.records[0].carried);
  EXPECT_EQ(file.records[1].raw, first + "\n");
  EXPECT_EQ(file.records[1].number, 2U);
  EXPECT_EQ(file.records[1].id, "1");
  EXPECT_EQ(file.records[1].text, "Showers <continued>\n\nthroughout.");
  EXPECT_EQ(file.records[2].text, "RATES UP ***");
  EXPECT_EQ(file.records[3].raw, "stray\n");
  EXPECT_TRUE(file.records[3].carried);
  EXPECT_EQ(read(trec).records.at(0).id, "\"FT911-3\"");
  EXPECT_EQ(read(trec).records.at(0).text, "One.\nTwo.");
}

TEST_F(Sgml, FieldsKeepTheirNames) {
  EXPECT_EQ(field(first, "title"), "\"BAHIA COCOA REVIEW\"");
  EXPECT_EQ(field(first, "headline"), "\"BAHIA COCOA REVIEW\"");
  EXPECT_EQ(field(trec, "title"), "\"A head\"");
  EXPECT_EQ(field(first, "byline"), "\"By A. Writer\"");
  EXPECT_EQ(field(first, "dateline"), "\"SALVADOR, Feb 26 -\"");
  EXPECT_EQ(field(first, "date"), "\"26-FEB-1987 15:01:01.79\"");
  EXPECT_EQ(field(first, "topics"), "[\"cocoa\", \"tea & milk\"]");
  EXPECT_EQ(field(first, "places"), "\"usa\"");
  EXPECT_EQ(field(first, "people"), "");
  EXPECT_EQ(field(first, "reuters@oldid"), "5544");
  EXPECT_EQ(field(first, "TEXT@TYPE"), "");
  EXPECT_EQ(field(brief, "text@type"), "\"BRIEF\"");
}

TEST_F(Sgml, TextsAreTheFieldsAskedFor) {
  EXPECT_EQ(text(first, "title,body"), "BAHIA COCOA REVIEW\nShowers <continued>\n\nthroughout.");
  EXPECT_EQ(text(brief, "body"), "missing_text");
  EXPECT_EQ(text(brief, "title,body"), "RATES UP ***");
  EXPECT_EQ(text("<DOC><TEXT TYPE=\"UNPROC\">&#2;\nA note&#31;\n&#3;</TEXT></DOC>", "text"),
            "A note");
  EXPECT_EQ(text("<DOC><DOCNO>1</DOCNO></DOC>", "text"), "missing_text");
  EXPECT_EQ(
      text("<DOC><TEXT><!-- no --><P>One</P><P>Two<em>more</em></P><![CDATA[<x>&]]></TEXT></DOC>",
           "text"),
      "One\nTwomore\n<x>&");
}

// No ends of tags where they matter least, and any case.
TEST_F(Sgml, TagsAreTakenAsTheyAreFound) {
  const std::string loose =
      "<doc id=7 type='story'>\n<date>1 May\n<Headline>Rain\n<TEXT>\nIt rained, A < B & "
      "C.\n</doc>\n";
  EXPECT_EQ(read(loose).records.at(0).id, "7");
  EXPECT_EQ(field(loose, "date"), "\"1 May\"");
  EXPECT_EQ(field(loose, "title"), "\"Rain\"");
  EXPECT_EQ(text(loose, "text"), "It rained, A < B & C.");
}

TEST_F(Sgml, AStoryThatIsNotClosedEndsWhereTheNextBegins) {
  const std::string open = "<REUTERS NEWID=\"3\"><TEXT><BODY>never closed\n";
  testing::ReadFile file = read(first + open + brief);
  ASSERT_EQ(file.records.size(), 3U);
  EXPECT_EQ(file.records[1].bad, BadReason::damaged_record);
  EXPECT_EQ(file.records[1].raw, open);
  EXPECT_EQ(file.records[1].detail, "the story is not closed");
  EXPECT_EQ(file.records[2].id, "2");
  file = read(brief + open);
  ASSERT_EQ(file.records.size(), 2U);
  EXPECT_EQ(file.records[1].bad, BadReason::damaged_record);
  ReaderLimits limits;
  limits.max_record_bytes = 200;
  limits.batch_bytes = 20;
  file = read(brief + open + std::string(500, 'x') + brief, {}, limits);
  ASSERT_EQ(file.records.size(), 3U);
  EXPECT_EQ(file.records[1].bad, BadReason::damaged_record);
  EXPECT_EQ(file.records[1].length, open.size() + 500);
  EXPECT_EQ(file.records[2].id, "2");
}

TEST_F(Sgml, RecordsDoNotDependOnBatches) {
  const std::string bytes =
      "<!DOCTYPE lewis>\n" + first + "<REUTERS>open" + trec + "  x <DOCNO> y\n" + brief;
  const testing::ReadFile whole = read(bytes);
  ASSERT_EQ(whole.records.size(), 6U);
  for (std::uint64_t i = 1; i < 200; ++i) {
    ReaderLimits limits;
    limits.batch_bytes = i;
    EXPECT_EQ(read(bytes, {}, limits).records, whole.records) << i;
  }
}

}  // namespace
}  // namespace twinset
