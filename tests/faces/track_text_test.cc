// The text of changes names what happened, and no more.
#include <gtest/gtest.h>

#include "twinset/index.h"

namespace twinset::testing {
namespace {

TEST(TrackText, CountsWhatHappened) {
  TrackSummary summary;
  summary.hosts = 1;
  TrackCounts& counts = summary.counts;
  counts.pages = 2;
  counts.versions = 6;
  counts.same = 2;
  counts.small = 1;
  counts.large = 1;
  counts.resemblance = 1.5;
  counts.distance = 21;
  counts.days = 10;
  counts.died = 1;
  summary.since = "2026-03-01";
  const std::string text = to_text(summary);
  EXPECT_NE(text.find("2  on 1 host"), std::string::npos) << text;
  EXPECT_NE(text.find("mean resemblance of 0.750 and distance of 10.5 bits; 5.0 days"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("died                       1  20.0 %"), std::string::npos) << text;
  EXPECT_EQ(text.find("broken"), std::string::npos) << text;
}

}  // namespace
}  // namespace twinset::testing
