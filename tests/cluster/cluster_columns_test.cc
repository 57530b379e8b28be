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
