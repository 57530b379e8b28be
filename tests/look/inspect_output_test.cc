#include "look/inspect_output.h"

#include "support/cluster_testing.h"
#include "support/small_run.h"
#include "twinset/cluster.h"
#include "twinset/look.h"

namespace twinset {
namespace {

using testing::SmallRun;

std::string look(const std::string& path) {
  const Result<FileFacts> found = inspect(path, RunControl{});
  return found.ok() ? to_text(found.value()) : "error: " + found.error().message;
}

TEST(InspectOutput, KnowsEachFileOfARun) {
  SmallRun small;
  small.options.emit = Emit::ids;
  small.run();
  const std::string& out = small.options.output;
  const auto has = [](const std::string& seen, const std::string& row) {
    return seen.find(row + "\n") != std::string::npos;
  };
  const std::string folder = look(out);
  EXPECT_TRUE(has(folder, "analyzer      words version 1") ||
              has(folder, "analyzer      words version 3"))
      << folder;
  EXPECT_NE(folder.find("made by       twinset dedup"), std::string::npos) << folder;
  const std::string removed = look(out + "/removed.jsonl.zst");
  EXPECT_TRUE(has(removed, "records       3") && has(removed, "              1 lexical"))
      << removed;
  const std::string clusters = look(out + "/clusters.jsonl.zst");
  EXPECT_TRUE(has(clusters, "clusters      1") && has(clusters, "largest       4")) << clusters;
  const std::string quarantine = look(out + "/quarantine.jsonl");
  EXPECT_TRUE(has(quarantine, "              1 invalid_json")) << quarantine;
  EXPECT_TRUE(has(look(out + "/kept.jsonl"), "records       2")) << look(out + "/kept.jsonl");
  EXPECT_TRUE(has(look(out + "/summary.json"), "kept          2")) << look(out + "/summary.json");
}

TEST(InspectOutput, TellsClusterAndRecutApart) {
  const SmallRun small;
  ClusterOptions options;
  options.inputs = {small.input};
  options.output = small.folder / "like";
  options.input.max_record_bytes = 1 << 20;
  ASSERT_TRUE(cluster(options, testing::quiet_control()).ok());
  RecutOptions cut;
  cut.from = options.output;
  cut.output = small.folder / "tight";
  ASSERT_TRUE(recut(cut, testing::quiet_control()).ok());
  const std::string like = look(options.output);
  EXPECT_NE(like.find("made by       twinset cluster"), std::string::npos) << like;
  EXPECT_EQ(like.find("kept  "), std::string::npos) << like;
  EXPECT_NE(like.find("clusters      1 of 4 documents"), std::string::npos) << like;
  EXPECT_NE(look(cut.output).find("made by       twinset recut"), std::string::npos);
  EXPECT_NE(look(options.output + "/pairs.jsonl.zst").find("copies        2\n"), std::string::npos)
      << look(options.output + "/pairs.jsonl.zst");
}

// Lines that only look a little like twinset's are an input.
TEST(InspectOutput, OthersFilesAreInputs) {
  const testing::ScratchFolder folder;
  for (const char* line :
       {R"({"id": 1, "text": "one"})", R"({"id": 1, "input": 0, "record": 2})",
        R"({"id": 1, "kind": "near", "text": ""})", R"({"representative": "a"})"}) {
    const std::string seen = look(folder.write("in.jsonl", std::string(line) + "\n"));
    EXPECT_NE(seen.find("format        jsonl"), std::string::npos) << seen;
  }
}

}  // namespace
}  // namespace twinset
