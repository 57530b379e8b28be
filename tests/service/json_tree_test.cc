#include "json_tree.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset::service {
namespace {

constexpr std::size_t plenty = 1000;

std::string again(const std::string& text) {
  const Result<JsonTree> tree = JsonTree::parse(text, plenty);
  return tree.ok() ? tree.value().root().raw() : "error: " + tree.error().message;
}

TEST(JsonTree, IsWhatWasWritten) {
  EXPECT_EQ(again(R"( {"a": [1.50, -2e4, 12345678901234567890123], "b": {"c": null, "d": []}} )"),
            R"({"a":[1.50,-2e4,12345678901234567890123],"b":{"c":null,"d":[]}})");
  EXPECT_EQ(again(R"([true, false, "", {}, "a\"b\\c\u00e9\n\u0000"])"),
            "[true,false,\"\",{},\"a\\\"b\\\\c\xc3\xa9\\n\\u0000\"]");
  // Longer than the parser's own buffer, with an escape at its end.
  const std::string longer = std::string(10'000, 'x') + "\\t";
  EXPECT_EQ(again("[\"" + longer + "\"]"), "[\"" + std::string(10'000, 'x') + "\\u0009\"]");
}

TEST(JsonTree, MembersAreInTheirOrder) {
  const JsonTree tree = JsonTree::parse(R"({"z": {"y": [1]}, "a": "b"})", plenty).value();
  const std::vector<JsonMember> members = tree.root().members();
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].name, "z");
  EXPECT_EQ(members[0].value.type(), JsonType::object);
  EXPECT_EQ(members[1].name, "a");
  EXPECT_EQ(members[1].value.text(), "b");
  EXPECT_TRUE(members[1].value.members().empty());
}

TEST(JsonTree, TheFirstWrongByteIsTold) {
  EXPECT_EQ(again("[1, 2"), "error: no JSON at byte 5: it ends too early");
  EXPECT_EQ(again("[1] x"), "error: no JSON at byte 4: more follows after the value");
  EXPECT_EQ(again(""), "error: no JSON at byte 0: it ends too early");
  EXPECT_EQ(again("[NaN]"), "error: no JSON at byte 1: syntax error");
  EXPECT_EQ(again("[\"a\xff\"]"), "error: byte 3 is not valid UTF-8");
  EXPECT_EQ(again(R"(["\ud800"])").substr(0, 5), "error");
}

TEST(JsonTree, AMemberIsNotGivenTwice) {
  EXPECT_EQ(again(R"([{"a": 1, "b": 2, "a": 3}])"), "error: an object has 'a' twice");
  EXPECT_EQ(again(R"([{"a": 1}, {"\u0061": 2, "a": 3}])"), "error: an object has 'a' twice");
}

TEST(JsonTree, ADeepTextIsRefused) {
  const std::string deep(most_json_depth, '[');
  EXPECT_EQ(again(deep + std::string(most_json_depth, ']')),
            deep + std::string(most_json_depth, ']'));
  EXPECT_EQ(again(std::string(100'000, '[')).substr(0, 63),
            "error: no JSON at byte 64: it is more than 64 levels deep");
}

TEST(JsonTree, ManyValuesAreRefused) {
  std::string many = "[0";
  for (std::size_t i = 0; i < plenty; ++i) many += ",0";
  EXPECT_EQ(again(many + "]"), "error: it has more than 1000 values");
}

TEST(InvalidUtf8, IsFoundAtItsFirstByte) {
  EXPECT_EQ(invalid_utf8_at("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), std::string::npos);
  EXPECT_EQ(invalid_utf8_at("\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"), std::string::npos);
  for (const std::string bad :
       {"\x80", "\xc1\x81", "\xc3", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xe2\x82z", "\xff"}) {
    EXPECT_EQ(invalid_utf8_at("ab" + bad), 2U) << bad;
  }
}

}  // namespace
}  // namespace twinset::service
