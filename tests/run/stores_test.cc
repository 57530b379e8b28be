// The stores of a run follow from the meaning of its scheme's shared keys.
#include "run/stores.h"

#include <gtest/gtest.h>

#include "join/shared_keys.h"
#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

Stores stores_of(JobFixture& fixture) {
  return make_stores(fixture.job(), DocumentKeys::Stored::count);
}

TEST(Stores, FollowFromTheScheme) {
  const MadeCollection none{{{"a.jsonl", {{"x", "one", ""}}, false}}};
  JobFixture fss(none);
  Stores stores = stores_of(fss);
  EXPECT_NE(stores.bands, nullptr);
  EXPECT_EQ(stores.counted, nullptr);
  EXPECT_EQ(stores.all().size(), 4U);
  EXPECT_EQ(stores.all().back(), stores.records.get());
  EXPECT_EQ(stored_bytes_of(fss.job(), DocumentKeys::Stored::count),
            fss.job().signer.scheme->facts().stored_bytes);

  JobFixture contained(none, [](JobOptions& options) { options.containment = Ratio(1, 2); });
  EXPECT_EQ(stores_of(contained).all().size(), 5U);
  EXPECT_EQ(stored_bytes_of(contained.job(), DocumentKeys::Stored::count),
            contained.job().signer.scheme->facts().stored_bytes + 4);

  JobFixture mod(none, [](JobOptions& options) { options.scheme = "mod"; });
  stores = stores_of(mod);
  EXPECT_EQ(stores.bands, nullptr);
  EXPECT_NE(stores.counted, nullptr);
  EXPECT_EQ(stored_bytes_of(mod.job(), DocumentKeys::Stored::sample), sizeof(SampleSizes));

  JobFixture exact(none, [](JobOptions& options) { options.scheme = "exact"; });
  EXPECT_EQ(stores_of(exact).counted, nullptr);
}

TEST(Stores, ComeBackFromACheckpoint) {
  JobFixture fixture(planted_collection({.seed = 900, .documents = 60, .files = 2}));
  fixture.read();
  StateFile file;
  ASSERT_TRUE(fixture.stores().checkpoint(file).ok());
  Stores back = stores_of(fixture);
  ASSERT_TRUE(back.open(&file).ok());
  EXPECT_EQ(back.records->stored_bytes(), fixture.stores().records->stored_bytes());
  EXPECT_EQ(back.bands->stored().rows(), fixture.stores().bands->stored().rows());
  file.set("records.part.0.rows", 1'000'000U);
  EXPECT_FALSE(stores_of(fixture).open(&file).ok());
}

}  // namespace
}  // namespace twinset
