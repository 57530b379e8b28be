#include "support_runs/cluster_testing.h"
#include "support_runs/small_run.h"
#include "twinset/cluster.h"
#include "twinset/look.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class ShowFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    small_.run();
    options_.folder = small_.options.output;
  }
  std::string look(bool json = true) {
    const Result<Shown> found = show(options_, quiet_control());
    if (!found.ok()) return "error: " + found.error().message;
    return json ? to_json(found.value()) : to_text(found.value());
  }
  SmallRun small_;
  ShowOptions options_;
};

TEST_F(ShowFolder, TheLargestClustersWithFirstWords) {
  const std::string answer = look();
  EXPECT_NE(answer.find(R"({"id": "n1", "file": ")"), std::string::npos) << answer;
  EXPECT_NE(answer.find(R"("words": "The library will be closed on Monday)"), std::string::npos);
  EXPECT_NE(answer.find(R"("documents": 4)"), std::string::npos) << answer;
  EXPECT_EQ(lines_of(answer).size(), 1U);
}

TEST_F(ShowFolder, IsAValue) {
  const Shown largest = show(options_, quiet_control()).value();
  EXPECT_EQ(largest.kind, Shown::Kind::largest_clusters);
  ASSERT_EQ(largest.clusters.size(), 1U);
  EXPECT_EQ(largest.clusters[0].documents, 4U);
  ASSERT_EQ(largest.clusters[0].records.size(), 4U);
  EXPECT_EQ(largest.clusters[0].records[0].name.id, "n1");
  EXPECT_EQ(largest.clusters[0].records[0].words->rfind("The library will be closed", 0), 0U);
  EXPECT_FALSE(largest.clusters[0].records[3].resemblance.has_value());
  options_.cluster = "n4";
  const Shown one = show(options_, quiet_control()).value();
  EXPECT_EQ(one.kind, Shown::Kind::one_cluster);
  EXPECT_NEAR(one.clusters.at(0).records.at(3).resemblance.value_or(0), 0.94, 0.1);
  options_.cluster.clear();
  options_.kind = RemovalKind::near;
  const Shown near = show(options_, quiet_control()).value();
  EXPECT_EQ(near.kind, Shown::Kind::removed);
  ASSERT_EQ(near.links.size(), 1U);
  EXPECT_EQ(near.links[0].record.name.id, "n4");
  EXPECT_EQ(near.links[0].other.name.id, "n1");
  EXPECT_TRUE(near.notes.empty());
}

// B-16: from an id to its cluster, and from there to all ids of it.
TEST_F(ShowFolder, OneClusterByAnyOfItsDocuments) {
  options_.cluster = "n4";
  const std::string answer = look();
  EXPECT_NE(answer.find(R"("resemblance": 0.9)"), std::string::npos) << answer;
  options_.cluster = small_.input + ":1";
  EXPECT_EQ(look(), answer);
  options_.cluster = "n5";
  EXPECT_NE(look().find("is in no cluster"), std::string::npos) << look();
}

TEST_F(ShowFolder, RemovedRecordsByKindAndResemblance) {
  options_.kind = RemovalKind::near;
  EXPECT_EQ(look().rfind(R"({"id": "n4")", 0), 0U) << look();
  options_.kind.reset();
  options_.resemblance.least = Ratio(99, 100);
  EXPECT_EQ(lines_of(look()).size(), 2U) << look();
  options_.top = 1;
  EXPECT_EQ(lines_of(look()).size(), 1U) << look();
  options_.kind = RemovalKind::contained;
  EXPECT_EQ(look(), "");
}

TEST_F(ShowFolder, NoWordsOfAnInputThatHasChanged) {
  std::string text = read_whole_file(disk(), small_.input, 1 << 20).value();
  text.replace(text.find("heating"), 7, "cooling");
  ASSERT_TRUE(write_file_atomically(disk(), small_.input, text).ok());
  const std::string answer = look();
  EXPECT_NE(answer.find(R"({"id": "n1", "file": ")"), std::string::npos) << answer;
  EXPECT_NE(answer.find(R"("words": null, "missing": ")"), std::string::npos) << answer;
  EXPECT_EQ(answer.find("\"words\": \"The library will be closed on Monday for the yearly "
                        "cleaning of its halls and\", \"file\": \"n1"),
            std::string::npos);
  EXPECT_NE(look(false).find("has changed since the run"), std::string::npos) << look(false);
}

// The largest few of many, whatever their order.
TEST(ShowMany, KeepsTheLargest) {
  const ScratchFolder folder;
  std::string lines;
  for (int cluster = 0; cluster < 40; ++cluster) {
    const std::string text = "text number " + std::to_string(cluster) + " of forty of them all";
    for (int copy = 0; copy < 2 + cluster * 7 % 40; ++copy) {
      lines += "{\"id\":\"c" + std::to_string(cluster) + "-" + std::to_string(copy) +
               "\",\"text\":\"" + text + "\"}\n";
    }
  }
  ClusterOptions options;
  options.inputs = {folder.write("many.jsonl", lines)};
  options.output = folder / "like";
  options.resemblance = Ratio(1, 1);
  options.input.max_record = 1 << 20;
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  ShowOptions wanted;
  wanted.folder = options.output;
  wanted.top = 3;
  const Result<Shown> found = show(wanted, quiet_control());
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found.value().found, 40U);
  const std::vector<std::string> shown = lines_of(to_json(found.value()));
  ASSERT_EQ(shown.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NE(shown[i].find("\"documents\": " + std::to_string(41 - i)), std::string::npos)
        << shown[i];
  }
}

}  // namespace
}  // namespace twinset
