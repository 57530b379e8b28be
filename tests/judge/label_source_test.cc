#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "judge/source.h"
#include "labels/label_file.h"
#include "system/memory_files.h"
#include "web/chunks.h"

namespace twinset {
namespace {

const LabelFacts facts{to_text(ChunkRules()), ChunkHash::xxh3};

class LabelsToJudge : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::vector<Label>& labels) {
    std::map<std::pair<ChunkDigest, LabelKind>, Label> sorted;
    for (const Label& label : labels) sorted[{label.hash, label.kind}] = label;
    RunContext context;
    context.files = &files;
    LabelWriter writer(context, path, facts);
    for (const auto& [key, label] : sorted) ASSERT_TRUE(writer.append(label).ok());
    ASSERT_TRUE(writer.finish().ok());
  }

  /// 300 labels; each tenth is a file, and one hash is of both kinds.
  static std::vector<Label> some_labels() {
    std::vector<Label> labels;
    std::mt19937 random(3);
    for (std::size_t i = 0; i < 300; ++i) {
      Label label{.kind = i % 10 == 0 ? LabelKind::file : LabelKind::chunk,
                  .hash = hash_chunk(std::to_string(i == 10 ? 11 : i), ChunkHash::xxh3),
                  .count = std::uint64_t{1} << (random() % 12),
                  .documents = 1};
      add_sample(label, {"http://a.org/" + std::to_string(i), i, 9});
      add_text(label, "text " + std::to_string(i));
      labels.push_back(label);
    }
    return labels;
  }

  std::unique_ptr<JudgeSource> open(const std::string& path) {
    auto opened = open_label_file(files, path, nullptr);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return std::move(opened).value();
  }

  Sample sample(const std::string& path, const PairSampleRule& rule) {
    Sampler sampler(rule);
    const Status drawn = open(path)->draw(sampler);
    EXPECT_TRUE(drawn.ok()) << drawn.error().message;
    return std::move(sampler).finish().value();
  }

  MemoryFiles files;
};

TEST_F(LabelsToJudge, EachIsDrawnOnceInItsClass) {
  const std::vector<Label> labels = some_labels();
  write("x.labels", labels);
  const Sample kinds = sample("x.labels", {JudgeBy::label, 1000, 1});
  ASSERT_EQ(kinds.classes.size(), 2U);
  EXPECT_EQ(kinds.classes[0].name, "chunk");
  EXPECT_EQ(kinds.classes[0].pairs, 270U);
  EXPECT_EQ(kinds.classes[1].name, "file");
  EXPECT_EQ(kinds.classes[1].pairs, 30U);
  std::set<std::string> identities;
  for (const SamplePair& pair : kinds.pairs) identities.insert(pair.identity());
  EXPECT_EQ(identities.size(), 300U);
  // Decades, by a plain count.
  std::map<std::string, std::uint64_t> expected;
  for (const Label& label : labels) {
    ++expected[label.count < 10     ? "1-9"
               : label.count < 100  ? "10-99"
               : label.count < 1000 ? "100-999"
                                    : "1,000-9,999"];
  }
  const Sample decades = sample("x.labels", {JudgeBy::count, 1000, 1});
  ASSERT_EQ(decades.classes.size(), 4U);
  EXPECT_EQ(decades.classes[0].name, "1-9");
  EXPECT_EQ(decades.classes[3].name, "1,000-9,999");
  for (const SampleClass& of : decades.classes) EXPECT_EQ(of.pairs, expected[of.name]) << of.name;
  EXPECT_EQ(sample("x.labels", {{}, 1000, 1}).classes.at(0).pairs, 300U);
}

