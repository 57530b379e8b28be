#include "asked.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema.h"

namespace twinset::service {
namespace {

enum class Shape : std::uint8_t { round, square };

struct Part {
  std::string name;
  bool big = false;
};

std::vector<Field> fields_of(Part& part) {
  return {{"name", &part.name, Unit::text, "its name"},
          if_given({"big", &part.big, Unit::text, "it is big"})};
}

struct Query {
  std::uint64_t top = 10;
  std::optional<Ratio> share;
  bool exact = false;
  Shape shape = Shape::round;
  std::vector<std::string> words;
  std::string name;
  std::optional<std::string> text;
  std::vector<Part> parts;
};

Members members_of(Query& query) {
  using enum OptionRole;
  using enum Heading;
  return {.options = {{"--top N", &query.top, decides, most_used, "at most so many"},
                      {"--share SHARE", &query.share, decides, most_used, "at least"},
                      {"--exact", &query.exact, decides, most_used, "exactly"},
                      {"--shape", Choice(&query.shape, {"round", "square"}), decides, most_used,
                       "its shape"},
                      {"--words WORD", &query.words, decides, most_used, "words"},
                      required({"name NAME", &query.name, decides, most_used, "a name"})},
          .fields = {if_given({"text", &query.text, Unit::text, "a text"}),
                     if_given({"parts", NestedList(&query.parts), Unit::count, "parts"})}};
}

std::string read(const std::string& json, Query& query) {
  const JsonTree tree = JsonTree::parse(json, 1000).value();
  const Status status = read_members(tree.root(), members_of(query));
  return status.ok() ? "" : status.error().message;
}

TEST(Asked, MembersAreReadAsDeclared) {
  Query query;
  EXPECT_EQ(read(R"({"top": 3, "share": 0.8, "exact": true, "shape": "square", "words": ["a", "b"],
                     "name": "n", "text": "\u00e9", "parts": [{"name": "p", "big": true},
                     {"name": "q"}]})",
                 query),
            "");
  EXPECT_EQ(query.top, 3U);
  EXPECT_EQ(query.share, Ratio(4, 5));
  EXPECT_TRUE(query.exact);
  EXPECT_EQ(query.shape, Shape::square);
  EXPECT_EQ(query.words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(query.text, "\xc3\xa9");
  ASSERT_EQ(query.parts.size(), 2U);
  EXPECT_TRUE(query.parts[0].big);
  EXPECT_EQ(query.parts[1].name, "q");
  EXPECT_EQ(read(R"({"share": "90%", "name": "n"})", query), "");
  EXPECT_EQ(query.share, Ratio(9, 10));
  EXPECT_EQ(read(R"({"share": null, "text": null, "name": "n"})", query), "");
  EXPECT_EQ(query.share, std::nullopt);
  EXPECT_EQ(query.text, std::nullopt);
}

TEST(Asked, WhatIsWrongIsNamed) {
  Query query;
  for (const auto& [json, word] : std::vector<std::pair<std::string, std::string>>{
           {"[]", "an object is wanted, not an array"},
           {"{}", "name: is needed"},
           {R"({"name": 1})", "name: is a string, not a number"},
           {R"({"name": "n", "tip": 1})", "'tip' is not known here; known are text, parts, top"},
           {R"({"name": "n", "top": null})", "top: is a number, not null"},
           {R"({"name": "n", "top": true})", "top: is a number, not true or false"},
           {R"({"name": "n", "top": 1e2})", "top: '1e2' is not a number"},
           {R"({"name": "n", "share": 2})", "share: "},
           {R"({"name": "n", "exact": "true"})", "exact: is true or false, not a string"},
           {R"({"name": "n", "shape": "flat"})", "shape: 'flat' is not one of round, square"},
           {R"({"name": "n", "words": "a"})", "words: is an array of strings, not a string"},
           {R"({"name": "n", "words": [1]})", "words: is of strings, not a number"},
           {R"({"name": "n", "text": 3})", "text: is a string, not a number"},
           {R"({"name": "n", "parts": [{"name": "a"}, {}]})", "parts[1]: name: is needed"},
           {R"({"name": "n", "parts": [{"name": "a", "b": 1}]})", "parts[0]: 'b' is not known"}}) {
    EXPECT_EQ(read(json, query).substr(0, word.size()), word) << json;
  }
}

TEST(Asked, ParametersAreDecoded) {
  const Parameters all = parse_parameters("a=1+2&b=%C3%A9%2b&&c&d==").value();
  EXPECT_EQ(all, (Parameters{{"a", "1 2"}, {"b", "\xc3\xa9+"}, {"c", ""}, {"d", "="}}));
  for (const char* wrong : {"a=%", "a=%4", "a=%zz", "a=%ff", "%C3=1"}) {
    EXPECT_FALSE(parse_parameters(wrong).ok()) << wrong;
  }
}

TEST(Asked, ParametersSetOptions) {
  Query query;
  EXPECT_TRUE(read_parameters({{"name", "n"}, {"exact", ""}, {"words", "a"}, {"words", "b"}},
                              members_of(query))
                  .ok());
  EXPECT_TRUE(query.exact);
  EXPECT_EQ(query.words.size(), 2U);
  EXPECT_FALSE(read_parameters({{"name", "n"}, {"name", "m"}}, members_of(query)).ok());
  EXPECT_FALSE(read_parameters({{"name", "n"}, {"exact", "yes"}}, members_of(query)).ok());
  EXPECT_FALSE(read_parameters({{"name", "n"}, {"parts", "[]"}}, members_of(query)).ok());
}

TEST(Schema, SaysWhatIsRead) {
  Query query;
  const std::string schema = schema_of(members_of(query));
  ASSERT_TRUE(JsonTree::parse(schema, 1000).ok()) << schema;
  for (const char* part :
       {R"("required": ["name"], "additionalProperties": false)",
        R"("shape": {"type": "string", "enum": ["round", "square"], "description": "its shape"})",
        R"("parts": {"type": "array", "items": {"type": "object", "properties": {"name": )"}) {
    EXPECT_NE(schema.find(part), std::string::npos) << part << "\n" << schema;
  }
}

TEST(Schema, SaysWhatIsAnswered) {
  Part part;
  EXPECT_EQ(schema_of(fields_of(part)),
            R"({"type": "object", "properties": {"name": {"type": "string", "description": )"
            R"("its name"}, "big": {"type": "boolean", "description": "it is big"}}, )"
            R"("required": ["name", "big"], "additionalProperties": false})");
}

TEST(Schema, OfSeveralKindsNeedsWhatAllHave) {
  Part part;
  std::uint64_t more = 0;
  const std::vector<Field> whole = fields_of(part);
  const std::string schema = schema_of({whole, {whole.front(), {"more", &more, Unit::count, ""}}});
  EXPECT_NE(schema.find(R"("more": {"type": "integer", "minimum": 0})"), std::string::npos);
  EXPECT_TRUE(schema.ends_with(R"("required": ["name"], "additionalProperties": false})"))
      << schema;
}

}  // namespace
}  // namespace twinset::service
