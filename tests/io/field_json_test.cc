// A toy result, both ways; then each way in which a file of results can be wrong.
#include "io/field_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "io/toy_result.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

using testing::ToyPart;
using testing::ToyResult;
using testing::ToyShape;

ToyResult filled() {
  ToyResult toy;
  toy.done = true;
  toy.read = 5;
  toy.kept = 3;
  toy.removed = 2;
  toy.version = 7;
  toy.share = 0.25;
  toy.exact = 1.0 / 3;
  toy.expected = 2.4e-18;
  toy.threshold = Ratio(4, 5);
  toy.name = "a \"b\"\n";
  toy.shape = ToyShape::square;
  toy.other = ToyShape::round;
  toy.checksum = 42;
  toy.id = "[1, 2]";
  toy.limit = 9;
  toy.mean = 0.5;
  toy.tries = 4;
  toy.floor = Ratio(1, 4);
  toy.first = "x";
  toy.counts = {0, 1};
  toy.shares = {0.5, 1};
  toy.warnings = {"one", "two"};
  toy.names = {{"a", "b"}, {}};
  toy.part = {"", 1.5, {3}};
  toy.rest = ToyPart{"", 2, {}};
  toy.parts = {{"", 0, {}}, {"", 1, {4}}};
  toy.lines = {{"", 0, {}}, {"", 2, {}}};
  toy.stages = {{"read", 0.1, {}}, {"write", 0.2, {}}};
  toy.range = {1, 2};
  toy.ranges = {{3, 4}, {5, 6}};
  toy.steps = {{1, 1}, {0, 18446744073709551615U}};
  toy.given = 6;
  toy.last = {7, 8};
  toy.has_last = true;
  toy.parts_listed = 2;
  return toy;
}

std::string json_of(ToyResult toy) { return fields_json(fields_of(toy), JsonLayout::lines); }

/// The message of the error; empty: it was read.
std::string refusal(const std::string& json) {
  ToyResult toy;
  const Status read = read_fields(json, "toy.json", fields_of(toy));
  if (read.ok()) return "";
  EXPECT_EQ(read.error().code, ErrorCode::io);
  return read.error().message;
}

/// The JSON of filled() with `old` replaced, which must be there.
std::string changed(const std::string& old, const std::string& by) {
  std::string json = json_of(filled());
  const std::size_t at = json.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return json.replace(at, old.size(), by);
}

TEST(FieldJson, EveryKindIsWritten) {
  EXPECT_EQ(json_of(filled()), R"({
  "read": 5,
  "kept": 3,
  "removed": 2,
  "gone": 2,
  "done": true,
  "version": 7,
  "share": 0.25,
  "exact": 0.3333333333333333,
  "expected": 2.4e-18,
  "threshold": "0.8",
  "name": "a \"b\"\n",
  "shape": "square",
  "other": "round",
  "checksum": "42",
  "id": [1, 2],
  "limit": 9,
  "mean": 0.5,
  "tries": 4,
  "floor": "0.25",
  "first": "x",
  "counts": [0, 1],
  "shares": [0.5, 1],
  "warnings": ["one","two"],
  "names": [["a","b"], []],
  "part": {"seconds": 1.5, "sizes": [3]},
  "group": {"read": 5},
  "rest": {"seconds": 2, "sizes": []},
  "parts": [{"seconds": 0, "sizes": []}, {"seconds": 1, "sizes": [4]}],
  "lines": [
    {"seconds": 0, "sizes": []},
    {"seconds": 2, "sizes": []}],
  "stages": {"read": {"seconds": 0.1, "sizes": []}, "write": {"seconds": 0.2, "sizes": []}},
  "range": [1, 2],
  "ranges": [[3, 4], [5, 6]],
  "steps": [[1, 1], [0, 18446744073709551615]],
  "given": 6,
  "last": {"begin": 7, "end": 8},
  "kept_share": 0.6,
  "any_left": true,
  "kept_in_words": "\"three\""
}
)");
}

TEST(FieldJson, FieldsOfNoResultAreAnObjectOnALine) {
  std::string to = "all \xff";
  std::uint64_t times = 2;
  EXPECT_EQ(to_json({{"to", &to, Unit::text}, {"times", &times}}),
            "{\"to\": \"all \xef\xbf\xbd\", \"times\": 2}");
}

