#include "twinset/judge.h"

#include <gtest/gtest.h>

#include <set>

#include "labels/label_file.h"
#include "support/scratch_folder.h"
#include "support_runs/cluster_testing.h"
#include "web/chunks.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Gives the answers of a list, and stops after it.
class ListDesk final : public JudgeDesk {
 public:
  explicit ListDesk(std::vector<JudgeAnswer> answers = {}) : answers_(std::move(answers)) {}
  Result<JudgeAnswer> ask(const PairToJudge& pair) override {
    asked.push_back(pair);
    if (next_ == answers_.size()) {
      if (fails) return io_error("the desk fails");
      return JudgeAnswer{};
    }
    return answers_[next_++];
  }
  std::vector<PairToJudge> asked;
  bool fails = false;

 private:
  std::vector<JudgeAnswer> answers_;
  std::size_t next_ = 0;
};

constexpr JudgeAnswer back{JudgeAnswer::Kind::back, 0};
constexpr JudgeAnswer says(std::size_t category) { return {JudgeAnswer::Kind::verdict, category}; }

class JudgeFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pairs;
    for (int i = 0; i < 8; ++i) {
      pairs += R"({"a": {"id": "a)" + std::to_string(i) + R"(", "text": "one two three )" +
               std::to_string(i) + R"("}, "b": {"id": "b)" + std::to_string(i) +
               R"(", "text": "one two"}, "distance": )" + std::to_string(i % 2) + "}\n";
    }
    options_.sources = {folder_.write("pairs.jsonl", pairs)};
    options_.output = folder_ / "x.judged";
    options_.judge = "ann";
    options_.by = JudgeBy::distance;
  }
  JudgedTables run(ListDesk& desk) {
    const Result<JudgedTables> done = judge(options_, desk, quiet_control());
    EXPECT_TRUE(done.ok()) << done.error().message;
    return done.ok() ? done.value() : JudgedTables();
  }
  std::string refusal() {
    ListDesk desk;
    const Result<JudgedTables> done = judge(options_, desk, quiet_control());
    return done.ok() ? "" : done.error().text(Door::command_line);
  }

  ScratchFolder folder_;
  JudgeOptions options_;
};

TEST_F(JudgeFolder, ContinuesWithThePairsNotYetJudged) {
  ListDesk first({says(0), says(1), says(2)});
  EXPECT_EQ(run(first).judges.at(0).judged, 3U);
  ASSERT_EQ(first.asked.size(), 4U);
  ListDesk second({says(0), says(0), says(0), says(0), says(0)});
  const JudgedTables all = run(second);
  EXPECT_EQ(all.judges.at(0).judged, 8U);
  ASSERT_EQ(second.asked.size(), 5U);
  EXPECT_EQ(second.asked[0].texts.name_a, first.asked[3].texts.name_a);
  EXPECT_EQ(second.asked[0].number, 4U);
  EXPECT_EQ(second.asked[0].left, 5U);
  std::set<std::string> names;
  for (const auto* asked : {&first.asked, &second.asked}) {
    for (const PairToJudge& pair : *asked) names.insert(pair.texts.name_a);
  }
  EXPECT_EQ(names.size(), 8U);
  ListDesk nothing({says(0)});
  run(nothing);
  EXPECT_TRUE(nothing.asked.empty());
  // Another judge begins with the first pair.
  options_.judge = "bob";
  ListDesk other({says(0)});
  const JudgedTables both = run(other);
  EXPECT_EQ(other.asked.at(0).number, 1U);
  EXPECT_EQ(both.agreements.at(0).both, 1U);
}

TEST_F(JudgeFolder, GoesBackAndOnAgain) {
  ListDesk desk({back, says(0), says(0), back, back, says(1)});
  const JudgedTables tables = run(desk);
  std::vector<std::uint64_t> numbers;
  for (const PairToJudge& pair : desk.asked) numbers.push_back(pair.number);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 1, 2, 3, 2, 1, 3}));
  EXPECT_EQ(desk.asked[5].verdict, 0U);
  EXPECT_EQ(desk.asked[6].verdict, std::nullopt);
  EXPECT_EQ(tables.judges.at(0).judged, 2U);
}

TEST_F(JudgeFolder, AFailureKeepsTheVerdicts) {
  ListDesk desk({says(0), says(1)});
  desk.fails = true;
  const Result<JudgedTables> failed = judge(options_, desk, quiet_control());
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "the desk fails");
  options_.sources = {options_.output};
  options_.table = true;
  ListDesk unasked;
  EXPECT_EQ(run(unasked).judges.at(0).judged, 2U);
  EXPECT_TRUE(unasked.asked.empty());
}

TEST_F(JudgeFolder, StopsWhenAsked) {
  std::atomic<bool> stop = true;
  ListDesk desk({says(0)});
  const Result<JudgedTables> stopped = judge(options_, desk, RunControl{&stop});
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
  EXPECT_TRUE(desk.asked.empty());
}

