#include "cluster/pair_lines.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/field_check.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

std::string written(const PairLine& value) {
  FieldLine<PairLine> line;
  *line = value;
  return testing::expect_line_both_ways(line);
}

Status read(std::string_view text, PairLine& line) {
  return read_pair_line(text, "pairs", 1, line);
}

TEST(PairLines, AreReadAsTheyWereWritten) {
  PairLine line;
  line.id = R"("d 7")";
  line.input = 1;
  line.record = 7;
  line.pairs = {{DocumentId(0, 2), {12, 14, 15}},
                {DocumentId(1, 1), {4294967295U, 4294967295U, 4294967295U}}};
  const std::string text = written(line);
  EXPECT_EQ(text,
            "{\"id\": \"d 7\", \"input\": 1, \"record\": 7, \"pairs\": [[0, 2, 12, 14, 15], "
            "[1, 1, 4294967295, 4294967295, 4294967295]]}\n");
  PairLine back;
  ASSERT_TRUE(read(text, back).ok());
  EXPECT_EQ(back.number, 1U);
  EXPECT_EQ(back.id, R"("d 7")");
  EXPECT_EQ(back.document(), line.document());
  ASSERT_EQ(back.pairs.size(), 2U);
  EXPECT_EQ(back.pairs[0].document, DocumentId(0, 2));
  EXPECT_EQ(back.pairs[0].keys.shared, 12U);
  EXPECT_EQ(back.pairs[0].keys.later, 14U);
  EXPECT_EQ(back.pairs[1].document, DocumentId(1, 1));
  EXPECT_EQ(back.pairs[1].keys.earlier, 4294967295U);
}

TEST(PairLines, TheLargestNumbersAreRead) {
  PairLine line;
  line.id = "1";
  line.input = DocumentId::max_sources - 1;
  line.record = DocumentId::max_record;
  line.pairs = {{DocumentId(DocumentId::max_sources - 1, DocumentId::max_record - 1), {1, 1, 1}}};
  PairLine back;
  ASSERT_TRUE(read(written(line), back).ok());
  EXPECT_EQ(back.document(), line.document());
  EXPECT_EQ(back.pairs.at(0).document, line.pairs[0].document);
}

TEST(PairLines, CopiesAndLoneEnds) {
  PairLine line;
  line.id = "17";
  line.input = 2;
  line.record = 9;
  EXPECT_EQ(written(line), "{\"id\": 17, \"input\": 2, \"record\": 9}\n");
  line.identical = {0, 2};
  EXPECT_EQ(written(line), "{\"id\": 17, \"input\": 2, \"record\": 9, \"identical\": [0, 2]}\n");
  std::swap(line.identical, line.lexical);
  const std::string text = written(line);
  PairLine back;
  ASSERT_TRUE(read(text, back).ok());
  EXPECT_EQ(back.kind(), Fate::lexical);
  EXPECT_EQ(back.original(), DocumentId(0, 2));
}

TEST(PairLines, AFingerprintIsReadBackAndMayBeMissing) {
  PairLine line;
  line.id = "7";
  line.input = 0;
  line.record = 3;
  line.fingerprint = 0xfedcba9876543210U;
  line.pairs = {{DocumentId(0, 1), {2, 3, 4}}};
  const std::string text = written(line);
  EXPECT_EQ(text,
            "{\"id\": 7, \"input\": 0, \"record\": 3, \"fingerprint\": \"fedcba9876543210\", "
            "\"pairs\": [[0, 1, 2, 3, 4]]}\n");
  PairLine back;
  ASSERT_TRUE(read(text, back).ok());
  EXPECT_EQ(back.fingerprint, line.fingerprint);
  ASSERT_TRUE(read(R"({"fingerprint":"00000000000000ff","record":3,"input":0,"id":7})", back).ok());
  EXPECT_EQ(back.fingerprint, 0xffU);
  ASSERT_TRUE(read(R"({"id": 7, "input": 0, "record": 3})", back).ok());
  EXPECT_EQ(back.fingerprint, 0U);
  EXPECT_FALSE(read(R"({"id": 7, "input": 0, "record": 3, "fingerprint": "xyz"})", back).ok());
}