TEST(FieldJson, FieldsThatAreNotSetAreLeftOutOrNull) {
  ToyResult toy;
  toy.id = "\"a\"";
  EXPECT_EQ(fields_json(fields_of(toy)),
            R"({"read": 0, "kept": 0, "removed": 0, "gone": 0, "done": false, "version": 0, )"
            R"("share": 0, "exact": 0, "expected": 0, "threshold": "0.5", "name": "", )"
            R"("shape": "round", "checksum": "0", "id": "a", "mean": null, "counts": [], )"
            R"("warnings": [], "part": {"seconds": 0, "sizes": []}, "group": {"read": 0}, )"
            R"("parts": [], "stages": {}, "range": [0, 0], "ranges": [], "steps": [], "given": 1, )"
            R"("last": null, )"
            R"("kept_share": 0, "any_left": false})");
}

TEST(FieldJson, WhatWasWrittenIsReadBack) {
  for (const bool full : {false, true}) {
    ToyResult toy = full ? filled() : ToyResult();
    if (!full) toy.id = "1";
    // Values of another result do not stay.
    ToyResult again = full ? ToyResult() : filled();
    const std::string json = fields_json(fields_of(toy));
    const Status read = read_fields(json, "toy.json", fields_of(again));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(again, toy);
    EXPECT_EQ(fields_json(fields_of(again)), json);
  }
}

TEST(FieldJson, ANamedListMayHaveANameTwice) {
  ToyResult toy;
  toy.id = "1";
  toy.stages = {{"verify", 1, {}}, {"cluster", 2, {}}, {"verify", 3, {}}};
  const std::string json = fields_json(fields_of(toy));
  ToyResult again;
  ASSERT_TRUE(read_fields(json, "toy.json", fields_of(again)).ok());
  EXPECT_EQ(again, toy);
}

TEST(FieldJson, WhatFollowsFromOtherFieldsIsWrittenAndNotRead) {
  double half = 0.5;
  const std::vector<Field> fields{
      {"half", &half},
      {"twice", Computed{[&half] { return 2 * half; }}},
      if_set({"none", Computed{[] { return 0.0; }}}),
      {"size", TextForm{[&half] { return half < 1 ? "small" : "big"; }}},
      {"range", JsonForm{[] { return "[0, 1]"; }}}};
  EXPECT_EQ(fields_json(fields), R"({"half": 0.5, "twice": 1, "size": "small", "range": [0, 1]})");
  const Status read =
      read_fields(R"({"half": 2, "twice": 7, "size": "odd", "range": {}})", "x", fields);
  EXPECT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(fields_json(fields), R"({"half": 2, "twice": 4, "size": "big", "range": [0, 1]})");
}

TEST(FieldJson, FieldsOfAListMayDependOnWhatIsBesideIt) {
  std::vector<ToyPart> parts{{"", 1, {}}, {"", 2, {}}};
  std::string_view unit = "seconds";
  const auto fields_at = [&unit](ToyPart& part) {
    return std::vector<Field>{{unit, &part.seconds}};
  };
  const std::vector<Field> fields{{"parts", NestedList(&parts, fields_at)},
                                  {"lines", NestedList(&parts, fields_at, ListLayout::lines)}};
  EXPECT_EQ(fields_json(fields), R"({"parts": [{"seconds": 1}, {"seconds": 2}], "lines": [
    {"seconds": 1},
    {"seconds": 2}]})");
  unit = "years";
  const std::vector<Field> years{{"parts", NestedList(&parts, fields_at)}};
  const Status read = read_fields(R"({"parts": [{"years": 3}]})", "x", years);
  EXPECT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].seconds, 3);
}

TEST(FieldJson, ANumberThatIsNotFiniteIsNull) {
  ToyPart part{"", std::nan(""), {}};
  const std::string json = fields_json(fields_of(part));
  EXPECT_EQ(json, R"({"seconds": null, "sizes": []})");
  ToyPart again;
  ASSERT_TRUE(read_fields(json, "part", fields_of(again)).ok());
  EXPECT_TRUE(std::isnan(again.seconds));
}

TEST(FieldJson, FieldsOfALaterVersionAreIgnored) {
  EXPECT_EQ(refusal(changed(R"("kept": 3,)", R"("later": {"a": [1]}, "kept": 3, "later": 1,)")),
            "");
  EXPECT_EQ(refusal(changed(R"({"seconds": 1.5,)", R"({"cores": 2, "seconds": 1.5,)")), "");
}

