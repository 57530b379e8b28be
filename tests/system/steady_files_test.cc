// SteadyFiles: bytes are as without it, and never many of them wait for a sync.
#include "system/steady_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "system/forwarding_file.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

/// Counts the bytes that wait for a sync, and keeps the most there ever were.
class UnsyncedBytes final : public ForwardingFiles {
 public:
  using ForwardingFiles::ForwardingFiles;
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    TWINSET_ASSIGN(auto file, below().open(path, mode));
    return std::unique_ptr<File>(std::make_unique<Counted>(std::move(file), *this));
  }
  std::uint64_t now = 0;
  std::uint64_t most = 0;
  int syncs = 0;

 private:
  class Counted final : public ForwardingFile {
   public:
    Counted(std::unique_ptr<File> below, UnsyncedBytes& of)
        : ForwardingFile(std::move(below)), of_(of) {}
    Status append(std::string_view bytes) override {
      of_.most = std::max(of_.most, of_.now += bytes.size());
      return ForwardingFile::append(bytes);
    }
    Status write_at(std::uint64_t offset, std::string_view bytes) override {
      of_.most = std::max(of_.most, of_.now += bytes.size());
      return ForwardingFile::write_at(offset, bytes);
    }
    Status sync() override {
      of_.now = 0;
      ++of_.syncs;
      return ForwardingFile::sync();
    }

   private:
    UnsyncedBytes& of_;
  };
};

TEST(SteadyFiles, SyncWhileALargeFileIsWritten) {
  MemoryFiles memory;
  UnsyncedBytes counted(memory);
  SteadyFiles steady(counted);
  std::string bytes(std::size_t{1} << 20, 'x');
  std::string whole;
  const auto file = steady.open("large", OpenMode::create).value();
  for (int i = 0; i < 40; ++i) {
    bytes[0] = static_cast<char>('0' + i);
    ASSERT_TRUE((i % 2 == 0 ? file->append(bytes) : file->write_at(whole.size(), bytes)).ok());
    whole += bytes;
  }
  EXPECT_EQ(counted.syncs, 5);
  EXPECT_EQ(counted.most, SteadyFiles::synced_bytes);
  EXPECT_EQ(memory.read("large"), whole);
  // What the caller syncs is not synced again.
  ASSERT_TRUE(file->append(bytes).ok());
  ASSERT_TRUE(file->sync().ok());
  EXPECT_EQ(counted.syncs, 6);
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(file->append(bytes).ok());
  EXPECT_EQ(counted.syncs, 6);
  EXPECT_EQ(file->size().value(), whole.size() + 8 * bytes.size());
}

}  // namespace
}  // namespace twinset::testing
