// The table holds what the lists say, cluster by cluster.
#include "browse/cluster_table.h"

#include "browse/browse_testing.h"
#include "look/output_folder.h"

namespace twinset {
namespace {

using namespace twinset::testing;

Result<ClusterTable> read_table(const MadeFolder& made, std::uint64_t memory = UINT64_MAX) {
  const Result<OutputFolder> folder = open_output_folder(unsynced(), made.out);
  if (!folder.ok()) return folder.error();
  return ClusterTable::read(unsynced(), folder.value(), {memory, made.folder.path(), nullptr});
}

TEST(ClusterTable, HasWhatTheListsSay) {
  MadeFolder made;
  made.draw(1, 300);
  made.write();
  const Result<ClusterTable> read = read_table(made);
  ASSERT_TRUE(read.ok()) << read.error().message;
  const ClusterTable& table = read.value();
  ASSERT_EQ(table.clusters(), made.clusters.size());
  std::uint64_t member = 0;
  for (std::size_t i = 0; i < made.clusters.size(); ++i) {
    const MadeCluster& cluster = made.clusters[i];
    ASSERT_EQ(table.documents(i), cluster.size());
    EXPECT_EQ(table.begin(i), member);
    unsigned least = UINT32_MAX;
    std::set<std::size_t> sources;
    ClusterTable::Kinds kinds = 0;
    for (std::size_t j = 0; j < cluster.size(); ++j, ++member) {
      EXPECT_EQ(table.cluster_of(member), i);
      const Result<RecordPlace> name = table.name(member);
      EXPECT_EQ(name.value().document.id, cluster[j].id);
      EXPECT_EQ(name.value().document.file, made.files[cluster[j].file]);
      EXPECT_EQ(name.value().document.record, cluster[j].record);
      EXPECT_EQ(name.value().fingerprint, 0xa1U);
      EXPECT_EQ(table.member({cluster[j].file, cluster[j].record}), member);
      EXPECT_EQ(table.find(cluster[j].id).value(), std::vector<std::uint64_t>{member});
      EXPECT_EQ(
          table.find(made.files[cluster[j].file] + ":" + std::to_string(cluster[j].record)).value(),
          std::vector<std::uint64_t>{member});
      sources.insert(cluster[j].file);
      EXPECT_EQ(table.kind(member).has_value(), j > 0);
      EXPECT_EQ(table.removed_line(member).has_value(), j > 0);
      if (j == 0) continue;
      EXPECT_EQ(table.kind(member), cluster[j].kind);
      EXPECT_NEAR(*table.resemblance(member), cluster[j].millionths / 1e6, 1e-9);
      least = std::min(least, cluster[j].millionths);
      kinds = static_cast<ClusterTable::Kinds>(kinds | 1U << static_cast<int>(cluster[j].kind));
    }
    EXPECT_NEAR(*table.least(i), least / 1e6, 1e-9);
    EXPECT_EQ(table.sources(i), sources.size());
    EXPECT_EQ(table.kinds(i), kinds);
  }
  EXPECT_EQ(table.members(), member);
  EXPECT_TRUE(table.find("Doc-").value().empty());
  EXPECT_FALSE(table.member({0, 1'000'000}).has_value());
}

TEST(ClusterTable, RefusesWhatDoesNotFitAndSaysHowMuchIsNeeded) {
  MadeFolder made;
  made.draw(2, 300);
  made.write();
  std::uint64_t documents = 0;
  for (const MadeCluster& cluster : made.clusters) documents += cluster.size();
  const std::uint64_t least = documents * 32 + 300 * 16;
  const Result<ClusterTable> refused = read_table(made, least / 3);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  const std::string& message = refused.error().message;
  const std::size_t number = message.find(" need ") + 6;
  const std::uint64_t needed = std::stoull(message.substr(number));
  EXPECT_EQ(message.find(" bytes", number), number + std::to_string(needed).size()) << message;
  EXPECT_GE(needed, least);
  EXPECT_LE(needed, least + documents);
  EXPECT_FALSE(read_table(made, needed - 1).ok());
  const Result<ClusterTable> read = read_table(made, needed);
  ASSERT_TRUE(read.ok());
  EXPECT_LE(read.value().memory_bytes(), needed + documents);
}

TEST(ClusterTable, NamesTheLineOfDamage) {
  MadeFolder made;
  made.draw(3, 20);
  made.write();
  const std::string removed = get_file(made.out + "/removed.jsonl.zst");
  const auto error_of = [&](const std::string& name, const std::string& bytes) {
    made.write();
    made.replace(name, bytes);
    const Result<ClusterTable> read = read_table(made);
    EXPECT_FALSE(read.ok());
    EXPECT_EQ(read.ok() ? ErrorCode::usage : read.error().code, ErrorCode::io);
    return read.ok() ? std::string() : read.error().text();
  };
  const std::string first = removed.substr(0, removed.find('\n') + 1);
  // Twice the same record; a record of no cluster; no JSON; other fields.
  EXPECT_NE(error_of("removed.jsonl.zst", first + first).find("removed.jsonl.zst:2 is damaged"),
            std::string::npos);
  std::string stranger = first;
  stranger.replace(stranger.find("\"record\": "), 10, "\"record\": 9999");
  EXPECT_NE(error_of("removed.jsonl.zst", stranger).find("removed.jsonl.zst:1 is damaged"),
            std::string::npos);
  EXPECT_NE(error_of("removed.jsonl.zst", first + "{\"id\"\n").find("removed.jsonl.zst:2"),
            std::string::npos);
  EXPECT_NE(error_of("clusters.jsonl.zst", "{\"no\": 1}\n").find("clusters.jsonl.zst:1"),
            std::string::npos);
  EXPECT_NE(error_of("clusters.jsonl.zst", "{\"representative\": {\"id\": 1}, \"members\": []}\n")
                .find("clusters.jsonl.zst"),
            std::string::npos);
  // Cut in the middle of its compressed bytes.
  made.write();
  std::filesystem::resize_file(made.out + "/clusters.jsonl.zst", 40);
  EXPECT_FALSE(read_table(made).ok());
}

// However many documents the summary says there are.
TEST(ClusterTable, TheSummaryIsButAHint) {
  MadeFolder made;
  made.draw(4, 100);
  made.write();
  const Result<OutputFolder> folder = open_output_folder(unsynced(), made.out);
  for (const std::uint64_t told : {std::uint64_t{0}, std::uint64_t{7}, UINT64_MAX}) {
    BrowseLimits limits{std::uint64_t{1} << 20, made.folder.path()};
    limits.documents = limits.clusters = told;
    const Result<ClusterTable> read = ClusterTable::read(unsynced(), folder.value(), limits);
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read.value().clusters(), 100U);
    EXPECT_EQ(read.value().name(0).value().document.id, made.clusters[0][0].id);
  }
}

// Lines of removed records need not be in order.
TEST(ClusterTable, TakesRemovedRecordsInAnyOrder) {
  MadeFolder made;
  made.draw(5, 200);
  made.write();
  std::vector<std::string> lines = lines_of(get_file(made.out + "/removed.jsonl.zst"));
  std::shuffle(lines.begin(), lines.end(), std::mt19937_64(6));
  std::string shuffled;
  for (const std::string& line : lines) shuffled += line + "\n";
  made.replace("removed.jsonl.zst", shuffled);
  const Result<ClusterTable> read = read_table(made);
  ASSERT_TRUE(read.ok()) << read.error().message;
  std::uint64_t member = 0;
  for (const MadeCluster& cluster : made.clusters) {
    for (std::size_t j = 0; j < cluster.size(); ++j, ++member) {
      const std::optional<std::uint64_t> line = read.value().removed_line(member);
      ASSERT_EQ(line.has_value(), j > 0);
      if (j == 0) continue;
      EXPECT_EQ(lines.at(*line).find("{" + made.name_json(cluster[j])), 0U);
      EXPECT_EQ(read.value().kind(member), cluster[j].kind);
    }
  }
}

TEST(ClusterTable, SeveralRecordsMayHaveOneId) {
  MadeFolder made;
  made.clusters = {{{"x", 0, 1}, {"x", 0, 2}, {"y", 1, 3}}, {{"z", 1, 1}, {"x", 2, 1}}};
  made.write();
  const Result<ClusterTable> read = read_table(made);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().find("x").value(), (std::vector<std::uint64_t>{0, 1, 4}));
  EXPECT_EQ(read.value().find(made.files[2] + ":1").value(), std::vector<std::uint64_t>{4});
  EXPECT_TRUE(read.value().find(made.files[2] + ":01").value().empty());
  EXPECT_TRUE(read.value().find(":").value().empty());
}

}  // namespace
}  // namespace twinset
