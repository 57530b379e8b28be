// S-24: NITF, a story a file.
#include <gtest/gtest.h>

#include <string>

#include "io/first_look.h"
#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

const std::string story = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nitf SYSTEM "nitf-3-3.dtd">
<nitf><head><title>Page title</title>
<meta content="World; Business" name="online_sections"/><meta name="dsk" content="Foreign Desk"/>
<docdata><doc-id id-string="1815718"/><date.issue norm="20070101T000000"/>
<identified-content><classifier class="indexing_service" type="descriptor">Trade</classifier>
<person class="indexing_service">Doe, J</person><location>Japan</location></identified-content></docdata>
<pubdata date.publication="20070102" position.section="1"/></head>
<body><body.head><hedline><hl1>Trade Surplus &amp; more</hl1></hedline><byline>By A. WRITER</byline>
<dateline>TOKYO</dateline></body.head>
<body.content><block class="full_text"><p>Caf&#233;s <em>grew</em>.</p><p>Again.</p></block></body.content>
</body></nitf>)";

TEST(Nitf, AStoryHasItsFields) {
  const testing::ScratchFolder folder;
  const std::string path = folder.write("x.nitf", story);
  const auto field = [&](const std::string& name) {
    FieldNames fields;
    fields.named = {name};
    return testing::read_file(path, "nitf", Compression::none, {}, fields).records.at(0).field;
  };
  const testing::ReadRecord record = testing::read_file(path, "nitf").records.at(0);
  EXPECT_EQ(record.raw, story);
  EXPECT_EQ(record.text, "Caf\u00e9s grew.\nAgain.");
  EXPECT_EQ(record.id, "1815718");
  EXPECT_EQ(record.markup, Markup::none);
  EXPECT_EQ(field("headline"), "\"Trade Surplus & more\"");
  EXPECT_EQ(field("byline"), "\"By A. WRITER\"");
  EXPECT_EQ(field("dateline"), "\"TOKYO\"");
  EXPECT_EQ(field("date"), "\"20070101T000000\"");
  EXPECT_EQ(field("section"), "1");
  EXPECT_EQ(field("desk"), "\"Foreign Desk\"");
  EXPECT_EQ(field("topics"), "\"Trade\"");
  EXPECT_EQ(field("people"), "\"Doe, J\"");
  EXPECT_EQ(field("places"), "\"Japan\"");
  EXPECT_EQ(look_at(disk(), folder.write("story.xml", story), {}).format, "nitf");
}

TEST(Nitf, TheCharsetIsThatOfItsDeclaration) {
  const testing::ScratchFolder folder;
  const std::string latin =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><nitf><body><body.content>"
      "caf\xe9</body.content></body></nitf>";
  const testing::ReadFile file = testing::read_file(folder.write("x.nitf", latin), "nitf");
  EXPECT_EQ(file.records.at(0).text, "caf\u00e9");
}

TEST(Nitf, OtherXmlIsNoDocument) {
  const testing::ScratchFolder folder;
  const testing::ReadFile file =
      testing::read_file(folder.write("x.nitf", "<rss><item/></rss>"), "nitf");
  EXPECT_EQ(file.records.at(0).bad, BadReason::missing_text);
}

}  // namespace
}  // namespace twinset
