// Pairs of an index, against a comparison of each two documents.
#include "cluster/index_pairs.h"

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

TEST(IndexPairs, AreThoseOfAComparisonOfEachTwo) {
  MemoryFiles files;
  ASSERT_TRUE(IndexWriter::create(files, "x", {.scheme = {"mod(samples=64)"}}).ok());
  std::vector<AddedDocument> documents;
  for (std::uint64_t i = 0; i < 60; ++i) {
    documents.push_back({quoted(std::to_string(i)),
                         i % 10 == 9 ? made_text(i / 12, 100)
                                     : edited(made_text(i / 12, 100), i % 12 * 5, i % 12, i)});
  }
  const std::size_t half = documents.size() / 2;
  ASSERT_TRUE(change(files, "x", {documents.begin(), documents.begin() + half}).ok());
  ASSERT_TRUE(change(files, "x", {documents.begin() + half, documents.end()}).ok());
  const Result<IndexSnapshot> snapshot = IndexSnapshot::open(files, "x");
  ASSERT_TRUE(snapshot.ok());
  const RunContext context = context_on(files);
  PairFloor floor{Ratio(6, 10), {}};
  IndexPairs pairs(snapshot.value(),
                   {{.floor = floor, .exact = false}, {&context, "rows", 1 << 20, 0}});
  ASSERT_TRUE(pairs.fold().ok());
  EXPECT_EQ(pairs.documents(), 60U);
  const auto found = pairs.find();
  ASSERT_TRUE(found.ok()) << found.error().message;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> told;
  ASSERT_TRUE(for_each_row(*found.value(), [&](const SharedPair& pair) {
                told.emplace_back(pair.a, pair.b);
              }).ok());
  const Scheme& scheme = *snapshot.value().signer().schemes().front().scheme;
  const auto place = [&](std::uint32_t serial) {
    return *snapshot.value().find_serial(serial).value();
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
  std::uint32_t copies = 0;
  for (std::uint32_t a = 0; a < 60; ++a) {
    const bool stands = pairs.originals()[a] == IndexPairs::none;
    copies += stands ? 0 : 1;
    if (!stands) {
      EXPECT_LT(pairs.originals()[a], a);
      EXPECT_EQ(documents[a].text, documents[pairs.originals()[a]].text);
      EXPECT_TRUE(pairs.is_identical(a));
      continue;
    }
    for (std::uint32_t b = 0; b < a; ++b) {
      EXPECT_NE(documents[a].text, documents[b].text);
      if (pairs.originals()[b] != IndexPairs::none) continue;
      const auto sketch = [&](std::uint32_t serial) {
        const IndexPlace at = place(serial);
        return snapshot.value().parts()[at.segment].segment->sketch(0, at.number).value();
      };
      const auto counts = scheme.compare(sketch(a), sketch(b)).counts;
      if (floor.reached_by(overlap_of(*counts))) expected.emplace_back(a, b);
    }
  }
  EXPECT_EQ(told, expected);
  EXPECT_GT(copies, 0U);
  EXPECT_GT(expected.size(), 60U);
  EXPECT_EQ(pairs.asked(), 60 - copies);
}

}  // namespace
}  // namespace twinset::testing