/// Replaces `old`; the error must name the place of the last `value` in what replaced it, or of
/// the whole object if it is empty.
void expect_error(const std::string& old, const std::string& by, const std::string& value,
                  const std::string& said) {
  const std::size_t byte = value.empty() ? 0 : json_of(filled()).find(old) + by.rfind(value);
  const std::string json = changed(old, by);
  const auto line =
      1 + std::count(json.begin(), json.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
  EXPECT_EQ(refusal(json), "toy.json is damaged, or of another version: line " +
                               std::to_string(line) + ", byte " + std::to_string(byte) + ": " +
                               said);
}

TEST(FieldJson, EachErrorNamesItsPlaceAndItsField) {
  const std::string whole = " is not a whole number from 0 to 18446744073709551615";
  expect_error("\"kept\": 3,\n  ", "", "", "kept is missing");
  expect_error("\"kept\": 3,", "\"kept\": 3, \"kept\": 4,", "4", "kept is given twice");
  for (const std::string kept : {"3.5", "-3", "18446744073709551616", "null", "\"3\"", "1e3"}) {
    expect_error("\"kept\": 3", "\"kept\": " + kept, kept, "kept" + whole);
  }
  expect_error("\"version\": 7", "\"version\": 4294967296", "4294967296",
               "version is not a whole number from 0 to 4294967295");
  expect_error("0.25", "1e999", "1e999", "share is not a number in range");
  expect_error("0.25", "\"0.25\"", "\"0.25\"", "share is not a number in range");
  expect_error("true", "1", "1", "done is not a boolean");
  expect_error("\"0.8\"", "0.8", "0.8", "threshold is not a share as a string");
  expect_error("\"0.8\"", "\"1.5\"", "\"1.5\"", "threshold is not a share as a string");
  expect_error("\"square\"", "\"flat\"", "\"flat\"", "shape is not a known word");
  expect_error("\"42\"", "\"4x\"", "\"4x\"", "checksum is not a known value");
  expect_error("\"42\"", "42", "42", "checksum is not a string");
  expect_error("[1, 2]", "null", "null", "id names nothing");
  expect_error("[0, 1]", "[0, \"1\"]", "\"1\"", "counts[1]" + whole);
  expect_error("[\"one\",\"two\"]", "\"one\"", "\"one\"", "warnings is not an array");
  expect_error("[\"one\",\"two\"]", "[\"one\", 2]", "2", "warnings[1] is not a string");
  expect_error("[\"a\",\"b\"]", "[\"a\", 2]", "2", "names[0][1] is not a string");
  expect_error("[\"a\",\"b\"]", "\"a\"", "\"a\"", "names[0] is not an array");
  expect_error("{\"seconds\": 1, \"sizes\": [4]}", "{\"seconds\": 1}", "{\"seconds",
               "parts[1].sizes is missing");
  expect_error("[4]", "[4, {}]", "{}", "parts[1].sizes[1]" + whole);
  expect_error("{\"seconds\": 1.5, \"sizes\": [3]}", "3", "3", "part is not an object");
  expect_error("{\"seconds\": 0.1, \"sizes\": []}", "[]", "[]", "stages.read is not an object");
}

TEST(FieldJson, FieldsThatContradictEachOtherAreAnError) {
  expect_error("\"gone\": 2", "\"gone\": 1", "1",
               "gone does not agree with the fields beside it, which make 2");
  expect_error("\"removed\": 2", "\"removed\": 1", "", "it does not hold: read = kept + removed");
  expect_error("\"group\": {\"read\": 5}", "\"group\": {\"read\": 6}", "6",
               "group.read does not agree with the fields beside it, which make 5");
  expect_error("\"any_left\": true", "\"any_left\": false", "false",
               "any_left does not agree with the fields beside it, which make true");
  for (const std::string value : {"3", "\"3\"", "null"}) {
    expect_error(
        R"("kept_in_words": "\"three\"")", "\"kept_in_words\": " + value, value,
        R"(kept_in_words does not agree with the fields beside it, which make "\"three\"")");
  }
}

TEST(FieldJson, FieldsOfAnotherKindOfResultAreLeftOut) {
  std::uint64_t edges = 3;
  for (const bool is_graph : {false, true}) {
    EXPECT_EQ(fields_json({shown_if(is_graph, {"edges", &edges})}),
              is_graph ? "{\"edges\": 3}" : "{}");
  }
}

