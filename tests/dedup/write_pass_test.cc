#include "dedup/write_pass.h"

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(WritePass, KeptAndRemovedTogetherAreTheInput) {
  const MadeCollection collection =
      planted_collection({.seed = 21, .documents = 300, .files = 3, .compressed = true});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.write_removed = true;
  options.resources.threads = 2;
  set_small_memory(options, 2, 1 << 20);
  ASSERT_TRUE(dedup(options, quiet_control()).ok());
  for (const MadeFile& file : collection.files) {
    std::vector<std::string> expected = lines_of(file.bytes());
    std::vector<std::string> written = lines_of(get_file(options.output + "/" + file.name));
    const auto removed = lines_of(get_file(options.output + "/removed/" + file.name));
    EXPECT_TRUE(std::is_sorted(written.begin(), written.end(), [&](auto& a, auto& b) {
      return std::find(expected.begin(), expected.end(), a) <
             std::find(expected.begin(), expected.end(), b);
    })) << "input order";
    written.insert(written.end(), removed.begin(), removed.end());
    std::sort(written.begin(), written.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(written, expected) << file.name;
  }
}

// Many short copies of one document with a long id: their lines are a hundred times the size of the
// input.
TEST(WritePass, LinesOfLongNamesAreWrittenAsTheyAreMade) {
  const ScratchFolder folder;
  const std::string id(20'000, 'i');
  std::string all = "{\"id\":\"" + id + "\",\"text\":\"one text\"}\n";
  for (int i = 0; i < 1000; ++i) all += "{\"text\":\"one text\"}\n";
  DedupOptions options;
  options.inputs = {folder.write("in.jsonl", all)};
  std::map<std::string, std::string> first;
  for (const unsigned threads : {1U, 3U}) {
    options.output = folder / "out";
    set_small_memory(options, threads, 1 << 24);
    const Result<DedupSummary> done = dedup(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    const RunOutput output = read_output(options.output);
    ASSERT_EQ(output.removed.size(), 1000U);
    for (std::size_t i = 0; i < output.removed.size(); ++i) {
      ASSERT_EQ(output.removed[i].record, i + 2);
      ASSERT_EQ(output.removed[i].survivor_id.size(), id.size() + 2);
    }
    if (first.empty()) first = output.bytes;
    EXPECT_EQ(output.bytes, first);
    std::filesystem::remove_all(options.output);
  }
}

TEST(WritePass, EmitsIdsInstead) {
  const MadeCollection collection = planted_collection({.seed = 22, .documents = 100, .files = 2});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.emit = Emit::ids;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(lines_of(get_file(options.output + "/kept.jsonl")).size(), done.value().total.kept);
  EXPECT_FALSE(std::filesystem::exists(options.output + "/part-0.jsonl"));
}

}  // namespace
}  // namespace twinset
