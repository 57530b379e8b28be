#include "look/show_lists.h"

#include <gtest/gtest.h>

#include "detect/detect_testing.h"
#include "support_runs/small_run.h"
#include "twinset/look.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(ShowLists, AFolderOfDetectShowsWhatTheRunWouldWithThatTop) {
  const ScratchFolder folder;
  DetectOptions options = made_crawl(6, 200).options(folder);
  options.top = 5;
  const Result<DetectSummary> five = detect(options, quiet_control());
  ASSERT_TRUE(five.ok()) << five.error().message;
  ASSERT_EQ(five.value().top_pages.size(), 5U);
  options.top = 1;
  options.output = folder / "one";
  ASSERT_TRUE(detect(options, quiet_control()).ok());
  const Result<Shown> shown = show({.folder = options.output, .top = 5}, quiet_control());
  ASSERT_TRUE(shown.ok()) << shown.error().message;
  EXPECT_EQ(shown.value().kind, Shown::Kind::detected);
  EXPECT_EQ(to_text(shown.value()), to_text(five.value(), options.badness));
  EXPECT_EQ(to_json(shown.value()), to_json(five.value(), options.badness));
  const Result<Shown> pairs =
      show({.folder = options.output, .kind = RemovalKind::near}, quiet_control());
  ASSERT_FALSE(pairs.ok());
  EXPECT_NE(pairs.error().message.find("has no clusters or removed records"), std::string::npos);
}

TEST(ShowLists, AFolderOfSpansShowsTheTextsWithMostReusedBytes) {
  const ScratchFolder folder;
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  std::vector<std::string> passages(3);
  for (std::size_t i = 0; i < passages.size(); ++i) {
    for (int word = 0; word < 60; ++word) {
      passages[i] += "p" + std::to_string(i) + "w" + std::to_string(100 + word) + ' ';
    }
  }
  auto& records = collection.files[0].records;
  for (const std::string& passage : passages) records.push_back({"", passage, ""});
  records.push_back({"two", "first " + passages[0] + "between " + passages[1], ""});
  records.push_back({"one", "nothing but " + passages[2], ""});
  // In both places of the first passage, which overlap: its bytes are counted once.
  records.push_back({"again", passages[0], ""});
  SpansOptions options;
  options.inputs = collection.write(folder).inputs;
  options.input.id = "id";
  options.output = folder / "spans";
  const Result<SpansSummary> done = spans(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const Shown shown = show({.folder = options.output}, quiet_control()).value();
  EXPECT_EQ(shown.kind, Shown::Kind::reused_texts);
  EXPECT_EQ(shown.found, done.value().reused_documents);
  ASSERT_EQ(shown.reused.size(), 3U);
  const std::uint64_t bytes = passages[0].size() - 1;
  EXPECT_EQ(shown.reused[0].name.id, "two");
  EXPECT_EQ(shown.reused[0].bytes, 2 * bytes);
  EXPECT_EQ(shown.reused[1].name.id, "one");
  EXPECT_EQ(shown.reused[1].bytes, bytes);
  EXPECT_EQ(shown.reused[2].name.id, "again");
  EXPECT_EQ(shown.reused[2].bytes, bytes);
  EXPECT_EQ(shown.reused[2].spans, 2U);
  const Shown first = show({.folder = options.output, .top = 1}, quiet_control()).value();
  EXPECT_EQ(first.found, 3U);
  EXPECT_EQ(first.reused.size(), 1U);
  EXPECT_NE(to_text(first).find("3 texts have passages that stand at an earlier place; the 1 with"),
            std::string::npos)
      << to_text(first);
}

TEST(ShowLists, ExplainSaysWhichVerbKnowsSuchAFolder) {
  const ScratchFolder folder;
  const DetectOptions options = made_crawl(3, 50).options(folder);
  ASSERT_TRUE(detect(options, quiet_control()).ok());
  const auto why = explain({.folder = options.output, .id = "x"}, quiet_control());
  ASSERT_FALSE(why.ok());
  EXPECT_NE(why.error().message.find("lists its worst pages and neighborhoods"), std::string::npos)
      << why.error().message;
}

}  // namespace
}  // namespace twinset