TEST(FieldJson, ARowHasAllItsValues) {
  expect_error("\"range\": [1, 2]", "\"range\": [1]", "[1]", "range does not have 2 values");
  expect_error("[5, 6]", "[5, 6, 7]", "[5", "ranges[1] does not have 2 values");
  expect_error("[5, 6]", "[5, true]", "true",
               "ranges[1][1] is not a whole number from 0 to 18446744073709551615");
  expect_error("\"range\": [1, 2]", "\"range\": {}", "{}", "range is not an array");
}

TEST(FieldJson, RowsOfNumbersHaveAllTheirNumbers) {
  const std::string whole = " is not a whole number from 0 to 18446744073709551615";
  expect_error("[1, 1]", "[1]", "[1", "steps[0] does not have 2 values");
  expect_error("[1, 1]", "[1, 1, 1]", "[1, 1, 1", "steps[0] does not have 2 values");
  expect_error("[1, 1]", "{}", "{}", "steps[0] is not an array");
  expect_error("[1, 1]", "[1, -1]", "-1", "steps[0][1]" + whole);
  expect_error("18446744073709551615", "18446744073709551616", "18446744073709551616",
               "steps[1][1]" + whole);
  expect_error("[1, 1]", "[2, 1]", "[2", "steps[0] has numbers that cannot be");
}

TEST(FieldJson, AFieldThatPeopleLeaveOutKeepsItsValue) {
  const std::string json = changed("\"given\": 6,\n  ", "");
  ToyResult toy;
  ASSERT_TRUE(read_fields(json, "toy.json", fields_of(toy)).ok());
  EXPECT_EQ(toy.given, 1U);
  expect_error("\"given\": 6", "\"given\": null", "null",
               "given is not a whole number from 0 to 18446744073709551615");
}

TEST(FieldJson, WhatIsCutIsAnError) {
  const std::string json = json_of(filled());
  ASSERT_EQ(refusal(json), "");
  for (std::size_t size = 0; size < json.size() - 1; ++size) {
    EXPECT_EQ(refusal(json.substr(0, size)).find("toy.json: "), 0U) << size;
  }
  EXPECT_EQ(refusal("[]"),
            "toy.json is damaged, or of another version: line 1, byte 0: it is not an object");
}

TEST(FieldJson, AnyByteChangedIsReadOrRefused) {
  const std::string json = json_of(filled());
  for (std::size_t i = 0; i < json.size(); ++i) {
    for (const char byte : {'"', '}', ',', '9', ' ', '\x80'}) {
      std::string damaged = json;
      damaged[i] = byte;
      ToyResult toy;
      if (!read_fields(damaged, "toy.json", fields_of(toy)).ok()) continue;
      const std::string once = json_of(toy);
      EXPECT_EQ(refusal(once), "") << damaged;
    }
  }
}

struct ToyLine {
  std::string_view id;  ///< a JSON value
  std::string_view file;
  std::uint64_t record = 0;
  std::string_view note;
};

std::vector<Field> fields_of(ToyLine& line) {
  return {{"id", AsWritten{&line.id}},
          {"file", &line.file},
          {"record", &line.record},
          if_set({"note", &line.note})};
}

std::vector<Field> place_of(ToyLine& line) {
  return {{"file", &line.file}, {"record", &line.record}};
}

TEST(FieldLine, EachValueIsALine) {
  FieldLine<ToyLine> line;
  std::string out;
  *line = {"7", "a.jsonl", 3, "x"};
  line.append(out);
  *line = {"[1, null]", "b \"c\"\n", 4, {}};
  line.append(out);
  *line = {};
  FieldLine<ToyLine>(line).append_json(out);
  EXPECT_EQ(out,
            "{\"id\": 7, \"file\": \"a.jsonl\", \"record\": 3, \"note\": \"x\"}\n"
            "{\"id\": [1, null], \"file\": \"b \\\"c\\\"\\n\", \"record\": 4}\n"
            "{\"id\": null, \"file\": \"\", \"record\": 0}");
}

