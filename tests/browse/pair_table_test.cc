#include "browse/pair_table.h"

#include "browse/cluster_table.h"
#include "look/output_folder.h"
#include "support_runs/cluster_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// A run of cluster over planted near copies, and its pairs as the lines have them.
struct ClusterRun {
  ScratchFolder folder;
  MadeCollection collection = planted_collection({.seed = 4, .documents = 300});
  ClusterOptions options = cluster_options(collection.write(folder));

  ClusterRun() {
    options.resemblance = Ratio(1, 2);
    options.floor = Ratio(1, 10);
    const auto done = cluster(options, quiet_control());
    EXPECT_TRUE(done.ok()) << done.error().message;
  }
};

TEST(PairTable, HasTheRowsOfTheListAndTheNamesOfItsDocuments) {
  const ClusterRun run;
  const OutputFolder folder = open_output_folder(unsynced(), run.options.output).value();
  const PairsFolder kinds(folder);
  Result<PairTable> made = PairTable::make(unsynced(), run.folder.path());
  ASSERT_TRUE(made.ok());
  PairTable& table = made.value();
  std::vector<PairTableRow> rows;
  std::map<DocumentId, std::pair<std::string, std::uint64_t>> names;
  ASSERT_TRUE(
      for_each_pair_line(unsynced(), folder.file(pairs_file_name),
                         [&](const PairLine& line) -> Status {
                           names[line.document()] = {std::string(line.id), line.fingerprint};
                           if (line.kind() != Fate::near) {
                             rows.push_back({line.document(), line.original(), {}, 0});
                           }
                           for (const PairedDocument& pair : line.pairs) {
                             rows.push_back({line.document(), pair.document, pair.keys, 2});
                           }
                           return table.append(line, kinds);
                         })
          .ok());
  ASSERT_TRUE(table.seal().ok());
  ASSERT_GT(rows.size(), 100U);
  ASSERT_EQ(table.rows(), rows.size());
  std::size_t at = 0;
  ASSERT_TRUE(table
                  .for_each(0, UINT64_MAX,
                            [&](std::uint64_t number, const PairTableRow& row) -> Result<bool> {
                              EXPECT_EQ(number, at);
                              EXPECT_EQ(row.document, rows[at].document);
                              EXPECT_EQ(row.other, rows[at].other);
                              EXPECT_EQ(row.keys.shared, rows[at].keys.shared);
                              EXPECT_EQ(row.kind() == RemovalKind::near, rows[at].marks == 2);
                              ++at;
                              return true;
                            })
                  .ok());
  EXPECT_EQ(at, rows.size());
  for (const auto& of_document : names) {
    const DocumentId document = of_document.first;
    const auto& name = of_document.second;
    RecordPlace place;
    ASSERT_TRUE(table.name(document, place).value());
    EXPECT_EQ("\"" + place.document.id + "\"", name.first);
    EXPECT_EQ(place.document.record, document.record());
    EXPECT_EQ(place.fingerprint, name.second);
    std::size_t pairs = 0;
    ASSERT_TRUE(table
                    .for_each_of(document,
                                 [&](const PairTableRow& row) -> Result<bool> {
                                   EXPECT_EQ(row.document, document);
                                   ++pairs;
                                   return true;
                                 })
                    .ok());
    EXPECT_EQ(pairs, static_cast<std::size_t>(std::count_if(
                         rows.begin(), rows.end(),
                         [&](const PairTableRow& row) { return row.document == document; })));
  }
  RecordPlace none;
  EXPECT_FALSE(table.name({9, 9}, none).value());
}

// Of each cluster the least pair at the threshold, of each document its most alike one.
TEST(PairTable, GivesClustersTheirNumbers) {
  const ClusterRun run;
  const OutputFolder folder = open_output_folder(unsynced(), run.options.output).value();
  const PairsFolder kinds(folder);
  PairTable pairs = PairTable::make(unsynced(), run.folder.path()).value();
  const Result<ClusterTable> read = ClusterTable::read(
      unsynced(), folder, {UINT64_MAX, run.folder.path(), nullptr}, nullptr, &pairs);
  ASSERT_TRUE(read.ok()) << read.error().message;
  const ClusterTable& table = read.value();
  std::map<std::uint64_t, double> most;
  std::map<std::uint64_t, double> least;
  ASSERT_TRUE(for_each_pair_line(
                  unsynced(), folder.file(pairs_file_name),
                  [&](const PairLine& line) -> Status {
                    const auto take = [&](DocumentId other, double resemblance) {
                      for (const DocumentId document : {line.document(), other}) {
                        double& known = most.try_emplace(*table.member(document), 0).first->second;
                        known = std::max(known, resemblance);
                      }
                      const std::uint64_t cluster =
                          table.cluster_of(*table.member(line.document()));
                      double& known = least.try_emplace(cluster, 1).first->second;
                      known = std::min(known, resemblance);
                    };
                    if (line.kind() != Fate::near) take(line.original(), 1);
                    for (const PairedDocument& pair : line.pairs) {
                      if (kinds.threshold().reached_by(pair.keys)) {
                        take(pair.document, pair.keys.resemblance());
                      }
                    }
                    return {};
                  })
                  .ok());
  ASSERT_GT(table.clusters(), 5U);
  for (std::uint64_t i = 0; i < table.clusters(); ++i) {
    EXPECT_NEAR(table.least(i).value(), least.at(i), 1e-6);
    EXPECT_FALSE(table.kind(table.begin(i)).has_value());
    for (std::uint64_t member = table.begin(i); member < table.end(i); ++member) {
      EXPECT_NEAR(table.resemblance(member).value(), most.at(member), 1e-6);
    }
  }
}

}  // namespace
}  // namespace twinset
