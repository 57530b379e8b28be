#include "rows/cached_file.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "support/faulty_files.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

using testing::FaultyFiles;
using testing::ScratchFolder;

std::string some_bytes(std::size_t size) {
  std::mt19937_64 random(1);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

// Reads return the file's bytes, across the edges of blocks and past its end, with memory for all
// of it and for a little.
TEST(CachedFile, GivesWhatTheFileHas) {
  const ScratchFolder folder;
  const std::string bytes = some_bytes(40 * CachedFile::block_bytes + 123);
  const std::string path = folder.write("x", bytes);
  auto file = disk().open(path, OpenMode::read);
  ASSERT_TRUE(file.ok());
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
    auto cached = CachedFile::make(*file.value(), bytes.size(), memory);
    ASSERT_TRUE(cached.ok());
    std::mt19937_64 random(2);
    for (int i = 0; i < 20'000; ++i) {
      const std::size_t offset = random() % (bytes.size() + 100);
      const std::size_t size =
          i % 100 == 0 ? random() % (3 * CachedFile::block_bytes) : random() % 99;
      std::string out(size, '?');
      const Result<std::size_t> got = cached.value()->read_at(offset, out.data(), size);
      ASSERT_TRUE(got.ok());
      out.resize(got.value());
      ASSERT_EQ(out, offset < bytes.size() ? bytes.substr(offset, size) : "") << offset;
    }
  }
}

TEST(CachedFile, ReadsEachBlockOnce) {
  const ScratchFolder folder;
  const std::string bytes = some_bytes(20 * CachedFile::block_bytes);
  FaultyFiles files(disk());
  auto file = files.open(folder.write("x", bytes), OpenMode::read);
  ASSERT_TRUE(file.ok());
  auto cached = CachedFile::make(*file.value(), bytes.size(), bytes.size());
  ASSERT_TRUE(cached.ok());
  const std::uint64_t before = files.operations();
  std::mt19937_64 random(3);
  char out[40];
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(cached.value()->read_at(random() % bytes.size(), out, sizeof out).ok());
  }
  EXPECT_EQ(files.operations() - before, 20U);
}

// A failed read is reported, and leaves no half block that a later read would use.
TEST(CachedFile, TellsAFailedReadAndReadsAgain) {
  const ScratchFolder folder;
  const std::string bytes = some_bytes(1000);
  FaultyFiles files(disk());
  auto file = files.open(folder.write("x", bytes), OpenMode::read);
  ASSERT_TRUE(file.ok());
  auto cached = CachedFile::make(*file.value(), bytes.size(), 0);
  ASSERT_TRUE(cached.ok());
  files.fail_at(0, FaultyFiles::Fault::io, FaultyFiles::Lasting::once);
  std::string out(10, '?');
  EXPECT_FALSE(cached.value()->read_at(500, out.data(), out.size()).ok());
  ASSERT_TRUE(cached.value()->read_at(500, out.data(), out.size()).ok());
  EXPECT_EQ(out, bytes.substr(500, 10));
}

}  // namespace
}  // namespace twinset
