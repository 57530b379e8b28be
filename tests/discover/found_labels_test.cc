#include "discover/found_labels.h"

#include <gtest/gtest.h>

#include "discover/discover_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Ten times "often" over two sites, three times "seldom", once each the numbers.
std::vector<std::vector<std::string>> sample() {
  std::vector<std::vector<std::string>> files(2);
  for (int i = 0; i < 8; ++i) {
    std::string text = std::to_string(i) + "\n\noften";
    if (i < 2) text += "\n\nxx\n\noften";
    if (i < 3) text += "\n\nseldom";
    files[static_cast<std::size_t>(i == 7)].push_back(text);
  }
  return files;
}

struct Found {
  std::vector<FoundLabel> labels;
  std::vector<LabelPlace> places;
  ObjectCounts counts;
};

Found found_over(const LabelThresholds& thresholds) {
  DiscoverFixture fixture(sample());
  fixture.read();
  FoundLabels labels(fixture.job(), fixture.seen(), fixture.documents(), 1 << 20);
  Found out;
  EXPECT_TRUE(labels.find(LabelKind::chunk, thresholds, fixture.seen().chunks(), out.counts).ok());
  EXPECT_TRUE(labels.seal().ok());
  EXPECT_TRUE(for_each_row(*labels.labels().read().value(), [&](const FoundLabel& label) -> Status {
                out.labels.push_back(label);
                return {};
              }).ok());
  EXPECT_TRUE(for_each_row(*labels.places().read().value(), [&](const LabelPlace& place) -> Status {
                out.places.push_back(place);
                return {};
              }).ok());
  return out;
}

TEST(FoundLabels, CountsPagesSitesAndPlacesOfWhatIsOverTheThreshold) {
  const Found found = found_over({.over = 3});
  ASSERT_EQ(found.labels.size(), 1U);
  const FoundLabel& label = found.labels.front();
  EXPECT_EQ(label.key, hash_chunk("often", ChunkHash::xxh3).key());
  EXPECT_TRUE(label.is(LabelKind::chunk));
  EXPECT_EQ(label.count, 10U);
  EXPECT_EQ(label.documents, 8U);
  EXPECT_EQ(label.sites, 2U);
  EXPECT_EQ(label.document, DocumentId(0, 1));
  EXPECT_EQ(label.offset, 3U);
  EXPECT_EQ(label.length, 7U);  // with the blank line after it
  ASSERT_EQ(found.places.size(), most_label_samples);
  EXPECT_TRUE(std::ranges::is_sorted(found.places, ByLabel()));
  EXPECT_EQ(found.counts.seen, 8U + 10 + 3 + 2);
  EXPECT_EQ(found.counts.distinct, 8U + 3);
  EXPECT_EQ(found.counts.labels, 1U);
  EXPECT_EQ(found.counts.labels_seen, 10U);
  ASSERT_EQ(found.counts.frequencies.size(), 4U);
  EXPECT_EQ(found.counts.frequencies[0].count, 1U);
  EXPECT_EQ(found.counts.frequencies[0].objects, 8U);
}

TEST(FoundLabels, TheThresholdIsStrict) {
  EXPECT_EQ(found_over({.over = 10}).labels.size(), 0U);
  EXPECT_EQ(found_over({.over = 9}).labels.size(), 1U);
  EXPECT_EQ(found_over({.over = 2}).labels.size(), 2U);
  EXPECT_EQ(found_over({.over = 0}).labels.size(), 8U + 3);
}

TEST(FoundLabels, FrequencyInASiteAndOverSitesStops) {
  // "often" is on seven pages of the first site, "seldom" on three.
  EXPECT_EQ(found_over({.over = 2, .stop_in_site = 7}).labels.size(), 2U);
  const Found in_site = found_over({.over = 2, .stop_in_site = 6});
  ASSERT_EQ(in_site.labels.size(), 1U);
  EXPECT_EQ(in_site.labels[0].key, hash_chunk("seldom", ChunkHash::xxh3).key());
  EXPECT_EQ(in_site.counts.in_site, 1U);
  const Found over_sites = found_over({.over = 2, .stop_over_sites = 1});
  ASSERT_EQ(over_sites.labels.size(), 1U);
  EXPECT_EQ(over_sites.labels[0].key, hash_chunk("seldom", ChunkHash::xxh3).key());
  EXPECT_EQ(over_sites.counts.over_sites, 1U);
}

}  // namespace
}  // namespace twinset
