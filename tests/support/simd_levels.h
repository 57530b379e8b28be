// Runs a test at each SIMD level of this CPU.
//
//   for_each_simd_level([] { EXPECT_EQ(kernel(text), reference(text)); });
//
// Threads: changes the process's level, and restores it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/cpu.h"

namespace twinset::testing {

template <class Check>
void for_each_simd_level(Check check) {
  const SimdLevel before = simd_level();
  for (const SimdLevel level : supported_simd_levels()) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, std::string(simd_level_name(level)));
    EXPECT_TRUE(limit_simd(level).ok());
    check();
  }
  EXPECT_TRUE(limit_simd(before).ok());
}

}  // namespace twinset::testing