// Another program may have rewritten the line: fields in any order, any spaces.
TEST(PairLines, AnyJsonOfTheSameMeaningIsRead) {
  PairLine line;
  constexpr std::string_view text =
      R"({"pairs":[[0,2,12,14,15],[ 0 , 4,9,14,14 ]],"record":7,"input":0, "id":"a\"]}b"})";
  ASSERT_TRUE(read(text, line).ok());
  EXPECT_EQ(line.id, R"("a\"]}b")");
  ASSERT_EQ(line.pairs.size(), 2U);
  EXPECT_EQ(line.pairs[1].document, DocumentId(0, 4));
  EXPECT_EQ(line.pairs[1].keys.earlier, 14U);
  ASSERT_TRUE(read(R"({"id":[[1,2],"a, b"],"input":1,"record":2,"identical":[ 1,1 ]})", line).ok());
  EXPECT_EQ(line.id, R"([[1,2],"a, b"])");
  EXPECT_TRUE(line.pairs.empty());
  EXPECT_EQ(line.kind(), Fate::identical);
  EXPECT_EQ(line.original(), DocumentId(1, 1));
  ASSERT_TRUE(read(R"({"id": [], "input": 1, "record": 2, "pairs": []})", line).ok());
  EXPECT_EQ(line.id, "[]");
  EXPECT_TRUE(line.pairs.empty());
}

// Distances, of which 0 is one, and the coordinates of equal signatures.
TEST(PairLines, NumbersOfSignaturesAreRead) {
  PairLine line;
  for (const char* numbers : {"0, 64, 64", "7, 128, 128", "0, 1, 1", "10, 1, 1"}) {
    const std::string text = R"({"id": "a", "input": 1, "record": 3, "pairs": [[0, 1, )" +
                             std::string(numbers) + "]]}\n";
    EXPECT_TRUE(read(text, line).ok()) << numbers;
  }
}

TEST(PairLines, WhatClusterDidNotWriteIsRefused) {
  const auto refused = [](const std::string& text) {
    PairLine line;
    const Status status = read(text, line);
    EXPECT_FALSE(status.ok()) << text;
    if (status.ok()) return;
    EXPECT_EQ(status.error().code, ErrorCode::io) << text;
    EXPECT_NE(status.error().message.find("pairs:1"), std::string::npos) << text;
  };
  for (const char* fields : {
           R"()",
           R"("id": "a")",
           R"("id": "a", "record": 3)",
           R"("id": "a", "input": 0)",
           R"("input": 0, "record": 3)",
           R"("id": "a", "input": 0, "record": 0)",
           R"("id": "a", "input": 0, "record": -3)",
           R"("id": "a", "input": 0, "record": 3.5)",
           R"("id": "a", "input": 16777216, "record": 3)",
           R"("id": "a", "input": 0, "record": 1099511627776)",
           R"("id": "a", "input": 0, "record": 18446744073709551617)",
       }) {
    refused("{" + std::string(fields) + "}\n");
  }
  for (const char* field : {
           R"("identical": [1, 3])",
           R"("identical": [2, 1])",
           R"("identical": [0, 0])",
           R"("identical": [0])",
           R"("identical": [0, 1, 2])",
           R"("identical": ["0", 1])",
           R"("identical": 2)",
           R"("pairs": [[1, 3, 1, 1, 1]])",
           R"("pairs": [[2, 1, 1, 1, 1]])",
           R"("pairs": [[0, 0, 1, 1, 1]])",
           R"("pairs": [[0, 1, 0, 1, 2]])",
           R"("pairs": [[0, 1, 2, 1, 2]])",
           R"("pairs": [[0, 1, 2, 2, 1]])",
           R"("pairs": [[1, 1, 1, 1]])",
           R"("pairs": [[0, 1, 1, 1, 1, 1]])",
           R"("pairs": [[0, 1, 1, 1, 1.5]])",
           R"("pairs": [["0", 1, 1, 1, 1]])",
           R"("pairs": [[0, 1, 1, 4294967296, 1]])",
           R"("pairs": [[0, 1099511627776, 1, 1, 1]])",
           R"("pairs": [[0, 99999999999999999999, 1, 1, 1]])",
       }) {
    refused(R"({"id": "a", "input": 1, "record": 3, )" + std::string(field) + "}\n");
  }
}

