// An index as text.
#include <gtest/gtest.h>

#include "twinset/index.h"

namespace twinset::testing {
namespace {

TEST(IndexText, SaysWhatItHoldsAndHowAChangeWent) {
  IndexStats stats;
  stats.index = "x";
  stats.settings.scheme = {"mod", "fss"};
  stats.documents = 1000;
  stats.deleted = 3;
  stats.segments = 2;
  stats.bytes = 600'000;
  EXPECT_EQ(to_text(stats),
            "index        x\n"
            "documents    1,000\n"
            "deleted      3\n"
            "scheme       mod\n"
            "scheme       fss\n"
            "analyzer     words\n"
            "texts        not kept\n"
            "segments     2\n"
            "size         600 kB, 600 bytes a document\n");
  IndexSummary summary;
  summary.read = 7;
  summary.quarantined = 1;
  summary.added = 5;
  summary.unchanged = 1;
  summary.stats = stats;
  EXPECT_EQ(to_text(summary),
            "records read 7\n"
            "quarantined  1\n"
            "added        5\n"
            "unchanged    1\n"
            "documents    1,000\n");
  QuerySummary query;
  query.queries = 2;
  query.hits = 5;
  EXPECT_EQ(to_text(query),
            "queries      2\n"
            "answered     0\n"
            "hits         5\n");
}

TEST(IndexText, ALocationHasItsMoves) {
  PageLocation location;
  location.url = "http://a/x";
  EXPECT_EQ(to_text(location),
            "page         http://a/x\n"
            "unknown      not in the index\n");
  location.status = PageStatus::moved;
  location.newest = IndexDocument{"7", "http://b/x", "2026-03-01", ""};
  location.confidence = 0.95;
  location.since = "2026-03-01";
  location.last_seen = "2026-01-01";
  MoveEvidence move;
  move.from = "http://a/x";
  move.from_date = "2026-01-01";
  move.to = *location.newest;
  move.resemblance = Interval{0.5, 0.4, 0.6};
  move.own = 40;
  move.kept = 20;
  location.evidence = {move};
  EXPECT_EQ(to_text(location),
            "page         http://a/x\n"
            "moved to     http://b/x\n"
            "date         2026-03-01\n"
            "document     7\n"
            "confidence   0.950\n"
            "last sweep   since 2026-03-01\n"
            "last seen    2026-01-01\n"
            "move         http://a/x of 2026-01-01 -> http://b/x of 2026-03-01, resemblance 0.500 "
            "(0.400 to 0.600), 20 of 40 pieces of its own\n");
}

}  // namespace
}  // namespace twinset::testing
