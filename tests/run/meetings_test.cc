// The guard before counting: which costs it allows, and which changes it proposes.
#include "run/meetings.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

GroupReport two_sizes() {
  GroupReport found;
  found.sizes = {{3, 10}, {400, 5}};
  found.meetings = 10 * 3 + 5 * 400 * 399 / 2;
  return found;
}

TEST(CheckMeetings, LetsFewPass) {
  EXPECT_TRUE(check_meetings(two_sizes(), 0, two_sizes().meetings).ok());
  EXPECT_TRUE(check_meetings(GroupReport(), 0, 0).ok());
}

TEST(CheckMeetings, SaysWhatToChange) {
  const Status refused = check_meetings(two_sizes(), 1000, 100);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_EQ(refused.error().text(Door::command_line),
            "documents meet 399,030 times under the keys they share, more than --max-meetings 100; "
            "--max-group 200 would leave 30, a coarser modulus has fewer keys");
}

TEST(CheckMeetings, NamesTheRemedyItIsGiven) {
  EXPECT_TRUE(check_meetings(1000, 1000, "no more").ok());
  const Status refused = check_meetings(1001, 1000, "larger blocks have smaller buckets");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_EQ(refused.error().text(Door::command_line),
            "documents meet 1,001 times under the keys they share, more than --max-meetings 1,000; "
            "larger blocks have smaller buckets");
}

// It never names a --max-group that does not help or that is not smaller.
TEST(CheckMeetings, NamesNoGroupThatDoesNotHelp) {
  const Status refused = check_meetings(two_sizes(), 3, 10);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text(Door::command_line).find("--max-group 5"), std::string::npos);
  EXPECT_NE(refused.error().text(Door::command_line).find("--max-group 2 would leave 0"),
            std::string::npos)
      << refused.error().text(Door::command_line);
}

}  // namespace
}  // namespace twinset
