#include "collection/output_files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/bytes.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using testing::ScratchFolder;

std::string clusters_text(const std::vector<ClusterLink>& links, unsigned threads) {
  const ScratchFolder folder;
  RunContext context;
  context.files = &testing::unsynced();
  context.threads = threads;
  auto sink =
      create_output(*context.files, folder.path(), "deep/er/clusters.jsonl", Compression::none, 0);
  EXPECT_TRUE(sink.ok());
  LineFile lines(std::move(sink).value());
  std::size_t next = 0;
  const auto take = [&](ClusterLink& link) -> Result<bool> {
    if (next == links.size()) return false;
    link = links[next++];
    return true;
  };
  const auto name = [](unsigned, std::uint64_t index, std::string& id) -> Status {
    id = "\"d" + std::to_string(index) + "\"";
    return {};
  };
  EXPECT_TRUE(write_cluster_lines(context, lines, take, name).ok());
  return read_whole_file(*context.files, folder / "deep/er/clusters.jsonl", 1 << 26).value();
}

TEST(OutputFiles, AllFilesBelowAFolderByName) {
  const ScratchFolder folder;
  folder.write("out/b.jsonl", "four");
  folder.write("out/b/deep/er.jsonl", "");
  folder.write("out/a", "one");
  std::filesystem::create_directory(folder / "out/empty");
  const auto found = files_below(testing::unsynced(), folder / "out");
  ASSERT_TRUE(found.ok()) << found.error().message;
  std::vector<std::string> told;
  for (const OutputFile& file : found.value()) {
    told.push_back(file.name + " " + std::to_string(file.bytes));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"a 3", "b.jsonl 4", "b/deep/er.jsonl 0"}));
  EXPECT_FALSE(files_below(testing::unsynced(), folder / "none").ok());
}

TEST(OutputFiles, ALineForEachRunOfLinks) {
  EXPECT_EQ(clusters_text({}, 1), "");
  EXPECT_EQ(clusters_text({{0, 4}, {0, 7}, {2, 3}}, 1),
            "{\"representative\": \"d0\", \"members\": [\"d4\", \"d7\"]}\n"
            "{\"representative\": \"d2\", \"members\": [\"d3\"]}\n");
}

// Lines may span any number of tasks, and tasks any number of lines.
TEST(OutputFiles, TheSameForAnyNumberOfThreads) {
  std::vector<ClusterLink> links;
  std::string expected;
  for (std::uint64_t cluster = 0; cluster < 40; ++cluster) {
    expected += "{\"representative\": \"d" + std::to_string(cluster) + "\", \"members\": [";
    const std::uint64_t members = cluster % 7 == 0 ? 1700 : 1 + cluster * 31 % 200;
    for (std::uint64_t member = 0; member < members; ++member) {
      links.push_back({cluster, 1000 + member});
      expected += (member == 0 ? "\"d" : ", \"d") + std::to_string(1000 + member) + "\"";
    }
    expected += "]}\n";
  }
  for (const unsigned threads : {1U, 2U, 5U}) EXPECT_EQ(clusters_text(links, threads), expected);
}

class Collected final : public RecordSink {
 public:
  Status write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

TEST(RecordStream, PutsALineEndBetweenRecordsThatHaveNone) {
  Collected collected;
  RecordStream stream(collected);
  for (const char* records : {"a\nb\n", "", "c", "", "d\n", "e"}) {
    ASSERT_TRUE(stream.write(records).ok());
  }
  EXPECT_EQ(collected.text, "a\nb\nc\nd\ne");
}

TEST(OutputFiles, AnOutputThatWasBegunIsMadeAnew) {
  const ScratchFolder folder;
  folder.write("left.jsonl", "half a li");
  auto sink = create_output(testing::unsynced(), folder.path(), "left.jsonl", Compression::none, 0);
  ASSERT_TRUE(sink.ok());
  LineFile lines(std::move(sink).value());
  lines.buffer() += "whole\n";
  ASSERT_TRUE(lines.added().ok());
  ASSERT_TRUE(lines.finish().ok());
  EXPECT_EQ(read_whole_file(testing::unsynced(), folder / "left.jsonl", 100).value(), "whole\n");
}

TEST(WholeFile, ReplacesWhatAKilledRunLeft) {
  const ScratchFolder folder;
  folder.write("lines.jsonl.partial", "half a li");
  auto file = WholeFile::create(testing::unsynced(), "output", folder / "lines.jsonl");
  ASSERT_TRUE(file.ok()) << file.error().message;
  ASSERT_TRUE(file.value()->write("whole\n").ok());
  ASSERT_TRUE(file.value()->publish().ok());
  EXPECT_EQ(folder.read("lines.jsonl"), "whole\n");
}

TEST(OutputFiles, AReportIsAPageAndItsFacts) {
  const ScratchFolder folder;
  const std::string page = folder / "page.html";
  EXPECT_EQ(facts_path(page), folder / "page.json");
  EXPECT_EQ(facts_path("page"), "page.json");
  ASSERT_TRUE(write_report(testing::unsynced(), {"<p>", "{}"}, page).ok());
  EXPECT_EQ(folder.read("page.html"), "<p>");
  EXPECT_EQ(folder.read("page.json"), "{}");
}

}  // namespace
}  // namespace twinset
