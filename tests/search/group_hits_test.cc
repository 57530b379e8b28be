// group_hits(): a line for each line, whatever it is, and a summary that knows of seen hits alone.
#include "search/search_testing.h"
#include "twinset/hits.h"

namespace twinset::testing {
namespace {

struct Answered {
  Result<GroupSummary> summary;
  std::vector<std::string> lines;
};

Answered answered(GroupOptions options) {
  LineSink lines;
  RunControl control = quiet_control();
  control.kept = &lines;
  auto summary = group_hits(options, control);
  return {std::move(summary), SearchFolder::lines_of(lines.text)};
}

struct Lists : SearchFolder {
  Lists() {
    this->options.field = {"readers"};
    EXPECT_TRUE(create().ok());
    EXPECT_TRUE(add(record_line("a", words_of(1, 60), ", \"readers\": \"all\"") +
                    record_line("b", words_of(1, 60) + " more", ", \"readers\": \"few\""))
                    .ok());
    group.index = this->options.index;
    group.inputs = {folder / "lists.jsonl"};
  }
  Answered ask(const std::string& lists) {
    folder.write("lists.jsonl", lists);
    return answered(group);
  }
  GroupOptions group;
};

TEST(GroupRun, AnswersEachLineAndGoesOnAfterABadOne) {
  Lists lists;
  const Answered done = lists.ask(
      "\xef\xbb\xbf{\"hits\": [\"a\", \"b\"], \"id\": 1}\n\nno list\r\n{\"hits\": "
      "[\"b\"]}\r\n{\"hits\": []}");
  ASSERT_TRUE(done.summary.ok()) << done.summary.error().message;
  ASSERT_EQ(done.lines.size(), 4U);
  EXPECT_TRUE(done.lines[0].starts_with("{\"id\": 1, \"groups\": [{\"best\": \"a\""))
      << done.lines[0];
  EXPECT_TRUE(done.lines[0].ends_with("\"order\": [\"a\", \"b\"]}")) << done.lines[0];
  EXPECT_TRUE(done.lines[1].starts_with("{\"error\": \"line 3: the list")) << done.lines[1];
  EXPECT_EQ(done.lines[2],
            "{\"groups\": [{\"best\": \"b\", \"members\": [{\"id\": \"b\", \"best\": true, "
            "\"action\": \"show\"}]}], \"order\": [\"b\"]}");
  EXPECT_EQ(done.lines[3], "{\"groups\": [], \"order\": []}");
  EXPECT_EQ(done.summary.value().lists, 4U);
  EXPECT_EQ(done.summary.value().quarantined, 1U);
  EXPECT_EQ(done.summary.value().hits, 3U);
  EXPECT_EQ(done.summary.value().groups, 2U);
  ASSERT_EQ(done.summary.value().bad_records.size(), 1U);
}

// S-28: the summary counts what askers may see, and no more.
TEST(GroupRun, TheSummaryTellsNothingOfHiddenHits) {
  Lists lists;
  lists.group.access = "readers";
  const Answered with =
      lists.ask("{\"hits\": [\"b\", \"a\", \"b\", \"c\"], \"access\": [\"all\"]}\n");
  const Answered without = lists.ask("{\"hits\": [\"a\"], \"access\": [\"all\"]}\n");
  EXPECT_EQ(with.lines, without.lines);
  EXPECT_EQ(to_text(with.summary.value()), to_text(without.summary.value()));
  EXPECT_EQ(with.summary.value().hits, 1U);
  EXPECT_EQ(with.summary.value().warnings, without.summary.value().warnings);
}

TEST(GroupRun, ALineThatIsTooLongIsRefusedAndTheNextAnswered) {
  Lists lists;
  const std::string huge((std::size_t{64} << 20) + 1, 'x');
  const Answered done = lists.ask(huge + "\n{\"hits\": []}\n");
  ASSERT_EQ(done.lines.size(), 2U);
  EXPECT_EQ(done.lines[0], "{\"error\": \"line 1: a line of more than 67108864 bytes\"}");
  EXPECT_EQ(done.lines[1], "{\"groups\": [], \"order\": []}");
}

TEST(GroupRun, WarnsOfARuleForWhichNoHitHasAValue) {
  Lists lists;
  lists.group.best = "newest:day";
  const Answered done = lists.ask("{\"hits\": [\"a\"]}\n");
  ASSERT_EQ(done.summary.value().warnings.size(), 1U);
  EXPECT_EQ(done.summary.value().warnings[0],
            "no hit has a field 'day' of text or a number, so the rank decides");
}

TEST(GroupRun, EndsWithAnErrorWhereNoAnswerIsRight) {
  Lists lists;
  lists.group.inputs = {lists.folder / "nowhere.jsonl"};
  EXPECT_EQ(answered(lists.group).summary.error().code, ErrorCode::io);
  lists.group.inputs = {};
  EXPECT_EQ(group_hits(lists.group, quiet_control()).error().code, ErrorCode::usage)
      << "there is nowhere to write";
  lists.group.best = "nicest";
  EXPECT_EQ(answered(lists.group).summary.error().code, ErrorCode::usage);
  std::atomic<bool> stop = true;
  lists.group.best = "first";
  lists.folder.write("lists.jsonl", "{\"hits\": []}\n");
  lists.group.inputs = {lists.folder / "lists.jsonl"};
  LineSink sink;
  RunControl control{&stop, nullptr, nullptr, &sink};
  EXPECT_EQ(group_hits(lists.group, control).error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace twinset::testing
