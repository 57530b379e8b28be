// A version of a page is read back as it was written, and none is read from fewer bytes.
#include "track/page_version.h"

#include "track/track_testing.h"

namespace twinset::testing {
namespace {

EncodedBytes encoded_bytes(const std::string& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

TEST(PageVersion, IsReadBackAsItWasWritten) {
  const PageVersion version = VersionMaker()("a.org/x", "2026-05-01", page_words(1, 300));
  std::string bytes;
  version.append_to(bytes);
  const std::size_t size = bytes.size();
  bytes += "more";
  EncodedBytes rest = encoded_bytes(bytes);
  PageVersion read;
  ASSERT_TRUE(PageVersion::take(rest, read));
  EXPECT_EQ(rest.size(), 4U);
  EXPECT_EQ(read.url, version.url);
  EXPECT_EQ(read.date, version.date);
  EXPECT_EQ(read.tokens_hash, version.tokens_hash);
  EXPECT_EQ(read.sample, version.sample);
  std::string again;
  read.append_to(again);
  EXPECT_EQ(again, bytes.substr(0, size));
  for (std::size_t cut = 0; cut < size; cut += 7) {
    EncodedBytes part = encoded_bytes(bytes).first(cut);
    EXPECT_FALSE(PageVersion::take(part, read)) << cut;
  }
}

TEST(PageVersion, IsSortedByPageAndDateAndPlace) {
  const VersionMaker make;
  PageVersion early = make("a.org/x", "2026-05-01", "one");
  PageVersion late = make("a.org/x", "2026-06-01", "one");
  PageVersion other = make("a.org/y", "2026-01-01", "one");
  const ByPageAndDate before;
  EXPECT_TRUE(before(early, late));
  EXPECT_TRUE(before(late, other));
  late.date = early.date;
  EXPECT_FALSE(before(early, late));
  late.record = 1;
  EXPECT_TRUE(before(early, late));
}

}  // namespace
}  // namespace twinset::testing
