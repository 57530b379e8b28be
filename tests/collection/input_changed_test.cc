#include "collection/input_changed.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(InputChanged, NamesTheInputAndSaysThatTheRunCannotGoOn) {
  Source source;
  source.path = "/spool";
  source.shown = "in.jsonl";
  const Error error = input_changed(source);
  EXPECT_EQ(error.code, ErrorCode::io);
  EXPECT_TRUE(error.input_changed);
  EXPECT_TRUE(error.message.starts_with("in.jsonl changed")) << error.message;
  EXPECT_FALSE(io_error("another").input_changed);
}

}  // namespace
}  // namespace twinset
