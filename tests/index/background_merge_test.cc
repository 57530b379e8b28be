// BackgroundMerge: its segment is that of a merge in the foreground; it ends when it is told to.
#include "index/background_merge.h"

#include "index/index_testing.h"
#include "index/merge_segments.h"

namespace twinset::testing {
namespace {

std::vector<BackgroundMerge::Source> sources_of(MemoryFiles& files, std::uint64_t documents) {
  EXPECT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
  for (std::uint64_t i = 0; i < 3; ++i) {
    std::vector<AddedDocument> added;
    for (std::uint64_t j = 0; j < documents; ++j) {
      const std::uint64_t number = i * documents + j;
      added.push_back({quoted("d" + std::to_string(number)), made_text(number, 30)});
    }
    EXPECT_TRUE(
        change(files, "x", added, i == 2 ? std::vector{quoted("d1")} : std::vector<std::string>())
            .ok());
  }
  std::vector<BackgroundMerge::Source> sources;
  const IndexSnapshot snapshot = IndexSnapshot::open(files, "x").value();
  for (const IndexSnapshot::Part& part : snapshot.parts()) {
    sources.push_back({part.listed, part.deleted});
  }
  return sources;
}

TEST(BackgroundMerge, MakesTheSegmentOfAMergeInTheForeground) {
  MemoryFiles files;
  const auto sources = sources_of(files, 300);
  ASSERT_EQ(sources.size(), 3U);
  BackgroundMerge merge(files, "x", two_schemes, sources, 50);
  EXPECT_EQ(merge.number(), 50U);
  EXPECT_EQ(merge.sources().size(), 3U);
  const Status merged = merge.wait();
  ASSERT_TRUE(merged.ok()) << merged.error().message;
  EXPECT_TRUE(merge.is_done());
  const IndexSnapshot snapshot = IndexSnapshot::open(files, "x").value();
  ASSERT_TRUE(merge_segments(context_on(files), snapshot.parts(), snapshot.signer(), "y/50").ok());
  for (const std::string& name : files.list("y/50").value()) {
    EXPECT_EQ(files.read("x/50/" + name), files.read("y/50/" + name)) << name;
  }
  EXPECT_EQ(Segment::open(files, "x/50", snapshot.signer()).value()->documents(), 899U);
}

TEST(BackgroundMerge, StopsAndTellsWhatFails) {
  MemoryFiles files;
  auto sources = sources_of(files, 300);
  { const BackgroundMerge stopped(files, "x", two_schemes, sources, 50); }
  sources[1].listed.number = 40;
  BackgroundMerge merge(files, "x", two_schemes, sources, 51);
  EXPECT_EQ(merge.wait().error().message, "cannot open x/40/documents: there is no such file");
}

}  // namespace
}  // namespace twinset::testing
