// MatchCounts: what is counted is read again, and no clock that jumps makes a prototype older.
#include "filter/match_counts.h"

#include <gtest/gtest.h>

#include "system/memory_files.h"

namespace twinset::testing {
namespace {

struct ToyClocks {
  std::int64_t wall = 1'000'000;
  std::int64_t steady = 50;
  Clocks clocks() {
    return {[this] { return wall; }, [this] { return steady; }};
  }
  void pass(std::int64_t seconds) {
    wall += seconds;
    steady += seconds;
  }
};

TEST(MatchCounts, AreReadAsTheyWereWritten) {
  MemoryFiles files;
  ToyClocks toy;
  {
    const auto counts = MatchCounts::read(files, "m", toy.clocks()).value();
    EXPECT_FALSE(counts->has_changed());
    counts->added_until(5);
    toy.pass(100);
    counts->added_until(5);
    counts->added_until(8);
    counts->matched("\"a b\"");
    toy.pass(7);
    counts->matched("\"a b\"");
    counts->matched("17");
    counts->matched("\"gone\"");
    counts->forget("\"gone\"");
    EXPECT_TRUE(counts->has_changed());
    ASSERT_TRUE(counts->write(files, "m").ok());
    EXPECT_FALSE(counts->has_changed());
  }
  const auto again = MatchCounts::read(files, "m", toy.clocks()).value();
  EXPECT_EQ(again->of("\"a b\""), (MatchCounts::Count{2, 1'000'100, 1'000'107}));
  EXPECT_EQ(again->of("17"), (MatchCounts::Count{1, 1'000'107, 1'000'107}));
  EXPECT_EQ(again->of("\"gone\""), std::nullopt);
  EXPECT_EQ(again->added(4), 1'000'000);
  EXPECT_EQ(again->added(5), 1'000'100);
  EXPECT_EQ(again->added(8), 1'000'107) << "of one that is not known: now";
  const auto most = again->most(10);
  ASSERT_EQ(most.size(), 2U);
  EXPECT_EQ(most[0].first, "\"a b\"");
  EXPECT_EQ(again->most(1).size(), 1U);
}

TEST(MatchCounts, TellMomentsApartToAMinute) {
  MemoryFiles files;
  ToyClocks toy;
  const auto counts = MatchCounts::read(files, "m", toy.clocks()).value();
  for (std::uint64_t i = 1; i <= 600; ++i) {
    counts->added_until(i);
    toy.pass(1);
  }
  for (std::uint64_t i = 0; i < 600; ++i) {
    EXPECT_NEAR(static_cast<double>(counts->added(i)), 1'000'000.0 + static_cast<double>(i), 60)
        << i;
  }
}

TEST(MatchCounts, HoldFewMomentsHoweverLongTheyLast) {
  MemoryFiles files;
  ToyClocks toy;
  const auto counts = MatchCounts::read(files, "m", toy.clocks()).value();
  for (std::uint64_t i = 1; i <= 30'000; ++i) {
    counts->added_until(i);
    toy.pass(60);
  }
  ASSERT_TRUE(counts->write(files, "m").ok());
  EXPECT_LT(read_whole_file(files, "m", 1 << 20).value().size(), 400'000U);
  std::int64_t before = 0;
  for (std::uint64_t i = 0; i < 30'000; ++i) {
    const std::int64_t added = counts->added(i);
    EXPECT_GE(added, 1'000'000 + 60 * static_cast<std::int64_t>(i)) << i;
    EXPECT_GE(added, before);
    before = added;
  }
}

TEST(MatchCounts, NoClockThatJumpsMakesAPrototypeOlder) {
  MemoryFiles files;
  ToyClocks toy;
  {
    const auto counts = MatchCounts::read(files, "m", toy.clocks()).value();
    counts->added_until(1);
    toy.wall += std::int64_t{100} * 365 * 86'400;
    EXPECT_EQ(counts->now(), 1'000'000);
    toy.pass(3);
    EXPECT_EQ(counts->now(), 1'000'003);
    ASSERT_TRUE(counts->write(files, "m").ok());
  }
  toy.wall = 0;
  const auto again = MatchCounts::read(files, "m", toy.clocks()).value();
  EXPECT_EQ(again->now(), 1'000'003);
  EXPECT_EQ(again->added(0), 1'000'000);
}

TEST(MatchCounts, OfADamagedFileAreAnErrorThatNamesIt) {
  MemoryFiles files;
  ToyClocks toy;
  const auto counts = MatchCounts::read(files, "m", toy.clocks()).value();
  counts->added_until(3);
  counts->matched("1");
  ASSERT_TRUE(counts->write(files, "m").ok());
  const std::string bytes = read_whole_file(files, "m", 1 << 20).value();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    ASSERT_TRUE(write_file_atomically(files, "m", damaged).ok());
    const auto read = MatchCounts::read(files, "m", toy.clocks());
    ASSERT_FALSE(read.ok()) << i;
    EXPECT_TRUE(read.error().message.starts_with("m is damaged")) << read.error().message;
  }
}

}  // namespace
}  // namespace twinset::testing
