#include "browse/page_versions.h"

#include <gtest/gtest.h>

#include "io/field_json.h"
#include "support/scratch_folder.h"
#include "system/files.h"
#include "twinset/browse.h"

namespace twinset {
namespace {

std::string page_line(const std::string& url, int part, int versions) {
  TrackedPage page;
  page.url = url;
  page.part = static_cast<std::uint64_t>(part);
  for (int i = 0; i < versions; ++i) {
    TrackedVersion& version = page.versions.emplace_back();
    version.date = "2026-01-0" + std::to_string(part);
    version.id = std::to_string(i);
    version.hash = 0x9e1f;
  }
  page.gone = part == 2;
  return fields_json(fields_of(page));
}

TEST(PageVersions, LinesOfAPageAreOnePage) {
  const testing::ScratchFolder folder;
  RowStore lines = RowStore::make(disk(), folder.path()).value();
  for (int i = 0; i < 200; ++i) {
    const std::string url = "http://a.org/Page" + std::to_string(i);
    ASSERT_TRUE(lines.append(page_line(url, 1, 3)).ok());
    if (i % 5 == 0) {
      ASSERT_TRUE(lines.append(page_line(url, 2, 2)).ok());
    }
  }
  ASSERT_TRUE(lines.seal().ok());
  const Result<PageVersions> read = PageVersions::read(lines, nullptr);
  ASSERT_TRUE(read.ok()) << read.error().message;
  const PageVersions& pages = read.value();
  ASSERT_EQ(pages.pages(), 200U);
  for (int i = 0; i < 200; ++i) {
    const std::string url = "http://a.org/Page" + std::to_string(i);
    const auto found = pages.find(url);
    ASSERT_TRUE(found.ok() && found.value().has_value());
    EXPECT_EQ(found.value()->versions.size(), i % 5 == 0 ? 5U : 3U);
    EXPECT_EQ(found.value()->gone, i % 5 == 0);
    EXPECT_EQ(found.value()->versions[0].hash, 0x9e1fU);
    EXPECT_EQ(pages.page(static_cast<std::uint64_t>(i)).value().url, url);
  }
  EXPECT_FALSE(pages.find("http://a.org/page1").value().has_value());
  EXPECT_EQ(pages.with_text("PAGE19", nullptr).value().rows.size(), 11U);
  EXPECT_TRUE(pages.with_text("b.org", nullptr).value().rows.empty());
  EXPECT_NE(to_json(pages.page(0).value()).find("\"hash\": \"0000000000009e1f\""),
            std::string::npos);
}

TEST(PageVersions, SaysWhichLineIsDamaged) {
  const testing::ScratchFolder folder;
  RowStore lines = RowStore::make(disk(), folder.path()).value();
  ASSERT_TRUE(lines.append(page_line("a", 1, 1)).ok());
  ASSERT_TRUE(lines.append("{\"url\": 7}").ok());
  ASSERT_TRUE(lines.seal().ok());
  const Result<PageVersions> read = PageVersions::read(lines, nullptr);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().text().find("changes.jsonl.zst:2"), std::string::npos);
}

}  // namespace
}  // namespace twinset
