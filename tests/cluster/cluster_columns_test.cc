// cluster over columns in memory gives the clusters of files with the same texts.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cluster/cluster_collection.h"
#include "support/no_files.h"
#include "support_runs/cluster_testing.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

using Members = std::map<std::uint64_t, std::set<std::string>>;

ClusterResults into(Members& members) {
  return {[&](const ClusterMember& told) -> Status {
    for (const NamedDocument* document : {&told.representative, &told.member}) {
      members[told.cluster].insert(std::to_string(document->record));
    }
    return {};
  }};
}

TEST(ClusterOfColumns, IsThatOfFiles) {
  MadeCollection made = planted_collection({.seed = 51, .documents = 250, .files = 1});
  std::vector<std::string> texts;
  for (MadeRecord& record : made.files[0].records) texts.push_back(record.text);
  const ScratchFolder folder;
  const DedupOptions written = made.write(folder);
  for (const char* scheme : {"mod(samples=64)", "fss"}) {
    ClusterOptions options;
    options.scheme = scheme;
    options.resources = written.resources;
    options.input.max_record = 1 << 20;
    options.inputs = written.inputs;
    options.output = folder / ("out-" + std::string(scheme));
    Members of_files;
    const Result<ClusterSummary> files = cluster(options, quiet_control(), into(of_files));
    ASSERT_TRUE(files.ok()) << files.error().message;

    options.inputs.clear();
    options.output.clear();
    options.columns = {TextColumn(texts)};
    options.resources.memory *= 2;
    for (const unsigned threads : {1U, 2U}) {
      options.resources.threads = threads;
      Members of_columns;
      NoFiles none;
      const Result<ClusterSummary> done =
          cluster(options, {nullptr, nullptr, &none}, into(of_columns));
      ASSERT_TRUE(done.ok()) << done.error().message;
      EXPECT_EQ(of_columns, of_files);
      EXPECT_EQ(done.value().all.clusters, files.value().all.clusters);
      EXPECT_EQ(of_columns.size(), done.value().all.clusters);
      EXPECT_GT(of_columns.size(), 10U);
    }
  }
}

TEST(ClusterOfColumns, MayMakeAFolder) {
  const ScratchFolder folder;
  std::vector<std::string> texts{"a b c d e f", "a b c d e f g", "something else altogether"};
  ClusterOptions options;
  options.columns = {TextColumn(texts)};
  options.output = folder / "groups";
  Members members;
  const auto done = cluster(options, quiet_control(), into(members));
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(members.size(), 1U);
  EXPECT_EQ(done.value().outputs.size(), 3U);
  RecutOptions again;
  again.from = options.output;
  again.resemblance = Ratio(9, 10);
  const auto recut_done = recut(again, quiet_control());
  ASSERT_TRUE(recut_done.ok()) << recut_done.error().message;
  EXPECT_EQ(recut_done.value().all.clusters, 0U);
  // Other texts are never taken for those of the folder, and a run that fails leaves nothing.
  texts[2] = texts[0];
  EXPECT_FALSE(cluster(options, quiet_control()).ok());
  options.output = folder / "stopped";
  const Status enough = usage_error("enough");
  EXPECT_FALSE(
      cluster(options, quiet_control(), {[&](const ClusterMember&) { return enough; }}).ok());
  EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
}

TEST(ClusterOfColumns, ACallbackMayStopTheRun) {
  const std::vector<std::string> texts(5, "one two three four five six");
  ClusterOptions options;
  options.columns = {TextColumn(texts)};
  int calls = 0;
  const Result<ClusterSummary> done =
      cluster(options, quiet_control(), {[&](const ClusterMember&) -> Status {
                ++calls;
                return Error{ErrorCode::interrupted, "enough"};
              }});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message, "enough");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace twinset
