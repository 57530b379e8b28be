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

}  // namespace
}  // namespace twinset::testing
