// DocumentSet: a set of numbers, written and read again.
#include "index/document_set.h"

#include <set>

#include "rows/rows_testing.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

constexpr FrozenKind deleted_kind{.format = "segment", .version = 1, .fingerprint = 3};

TEST(DocumentSet, IsWrittenAndRead) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  for (const std::uint64_t documents : {0, 1, 63, 64, 65, 1000}) {
    DocumentSet deleted(documents);
    std::set<std::uint64_t> model;
    for (std::uint64_t i = 0; i < documents; ++i) {
      const std::uint64_t number = mix64(i) % documents;
      if (i % 3 != 0) continue;
      EXPECT_EQ(deleted.add(number), model.insert(number).second);
    }
    ASSERT_TRUE(deleted.write(context, "d", deleted_kind).ok());
    const auto read = DocumentSet::read(files, "d", deleted_kind, documents);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read.value().count(), model.size());
    const std::vector<std::uint64_t> counts = read.value().counts_before();
    std::uint64_t before = 0;
    for (std::uint64_t i = 0; i < documents; ++i) {
      EXPECT_EQ(read.value().has(i), model.contains(i));
      EXPECT_EQ(read.value().before(i, counts), before);
      before += model.contains(i) ? 1 : 0;
    }
    EXPECT_FALSE(DocumentSet::read(files, "d", deleted_kind, documents + 64).ok());
  }
}

TEST(DocumentSet, CopiesAreValuesOfTheirOwn) {
  DocumentSet first(100);
  first.add(3);
  DocumentSet second = first;
  first.add(4);
  second.add(5);
  const DocumentSet third = second;
  second.add(6);
  DocumentSet fourth = std::move(second);
  fourth.add(7);
  const auto members = [](const DocumentSet& set) {
    std::set<std::uint64_t> all;
    for (std::uint64_t i = 0; i < 100; ++i) {
      if (set.has(i)) all.insert(i);
    }
    EXPECT_EQ(all.size(), set.count());
    return all;
  };
  using Set = std::set<std::uint64_t>;
  EXPECT_EQ(members(first), (Set{3, 4}));
  EXPECT_EQ(members(third), (Set{3, 5}));
  EXPECT_EQ(members(fourth), (Set{3, 5, 6, 7}));
  first = third;
  first.add(8);
  EXPECT_EQ(members(first), (Set{3, 5, 8}));
  EXPECT_EQ(members(third), (Set{3, 5}));
}

TEST(DocumentSet, OfMoreThanTheSegmentHasIsAnError) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  DocumentSet deleted(60);
  deleted.add(50);
  ASSERT_TRUE(deleted.write(context, "d", deleted_kind).ok());
  EXPECT_TRUE(DocumentSet::read(files, "d", deleted_kind, 51).ok());
  EXPECT_FALSE(DocumentSet::read(files, "d", deleted_kind, 50).ok());
}

}  // namespace
}  // namespace twinset::testing
