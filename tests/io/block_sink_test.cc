#include "io/block_sink.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "support/faulty_files.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// A block as its length, a colon and its bytes; fails at one that holds `bad`.
class LengthEncoder final : public BlockEncoder {
 public:
  Status encode(std::string_view block, std::string& out) override {
    // Later blocks are often done first.
    if (block.size() > 1 && block[0] % 5 == 0) std::this_thread::yield();
    if (block.find('!') != std::string_view::npos) return io_error("no '!' can be encoded");
    out = std::to_string(block.size()) + ":" + std::string(block);
    return {};
  }
};

std::unique_ptr<ByteSink> sink_to(const std::string& path, FileSystem& files, unsigned threads) {
  return make_block_sink(files.open(path, OpenMode::create).value(), path, {Blocks::of_size, 1000},
                         threads, [] { return std::make_unique<LengthEncoder>(); });
}

TEST(BlockSink, WritesTheSameFileForAnyThreads) {
  for (const std::size_t size : {0UL, 1UL, 999UL, 1000UL, 1001UL, 123'456UL}) {
    std::string bytes(size, ' ');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>('a' + i / 1000 % 26);
    std::string expected;
    for (std::size_t i = 0; i == 0 || i < size; i += 1000) {
      const std::string block = bytes.substr(i, 1000);
      expected += std::to_string(block.size()) + ":" + block;
    }
    for (const unsigned threads : {0U, 1U, 2U, 7U}) {
      const ScratchFolder folder;
      auto sink = sink_to(folder / "x", disk(), threads);
      for (std::size_t i = 0; i < size; i += 777) {
        ASSERT_TRUE(sink->write(std::string_view(bytes).substr(i, 777)).ok());
      }
      ASSERT_TRUE(sink->finish().ok());
      EXPECT_EQ(folder.read("x"), expected) << size << " " << threads;
    }
  }
}

TEST(BlockSink, ABlockIsARecordHoweverLong) {
  const std::vector<std::size_t> sizes{1, 700, 299, 301, 5000, 0, 20, 999};
  std::string expected;
  for (const std::size_t size : sizes) {
    expected += std::to_string(size) + ":" + std::string(size, 'a');
  }
  for (const unsigned threads : {0U, 1U, 3U}) {
    const ScratchFolder folder;
    auto sink = make_block_sink(disk().open(folder / "x", OpenMode::create).value(), folder / "x",
                                {Blocks::of_records, 1000}, threads,
                                [] { return std::make_unique<LengthEncoder>(); });
    for (const std::size_t size : sizes) {
      ASSERT_TRUE(sink->write(std::string(size / 2, 'a')).ok());
      ASSERT_TRUE(sink->write(std::string(size - size / 2, 'a')).ok());
      ASSERT_TRUE(sink->end_record().ok());
    }
    ASSERT_TRUE(sink->finish().ok());
    EXPECT_EQ(folder.read("x"), expected) << threads;
  }
}

TEST(BlockSink, HandsTheFirstErrorOnWithTheFilesName) {
  for (const unsigned threads : {0U, 1U, 3U}) {
    const ScratchFolder folder;
    auto sink = sink_to(folder / "x", disk(), threads);
    Status status;
    for (int i = 0; i < 100 && status.ok(); ++i) {
      status = sink->write(std::string(1000, i == 10 ? '!' : 'x'));
    }
    if (status.ok()) status = sink->finish();
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().message, "cannot write " + (folder / "x") + ": no '!' can be encoded");
  }
}

TEST(BlockSink, AFullDiskIsAnErrorAndNothingHangs) {
  for (const unsigned threads : {0U, 1U, 3U}) {
    const ScratchFolder folder;
    FaultyFiles files(disk());
    files.limit_bytes(20'000);
    auto sink = sink_to(folder / "x", files, threads);
    Status status;
    for (int i = 0; i < 100 && status.ok(); ++i) status = sink->write(std::string(1000, 'x'));
    if (status.ok()) status = sink->finish();
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::io);
  }
}

TEST(BlockSink, MayBeDroppedUnfinished) {
  const ScratchFolder folder;
  auto sink = sink_to(folder / "x", disk(), 2);
  ASSERT_TRUE(sink->write(std::string(50'000, 'y')).ok());
  sink.reset();
  EXPECT_LE(std::filesystem::file_size(folder / "x"), 50U * 1005);
}

}  // namespace
}  // namespace twinset
