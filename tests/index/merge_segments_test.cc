// merge_segments(): the documents and postings that stay, in order, and nothing else.
#include "index/merge_segments.h"

#include <set>

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

/// The postings of a part, with ids in place of numbers.
std::multiset<std::pair<std::uint64_t, std::string>> postings_of(
    const std::vector<IndexSnapshot::Part>& parts, std::size_t of) {
  std::multiset<std::pair<std::uint64_t, std::string>> found;
  for (const IndexSnapshot::Part& part : parts) {
    for (const Posting& row : rows_of(part.segment->postings(of).read()).value()) {
      if (part.deleted.has(row.document)) continue;
      found.emplace(row.key, part.segment->document(row.document).value().id);
    }
  }
  return found;
}

TEST(MergeSegments, KeepsWhatIsNotDeleted) {
  MemoryFiles files;
  ASSERT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
  std::vector<std::string> removed;
  for (std::uint64_t i = 0; i < 5; ++i) {
    std::vector<AddedDocument> documents;
    for (std::uint64_t j = 0; j < 40 * i; ++j) {
      const std::string name = std::to_string(i) + "." + std::to_string(j);
      documents.push_back({quoted(name), made_text(j % 30, 40 + i), "http://" + name});
      if (j % 3 == i % 3) removed.push_back(quoted(name));
    }
    ASSERT_TRUE(change(files, "x", documents).ok());
    ASSERT_TRUE(seal(files, "x").ok());
  }
  ASSERT_TRUE(change(files, "x", {}, removed).ok());
  const IndexSnapshot before = IndexSnapshot::open(files, "x").value();
  ASSERT_EQ(before.parts().size(), 4U);
  const auto names = all_of(files, "x").value();
  const RunContext context = context_on(files);
  ASSERT_TRUE(files.make_directory("x/99").ok());
  ASSERT_TRUE(merge_segments(context, before.parts(), before.signer(), "x/99").ok());
  const auto merged = Segment::open(files, "x/99", before.signer());
  ASSERT_TRUE(merged.ok()) << merged.error().message;
  const Segment& segment = *merged.value();
  EXPECT_TRUE(segment.verify(context).ok());
  ASSERT_EQ(segment.documents(), names.size());
  for (std::uint64_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(segment.document(i).value().id, names[i].first);
  }
  for (std::size_t part = 0; part < SegmentFiles::first_scheme + 2; ++part) {
    std::multiset<std::pair<std::uint64_t, std::string>> found;
    for (const Posting& row : rows_of(segment.postings(part).read()).value()) {
      found.emplace(row.key, segment.document(row.document).value().id);
    }
    EXPECT_EQ(found, postings_of(before.parts(), part)) << part;
  }
}

}  // namespace
}  // namespace twinset::testing
