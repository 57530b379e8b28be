#include "support_runs/small_run.h"
#include "twinset/look.h"

namespace twinset {
namespace {

using testing::SmallRun;

class Explain : public ::testing::Test {
 protected:
  void SetUp() override { small_.run(); }
  std::string ask(const std::string& id, bool json = true) {
    ExplainOptions options;
    options.folder = small_.options.output;
    options.id = id;
    const Result<Explanation> found = explain(options, RunControl{});
    if (!found.ok()) return "error: " + found.error().text(Door::command_line);
    return json ? to_json(found.value()) : to_text(found.value());
  }
  SmallRun small_;
};

TEST_F(Explain, GivesTheSurvivorAndTheNumbers) {
  const std::string answer = ask("n4");
  EXPECT_NE(answer.find(R"("fate": "removed", "kind": "near", "survivor_id": "n1")"),
            std::string::npos)
      << answer;
}

TEST_F(Explain, ShowsThePassagesWhileTheInputIsThere) {
  EXPECT_NE(ask("n4", false).find("[-day-] {+week+}"), std::string::npos) << ask("n4", false);
  std::filesystem::remove(small_.input);
  const std::string without = ask("n4", false);
  EXPECT_NE(without.find("removed (near)"), std::string::npos) << without;
  EXPECT_EQ(without.find("[-day-]"), std::string::npos) << without;
}

TEST_F(Explain, IsAValue) {
  ExplainOptions options{.folder = small_.options.output, .id = "n4"};
  const Explanation near = explain(options, RunControl{}).value();
  EXPECT_EQ(near.fate, Explanation::Fate::removed);
  EXPECT_EQ(near.kind, RemovalKind::near);
  EXPECT_EQ(near.document.record, 4U);
  EXPECT_EQ(near.survivor.id, "n1");
  ASSERT_TRUE(near.texts.has_value());
  EXPECT_NEAR(near.texts->passages.resemblance().value(), near.resemblance, 1e-6);
  EXPECT_EQ(near.texts->name_a, "n1");
  EXPECT_FALSE(near.cluster.has_value());
  options.numbers = true;
  EXPECT_FALSE(explain(options, RunControl{}).value().texts.has_value());
  options.id = "n1";
  const Explanation kept = explain(options, RunControl{}).value();
  EXPECT_EQ(kept.fate, Explanation::Fate::kept);
  EXPECT_EQ(kept.stands_for, 3U);
  ASSERT_EQ(kept.examples.size(), 3U);
  EXPECT_EQ(kept.examples[0].kind, RemovalKind::identical);
}

TEST_F(Explain, CountsWhatAKeptRecordStandsFor) {
  EXPECT_NE(ask("n1").find(R"("fate": "kept", "stands_for": 3)"), std::string::npos) << ask("n1");
  EXPECT_NE(ask("n5").find(R"("fate": "kept", "stands_for": 0)"), std::string::npos) << ask("n5");
}

TEST_F(Explain, KnowsRecordsByTheirPlace) {
  EXPECT_NE(ask(small_.input + ":3").find(R"("kind": "lexical")"), std::string::npos);
  EXPECT_NE(ask(small_.input + ":5").find(R"("fate": "quarantined")"), std::string::npos);
}

TEST_F(Explain, KnowsIdsHoweverTheyAreWritten) {
  const testing::ScratchFolder folder;
  DedupOptions options;
  options.inputs = {folder.write(
      "in.jsonl",
      "{\"id\":\"caf\\u00e9 \\\"x\\\"\",\"text\":\"one\"}\n{\"id\":7,\"text\":\"two\"}\n")};
  options.output = folder / "out";
  ASSERT_TRUE(dedup(options, RunControl{}).ok());
  small_.options.output = options.output;
  for (const std::string id : {"caf\xc3\xa9 \"x\"", "7"}) {
    EXPECT_NE(ask(id).find(R"("fate": "kept", "stands_for": 0)"), std::string::npos) << ask(id);
  }
}

TEST_F(Explain, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(ask("nobody").rfind("error: no record has the id 'nobody'", 0), 0U) << ask("nobody");
  small_.options.output = small_.folder.path();
  EXPECT_NE(ask("n1").find("no summary.json"), std::string::npos) << ask("n1");
}

}  // namespace
}  // namespace twinset
