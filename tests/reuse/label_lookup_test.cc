#include "reuse/label_lookup.h"

#include <gtest/gtest.h>

#include "detect/detect_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(LabelLookup, FindsLabelsAndNothingElseWhateverMemoryItHas) {
  const ScratchFolder folder;
  std::vector<std::string> chunks;
  for (std::uint64_t i = 0; i < 3000; ++i) chunks.push_back(crawl_chunk(i));
  write_labels(folder / "a.labels", chunks, {"a file"});
  const Result<LabelFile> labels = LabelFile::open(unsynced(), folder / "a.labels");
  ASSERT_TRUE(labels.ok());
  const Result<LabelFilter> filter = LabelFilter::make(labels.value(), 1 << 20);
  ASSERT_TRUE(filter.ok());
  // With little memory the file's pages are released again and again.
  for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{1} << 30}) {
    LabelLookup lookup(labels.value(), filter.value(), memory, 2);
    std::uint64_t looked_up = 0;
    for (std::uint64_t i = 0; i < 6000; ++i) {
      const ChunkDigest hash = hash_chunk(crawl_chunk(i), ChunkHash::xxh3);
      const Result<bool> known = lookup.contains(LabelKind::chunk, hash, looked_up);
      ASSERT_TRUE(known.ok());
      EXPECT_EQ(known.value(), i < 3000) << i;
      const Result<std::optional<Label>> found = lookup.find(LabelKind::chunk, hash, looked_up);
      ASSERT_TRUE(found.ok());
      ASSERT_EQ(found.value().has_value(), i < 3000) << i;
      if (i < 3000) {
        EXPECT_EQ(found.value()->samples.size(), 1U);
      }
      if (i % 100 == 0) lookup.count(looked_up);
    }
    EXPECT_EQ(looked_up == 0, memory == 1) << "counts from the last release on";
    EXPECT_EQ(lookup.chunks(), 3000U);
    EXPECT_EQ(lookup.files(), 1U);
  }
}

}  // namespace
}  // namespace twinset
