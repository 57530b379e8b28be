#include "reuse/label_sorter.h"

#include <gtest/gtest.h>

#include <random>

#include "system/memory_files.h"

namespace twinset {
namespace {

const LabelFacts facts{"html(p,div) markup xxh3(seed=0) least=101", ChunkHash::xxh3};

/// A file of `count` labels of few hashes, sorted with parts of so many bytes.
std::string sorted(std::size_t part_bytes, std::size_t count) {
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  std::mt19937 random(7);
  {
    LabelSorter sorter(context, "x.labels", part_bytes);
    for (std::size_t i = 0; i < count; ++i) {
      Label label{.kind = random() % 5 == 0 ? LabelKind::file : LabelKind::chunk,
                  .hash = hash_chunk(std::to_string(random() % 300), ChunkHash::xxh3),
                  .count = random() % 10,
                  .documents = 1};
      add_sample(label, {"http://a.org/" + std::to_string(random() % 50), random() % 9, 3});
      add_text(label, std::to_string(random() % 100));
      EXPECT_TRUE(sorter.add(std::move(label), facts).ok());
    }
    EXPECT_TRUE(sorter.finish(facts).ok());
  }
  EXPECT_EQ(files.list("").value(), std::vector<std::string>{"x.labels"});
  return files.read("x.labels");
}

TEST(LabelSorter, TheSizeOfPartsChangesNothing) {
  for (const std::size_t count : {0, 1, 1000}) {
    const std::string whole = sorted(LabelSorter::usual_part_bytes, count);
    EXPECT_FALSE(whole.empty());
    EXPECT_EQ(sorted(1, std::min<std::size_t>(count, 40)),
              sorted(LabelSorter::usual_part_bytes, std::min<std::size_t>(count, 40)));
    EXPECT_EQ(sorted(20'000, count), whole);
  }
}

TEST(LabelSorter, AStopLeavesNothing) {
  MemoryFiles files;
  std::atomic<bool> stop = false;
  RunContext context;
  context.files = &files;
  context.cancel = &stop;
  {
    LabelSorter sorter(context, "x.labels", 1);
    for (int i = 0; i < 5; ++i) {
      Label label{.hash = hash_chunk(std::to_string(i), ChunkHash::xxh3)};
      ASSERT_TRUE(sorter.add(std::move(label), facts).ok());
    }
    stop = true;
    const Status done = sorter.finish(facts);
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, ErrorCode::interrupted);
  }
  EXPECT_TRUE(files.list("").value().empty());
}

}  // namespace
}  // namespace twinset
