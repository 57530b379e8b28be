#include "sketch/signature_line.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

/// A line of a scheme with this JSON value as its signature.
std::string line_of(std::string_view scheme, std::string_view signature) {
  return R"({"id": [7, "b"], "file": "a\u0022.jsonl", "record": 3, "scheme": ")" +
         std::string(scheme) + R"(", "fingerprint": "00ff", "signature": )" +
         std::string(signature) + "}";
}

bool is_read(const std::string& text) {
  SignatureLine line;
  return read_signature_line(text, line);
}

TEST(SignatureLine, NamesTheDocumentAsTheLineDoes) {
  SignatureLine line;
  ASSERT_TRUE(read_signature_line(line_of("simhash(bits=64)", "null"), line));
  EXPECT_EQ(line.name, R"("id": [7, "b"], "file": "a\".jsonl", "record": 3)");
  EXPECT_EQ(line.scheme, "simhash(bits=64)");
  EXPECT_EQ(line.fingerprint, "00ff");
  EXPECT_TRUE(line.words.empty());
}

TEST(SignatureLine, ADistanceHasOneWordOrTwo) {
  SignatureLine line;
  ASSERT_TRUE(read_signature_line(line_of("simhash", R"("0123456789abcdef")"), line));
  EXPECT_EQ(line.words, (std::vector<std::uint64_t>{0x0123456789abcdef}));
  ASSERT_TRUE(
      read_signature_line(line_of("simhash", R"("00000000000000010000000000000002")"), line));
  EXPECT_EQ(line.words, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_FALSE(is_read(line_of("simhash", '"' + std::string(48, '0') + '"')));
  for (const char* wrong : {R"("")", R"("0123")", R"("0123456789abcdeg")", "7", "[]", "true"}) {
    EXPECT_FALSE(is_read(line_of("simhash", wrong))) << wrong;
  }
}

TEST(SignatureLine, AListHasAWordForEachAndZeroForNone) {
  SignatureLine line;
  ASSERT_TRUE(read_signature_line(line_of("imatch", R"(["00000000000000ff", null])"), line));
  EXPECT_EQ(line.words, (std::vector<std::uint64_t>{255, 0}));
  for (const char* wrong : {"[]", R"("00000000000000ff")", R"(["0000000000000000"])", "[7]",
                            R"(["00000000000000ff00000000000000ff"])"}) {
    EXPECT_FALSE(is_read(line_of("imatch", wrong))) << wrong;
  }
}

TEST(SignatureLine, OtherSchemesHaveNoWords) {
  SignatureLine line;
  ASSERT_TRUE(read_signature_line(line_of("mod", R"("AAAA")"), line));
  EXPECT_TRUE(line.words.empty());
}

TEST(SignatureLine, RefusesEverythingElse) {
  EXPECT_FALSE(is_read(""));
  EXPECT_FALSE(is_read("[]"));
  EXPECT_FALSE(is_read("{}"));
  EXPECT_FALSE(is_read(line_of("simhash", "null") + "x"));
  EXPECT_FALSE(is_read(line_of("", "null")));
  EXPECT_FALSE(is_read(line_of("nothing", R"("0123456789abcdef")")));
  const std::string whole = line_of("simhash", "null");
  for (const char* member : {"id", "record", "scheme", "fingerprint", "signature"}) {
    std::string without = whole;
    without.replace(without.find('"' + std::string(member) + '"') + 1, 1, "_");
    EXPECT_FALSE(is_read(without)) << without;
  }
}

}  // namespace
}  // namespace twinset
