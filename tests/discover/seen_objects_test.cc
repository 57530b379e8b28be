#include "discover/seen_objects.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "discover/discover_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

using Rows = std::map<Key128, std::vector<ObjectRow>>;

/// All rows of a store, by key.
Rows rows_of(PartitionedRows<ObjectRow>& store) {
  Rows all;
  std::mutex mutex;
  class Visitor {
   public:
    Visitor(Rows& out, std::mutex& lock) : out_(out), lock_(lock) {}
    Status row(const ObjectRow& row, bool) {
      const std::lock_guard guard(lock_);
      out_[row.key].push_back(row);
      return {};
    }
    Status finish() { return {}; }

   private:
    Rows& out_;
    std::mutex& lock_;
  };
  EXPECT_TRUE(store
                  .for_each_group([](const ObjectRow&) { return true; }, std::less<>(),
                                  [&](unsigned) { return Visitor(all, mutex); }, Groups::all)
                  .ok());
  return all;
}

TEST(SeenObjects, EveryChunkHasItsPlace) {
  const std::vector<std::vector<std::string>> files{{"one\n\ntwo\n\none", "", "two"},
                                                    {"one\n\ntwo\n\none"}};
  DiscoverFixture fixture(files);
  fixture.read();
  SeenObjects& seen = fixture.seen();
  const Rows chunks = rows_of(seen.chunks());
  ASSERT_EQ(chunks.size(), 2U);
  const auto key = [](std::string_view text) { return hash_chunk(text, ChunkHash::xxh3).key(); };
  const std::vector<ObjectRow>& ones = chunks.at(key("one"));
  ASSERT_EQ(ones.size(), 4U);
  for (const ObjectRow& row : ones) {
    const std::string& text = files[row.document.source()][row.document.record() - 1];
    EXPECT_EQ(text.substr(row.offset, 3), "one");
  }
  EXPECT_EQ(chunks.at(key("two")).size(), 3U);
  const Rows whole = rows_of(seen.files());
  EXPECT_EQ(whole.size(), 3U);
  EXPECT_EQ(whole.at(key(files[0][0])).size(), 2U);
}

TEST(SeenObjects, UrlsAndSitesAreFoundByLine) {
  DiscoverFixture fixture({{"a", "b"}, {"c"}});
  fixture.read();
  const SeenObjects& seen = fixture.seen();
  ASSERT_EQ(seen.lines(), 3U);
  EXPECT_EQ(seen.pages(), 3U);
  EXPECT_EQ(seen.sites(), 2U);
  EXPECT_EQ(seen.site(0), seen.site(1));
  EXPECT_NE(seen.site(0), seen.site(2));
  std::string url;
  ASSERT_TRUE(seen.url(2, url).ok());
  EXPECT_TRUE(url.ends_with("site1.jsonl:1")) << url;
}

}  // namespace
}  // namespace twinset
