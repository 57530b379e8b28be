#include "io/json_fields.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <array>
#include <optional>
#include <string>

#include "io/json_string.h"
#include "support/json_samples.h"
#include "support/simd_levels.h"

namespace twinset {
namespace {

using testing::JsonSamples;

struct Found {
  bool valid = false;
  std::vector<FoundField> fields;
  std::string room;
  JsonFault fault;
};

Found find(std::string_view line, std::vector<std::string_view> names) {
  Found found;
  const FieldPaths paths(names);
  found.fields.resize(names.size());
  found.room.resize(line.size() + json_string_slack);
  found.valid = find_json_fields(line, paths, found.fields, found.room.data(), found.fault);
  return found;
}

std::string_view raw(std::string_view line, std::string_view name) {
  const Found found = find(line, {name});
  EXPECT_TRUE(found.valid) << line << ": " << found.fault.what;
  return found.fields[0].value.raw;
}

TEST(JsonFields, FindsAtTheTop) {
  const std::string line = R"({"id": 7, "text": "a\nb", "more": [1, {"text": 2}]})";
  const Found found = find(line, {"text", "id", "none"});
  ASSERT_TRUE(found.valid);
  EXPECT_EQ(found.fields[0].text, "a\nb");
  EXPECT_EQ(found.fields[0].value.raw, R"("a\nb")");
  EXPECT_EQ(found.fields[1].value.raw, "7");
  EXPECT_EQ(found.fields[2].value.kind, JsonKind::none);
}

TEST(JsonFields, PlainTextIsNotCopied) {
  const std::string line = R"({"text": "as it stands"})";
  const Found found = find(line, {"text"});
  EXPECT_EQ(found.fields[0].text, "as it stands");
  EXPECT_EQ(found.fields[0].text.data(), line.data() + 10);
}

TEST(JsonFields, FollowsDots) {
  EXPECT_EQ(raw(R"({"a": {"b": {"c": 1}}})", "a.b.c"), "1");
  EXPECT_EQ(raw(R"({"a": {"b": {"c": 1}}})", "a.b"), R"({"c": 1})");
  EXPECT_EQ(raw(R"({"a": {"x": 0, "b": {"c": 1}, "y": 2}, "c": 3})", "a.b.c"), "1");
  EXPECT_EQ(raw(R"({"b": 1, "a": {"c": 2}})", "a.b"), "");
  EXPECT_EQ(raw(R"({"a": [{"b": 1}]})", "a.b"), "");
  EXPECT_EQ(raw(R"({"a": "b"})", "a.b"), "");
  EXPECT_EQ(raw(R"({"a.b": 1})", "a.b"), "");
  EXPECT_EQ(raw(R"({"a.b": 1, "a": {"b": 2}})", R"(a\.b)"), "1");
  EXPECT_EQ(raw(R"({"a.b": {"c.d": 1}})", R"(a\.b.c\.d)"), "1");
  EXPECT_EQ(raw(R"({"a\\": {"b": 1}})", R"(a\\.b)"), "1");
  EXPECT_EQ(raw(R"({"a\\b": 1})", R"(a\b)"), "1");
  EXPECT_EQ(raw(R"({"": {"": 5}})", "."), "5");
  EXPECT_EQ(raw(R"({"": 5})", ""), "");
}

TEST(JsonFields, PathsMayShareTheirWay) {
  const std::string line = R"({"m": {"t": "x\ty", "i": 1, "n": {"o": true}}, "i": 2})";
  const Found found = find(line, {"m.t", "m.i", "m.n.o", "m", "i", "m.t"});
  ASSERT_TRUE(found.valid);
  EXPECT_EQ(found.fields[0].text, "x\ty");
  EXPECT_EQ(found.fields[1].value.raw, "1");
  EXPECT_EQ(found.fields[2].value.raw, "true");
  EXPECT_EQ(found.fields[3].value.raw, R"({"t": "x\ty", "i": 1, "n": {"o": true}})");
  EXPECT_EQ(found.fields[4].value.raw, "2");
  EXPECT_EQ(found.fields[5].value.raw, R"("x\ty")");
}

TEST(JsonFields, TheLastOfEqualKeysWins) {
  EXPECT_EQ(raw(R"({"a": 1, "a": 2})", "a"), "2");
  EXPECT_EQ(raw(R"({"a": 1, "\u0061": 2})", "a"), "2");
  EXPECT_EQ(raw(R"({"a": {"b": 1}, "a": {"b": 2}})", "a.b"), "2");
  EXPECT_EQ(raw(R"({"a": {"b": 1}, "a": {"c": 2}})", "a.b"), "");
  EXPECT_EQ(raw(R"({"a": {"b": 1}, "a": 3})", "a.b"), "");
  EXPECT_EQ(raw(R"({"a": {"b": 1, "b": 4}})", "a.b"), "4");
  const std::string line = R"({"text": "the \"first\"", "text": "se\tcond"})";
  EXPECT_EQ(find(line, {"text"}).fields[0].text, "se\tcond");
  EXPECT_EQ(find(R"({"text": "x", "text": 1})", {"text"}).fields[0].value.kind, JsonKind::number);
}

