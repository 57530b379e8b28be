#include "io/spool.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/faulty_files.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

using namespace twinset::testing;

RunContext spool_context(FileSystem& files, std::uint64_t memory_bytes) {
  RunContext context;
  context.files = &files;
  context.memory_bytes = memory_bytes;
  context.tmp = "tmp";
  return context;
}

TEST(Spool, GivesBackWhatItTookInMemoryOrNot) {
  for (const std::uint64_t memory :
       {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{64} << 20}) {
    MemoryFiles files;
    Spool spool(spool_context(files, memory), "rows");
    for (int round = 0; round < 2; ++round) {
      std::string all;
      for (int i = 0; i < 100; ++i) {
        const std::string bytes(static_cast<std::size_t>(i * 700), static_cast<char>('a' + i % 26));
        EXPECT_EQ(spool.append(bytes).value(), all.size());
        all += bytes;
      }
      EXPECT_EQ(spool.size(), all.size());
      for (const std::size_t place : {std::size_t{0}, (std::size_t{1} << 20) - 5, all.size() - 9}) {
        const std::size_t size = std::min<std::size_t>(all.size() - place, 2'000'000);
        std::string got(size, ' ');
        ASSERT_TRUE(spool.read_at(place, got.data(), size).ok());
        EXPECT_EQ(got, all.substr(place, size));
      }
      std::string none(10, ' ');
      EXPECT_FALSE(spool.read_at(all.size() - 9, none.data(), 10).ok());
      EXPECT_EQ(files.read("tmp/rows").size(),
                all.size() - std::min<std::size_t>(memory, all.size()));
      EXPECT_TRUE(spool.clear().ok());
      EXPECT_EQ(spool.size(), 0U);
    }
  }
}

TEST(Spool, ItsFileGoesWithIt) {
  MemoryFiles files;
  {
    Spool spool(spool_context(files, 0), "rows");
    EXPECT_TRUE(spool.append("some").ok());
    EXPECT_EQ(files.read("tmp/rows"), "some");
  }
  EXPECT_EQ(files.status("tmp/rows").value().kind, FileStatus::Kind::missing);
}

TEST(Spool, WhatAKilledRunLeftIsNotRead) {
  MemoryFiles files;
  ASSERT_TRUE(files.write("tmp/rows", "of another run").ok());
  Spool spool(spool_context(files, 0), "rows");
  EXPECT_EQ(spool.append("ours").value(), 0U);
  EXPECT_EQ(files.read("tmp/rows"), "ours");
}

TEST(Spool, AFullDiskIsAnError) {
  MemoryFiles memory;
  FaultyFiles files(memory);
  Spool spool(spool_context(files, 0), "rows");
  ASSERT_TRUE(spool.append("some").ok());
  files.fail_at(0, FaultyFiles::Fault::no_space, FaultyFiles::Lasting::for_ever);
  const Result<std::uint64_t> more = spool.append("more");
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace twinset
