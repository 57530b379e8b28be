#include "io/json_read.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(JsonRead, ReadsFieldsOfEveryKind) {
  const std::string text =
      R"( {"id": "a\u00e9\n", "n": 12, "x": -0.5, "yes": true, "none": null, "o": {"p": [1, [2], "q"]}} )";
  const JsonNode node = read_json(text, "x").value();
  EXPECT_EQ(node["id"].text(), "a\xc3\xa9\n");
  EXPECT_EQ(node["id"].raw(), R"("a\u00e9\n")");
  EXPECT_EQ(node["n"].integer(), 12U);
  EXPECT_EQ(node["n"].real(), 12.0);
  EXPECT_EQ(node["x"].real(), -0.5);
  EXPECT_EQ(node["x"].integer(), std::nullopt);
  EXPECT_EQ(node["yes"].boolean(), true);
  EXPECT_EQ(node["none"].kind(), JsonKind::null);
  const std::vector<JsonNode> list = node["o"]["p"].elements();
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].integer(), 1U);
  EXPECT_EQ(list[1].raw(), "[2]");
  EXPECT_EQ(list[2].text(), "q");
}

TEST(JsonRead, AskingForWhatIsNotThereGivesNothing) {
  const JsonNode node = read_json(R"({"a": 1})", "x").value();
  EXPECT_FALSE(node["b"]);
  EXPECT_FALSE(node["b"]["c"]);
  EXPECT_EQ(node["b"].text(), "");
  EXPECT_EQ(node["a"].text(), "");
  EXPECT_EQ(node["a"].boolean(), std::nullopt);
  EXPECT_TRUE(node["a"].elements().empty());
  EXPECT_TRUE(node["a"].fields().empty());
  EXPECT_TRUE(node.elements().empty());
  EXPECT_EQ(node.integer(), std::nullopt);
}

TEST(JsonRead, FieldsComeInOrderWithNamesDecoded) {
  const std::string text = R"({"b": 1, "\u0061": 2, "b": 3})";
  const JsonNode node = read_json(text, "x").value();
  const auto fields = node.fields();
  ASSERT_EQ(fields.size(), 3U);
  EXPECT_EQ(fields[0].first, "b");
  EXPECT_EQ(fields[1].first, "a");
  EXPECT_EQ(fields[2].second.integer(), 3U);
  EXPECT_EQ(node["b"].integer(), 3U);
  EXPECT_EQ(node["a"].integer(), 2U);
}

TEST(JsonRead, AWalkEndsWhenItsUserHasEnough) {
  const std::string text = R"({"a": 1, "b": [2, 3], "c": 4})";
  const JsonNode node = read_json(text, "x").value();
  std::string seen;
  node.walk([&](std::string_view key, const JsonNode& value) {
    seen += std::string(key) + std::string(value.raw()) + ";";
    return key != "\"b\"";
  });
  EXPECT_EQ(seen, "\"a\"1;\"b\"[2, 3];");
  node["b"].walk([&](std::string_view key, const JsonNode& value) {
    seen += std::string(key) + std::string(value.raw()) + ";";
    return true;
  });
  EXPECT_EQ(seen, "\"a\"1;\"b\"[2, 3];2;3;");
  node["a"].walk([](std::string_view, const JsonNode&) {
    ADD_FAILURE();
    return true;
  });
}

TEST(JsonRead, NumbersThatDoNotFitAreNone) {
  EXPECT_EQ(read_json("18446744073709551615", "x").value().integer(), ~std::uint64_t{0});
  EXPECT_EQ(read_json("18446744073709551616", "x").value().integer(), std::nullopt);
  EXPECT_EQ(read_json("-1", "x").value().integer(), std::nullopt);
  EXPECT_EQ(read_json("1e2", "x").value().integer(), std::nullopt);
  EXPECT_EQ(read_json("1e2", "x").value().real(), 100.0);
}

TEST(JsonRead, ErrorsNameTheFileAndTheByte) {
  const auto message = [](std::string_view text) {
    const Result<JsonNode> node = read_json(text, "out/summary.json");
    EXPECT_FALSE(node.ok());
    return node.ok() ? "" : node.error().message;
  };
  EXPECT_EQ(message(""), "out/summary.json: a value is missing at byte 0");
  EXPECT_EQ(message("{\"a\": 1"), "out/summary.json: the value ends too early at byte 7");
  EXPECT_EQ(message("{} x"), "out/summary.json: something follows the value at byte 3");
}

TEST(JsonRead, PlainValuesAreStringsAndNumbers) {
  EXPECT_EQ(plain_value("\"a\\u0041\""), "aA");
  EXPECT_EQ(plain_value("1.50"), "1.50");
  EXPECT_EQ(plain_value("null"), std::nullopt);
  EXPECT_EQ(plain_value("[1]"), std::nullopt);
  EXPECT_EQ(plain_value(""), std::nullopt);
  EXPECT_EQ(plain_value("\"open"), std::nullopt);
}

}  // namespace
}  // namespace twinset