TEST(FieldLine, IsReadAsViews) {
  FieldLine<ToyLine> line;
  const std::string first = R"({"record": 3, "id": {"a": 1}, "more": 0, "file": "a.jsonl"})";
  ASSERT_TRUE(line.read(first, "x").ok());
  EXPECT_EQ(line->id, R"({"a": 1})");
  EXPECT_EQ(line->file, "a.jsonl");
  EXPECT_EQ(line->file.data(), first.data() + first.find("a.jsonl"));
  EXPECT_EQ(line->record, 3U);
  EXPECT_EQ(line->note, "");
  const std::string second = R"({"id": "7", "file": "b\u0022", "record": 4, "note": "\n-"})";
  ASSERT_TRUE(line.read(second, "x").ok());
  EXPECT_EQ(line->id, "\"7\"");
  EXPECT_EQ(line->file, "b\"");
  EXPECT_EQ(line->note, "\n-");
  ASSERT_TRUE(line.read(first, "x").ok());
  EXPECT_EQ(line->note, "");
  *line = {"[]", "\t\xff", 0, "\\"};
  std::string out;
  line.append(out);
  ASSERT_TRUE(line.read(out, "x").ok());
  EXPECT_EQ(line->file, "\t\xEF\xBF\xBD");
}

TEST(FieldLine, AnErrorNamesTheByteInTheLine) {
  FieldLine<ToyLine> line;
  EXPECT_EQ(line.read(R"({"id": 7, "file": 5, "record": 1})", "a.jsonl:9").error().message,
            "a.jsonl:9 is damaged, or of another version: byte 18: file is not a string");
  EXPECT_EQ(line.read(R"({"id": 7, "record": 1})", "a.jsonl:9").error().message,
            "a.jsonl:9 is damaged, or of another version: byte 0: file is missing");
  EXPECT_NE(line.read(R"({"id": 7,)", "a.jsonl:9").error().message.find("a.jsonl:9"),
            std::string::npos);
}

struct ToySides {
  ToyLine a;
  ToyLine b;
};

std::vector<Field> fields_of(ToySides& sides) {
  return {{"a", Nested(&sides.a)}, {"b", Nested([&sides] { return place_of(sides.b); })}};
}

TEST(FieldLine, NestedValuesAreThoseOfEachLine) {
  FieldLine<ToySides> line;
  *line = {{"7", "a", 1, "x"}, {"8", "b", 2, "y"}};
  FieldLine<ToySides> other = line;
  std::string out;
  line.append(out);
  line->a = {"9", "c", 3, {}};
  line.append(out);
  EXPECT_EQ(out,
            "{\"a\": {\"id\": 7, \"file\": \"a\", \"record\": 1, \"note\": \"x\"}, "
            "\"b\": {\"file\": \"b\", \"record\": 2}}\n"
            "{\"a\": {\"id\": 9, \"file\": \"c\", \"record\": 3}, "
            "\"b\": {\"file\": \"b\", \"record\": 2}}\n");
  const std::string first = out.substr(0, out.find('\n'));
  ASSERT_TRUE(other.read(first, "x").ok());
  EXPECT_EQ(other->a.id, "7");
  EXPECT_EQ(other->b.record, 2U);
  EXPECT_EQ(line->a.id, "9");
  EXPECT_EQ(
      line.read(R"({"a": {"id": 7, "file": "a", "record": true}, "b": {}})", "x:1").error().message,
      "x:1 is damaged, or of another version: byte 39: a.record is not a whole number from 0 "
      "to 18446744073709551615");
}

TEST(FieldLine, MayHaveSomeOfTheFields) {
  FieldLine<ToyLine> line(place_of);
  *line = {"7", "a", 1, "x"};
  std::string out;
  line.append(out);
  EXPECT_EQ(out, "{\"file\": \"a\", \"record\": 1}\n");
}

TEST(FieldJson, AFileOverTheLimitIsNotRead) {
  const testing::ScratchFolder folder;
  folder.write("small.json", "{}");
  const Result<std::string> small = read_result_file(disk(), folder / "small.json");
  ASSERT_TRUE(small.ok());
  EXPECT_EQ(small.value(), "{}");
  folder.write("large.json", "{}");
  std::filesystem::resize_file(folder / "large.json", most_result_bytes + 1);
  const Result<std::string> large = read_result_file(disk(), folder / "large.json");
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, ErrorCode::io);
  EXPECT_EQ(large.error().message,
            "cannot read " + (folder / "large.json") + ": over the 536870912 bytes allowed here");
}

}  // namespace
}  // namespace twinset
