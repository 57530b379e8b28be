#include <map>

#include "collection/output_lines.h"
#include "support_runs/cluster_testing.h"
#include "support_runs/small_run.h"
#include "twinset/cluster.h"
#include "twinset/look.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class Collected final : public RecordSink {
 public:
  Status write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

RunControl into(Collected& collected) { return {nullptr, nullptr, &unsynced(), &collected}; }

// The kept and restored records of each input, in order of their numbers, are the input.
TEST(Restore, KeptAndRestoredAreTheInput) {
  const MadeCollection collection =
      planted_collection({.seed = 21, .documents = 300, .files = 4, .compressed = true});
  const ScratchFolder folder;
  const DedupOptions options = collection.write(folder);
  ASSERT_TRUE(dedup(options, quiet_control()).ok());
  RestoreOptions wanted;
  wanted.folder = options.output;
  wanted.all = true;
  wanted.output = folder / "back";
  const Result<RestoreSummary> done = restore(wanted, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const RunOutput output = read_output(options.output);
  EXPECT_EQ(done.value().records, output.removed.size());
  EXPECT_GT(done.value().records, 50U);
  for (const MadeFile& file : collection.files) {
    std::map<std::uint64_t, bool> gone;
    for (const RemovedLine& line : output.removed) {
      if (line.file.ends_with("/" + file.name)) gone[line.record] = true;
    }
    const std::vector<std::string> kept = lines_of(get_file(options.output + "/" + file.name));
    std::vector<std::string> back;
    if (!gone.empty()) back = lines_of(get_file(wanted.output + "/" + file.name));
    ASSERT_EQ(back.size(), gone.size());
    std::string again;
    std::size_t next_kept = 0;
    std::size_t next_back = 0;
    for (std::uint64_t record = 1; record <= file.records.size(); ++record) {
      again += (gone.contains(record) ? back[next_back++] : kept[next_kept++]) + "\n";
    }
    EXPECT_EQ(again, file.bytes()) << file.name;
  }
}

class RestoreSmall : public ::testing::Test {
 protected:
  void SetUp() override {
    small_.run();
    wanted_.folder = small_.options.output;
  }
  std::string refusal() {
    Collected collected;
    const Result<RestoreSummary> done = restore(wanted_, into(collected));
    return done.ok() ? "" : done.error().text(Door::command_line);
  }
  SmallRun small_;
  RestoreOptions wanted_;
};

TEST_F(RestoreSmall, GivesTheBytesInInputOrder) {
  wanted_.records = {"n4", small_.input + ":2", "n4"};
  Collected collected;
  const Result<RestoreSummary> done = restore(wanted_, into(collected));
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().records, 2U);
  const std::vector<std::string> all =
      lines_of(read_whole_file(disk(), small_.input, 1 << 20).value());
  EXPECT_EQ(collected.text, all[1] + "\n" + all[3] + "\n");
}

TEST_F(RestoreSmall, RefusesWhatWasNotRemoved) {
  EXPECT_NE(refusal().find("--all"), std::string::npos);
  wanted_.records = {"n1"};
  EXPECT_NE(refusal().find("is not a removed record"), std::string::npos) << refusal();
  wanted_.all = true;
  EXPECT_NE(refusal().find("--all"), std::string::npos);
  wanted_.records.clear();
  wanted_.output = small_.options.output;
  EXPECT_NE(refusal().find("exists"), std::string::npos) << refusal();
}

TEST_F(RestoreSmall, AChangedInputGivesNothingBack) {
  std::string text = read_whole_file(disk(), small_.input, 1 << 20).value();
  text.replace(text.find("quite another"), 5, "QUITE");  // A kept record.
  ASSERT_TRUE(write_file_atomically(disk(), small_.input, text).ok());
  wanted_.all = true;
  wanted_.output = small_.folder / "back";
  EXPECT_NE(refusal().find("has changed since the run"), std::string::npos) << refusal();
  EXPECT_FALSE(std::filesystem::exists(wanted_.output));
  EXPECT_FALSE(std::filesystem::exists(wanted_.output + ".partial"));
  std::filesystem::remove(small_.input);
  EXPECT_NE(refusal().find("there is no"), std::string::npos) << refusal();
}

TEST_F(RestoreSmall, OnlyDedupRemoves) {
  ClusterOptions options;
  options.inputs = {small_.input};
  options.output = small_.folder / "like";
  options.input.max_record = 1 << 20;
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  wanted_.folder = options.output;
  wanted_.all = true;
  EXPECT_NE(refusal().find("removes nothing"), std::string::npos) << refusal();
}

// Kept records to a sink: the same as the folder's files, and no folder.
TEST(KeptRecords, ToASinkAreThoseOfTheFolder) {
  const MadeCollection collection =
      planted_collection({.seed = 22, .documents = 200, .files = 3, .compressed = true});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  ASSERT_TRUE(dedup(options, quiet_control()).ok());
  std::string expected;
  for (const MadeFile& file : collection.files) {
    expected += get_file(options.output + "/" + file.name);
  }
  options.output.clear();
  options.removed = folder / "gone.jsonl";
  options.summary = folder / "sum.json";
  options.resources.tmp = folder / "tmp";
  std::filesystem::create_directory(options.resources.tmp);
  Collected collected;
  const Result<DedupSummary> done = dedup(options, into(collected));
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(collected.text, expected);
  EXPECT_EQ(get_file(options.removed), get_file(folder / "out/removed.jsonl.zst"));
  EXPECT_TRUE(std::filesystem::exists(options.summary));
  EXPECT_TRUE(std::filesystem::is_empty(options.resources.tmp));
}

}  // namespace
}  // namespace twinset