// The sample is a function of the set and the seed: two files of one set, made of other parts, give
// the same.
TEST_F(LabelsToJudge, TheSampleDependsOnTheSetAndTheSeedAlone) {
  const std::vector<Label> labels = some_labels();
  write("x.labels", labels);
  write("a.labels", {labels.begin(), labels.begin() + 100});
  write("b.labels", {labels.begin() + 100, labels.end()});
  RunContext context;
  context.files = &files;
  const std::string parts[] = {"b.labels", "a.labels"};
  ASSERT_TRUE(merge_labels(context, parts, "merged.labels").ok());
  const Sample one = sample("x.labels", {JudgeBy::label, 20, 7});
  EXPECT_EQ(sample("merged.labels", {JudgeBy::label, 20, 7}).fingerprint(), one.fingerprint());
  EXPECT_NE(sample("x.labels", {JudgeBy::label, 20, 8}).fingerprint(), one.fingerprint());
  EXPECT_EQ(one.pairs.size(), 40U);
  // A value that another machine must find, too.
  EXPECT_EQ(one.pairs.front().a.document.id, "1da3e7172e8d9c873b9f971d889cf9a9");
}

TEST_F(LabelsToJudge, AreShownWithTheirPlaces) {
  Label label{.kind = LabelKind::file,
              .hash = hash_chunk("x", ChunkHash::xxh3),
              .count = 12345,
              .documents = 1};
  add_text(label, "<p>" + std::string(500, 'x'));
  add_sample(label, {"http://a.org/\x1b[31m", 1000, 503});
  add_sample(label, {"paypal.com", 0, 0});
  Label bare{.hash = hash_chunk("y", ChunkHash::xxh3), .count = 1, .documents = 1};
  write("x.labels", {label, bare});
  const auto source = open("x.labels");
  EXPECT_EQ(source->kind(), Judged::labels);
  const Sample all = sample("x.labels", {{}, 9, 1});
  const auto shown = source->read(all.pairs);
  ASSERT_TRUE(shown.ok()) << shown.error().message;
  for (std::size_t i = 0; i < 2; ++i) {
    const JudgedPair& pair = shown.value().at(i);
    if (all.pairs[i].b.document.id == "file") {
      EXPECT_EQ(pair.a.text, label.text);
      EXPECT_TRUE(pair.a.cut);
      EXPECT_EQ(pair.b.text, "http://a.org/\\x1b[31m, bytes 1,000 to 1,503\npaypal.com\n");
      EXPECT_EQ(pair.name_b, "seen 12,345 times in 1 document");
    } else {
      EXPECT_EQ(all.pairs[i].a.document.id, to_hex(bare.hash, ChunkHash::xxh3));
      EXPECT_EQ(pair.a.text, "");
      EXPECT_FALSE(pair.a.cut);
      EXPECT_EQ(pair.b.text, "");
    }
  }
  // A label that is not there any more.
  write("y.labels", {bare});
  EXPECT_FALSE(open("y.labels")->read(all.pairs).ok());
}

TEST_F(LabelsToJudge, WhatCannotBeIsRefused) {
  write("x.labels", some_labels());
  for (const JudgeBy by : {JudgeBy::distance, JudgeBy::resemblance}) {
    Sampler sampler({by, 9, 1});
    const Status drawn = open("x.labels")->draw(sampler);
    ASSERT_FALSE(drawn.ok());
    EXPECT_EQ(drawn.error().code, ErrorCode::usage);
  }
  std::string bad = files.read("x.labels");
  bad[200] = static_cast<char>(bad[200] ^ 1);
  ASSERT_TRUE(files.write("bad.labels", bad).ok());
  Sampler sampler({{}, 9, 1});
  EXPECT_FALSE(open("bad.labels")->draw(sampler).ok());
  ASSERT_TRUE(files.write("pairs.jsonl", "{\"a\": 1}\n").ok());
  EXPECT_TRUE(is_table_file(files, "x.labels").value());
  EXPECT_FALSE(is_table_file(files, "pairs.jsonl").value());
  EXPECT_FALSE(is_table_file(files, "nowhere").ok());
  EXPECT_FALSE(open_label_file(files, "pairs.jsonl", nullptr).ok());
}

}  // namespace
}  // namespace twinset
