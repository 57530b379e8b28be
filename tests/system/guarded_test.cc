#include "system/guarded.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "base/message.h"

namespace twinset {
namespace {

TEST(Guarded, ReturnsWhatTheWorkReturns) {
  EXPECT_TRUE(guarded([] { return Status(); }).ok());
  const Status failed = guarded([]() -> Status { return usage_error("no"); });
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, ErrorCode::usage);
}

TEST(Guarded, WhatIsThrownIsAnError) {
  const Status memory = guarded([]() -> Status { throw std::bad_alloc(); });
  ASSERT_FALSE(memory.ok());
  EXPECT_NE(memory.error().message.find("out of memory"), std::string::npos);
  const Status other = guarded([]() -> Status { throw std::runtime_error("a library's words"); });
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::io);
  EXPECT_NE(other.error().message.find("a library's words"), std::string::npos);
}

}  // namespace
}  // namespace twinset
