// Shards share out all inputs, and only all shards of one run can be merged.
#include "run/shard.h"

#include <gtest/gtest.h>

#include "evaluate/random.h"
#include "run/stored_rows.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

std::string refusal(const Status& status) { return status.ok() ? "" : status.error().message; }

TEST(Shard, IsANumberOfACount) {
  EXPECT_FALSE(read_shard("").value().has_value());
  const Shard shard = *read_shard("3/8").value();
  EXPECT_EQ(shard.number, 3U);
  EXPECT_EQ(shard.count, 8U);
  EXPECT_EQ(shard.text(), "3/8");
  EXPECT_TRUE(read_shard("1/1").ok());
  for (const char* wrong : {"0/8", "9/8", "3", "3/", "/8", "3/8/1", "-1/8", "a/b", "3 /8", "1/0",
                            "1/1000001", "1/18446744073709551617"}) {
    const auto read = read_shard(wrong);
    ASSERT_FALSE(read.ok()) << wrong;
    EXPECT_EQ(read.error().code, ErrorCode::usage);
    EXPECT_NE(read.error().message.find(wrong), std::string::npos);
  }
}

TEST(Shard, RangesCoverAllSourcesOnce) {
  SeededRandom random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint64_t> bytes(random.below(40));
    std::uint64_t total = 0;
    std::uint64_t largest = 0;
    for (std::uint64_t& each : bytes) {
      each = random.chance(1, 3) ? 0 : random.below(random.chance(1, 5) ? 1'000'000 : 1000);
      total += each + 1;
      largest = std::max(largest, each + 1);
    }
    std::vector<Source> sources(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) sources[i].stored_bytes = bytes[i];
    const std::uint64_t count = 1 + random.below(12);
    std::uint64_t next = 0;
    for (std::uint64_t number = 1; number <= count; ++number) {
      const SourceRange range = sources_of({number, count}, sources);
      ASSERT_EQ(range.first, next);
      ASSERT_LE(range.first, range.end);
      std::uint64_t share = 0;
      for (std::uint64_t i = range.first; i < range.end; ++i) share += bytes[i] + 1;
      EXPECT_LE(share, total / count + largest + 1);
      next = range.end;
    }
    ASSERT_EQ(next, bytes.size());
  }
}

/// A folder as a shard's run leaves it.
void put_shard(FileSystem& files, const std::string& folder, const Shard& shard,
               const std::string& identity) {
  StateFile state;
  note_parts({{"p.partial/out/rows/fold.parts", 70, 3}}, "fold", state);
  EXPECT_TRUE(files.make_directory(folder).ok());
  EXPECT_TRUE(ShardFolder::write(files, folder, shard, identity, state).ok());
}

TEST(Shard, AFolderTellsWhoseItIsAndWhereItsRowsAreNow) {
  MemoryFiles files;
  put_shard(files, "parts", {2, 5}, "command/inputs");
  const Result<ShardFolder> read = ShardFolder::open(files, "parts/");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().folder(), "parts");
  EXPECT_EQ(read.value().shard().text(), "2/5");
  EXPECT_EQ(read.value().run_identity(), "command/inputs");
  const std::vector<PartLength> parts = read.value().parts("fold");
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].path, "parts/rows/fold.parts");
  EXPECT_EQ(parts[0].bytes, 70U);
  EXPECT_EQ(parts[0].rows, 3U);

  std::string bytes = files.read("parts/shard.state");
  bytes[bytes.size() / 2] ^= 1;
  ASSERT_TRUE(files.write("parts/shard.state", bytes).ok());
  EXPECT_EQ(ShardFolder::open(files, "parts").error().code, ErrorCode::io);
  EXPECT_EQ(ShardFolder::open(files, "none").error().code, ErrorCode::usage);
  ASSERT_TRUE(files.make_directory("late.partial").ok());
  ASSERT_TRUE(files.write("late.partial/identity", "").ok());
  for (const char* unfinished : {"late", "late.partial"}) {
    EXPECT_EQ(ShardFolder::open(files, unfinished).error().message,
              "late is not finished: run its command again, it continues");
  }
}

TEST(Shard, OnlyAllShardsOfOneRunAreMerged) {
  MemoryFiles files;
  const auto ordered = [&](const std::vector<std::pair<Shard, std::string>>& made) -> std::string {
    std::vector<ShardFolder> shards;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const std::string folder = "p" + std::to_string(i);
      EXPECT_TRUE(files.remove_tree(folder).ok());
      put_shard(files, folder, made[i].first, made[i].second);
      shards.push_back(std::move(ShardFolder::open(files, folder)).value());
    }
    const Status order = order_shards("c/i", shards);
    if (!order.ok()) return refusal(order);
    std::string numbers;
    for (const ShardFolder& shard : shards) numbers += std::to_string(shard.shard().number);
    return numbers;
  };
  EXPECT_EQ(ordered({{{2, 3}, "c/i"}, {{3, 3}, "c/i"}, {{1, 3}, "c/i"}}), "123");
  EXPECT_EQ(ordered({{{1, 1}, "c/i"}}), "1");
  EXPECT_EQ(ordered({{{1, 3}, "c/i"}, {{3, 3}, "c/i"}}),
            "shard 2/3 is missing; give its folder, too");
  EXPECT_EQ(ordered({{{2, 3}, "c/i"}, {{3, 3}, "c/i"}}),
            "shard 1/3 is missing; give its folder, too");
  EXPECT_EQ(ordered({{{1, 3}, "c/i"}, {{2, 3}, "c/i"}}),
            "shard 3/3 is missing; give its folder, too");
  EXPECT_EQ(ordered({{{1, 2}, "c/i"}, {{2, 2}, "c/i"}, {{2, 2}, "c/i"}}),
            "p1 and p2 are both shard 2/2; leave one of them out");
  EXPECT_EQ(ordered({{{1, 2}, "c/i"}, {{2, 3}, "c/i"}}),
            "p1 is shard 2/3, and p0 is 1/2: they are of two divisions");
  EXPECT_EQ(ordered({{{1, 2}, "c/i"}, {{2, 2}, "d/i"}}),
            "p1 is a shard of another command, or of another version");
  EXPECT_EQ(ordered({{{1, 2}, "c/i"}, {{2, 2}, "c/j"}}),
            "inputs have changed since p1 was made; run its command again into another folder");
}

}  // namespace
}  // namespace twinset
