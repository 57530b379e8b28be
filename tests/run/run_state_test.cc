#include "run/run_state.h"

#include "gtest/gtest.h"

namespace twinset {
namespace {

TEST(RunState, ComesBackAsItWasSaved) {
  ReadState state;
  state.source = 2;
  state.source_lines = 17;
  state.source_checksum = UINT64_MAX - 5;
  state.lines = {5, 6};
  state.checksums = {UINT64_MAX, 1};
  state.records = 28;
  state.bad = 3;
  state.text_bytes = 1000;
  state.text_per_line = true;
  state.exact_only = 4;
  state.short_documents = 5;
  StateFile file;
  store_read_state({}, "first", file);
  store_read_state(state, "second", file);
  StateFile decoded;
  ASSERT_TRUE(StateFile::decode(file.encode(), decoded));
  ReadState back;
  ASSERT_TRUE(load_read_state(decoded, "second", back).ok());
  EXPECT_EQ(back.lines, state.lines);
  EXPECT_EQ(back.checksums, state.checksums);
  EXPECT_EQ(back.source_lines, 17U);
  EXPECT_EQ(back.source_checksum, UINT64_MAX - 5);
  EXPECT_EQ(back.records, 28U);
  EXPECT_TRUE(back.text_per_line);
  EXPECT_EQ(back.exact_only, 4U);
  EXPECT_EQ(back.short_documents, 5U);
  EXPECT_FALSE(back.finished);
  EXPECT_TRUE(has_read_state(decoded, "first"));
  EXPECT_FALSE(has_read_state(decoded, "third"));
  ReadState first;
  ASSERT_TRUE(load_read_state(decoded, "first", first).ok());
  EXPECT_EQ(first.records, 0U);
}

TEST(RunState, RefusesAnotherKindOfState) {
  ReadState state;
  EXPECT_FALSE(load_read_state(StateFile(), "read", state).ok());
}

}  // namespace
}  // namespace twinset
