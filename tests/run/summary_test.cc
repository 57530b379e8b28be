#include "run/summary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/message.h"

namespace twinset {
namespace {

TEST(Summary, ListsAreJsonWhateverTheyHold) {
  const std::vector<std::string> values{"a \"quoted\"\n.jsonl", "\xff"};
  const std::string text = json_list(values);
  const Result<JsonNode> parsed = read_json(text, "list");
  ASSERT_TRUE(parsed.ok());
  const std::vector<JsonNode> elements = parsed.value().elements();
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_EQ(elements[0].text(), "a \"quoted\"\n.jsonl");
  EXPECT_EQ(elements[1].text(), "\xef\xbf\xbd");
}

// A file has no door, and no mark of a message.
TEST(Summary, MessagesNameOptionsPlainly) {
  const std::vector<std::string> warnings{"raise " + option("max_group") + " or add " +
                                          option("shape", "stars")};
  EXPECT_EQ(json_list(warnings), "[\"raise max_group or add shape=stars\"]");
}

TEST(Summary, EachMemberHasALine) {
  std::string text;
  SummaryLines lines(text);
  lines.number("read", 3);
  lines.string("scheme", "fss");
  lines.end();
  EXPECT_EQ(text, "{\n  \"read\": 3,\n  \"scheme\": \"fss\"\n}\n");
}

TEST(Summary, InputsAreReadBack) {
  RunFacts facts;
  facts.inputs = {{"in/a.html.gz", "a.html.gz", false, "html", true, "gzip", 1, 0x1234}};
  const std::string text = "{\"files\": " + inputs_json(facts) + "}";
  const Result<JsonNode> parsed = read_json(text, "summary");
  ASSERT_TRUE(parsed.ok());
  const std::vector<InputFacts> inputs = read_input_facts(parsed.value());
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(inputs[0].file, "in/a.html.gz");
  EXPECT_EQ(inputs[0].name, "a.html.gz");
  EXPECT_TRUE(inputs[0].html);
  EXPECT_EQ(inputs[0].compression, "gzip");
  EXPECT_EQ(inputs[0].checksum, 0x1234U);
}

}  // namespace
}  // namespace twinset
