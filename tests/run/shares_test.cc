#include "run/shares.h"

#include <gtest/gtest.h>

#include "twinset/cluster.h"

namespace twinset::testing {
namespace {

std::string refused(const ClusterOptions& options) {
  const Status status = check_shares(options.resemblance, options.containment, options.floor);
  return status.ok() ? "" : status.error().text(Door::command_line);
}

TEST(Shares, OfNothingAreRefused) {
  ClusterOptions options;
  EXPECT_EQ(refused(options), "");
  options.containment = Ratio(0, 1);
  EXPECT_EQ(refused(options), "--containment 0 would make everything part of everything");
  options.resemblance = Ratio(0, 1);
  EXPECT_EQ(refused(options), "--resemblance 0 would make everything a copy of everything");
}

TEST(Shares, FloorIsNotAboveTheThreshold) {
  ClusterOptions options;
  options.floor = options.resemblance;
  EXPECT_EQ(refused(options), "");
  options.floor = Ratio(6, 10);
  EXPECT_EQ(refused(options),
            "--floor 0.6 is above --resemblance 0.5: pairs of the clusters would be missing");
}

}  // namespace
}  // namespace twinset::testing
