// Counts of pages, by host and by month.
#include "track/page_tally.h"

#include <gtest/gtest.h>

namespace twinset::testing {
namespace {

TrackedVersion version_of(const std::string& date, std::optional<ChangeKind> kind,
                          double resemblance = 1, unsigned distance = 0) {
  TrackedVersion version;
  version.date = date;
  version.kind = kind;
  if (!kind.has_value()) return version;
  version.resemblance = version.containment = resemblance;
  version.distance = distance;
  return version;
}

TEST(PageTally, CountsKindsHostsAndMonths) {
  TrackSummary summary;
  summary.by_resemblance.assign(21, 0);
  summary.by_distance.assign(65, 0);
  PageTally tally(summary, 1);
  TrackedVersion first = version_of("2026-01-05", std::nullopt);
  TrackedVersion rewrapped = version_of("2026-02-05", ChangeKind::same);
  rewrapped.hash = 7;
  tally.add(first);
  tally.add(rewrapped);
  tally.add(version_of("2026-02-06", ChangeKind::small, 0.5, 2));
  tally.add(version_of("2026-03-05", ChangeKind::large, 0.95, 20));
  tally.add(version_of("2026-03-06", ChangeKind::broken, 0, 30));
  tally.add(version_of("2026-03-07", ChangeKind::back, 0, 30));
  TrackedPage page;
  page.url = "http://a.org/x";
  page.moved_to = "http://b.org/x";
  page.born = true;
  const Date january = parse_date("2026-01-05").value();
  const Date march = parse_date("2026-03-07").value();
  tally.end_page(page, {january, march, true});
  const TrackedHost a = tally.end_host("a.org");
  EXPECT_EQ(a.host, "a.org");
  EXPECT_EQ(a.counts.pages, 1U);
  EXPECT_EQ(a.counts.versions, 6U);
  EXPECT_EQ(a.counts.compared(), 5U);
  EXPECT_EQ(a.counts.chances(), 6U);
  EXPECT_EQ(a.counts.same, 1U);
  EXPECT_EQ(a.counts.bytes_only, 1U);
  EXPECT_EQ(a.counts.small_of_much, 1U);
  EXPECT_EQ(a.counts.large_of_little, 1U);
  EXPECT_EQ(a.counts.broken, 1U);
  EXPECT_EQ(a.counts.moved_between, 1U);
  EXPECT_EQ(a.counts.moved_within, 0U);
  EXPECT_EQ(a.counts.days, 61);
  EXPECT_EQ(a.counts.distance, 22);

  tally.add(version_of("2026-03-05", std::nullopt));
  TrackedPage dead;
  dead.gone = true;
  tally.end_page(dead, {march, march, false});
  tally.end_host("b.org");
  tally.finish();
  EXPECT_EQ(summary.hosts, 2U);
  EXPECT_EQ(summary.counts.pages, 2U);
  EXPECT_EQ(summary.counts.died, 1U);
  ASSERT_EQ(summary.most_changed.size(), 1U);
  EXPECT_EQ(summary.most_changed[0].host, "a.org");
  EXPECT_EQ(summary.broken_pages, std::vector<std::string>{"http://a.org/x"});
  EXPECT_EQ(summary.by_resemblance[10], 1U);
  EXPECT_EQ(summary.by_resemblance[19], 1U);
  EXPECT_EQ(summary.by_distance[20], 1U);
  ASSERT_EQ(summary.months.size(), 3U);
  EXPECT_EQ(summary.months[0].month, "2026-01");
  EXPECT_EQ(summary.months[0].born, 1U);
  EXPECT_EQ(summary.months[1].versions, 2U);
  EXPECT_EQ(summary.months[1].changed, 1U);
  EXPECT_EQ(summary.months[2].gone, 2U);
}

TEST(PageTally, NamesTheHostsWithTheMostChanges) {
  TrackSummary summary;
  summary.by_resemblance.assign(21, 0);
  PageTally tally(summary, 3);
  for (const auto& [host, changes] : {std::pair("d", 1), std::pair("a", 2), std::pair("e", 7),
                                      std::pair("b", 2), std::pair("c", 0)}) {
    for (int i = 0; i < changes; ++i) tally.add(version_of("2026-01-05", ChangeKind::large));
    tally.end_host(host);
  }
  tally.finish();
  ASSERT_EQ(summary.most_changed.size(), 3U);
  EXPECT_EQ(summary.most_changed[0].host, "e");
  EXPECT_EQ(summary.most_changed[1].host, "a");
  EXPECT_EQ(summary.most_changed[2].host, "b");
}

}  // namespace
}  // namespace twinset::testing
