#include "base/cpu.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>

#include "twinset/scheme.h"

namespace twinset {
namespace {

TEST(Cpu, NamesAreReadAsTheyAreWritten) {
  for (const SimdLevel level :
       {SimdLevel::portable, SimdLevel::sse4, SimdLevel::avx2, SimdLevel::avx3}) {
    EXPECT_EQ(parse_simd_level(simd_level_name(level)).value(), level);
  }
  const Result<SimdLevel> unknown = parse_simd_level("mmx");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::usage);
  EXPECT_EQ(unknown.error().message, "no SIMD level \"mmx\"; there are portable, sse4, avx2, avx3");
}

TEST(Cpu, LevelsRiseFromPortable) {
  const std::vector<SimdLevel> levels = supported_simd_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front(), SimdLevel::portable);
  EXPECT_TRUE(std::is_sorted(levels.begin(), levels.end()));
}

TEST(Cpu, ALimitHoldsForHighwayToo) {
  const SimdLevel highest = supported_simd_levels().back();
  for (const SimdLevel level : supported_simd_levels()) {
    ASSERT_TRUE(limit_simd(level).ok());
    EXPECT_EQ(simd_level(), level);
    // The limit does not change what the CPU supports.
    EXPECT_EQ(supported_simd_levels().back(), highest);
#if HWY_ARCH_X86
    const std::int64_t targets = hwy::SupportedTargets();
    EXPECT_EQ((targets & HWY_SSE4) != 0, level >= SimdLevel::sse4);
    EXPECT_EQ((targets & HWY_AVX2) != 0, level >= SimdLevel::avx2);
    EXPECT_EQ((targets & HWY_AVX3) != 0, level >= SimdLevel::avx3);
#endif
  }
  EXPECT_TRUE(limit_simd("portable").ok());
  EXPECT_EQ(simd_level(), SimdLevel::portable);
  EXPECT_EQ(limit_simd("mmx").error().code, ErrorCode::usage);
  ASSERT_TRUE(limit_simd(highest).ok());
  if (highest < SimdLevel::avx3) {
    EXPECT_EQ(limit_simd(SimdLevel::avx3).error().code, ErrorCode::usage);
    EXPECT_EQ(simd_level(), highest);
  }
}

}  // namespace
}  // namespace twinset
