#include "sketch/signature_line.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "support/field_check.h"

namespace twinset {
namespace {

/// A line of a scheme with this JSON value as its signature.
std::string line_of(std::string_view scheme, std::string_view signature) {
  return R"({"id": [7, "b"], "file": "a\u0022.jsonl", "record": 3, "scheme": ")" +
         std::string(scheme) + R"(", "fingerprint": "00ff", "signature": )" +
         std::string(signature) + "}";
}

/// The words of a line; nothing if it is not read.
std::optional<std::vector<std::uint64_t>> words_of(const std::string& text) {
  FieldLine<SignatureLine> line;
  std::vector<std::uint64_t> words;
  if (!line.read(text, "x").ok() || !read_words(*line, words)) return std::nullopt;
  testing::expect_line_both_ways(line);
  return words;
}

bool is_read(const std::string& text) { return words_of(text).has_value(); }

std::string error_of(const std::string& text) {
  FieldLine<SignatureLine> line;
  const Status read = line.read(text, "a.jsonl:7");
  return read.ok() ? "" : read.error().message;
}

using Words = std::vector<std::uint64_t>;

TEST(SignatureLine, NamesTheDocument) {
  FieldLine<SignatureLine> line;
  const std::string text = line_of("simhash(bits=64)", "null");
  ASSERT_TRUE(line.read(text, "x").ok());
  EXPECT_EQ(line->document.id, R"([7, "b"])");
  EXPECT_EQ(line->document.file, "a\".jsonl");
  EXPECT_EQ(line->document.record, 3U);
  EXPECT_EQ(line->scheme, "simhash(bits=64)");
  EXPECT_EQ(line->fingerprint, "00ff");
  EXPECT_EQ(words_of(text), Words());
}

TEST(SignatureLine, ADistanceHasOneWordOrTwo) {
  EXPECT_EQ(words_of(line_of("simhash", R"("0123456789abcdef")")), Words{0x0123456789abcdef});
  EXPECT_EQ(words_of(line_of("simhash", R"("00000000000000010000000000000002")")), (Words{1, 2}));
  EXPECT_FALSE(is_read(line_of("simhash", '"' + std::string(48, '0') + '"')));
  for (const char* wrong : {R"("")", R"("0123")", R"("0123456789abcdeg")", "7", "[]", "true"}) {
    EXPECT_FALSE(is_read(line_of("simhash", wrong))) << wrong;
  }
}

TEST(SignatureLine, AListHasAWordForEachAndZeroForNone) {
  EXPECT_EQ(words_of(line_of("imatch", R"(["00000000000000ff", null])")), (Words{255, 0}));
  for (const char* wrong : {"[]", R"("00000000000000ff")", R"(["0000000000000000"])", "[7]",
                            R"(["00000000000000ff00000000000000ff"])"}) {
    EXPECT_FALSE(is_read(line_of("imatch", wrong))) << wrong;
  }
}

TEST(SignatureLine, OtherSchemesHaveNoWords) {
  EXPECT_EQ(words_of(line_of("mod", R"("AAAA")")), Words());
}

TEST(SignatureLine, RefusesEverythingElse) {
  EXPECT_FALSE(is_read(""));
  EXPECT_FALSE(is_read("[]"));
  EXPECT_FALSE(is_read("{}"));
  EXPECT_FALSE(is_read(line_of("simhash", "null") + "x"));
  EXPECT_FALSE(is_read(line_of("", "null")));
  EXPECT_FALSE(is_read(line_of("nothing", R"("0123456789abcdef")")));
  const std::string whole = line_of("simhash", "null");
  for (const std::string member : {"id", "file", "record", "scheme", "fingerprint", "signature"}) {
    std::string without = whole;
    without.replace(without.find('"' + member + '"') + 1, 1, "_");
    EXPECT_EQ(error_of(without),
              "a.jsonl:7 is damaged, or of another version: byte 0: " + member + " is missing");
    std::string twice = whole;
    twice.insert(1, '"' + member + "\": null, ");
    EXPECT_NE(error_of(twice).find(member + " is given twice"), std::string::npos) << twice;
  }
  EXPECT_NE(error_of(R"({"id": 1, "file": 7,)" + whole.substr(1)).find("twice"), std::string::npos);
  std::string wrong = whole;
  wrong.replace(wrong.find(": 3,"), 4, ": -3,");
  EXPECT_NE(error_of(wrong).find(": record is not a whole number"), std::string::npos);
  EXPECT_EQ(error_of("{\"more\": [1], " + whole.substr(1)), "");
  EXPECT_NE(error_of(line_of("", "null")).find("does not hold: scheme and fingerprint"),
            std::string::npos);
}

TEST(JoinLine, NamesBothDocuments) {
  FieldLine<JoinLine> line;
  *line = {{"\"d9\"", "b", 3, 0}, {"7", "a", 7, 0}, 0, {}};
  EXPECT_EQ(testing::expect_line_both_ways(line),
            "{\"id\": \"d9\", \"file\": \"b\", \"record\": 3, "
            "\"other\": {\"id\": 7, \"file\": \"a\", \"record\": 7}, \"distance\": 0}\n");
  line->distance.reset();
  line->coordinate = 2;
  EXPECT_TRUE(testing::expect_line_both_ways(line).ends_with("}, \"coordinate\": 2}\n"));
}

}  // namespace
}  // namespace twinset
