#include "reuse/label_filter.h"

#include <gtest/gtest.h>

#include "detect/detect_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(LabelFilter, IsNeverWrongAboutALabel) {
  const ScratchFolder folder;
  std::vector<std::string> all_chunks;
  for (std::uint64_t i = 0; i < 5000; ++i) all_chunks.push_back(crawl_chunk(i));
  const std::vector<std::string> chunks = all_chunks;
  const std::vector<std::string> files{"one file", "another file"};
  write_labels(folder / "a.labels", chunks, files);
  const Result<LabelFile> labels = LabelFile::open(unsynced(), folder / "a.labels");
  ASSERT_TRUE(labels.ok());
  for (const std::uint64_t memory :
       {std::uint64_t{1}, std::uint64_t{4096}, std::uint64_t{1} << 30}) {
    const Result<LabelFilter> filter = LabelFilter::make(labels.value(), memory);
    ASSERT_TRUE(filter.ok()) << filter.error().message;
    EXPECT_EQ(filter.value().chunks(), chunks.size());
    EXPECT_EQ(filter.value().files(), files.size());
    EXPECT_LE(filter.value().bytes(), std::max<std::uint64_t>(memory, 64));
    for (const auto* known : {&chunks, &files}) {
      for (const std::string& content : *known) {
        ASSERT_TRUE(filter.value().may_have(hash_chunk(content, ChunkHash::xxh3).key()));
      }
    }
    std::uint64_t through = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      const std::string other = "other " + std::to_string(i);
      through += filter.value().may_have(hash_chunk(other, ChunkHash::xxh3).key()) ? 1 : 0;
    }
    if (memory > 4096) {
      EXPECT_LT(through, 300U);
    }
  }
}

TEST(LabelFilter, NoLabelsLetNothingThrough) {
  const ScratchFolder folder;
  write_labels(folder / "none.labels", {});
  const Result<LabelFile> labels = LabelFile::open(unsynced(), folder / "none.labels");
  ASSERT_TRUE(labels.ok());
  const Result<LabelFilter> filter = LabelFilter::make(labels.value(), 1 << 20);
  ASSERT_TRUE(filter.ok());
  EXPECT_FALSE(filter.value().may_have(hash_chunk("any", ChunkHash::xxh3).key()));
}

}  // namespace
}  // namespace twinset
