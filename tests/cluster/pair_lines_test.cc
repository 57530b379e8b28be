#include "cluster/pair_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

std::string written(const PairLine& line, std::string_view id) {
  std::string out;
  append_pair_line(out, line, id);
  return out;
}

Status read(const std::string& text, PairLine& line, std::string& id) {
  std::string_view view;
  TWINSET_TRY(read_pair_line(text, "pairs", 1, line, view));
  id = view;
  return {};
}

TEST(PairLines, AreReadAsTheyWereWritten) {
  PairLine line;
  line.number = 6;
  line.pairs = {{6, 1, {12, 14, 15}}, {6, 3, {4294967295U, 4294967295U, 4294967295U}}};
  const std::string text = written(line, R"("d 7")");
  EXPECT_EQ(text,
            "{\"id\": \"d 7\", \"number\": 6, \"pairs\": [[1, 12, 14, 15], "
            "[3, 4294967295, 4294967295, 4294967295]]}\n");
  PairLine back;
  std::string id;
  ASSERT_TRUE(read(text, back, id).ok());
  EXPECT_EQ(id, R"("d 7")");
  EXPECT_EQ(back.number, 6U);
  ASSERT_EQ(back.pairs.size(), 2U);
  EXPECT_EQ(back.pairs[0].b, 1U);
  EXPECT_EQ(back.pairs[0].keys.shared, 12U);
  EXPECT_EQ(back.pairs[0].keys.later, 14U);
  EXPECT_EQ(back.pairs[1].keys.earlier, 4294967295U);
}

TEST(PairLines, CopiesAndLoneEnds) {
  PairLine line;
  line.number = 8;
  EXPECT_EQ(written(line, "17"), "{\"id\": 17, \"number\": 8}\n");
  line.kind = Fate::identical;
  line.original = 1;
  EXPECT_EQ(written(line, "17"), "{\"id\": 17, \"number\": 8, \"identical\": 1}\n");
  line.kind = Fate::lexical;
  PairLine back;
  std::string id;
  ASSERT_TRUE(read(written(line, "17"), back, id).ok());
  EXPECT_EQ(back.kind, Fate::lexical);
  EXPECT_EQ(back.original, 1U);
}

TEST(PairLines, AFingerprintIsReadBackAndMayBeMissing) {
  PairLine line;
  line.number = 3;
  line.fingerprint = 0xfedcba9876543210U;
  line.pairs = {{3, 1, {2, 3, 4}}};
  const std::string text = written(line, "7");
  EXPECT_EQ(text,
            "{\"id\": 7, \"number\": 3, \"fingerprint\": \"fedcba9876543210\", "
            "\"pairs\": [[1, 2, 3, 4]]}\n");
  PairLine back;
  std::string id;
  ASSERT_TRUE(read(text, back, id).ok());
  EXPECT_EQ(back.fingerprint, line.fingerprint);
  ASSERT_TRUE(read(R"({"fingerprint":"00000000000000ff","number":3,"id":7})", back, id).ok());
  EXPECT_EQ(back.fingerprint, 0xffU);
  ASSERT_TRUE(read(R"({"id": 7, "number": 3})", back, id).ok());
  EXPECT_EQ(back.fingerprint, 0U);
  EXPECT_FALSE(read(R"({"id": 7, "number": 3, "fingerprint": "xyz"})", back, id).ok());
}

// Another program may have written the line anew: fields in any order, any spaces.
TEST(PairLines, AnyJsonOfTheSameMeaningIsRead) {
  PairLine line;
  std::string id;
  ASSERT_TRUE(
      read(R"({"pairs":[[1,12,14,15],[ 3 , 9,14,14 ]],"number":6, "id":"a\"]}b"})", line, id).ok());
  EXPECT_EQ(id, R"("a\"]}b")");
  ASSERT_EQ(line.pairs.size(), 2U);
  EXPECT_EQ(line.pairs[1].b, 3U);
  EXPECT_EQ(line.pairs[1].keys.earlier, 14U);
  ASSERT_TRUE(read(R"({"id":[1],"number":2,"identical":0})", line, id).ok());
  EXPECT_TRUE(line.pairs.empty());
  EXPECT_EQ(line.kind, Fate::identical);
}

TEST(PairLines, WhatClusterDidNotWriteIsRefused) {
  for (const char* text : {
           R"({})",
           R"({"id": "a"})",
           R"({"number": 3})",
           R"({"id": "a", "number": -3})",
           R"({"id": "a", "number": 4294967296})",
           R"({"id": "a", "number": 3, "identical": 3})",
           R"({"id": "a", "number": 3, "identical": "2"})",
           R"({"id": "a", "number": 3, "pairs": [[3, 1, 1, 1]]})",
           R"({"id": "a", "number": 3, "pairs": [[1, 0, 1, 1]]})",
           R"({"id": "a", "number": 3, "pairs": [[1, 2, 1, 2]]})",
           R"({"id": "a", "number": 3, "pairs": [[1, 1, 1]]})",
           R"({"id": "a", "number": 3, "pairs": [[1, 1, 1, 1, 1]]})",
           R"({"id": "a", "number": 3, "pairs": [[1, 1, 1, 1.5]]})",
           R"({"id": "a", "number": 3, "pairs": [["1", 1, 1, 1]]})",
           R"({"id": "a", "number": 3, "pairs": [[99999999999, 1, 1, 1]]})",
       }) {
    PairLine line;
    std::string id;
    const Status status = read(text, line, id);
    ASSERT_FALSE(status.ok()) << text;
    EXPECT_NE(status.error().message.find("pairs:1"), std::string::npos);
  }
}

}  // namespace
}  // namespace twinset
