#include "run/run_state.h"

#include "gtest/gtest.h"

namespace twinset {
namespace {

TEST(RunState, ComesBackAsItWasSaved) {
  ReadState state;
  state.source = 2;
  state.source_lines = 17;
  state.lines = {5, 6};
  state.checksums = {UINT64_MAX, 1};
  state.records = 28;
  state.bad = 3;
  state.text_bytes = 1000;
  state.record_lengths = {28, 90};
  state.quarantine_bytes = 44;
  StateFile file;
  store_read_state(state, file);
  StateFile decoded;
  ASSERT_TRUE(StateFile::decode(file.encode(), decoded));
  ReadState back;
  ASSERT_TRUE(load_read_state(decoded, back).ok());
  EXPECT_EQ(back.lines, state.lines);
  EXPECT_EQ(back.checksums, state.checksums);
  EXPECT_EQ(back.source_lines, 17U);
  EXPECT_EQ(back.records, 28U);
  EXPECT_EQ(back.record_lengths.name_bytes, 90U);
  EXPECT_EQ(back.quarantine_bytes, 44U);
  EXPECT_FALSE(back.finished);
}

TEST(RunState, RefusesAnotherKindOfState) {
  ReadState state;
  EXPECT_FALSE(load_read_state(StateFile(), state).ok());
}

}  // namespace
}  // namespace twinset
