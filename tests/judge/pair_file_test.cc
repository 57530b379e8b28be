#include <gtest/gtest.h>

#include "io/parquet.h"
#include "judge/source.h"
#include "support/parquet_data.h"
#include "support/scratch_folder.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class PairFileLines : public ::testing::Test {
 protected:
  Result<Sample> draw(const std::string& lines, std::optional<JudgeBy> by = {}) {
    path_ = folder_.write("pairs.jsonl", lines);
    TWINSET_ASSIGN(source_, open_pair_file(disk(), path_, options_, nullptr));
    Sampler sampler({by, 10, 1});
    TWINSET_TRY(source_->draw(sampler));
    return std::move(sampler).finish();
  }
  std::string refusal(const std::string& lines, std::optional<JudgeBy> by = {}) {
    const Result<Sample> sample = draw(lines, by);
    if (!sample.ok()) return sample.error().text(Door::command_line);
    const auto texts = source_->read(sample.value().pairs);
    return texts.ok() ? "" : texts.error().text(Door::command_line);
  }
  std::string place(const std::string& name, std::uint64_t record) {
    return R"({"file": ")" + folder_ / name + R"(", "record": )" + std::to_string(record) + "}";
  }

  ScratchFolder folder_;
  JudgeOptions options_;
  std::string path_;
  std::unique_ptr<JudgeSource> source_;
};

TEST_F(PairFileLines, NameRecordsOrHaveTexts) {
  folder_.write("one.txt", "the whole of a file");
  folder_.write("in.jsonl", "{\"text\": \"first\"}\n\n{\"text\": \"third\"}\n");
  const Result<Sample> sample =
      draw(R"({"a": )" + place("in.jsonl", 3) + R"(, "b": )" + place("in.jsonl", 1) + "}\n\n" +
           R"({"a": {"id": "x", "text": "left"}, "b": )" + place("one.txt", 1) + "}\n" +
           R"({"id": "p", "file": ")" + folder_ / "in.jsonl" + R"(", "record": 3, "other": )" +
           place("one.txt", 1) + R"(, "distance": 2})" + "\n");
  ASSERT_TRUE(sample.ok()) << sample.error().message;
  ASSERT_EQ(sample.value().pairs.size(), 3U);
  const std::vector<JudgedPair> texts = source_->read(sample.value().pairs).value();
  for (std::size_t i = 0; i < 3; ++i) {
    const SamplePair& pair = sample.value().pairs[i];
    if (pair.line == 1) {
      EXPECT_EQ(texts[i].a.text, "third");
      EXPECT_EQ(texts[i].b.text, "first");
      EXPECT_EQ(pair.a.document.id, folder_ / "in.jsonl:3");
    } else if (pair.line == 3) {
      EXPECT_EQ(texts[i].a.text, "left");
      EXPECT_EQ(texts[i].b.text, "the whole of a file");
      EXPECT_EQ(pair.a.document.id, "x");
      EXPECT_EQ(pair.a.document.record, 0U);
    } else {
      EXPECT_EQ(pair.line, 4U);
      EXPECT_EQ(texts[i].a.text, "third");
      EXPECT_EQ(pair.value.distance, 2U);
    }
  }
}

TEST_F(PairFileLines, HaveValues) {
  const std::string pair = R"({"a": {"id": "x", "text": "l"}, "b": {"id": "y", "text": "r"}, )";
  EXPECT_EQ(draw(pair + "\"distance\": 3}\n", JudgeBy::distance).value().classes[0].name, "3");
  EXPECT_EQ(draw(pair + "\"resemblance\": 0.5}\n", JudgeBy::resemblance).value().classes[0].name,
            "0.5-0.6");
  EXPECT_EQ(draw(pair + "\"label\": \"z\"}\n", JudgeBy::label).value().classes[0].name, "z");
  EXPECT_EQ(draw(pair + "\"kind\": \"near\"}\n", JudgeBy::label).value().classes[0].name, "near");
  EXPECT_EQ(refusal(pair + "\"distance\": 3}\n", JudgeBy::label),
            path_ + ":1 has no label; choose another --by");
  EXPECT_EQ(refusal(pair + "\"resemblance\": 2}\n", JudgeBy::resemblance),
            path_ + ":1 has no resemblance from 0 to 1; choose another --by");
}

TEST_F(PairFileLines, ThatAreNoneAreNamed) {
  for (const char* line :
       {"{}", "[]", "7", R"({"a": {"id": "x"}, "b": {"id": "y"}})",
        R"({"a": {"file": "x", "record": 0}, "b": {"file": "x", "record": 1}})",
        R"({"a": {"text": "no id"}, "b": {"id": "y", "text": "t"}})",
        R"({"a": {"file": "x", "record": -1}, "b": {"file": "x", "record": 1}})"}) {
    EXPECT_EQ(refusal(std::string("\n") + line + "\n").rfind(path_ + ":2 is no pair: give", 0), 0U)
        << line << ": " << refusal(std::string("\n") + line + "\n");
  }
  EXPECT_NE(refusal("{\"a\": \n").find(path_ + ":1"), std::string::npos);
}

TEST_F(PairFileLines, NameRowsOfTables) {
  if (!reads_parquet()) GTEST_SKIP() << "a build without Parquet";
  options_.input.text = "meta.body";
  folder_.write("in.parquet", parquet_bytes("nested.parquet"));
  const Result<Sample> sample =
      draw(R"({"a": )" + place("in.parquet", 1) + R"(, "b": )" + place("in.parquet", 8) + "}\n");
  ASSERT_TRUE(sample.ok()) << sample.error().message;
  const Result<std::vector<JudgedPair>> texts = source_->read(sample.value().pairs);
  ASSERT_TRUE(texts.ok()) << texts.error().message;
  EXPECT_EQ(texts.value()[0].b.text, texts.value()[0].a.text + " today");
}

TEST_F(PairFileLines, NameRecordsThatAreThere) {
  folder_.write("in.jsonl", "{\"text\": \"first\"}\n{\"text\": 2}\n");
  const auto pair = [&](const std::string& b) {
    return R"({"a": )" + place("in.jsonl", 1) + R"(, "b": )" + b + "}\n";
  };
  for (const std::uint64_t record : {2, 3}) {  // Not a text; not there.
    const std::string message = refusal(pair(place("in.jsonl", record)));
    EXPECT_EQ(message, path_ + ":1 names record " + std::to_string(record) + " of " +
                           folder_ / "in.jsonl" + ", which is no document of it");
  }
  EXPECT_EQ(refusal(pair(place("gone.jsonl", 1))).rfind(path_ + ":1 names a file: ", 0), 0U);
  EXPECT_NE(refusal(pair(R"({"file": "-", "record": 1})")).find("standard input"),
            std::string::npos);
  options_.analyzer = "nonsense";
  EXPECT_NE(refusal("").find("no analyzer 'nonsense'"), std::string::npos);
}

}  // namespace
}  // namespace twinset
