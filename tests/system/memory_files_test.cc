// Files in memory behave as files do, within their limit.
#include "system/memory_files.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace twinset {
namespace {

TEST(MemoryFiles, AFileIsWhatWasWritten) {
  MemoryFiles files;
  auto file = files.open("a/b", OpenMode::append);
  ASSERT_TRUE(file.ok());
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    const std::string piece(static_cast<std::size_t>(i) * 7 % 1003,
                            static_cast<char>('a' + i % 26));
    ASSERT_TRUE(file.value()->append(piece).ok());
    expected += piece;
  }
  EXPECT_EQ(files.read("a/b"), expected);
  EXPECT_EQ(file.value()->size().value(), expected.size());
  ASSERT_TRUE(file.value()->write_at(70'000, "xyz").ok());
  expected.replace(70'000, 3, "xyz");
  ASSERT_TRUE(file.value()->write_at(expected.size() + 100'000, "far").ok());
  expected.resize(expected.size() + 100'000);
  expected += "far";
  EXPECT_EQ(files.read("a/b"), expected);
  ASSERT_TRUE(file.value()->truncate(65'537).ok());
  ASSERT_TRUE(file.value()->truncate(65'600).ok());
  expected.resize(65'537);
  expected.resize(65'600);
  EXPECT_EQ(files.read("a/b"), expected) << "what was cut does not come back";
  std::string got(100, '\0');
  EXPECT_EQ(file.value()->read_at(65'590, got.data(), 100).value(), 10U);
  EXPECT_EQ(file.value()->read(got.data(), 5).value(), 5U);
  EXPECT_EQ(got.substr(0, 5), expected.substr(0, 5));
}

TEST(MemoryFiles, NamesComeAndGo) {
  MemoryFiles files;
  ASSERT_TRUE(files.write("d/x", "1").ok());
  ASSERT_TRUE(files.write("d/e/y", "22").ok());
  EXPECT_EQ(files.list("d").value(), (std::vector<std::string>{"e", "x"}));
  EXPECT_EQ(files.status("d").value().kind, FileStatus::Kind::directory);
  EXPECT_EQ(files.status("d/e/y").value().size, 2U);
  EXPECT_EQ(files.status("d/none").value().kind, FileStatus::Kind::missing);
  EXPECT_FALSE(files.open("d/none", OpenMode::read).ok());
  EXPECT_FALSE(files.open("d/x", OpenMode::create).ok());
  ASSERT_TRUE(files.rename("d/x", "d/z").ok());
  EXPECT_FALSE(files.rename("d/x", "d/z").ok());
  EXPECT_FALSE(files.remove_file("d/x").ok());
  EXPECT_EQ(files.read("d/z"), "1");
  auto open = files.open("d/z", OpenMode::read);
  ASSERT_TRUE(files.remove_tree("d").ok());
  EXPECT_TRUE(files.list("d").value().empty());
  char c = 0;
  EXPECT_EQ(open.value()->read(&c, 1).value(), 1U) << "an open file outlives its name";
}

TEST(MemoryFiles, TheLimitIsAnErrorAndRoomComesBack) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 20;
  MemoryFiles files(limit, "; ask for more");
  auto file = files.open("a", OpenMode::append);
  const std::string piece(100'000, 'x');
  Status status;
  int pieces = 0;
  for (; status.ok() && pieces < 100; ++pieces) status = file.value()->append(piece);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(pieces, 11);
  EXPECT_NE(status.error().message.find("1048576 bytes of memory; ask for more"),
            std::string::npos);
  EXPECT_LE(files.bytes(), limit);
  EXPECT_EQ(files.free_bytes("").value(), limit - files.bytes());
  ASSERT_TRUE(file.value()->truncate(0).ok());
  EXPECT_EQ(files.bytes(), 0U);
  ASSERT_TRUE(file.value()->append(piece).ok());
  ASSERT_TRUE(files.remove_file("a").ok());
  EXPECT_GT(files.bytes(), 0U) << "it is open";
  file.value().reset();
  EXPECT_EQ(files.bytes(), 0U);
}

TEST(MemoryFiles, ManyThreadsReadWhileFilesAreWritten) {
  MemoryFiles files;
  ASSERT_TRUE(files.write("shared", std::string(300'000, 's')).ok());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      auto shared = files.open("shared", OpenMode::read);
      auto own = files.open("own" + std::to_string(t), OpenMode::append);
      std::string got(1000, '\0');
      for (std::uint64_t i = 0; i < 200; ++i) {
        EXPECT_EQ(shared.value()->read_at(i * 1000, got.data(), 1000).value(), 1000U);
        EXPECT_TRUE(own.value()->append(got).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 4; ++t) {
    EXPECT_EQ(files.read("own" + std::to_string(t)), std::string(200'000, 's'));
  }
}

}  // namespace
}  // namespace twinset