TEST(JsonFields, ChecksWhatNobodyAskedFor) {
  const auto expect_fault = [](std::string_view line, std::ptrdiff_t at, std::string_view what) {
    const Found found = find(line, {"text", "m.id"});
    EXPECT_FALSE(found.valid) << line;
    EXPECT_EQ(found.fault.at - line.data(), at) << line;
    EXPECT_EQ(found.fault.what, what) << line;
  };
  expect_fault(R"([])", 0, "not an object");
  expect_fault("", 0, "the value ends too early");
  expect_fault(R"("text")", 0, "not an object");
  expect_fault(R"({"text": "x"} x)", 14, "something follows the object");
  expect_fault(R"({"text": "x"}})", 13, "something follows the object");
  expect_fault(R"({"text": "x")", 12, "the value ends too early");
  expect_fault(R"({"text": "x",})", 13, "a key is missing");
  expect_fault(R"({"text": "x" "y": 1})", 13, "a comma or } is missing");
  expect_fault(R"({"text" "x"})", 8, "a colon is missing");
  expect_fault(R"({"a": [1,, 2], "text": "x"})", 9, "a value is missing");
  expect_fault(R"({"a": "\x", "text": "x"})", 7, "invalid escape in a string");
  expect_fault(R"({"m": {"id": 01}, "text": "x"})", 13, "number with a leading zero");
  expect_fault(R"({"m": {"id": 1 "x": 2}, "text": "x"})", 15, "a comma or } is missing");
  expect_fault(R"({"m": {"id": 1, "text": "x"})", 28, "the value ends too early");
}

TEST(JsonFields, DepthIsCountedFromTheTop) {
  const auto line = [](std::size_t depth) {
    return R"({"m": {"deep": )" + std::string(depth, '[') + std::string(depth, ']') + "}}";
  };
  EXPECT_TRUE(find(line(max_json_depth - 2), {"m.x"}).valid);
  EXPECT_FALSE(find(line(max_json_depth - 1), {"m.x"}).valid);
  EXPECT_FALSE(find(line(max_json_depth - 1), {"x"}).valid);
}

/// The last value of that path, by simdjson's parse of the whole.
std::optional<simdjson::dom::element> last(simdjson::dom::element value,
                                           std::vector<std::string_view> steps) {
  for (const std::string_view step : steps) {
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) return std::nullopt;
    std::optional<simdjson::dom::element> found;
    for (const simdjson::dom::key_value_pair field : object) {
      if (field.key == step) found = field.value;
    }
    if (!found) return std::nullopt;
    value = *found;
  }
  return value;
}

TEST(JsonFields, AgreesWithSimdjson) {
  testing::for_each_simd_level([] {
    JsonSamples samples(5);
    simdjson::dom::parser parser;
    int strings = 0;
    for (int round = 0; round < 10'000; ++round) {
      const std::string line = samples.object();
      const simdjson::padded_string padded(line);
      simdjson::dom::element whole;
      ASSERT_EQ(parser.parse(padded).get(whole), simdjson::SUCCESS) << line;
      const Found found = find(line, {"text", "meta.text", "meta.meta.id"});
      ASSERT_TRUE(found.valid) << line << found.fault.what;
      const std::vector<std::vector<std::string_view>> steps{
          {"text"}, {"meta", "text"}, {"meta", "meta", "id"}};
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto wanted = last(whole, steps[i]);
        const JsonValue& value = found.fields[i].value;
        ASSERT_EQ(value.kind != JsonKind::none, wanted.has_value()) << line;
        if (!wanted) continue;
        simdjson::dom::parser again;
        ASSERT_EQ(simdjson::minify(again.parse(simdjson::padded_string(value.raw))),
                  simdjson::minify(*wanted))
            << line;
        std::string_view text;
        if (i == 0 && wanted->get(text) == simdjson::SUCCESS) {
          ++strings;
          ASSERT_EQ(found.fields[0].text, text) << line;
        }
      }
    }
    EXPECT_GT(strings, 1000);
  });
}

}  // namespace
}  // namespace twinset
