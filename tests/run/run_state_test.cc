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
  state.tokens = 300;
  state.documents = 25;
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
  EXPECT_EQ(back.tokens, 300U);
  EXPECT_EQ(back.documents, 25U);
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

TEST(RunState, ShardsOfAPassAddUpToIt) {
  ReadState first;
  first.source = 2;
  first.lines = {5, 6};
  first.checksums = {1, 2};
  first.records = 11;
  first.documents = 10;
  first.large_bytes = 100;
  first.mended.add(1, 3);
  ReadState second = read_state_from(2);
  EXPECT_EQ(second.lines.size(), 2U);
  second.source = 4;
  second.lines.insert(second.lines.end(), {0, 7});
  second.checksums.insert(second.checksums.end(), {3, 4});
  second.records = 7;
  second.documents = 7;
  second.large_bytes = 50;
  second.mended.add(3, 1);
  second.raw_html.add(2, 2);
  ReadState all;
  all.append(first);
  all.append(read_state_from(2));  // A shard without an input.
  all.append(second);
  EXPECT_EQ(all.source, 4U);
  EXPECT_EQ(all.lines, (std::vector<std::uint64_t>{5, 6, 0, 7}));
  EXPECT_EQ(all.checksums, (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(all.records, 18U);
  EXPECT_EQ(all.documents, 17U);
  EXPECT_EQ(all.large_bytes, 100U);
  EXPECT_EQ(all.mended.records, 4U);
  EXPECT_EQ(all.mended.sources, 2U);
  EXPECT_EQ(all.mended.first, 1U);
  EXPECT_EQ(all.mended.last, 3U);
  EXPECT_EQ(all.raw_html.first, 2U);
}

}  // namespace
}  // namespace twinset