// The two readers, of lines just as they are written and of any others, read the same.
TEST(PairLines, BothReadersAgree) {
  std::mt19937 random(3);
  const auto count = [&random] { return 1 + static_cast<std::uint32_t>(random() % 1000); };
  for (int trial = 0; trial < 2000; ++trial) {
    PairLine line;
    const std::string id = "\"d" + std::to_string(trial) + "\"";
    line.id = id;
    line.input = random() % 3;
    line.record = 2 + random() % 1000;
    line.fingerprint = trial % 3 == 0 ? 0 : random();
    if (trial % 4 == 0) line.rank = count();
    const auto kind = random() % 4;
    (kind == 0 ? line.identical : line.lexical).resize(kind < 2 ? 2 : 0, 1);
    if (kind < 2) (kind == 0 ? line.identical : line.lexical)[0] = 0;
    for (std::size_t i = random() % 5; i > 0 && kind == 3; --i) {
      const std::uint32_t shared = count();
      line.pairs.push_back({{line.input, 1}, {shared, shared + count(), shared + count()}});
    }
    for (std::size_t i = trial % 2 == 0 ? line.pairs.size() : 0; i > 0; --i) {
      const std::uint32_t shared = count() - 1;
      line.rests.push_back({shared, shared + count(), shared + count()});
    }
    const std::string text = written(line);
    PairLine back;
    ASSERT_TRUE(read(text, back).ok()) << text;
    EXPECT_EQ(written(back), text);
    EXPECT_EQ(back.rests.size(), line.rests.size());
    std::string other = text;
    other.insert(1, "  ");
    ASSERT_TRUE(read(other, back).ok()) << other;
    EXPECT_EQ(written(back), text);
  }
}

TEST(PairLines, TheErrorNamesTheField) {
  const std::string start = R"({"id": "a", "input": 1, "record": 3)";
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {R"({"id": "a", "record": 3})", "byte 0: input is missing"},
           {start + R"(, "record": 3})", "byte 47: record is given twice"},
           {start + R"(, "pairs": [[0, 1, 1, 1]]})", "byte 47: pairs[0] does not have 5 values"},
           {start + R"(, "pairs": [[0, 1, 1, 1, -1]]})",
            "byte 60: pairs[0][4] is not a whole number from 0 to 18446744073709551615"},
           {start + R"(, "pairs": [[0, 1, 2, 1, 2]]})",
            "byte 47: pairs[0] has numbers that cannot be"},
           {start + R"(, "pairs": [[1, 3, 1, 1, 1]]})",
            "byte 0: it does not hold: the other document of each pair is earlier"},
           {start + R"(, "pairs": [[1, 2, 1, 1, 1]], "rests": [[0, 0, 0], [0, 0, 0]]})",
            "byte 0: it does not hold: rests has a row for each pair"},
           {start + R"(, "pairs": [[1, 2, 1, 1, 1]], "rests": [[2, 1, 2]]})",
            "byte 75: rests[0] has numbers that cannot be"},
           {start + R"(, "identical": [0, 1], "lexical": [0, 1]})",
            "byte 0: it does not hold: of identical, lexical, shingles and pairs there is one at "
            "most"},
           {start + R"(, "fingerprint": "xyz"})", "byte 52: fingerprint is not a known value"}}) {
    PairLine line;
    const Status status = read(text, line);
    ASSERT_FALSE(status.ok()) << text;
    EXPECT_EQ(status.error().message, "pairs:1 is damaged, or of another version: " + said);
  }
  PairLine line;
  EXPECT_TRUE(read(start + R"(, "later": [[1]]})", line).ok());
}

TEST(PairLines, AnOlderVersionsFileSaysWhatToDo) {
  PairLine line;
  for (const char* text :
       {R"({"id": "a", "number": 3, "fingerprint": "00000000000000ff", "pairs": [[1, 2, 3, 4]]})",
        R"({"id": "a", "number": 3, "identical": 1})"}) {
    const Status status = read(text, line);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::usage);
    EXPECT_NE(status.error().message.find("pairs was made by an older version"), std::string::npos);
    EXPECT_NE(status.error().message.find("run cluster again"), std::string::npos);
  }
}

TEST(PairLines, OfAFileAscend) {
  const testing::ScratchFolder folder;
  const auto read_all = [&](const std::string& lines) -> Result<std::uint64_t> {
    const std::string path = folder.write("pairs.jsonl", lines);
    std::uint64_t read = 0;
    TWINSET_TRY(for_each_pair_line(disk(), path, [&](const PairLine& line) -> Status {
      EXPECT_EQ(line.number, ++read);
      return {};
    }));
    return read;
  };
  const std::string first = R"({"id": "a", "input": 0, "record": 7})"
                            "\n";
  const std::string second = R"({"id": "b", "input": 1, "record": 1})"
                             "\n";
  const Result<std::uint64_t> read = read_all(first + second);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value(), 2U);
  for (const std::string& lines : {second + first, first + first}) {
    const Result<std::uint64_t> refused = read_all(lines);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("pairs.jsonl:2 is out of order"), std::string::npos);
  }
}

}  // namespace
}  // namespace twinset
