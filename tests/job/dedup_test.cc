// Runs from records to output, in process, against the exact oracle.
#include "twinset/dedup.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "job/job_testing.h"
#include "job/oracle_check.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Runs, checks against the oracle, and adds what was found and missed.
struct Found {
  Share at_90;
  Share at_80;
  Share contained;
  std::uint64_t removals = 0;
};

void run_and_check(const Collection& collection, const DedupOptions& options, Found& found) {
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const RunOutput output = read_output(options.output);
  OracleCheck check(collection, options);
  check.check(done.value(), output);
  check.add_recall(found.at_90, found.at_80);
  if (options.containment.has_value()) check.add_containment(200, found.contained);
  found.removals += check.removals();
  EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
}

void expect_recall(const Found& found) {
  EXPECT_GT(found.removals, 500U) << "too little was planted";
  EXPECT_GE(found.at_90.value(), 0.999) << found.at_90.count << " of " << found.at_90.of;
  EXPECT_GE(found.at_80.value(), 0.99) << found.at_80.count << " of " << found.at_80.of;
}

TEST(Dedup, EveryRemovalHoldsAndHardlyAPairIsMissed) {
  Found found;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Collection collection = planted_collection(
        {.seed = seed, .documents = 100 + seed * 60, .files = 1 + seed % 4,
         .compressed = seed % 2 == 0});
    const ScratchFolder folder;
    const DedupOptions options = collection.write(folder);
    run_and_check(collection, options, found);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
  expect_recall(found);
}

}  // namespace
}  // namespace twinset
