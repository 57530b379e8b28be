#include "io/json_texts.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

std::string joined(std::string_view fields, std::string_view line) {
  const JoinedTexts texts = JsonTexts(fields).join(line);
  return texts.bad == BadReason::none ? texts.text
                                      : std::string(reason_name(texts.bad)) + ": " + texts.detail;
}

constexpr std::string_view chat =
    R"({"id": 1, "messages": [{"role": "user", "content": "one"}, {"role": "tool", "content": null},
        {"role": "assistant", "content": "t\u0077o"}, {"role": "none"}]})";

TEST(JsonTexts, SeveralFieldsAreJoinedInTheOrderOfTheirNames) {
  EXPECT_EQ(joined("title,body", R"({"body": "b", "title": "a"})"), "a\nb");
  EXPECT_EQ(joined("title,body", R"({"title": null, "body": "b"})"), "b");
  EXPECT_EQ(joined("a.b,c", R"({"a": {"b": "x"}, "c": "y"})"), "x\ny");
  EXPECT_EQ(joined("a,a", R"({"a": "x"})"), "x\nx");
  EXPECT_EQ(joined("a\\,b,c", R"({"a,b": "x", "c": "y"})"), "x\ny");
  EXPECT_EQ(joined("a\\.b,c\\[\\]", R"({"a.b": "x", "c[]": "y"})"), "x\ny");
}

TEST(JsonTexts, ListsGiveATextForEachElement) {
  EXPECT_EQ(joined("messages[].content", chat), "one\ntwo");
  EXPECT_EQ(joined("tags[]", R"({"tags": ["a", "b"]})"), "a\nb");
  EXPECT_EQ(joined("rows[][].x", R"({"rows": [[{"x": "a"}], [], [{"x": "b"}, {}]]})"), "a\nb");
  EXPECT_EQ(joined("m[].parts[].text", R"({"m": [{"parts": [{"text": "a"}, {"text": "b"}]}]})"),
            "a\nb");
}

TEST(JsonTexts, WhatIsMissingOrOfAnotherKindIsSaid) {
  EXPECT_EQ(joined("title,body", R"({"id": 1})"), "missing_text: no field \"title,body\"");
  EXPECT_EQ(joined("messages[].content", R"({"messages": []})"),
            "missing_text: no field \"messages[].content\"");
  EXPECT_EQ(joined("messages[].content", R"({"messages": [{"content": ["x"]}]})"),
            "text_not_string: \"messages[].content\" is an array");
  EXPECT_EQ(joined("title,body", R"({"title": 3, "body": "x"})"),
            "text_not_string: \"title\" is a number");
}

TEST(JsonTexts, TellsPlainNamesFromOthers) {
  for (const char* plain : {"text", "a.b", "a\\.b", "a[b", "a\\\\", ""}) {
    EXPECT_FALSE(names_several_texts(plain)) << plain;
    EXPECT_TRUE(check_json_texts(plain).ok()) << plain;
  }
  for (const char* several : {"a,b", "a[]", "a[].b", "a\\,b"}) {
    EXPECT_TRUE(names_several_texts(several)) << several;
    EXPECT_TRUE(check_json_texts(several).ok()) << several;
  }
  for (const char* wrong : {"a,", ",a", "a,,b", "a..b,c", "a[]b", "[].a", "a[,b", "a,b["}) {
    EXPECT_FALSE(check_json_texts(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace twinset