TEST_F(JudgeFolder, MakesAPageOfWhatIsLeft) {
  ListDesk desk({says(0), says(0)});
  run(desk);
  options_.page = folder_ / "p.html";
  const JudgedTables tables = run(desk);
  EXPECT_EQ(desk.asked.size(), 3U);
  EXPECT_NE(tables.notes.at(0).find("6 pairs are on "), std::string::npos);
  const std::string page = folder_.read("p.html");
  EXPECT_EQ(page.find("one two three 0") != std::string::npos, true);
  EXPECT_NE(refusal().find("overwrites nothing"), std::string::npos);
}

TEST_F(JudgeFolder, LabelsAreJudgedLikewise) {
  RunContext context;
  context.files = &disk();
  options_.sources = {folder_ / "x.labels"};
  options_.by = JudgeBy::count;
  LabelWriter writer(context, options_.sources[0], {to_text(ChunkRules()), ChunkHash::xxh3});
  for (std::uint8_t i = 0; i < 4; ++i) {
    Label label{.count = i == 0 ? 5U : 50U, .documents = 2};
    label.hash.bytes[0] = i;
    add_text(label, "<p>red \x1b[31m");
    add_sample(label, {"http://a.org/" + std::to_string(i), 7, 9});
    ASSERT_TRUE(writer.append(label).ok());
  }
  ASSERT_TRUE(writer.finish().ok());
  ListDesk desk({says(0), says(2)});
  const JudgedTables tables = run(desk);
  EXPECT_EQ(tables.kind, Judged::labels);
  EXPECT_EQ(tables.sampled, 4U);
  EXPECT_EQ(tables.categories.size(), 6U);
  ASSERT_EQ(tables.judges.at(0).classes.size(), 2U);
  EXPECT_EQ(tables.judges[0].classes[1].name, "10-99");
  const PairToJudge& label = desk.asked.at(0);
  EXPECT_EQ(label.kind, Judged::labels);
  for (const bool whole : {false, true}) {
    const std::string text = to_text(label, {.color = true}, whole);
    EXPECT_TRUE(text.starts_with("chunk 0")) << text;
    EXPECT_NE(text.find("times in 2 documents\n\n<p>red \\x1b[31m\n\nSeen in:\nhttp://a.org/"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(", bytes 7 to 16\n"), std::string::npos) << text;
  }
  ListDesk rest({says(1), says(1)});
  EXPECT_EQ(run(rest).judges.at(0).judged, 4U);
  // Pairs are another sample.
  options_.categories = pair_categories;
  EXPECT_NE(refusal().find("--categories was commercial"), std::string::npos);
  options_.categories = "";
  options_.by = JudgeBy::distance;
  EXPECT_NE(refusal().find("labels have no distance"), std::string::npos);
}

TEST_F(JudgeFolder, BadOptionsAreRefused) {
  const auto with = [&](auto change) {
    const JudgeOptions kept = options_;
    change(options_);
    std::string message = refusal();
    options_ = kept;
    return message;
  };
  EXPECT_NE(with([](JudgeOptions& o) { o.sample = 0; }).find("--sample 0"), std::string::npos);
  EXPECT_NE(with([](JudgeOptions& o) { o.sample = 100'001; }).find("above 100,000"),
            std::string::npos);
  EXPECT_NE(with([](JudgeOptions& o) { o.output = ""; }).find("-o"), std::string::npos);
  EXPECT_NE(with([](JudgeOptions& o) { o.judge = ""; }).find("--judge"), std::string::npos);
  EXPECT_NE(with([](JudgeOptions& o) { o.judge.assign(201, 'x'); }).find("--judge"),
            std::string::npos);
  EXPECT_NE(with([](JudgeOptions& o) { o.sources = {"-"}; }).find("standard input"),
            std::string::npos);
  EXPECT_NE(with([](JudgeOptions& o) { o.sources.push_back("x"); }).find("--table"),
            std::string::npos);
  EXPECT_NE(with([&](JudgeOptions& o) {
              o.sources = {folder_.write("none", "\n")};
            }).find("has no pairs to judge"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(options_.output));
}

TEST_F(JudgeFolder, SeesTextsInFullOrTheirDifferences) {
  ListDesk desk;
  run(desk);
  PairToJudge pair = desk.asked.at(0);
  pair.texts.name_a = "a\x1b[31m";
  pair.texts.text_a += "\x1b[31m";
  const std::string brief = to_text(pair, {}, false);
  const std::string whole = to_text(pair, {}, true);
  EXPECT_NE(whole.find("\n--- A ---\none two three "), std::string::npos) << whole;
  EXPECT_NE(brief.find("[-"), std::string::npos) << brief;
  EXPECT_EQ((brief + whole).find('\x1b'), std::string::npos);
  EXPECT_NE(to_text(pair, {.color = true}, false).find("\x1b[31m[-"), std::string::npos);
}

}  // namespace
}  // namespace twinset
