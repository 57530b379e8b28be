// What a filter did, as text.
#include <gtest/gtest.h>

#include "twinset/filter.h"

namespace twinset::testing {
namespace {

TEST(FilterText, SaysWhatPassedAndWhatRuns) {
  FilterSummary summary;
  summary.prototypes_added = 2;
  summary.stats.prototypes = 1000;
  summary.stats.checked = 7;
  summary.stats.matched = 4;
  summary.stats.passed = 3;
  summary.stats.most_matched = {{"\"a\"", "", 3, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"},
                                {"7", "", 1, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"}};
  EXPECT_EQ(to_text(summary),
            "new          2 prototypes\n"
            "prototypes   1,000\n"
            "checked      7\n"
            "match        4\n"
            "pass         3\n"
            "most matched \"a\" 3 messages, first 2026-01-01T00:00:00Z, last "
            "2026-01-02T00:00:00Z\n"
            "             7 1 message, first 2026-01-01T00:00:00Z, last 2026-01-01T00:00:00Z\n");
}

}  // namespace
}  // namespace twinset::testing
