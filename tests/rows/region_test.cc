// Region: zero, aligned, movable, given back.
#include "rows/region.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "rows/peak_memory.h"

namespace twinset::testing {
namespace {

TEST(Region, IsZeroAndAligned) {
  Result<Region> region = Region::make(100'000);
  ASSERT_TRUE(region.ok());
  EXPECT_EQ(region.value().size(), 100'000U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region.value().data()) % 4096, 0U);
  for (std::size_t i = 0; i < 100'000; ++i) ASSERT_EQ(region.value().data()[i], std::byte{0});
}

TEST(Region, OfNothingIsNothing) {
  EXPECT_EQ(Region::make(0).value().data(), nullptr);
  Region region;
  region.use_large_pages();
  EXPECT_EQ(region.size(), 0U);
}

TEST(Region, MovesAndAssigns) {
  Region a = Region::make(4096).value();
  a.data()[7] = std::byte{42};
  Region b = std::move(a);
  EXPECT_EQ(b.data()[7], std::byte{42});
  b = Region::make(8192).value();
  EXPECT_EQ(b.size(), 8192U);
  b = {};
}

TEST(Region, TooMuchIsAnErrorThatNamesTheRemedy) {
  const Result<Region> region = Region::make(~std::uint64_t{0});
  ASSERT_FALSE(region.ok());
  EXPECT_NE(region.error().text(Door::command_line).find("--memory"), std::string::npos);
}

TEST(Region, GoesBackToTheSystemWhenDropped) {
  if (!memory_can_be_measured) GTEST_SKIP() << "not under a sanitizer";
  constexpr std::size_t bytes = std::size_t{24} << 20;
  const std::uint64_t growth = peak_growth([] {
    for (int i = 0; i < 5; ++i) {
      Region region = Region::make(bytes).value();
      region.use_large_pages();
      std::memset(region.data(), 1, region.size());
    }
    return memory_status("VmRSS") > 0;
  });
  EXPECT_GT(growth, bytes / 10 * 9);
  EXPECT_LT(growth, bytes / 10 * 12);
}

}  // namespace
}  // namespace twinset::testing
