// The JSON of pages and their counts: shares of nothing are null, and what is unknown is left out.
#include <gtest/gtest.h>

#include "io/field_json.h"
#include "twinset/index.h"

namespace twinset::testing {
namespace {

TEST(TrackFields, LeaveOutWhatIsNotKnown) {
  TrackedPage page;
  page.url = "http://a.org/x";
  page.versions.resize(2);
  page.versions[0].date = page.versions[1].date = "2026";
  page.versions[0].id = "7";
  page.versions[1].id = "\"b\"";
  page.versions[1].hash = 0x1a;
  page.versions[1].distance = 3;
  page.versions[1].kind = ChangeKind::small;
  EXPECT_EQ(
      fields_json(fields_of(page)),
      "{\"url\": \"http://a.org/x\", \"part\": 1, \"versions\": [{\"date\": \"2026\", \"id\": 7, "
      "\"hash\": \"0000000000000000\"}, {\"date\": \"2026\", \"id\": \"b\", \"hash\": "
      "\"000000000000001a\", \"distance\": 3, \"kind\": \"small\"}], \"born\": false, "
      "\"gone\": false}");
}

TEST(TrackFields, SharesFollowFromCounts) {
  TrackCounts counts;
  const std::string nothing = fields_json(fields_of(counts));
  EXPECT_NE(nothing.find("\"changed\": null"), std::string::npos);
  EXPECT_NE(nothing.find("\"lifetime_days\": null"), std::string::npos);
  counts.pages = 10;
  counts.versions = 100;
  counts.same = 70;
  counts.small = 15;
  counts.large = 5;
  counts.died = 10;
  counts.days = 900;
  const std::string some = fields_json(fields_of(counts));
  EXPECT_NE(some.find("\"changed\": 0.222222"), std::string::npos) << some;
  EXPECT_NE(some.find("\"days_between_changes\": 45"), std::string::npos) << some;
  EXPECT_NE(some.find("\"deaths\": 0.1"), std::string::npos) << some;
  // 90 of 100 chances survived, each of ten days: a page lives ten of these.
  EXPECT_NE(some.find("\"lifetime_days\": 100"), std::string::npos) << some;
}

}  // namespace
}  // namespace twinset::testing
