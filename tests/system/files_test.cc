#include "system/files.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/faulty_files.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

using testing::FaultyFiles;
using testing::ScratchFolder;
using Kind = FileStatus::Kind;

std::unique_ptr<File> open(const std::string& path, OpenMode mode) {
  Result<std::unique_ptr<File>> file = disk().open(path, mode);
  EXPECT_TRUE(file.ok()) << file.error().message;
  return std::move(file).value();
}

TEST(Files, WritesAndReadsBack) {
  const ScratchFolder folder;
  const std::unique_ptr<File> file = open(folder / "x", OpenMode::create);
  ASSERT_TRUE(file->append("hello ").ok());
  ASSERT_TRUE(file->append("world").ok());
  ASSERT_TRUE(file->write_at(0, "J").ok());
  ASSERT_TRUE(file->sync().ok());
  EXPECT_EQ(file->size().value(), 11U);
  char bytes[16] = {};
  EXPECT_EQ(file->read_at(6, bytes, sizeof bytes).value(), 5U);
  EXPECT_STREQ(bytes, "world");
  EXPECT_EQ(file->read_at(11, bytes, sizeof bytes).value(), 0U);
  EXPECT_EQ(file->read_at(100, bytes, sizeof bytes).value(), 0U);
  EXPECT_EQ(folder.read("x"), "Jello world");
}

TEST(Files, ReadingAndAppendingDoNotMoveEachOther) {
  const ScratchFolder folder;
  folder.write("x", "abc");
  const std::unique_ptr<File> file = open(folder / "x", OpenMode::append);
  char byte = 0;
  ASSERT_EQ(file->read(&byte, 1).value(), 1U);
  EXPECT_EQ(byte, 'a');
  ASSERT_TRUE(file->append("def").ok());
  ASSERT_EQ(file->read(&byte, 1).value(), 1U);
  EXPECT_EQ(byte, 'b');
  ASSERT_TRUE(file->truncate(4).ok());
  ASSERT_TRUE(file->append("!").ok());
  EXPECT_EQ(folder.read("x"), "abcd!");
}

TEST(Files, CreateWantsAFreshName) {
  const ScratchFolder folder;
  folder.write("x", "mine");
  const auto again = disk().open(folder / "x", OpenMode::create);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::io);
  EXPECT_EQ(again.error().message, "cannot create " + (folder / "x") + ": File exists");
  EXPECT_EQ(folder.read("x"), "mine");
}

TEST(Files, ErrorsNameThePathAndTheReason) {
  const ScratchFolder folder;
  const std::string missing = folder / "missing";
  EXPECT_EQ(disk().open(missing, OpenMode::read).error().message,
            "cannot open " + missing + ": No such file or directory");
  EXPECT_EQ(disk().list(missing).error().message,
            "cannot list " + missing + ": No such file or directory");
  EXPECT_EQ(disk().remove_file(missing).error().message,
            "cannot remove " + missing + ": No such file or directory");
  EXPECT_EQ(disk().make_directory(missing + "/deep").error().message,
            "cannot make the folder " + missing + "/deep: No such file or directory");
  EXPECT_NE(disk().rename(missing, folder / "y").error().message.find(missing), std::string::npos);
  char byte = 0;
  const std::unique_ptr<File> itself = open(folder.path(), OpenMode::read);
  EXPECT_EQ(itself->read(&byte, 1).error().message,
            "cannot read " + folder.path() + ": Is a directory");
}

TEST(Files, AFullDiskIsAnError) {
  const std::unique_ptr<File> full = open("/dev/full", OpenMode::append);
  const Status written = full->write_at(0, "x");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message, "cannot write /dev/full: No space left on device");
}

TEST(Files, AFileOverTheLimitIsAnError) {
  const ScratchFolder folder;
  const std::unique_ptr<File> file = open(folder / "x", OpenMode::create);
  struct rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 100;
  const auto handled = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status written = file->write_at(100, "x");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handled);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message, "cannot write " + (folder / "x") +
                                         ": File too large (the limit that `ulimit -f` shows)");
}

TEST(Files, StatusTellsKinds) {
  const ScratchFolder folder;
  folder.write("x", "four");
  ASSERT_EQ(::symlink((folder / "x").c_str(), (folder / "link").c_str()), 0);
  ASSERT_EQ(::symlink("nowhere", (folder / "dangling").c_str()), 0);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const FileStatus file = disk().status(folder / "x").value();
  EXPECT_EQ(file.kind, Kind::regular);
  EXPECT_EQ(file.size, 4U);
  EXPECT_GT(file.mtime_ns, std::int64_t{1'600'000'000} * 1'000'000'000);
  EXPECT_EQ(disk().status(folder / "link").value().inode, file.inode);
  EXPECT_EQ(disk().status(folder / "dangling").value().kind, Kind::missing);
  EXPECT_EQ(disk().status(folder / "pipe").value().kind, Kind::other);
  EXPECT_EQ(disk().status(folder.path()).value().kind, Kind::directory);
  EXPECT_EQ(disk().status(folder / "x/below").value().kind, Kind::missing);
  EXPECT_TRUE(disk().status(folder / "link").value().link);
  EXPECT_FALSE(disk().status(folder / "x").value().link);
}

TEST(Files, ListsInByteOrder) {
  const ScratchFolder folder;
  for (const char* name : {"b", "a", "B", ".hidden", "\xff"}) folder.write(name, "");
  EXPECT_EQ(disk().list(folder.path()).value(),
            (std::vector<std::string>{".hidden", "B", "a", "b", "\xff"}));
}

TEST(Files, FoldersAreMadeAndRemoved) {
  const ScratchFolder folder;
  const std::string inner = folder / "inner";
  EXPECT_TRUE(disk().make_directory(inner).ok());
  EXPECT_TRUE(disk().make_directory(inner).ok());
  folder.write("file", "");
  EXPECT_FALSE(disk().make_directory(folder / "file").ok());
  folder.write("inner/deep/x", "");
  folder.write("outside", "kept");
  folder.write("beside/x", "kept, too");
  ASSERT_EQ(::symlink((folder / "outside").c_str(), (inner + "/link").c_str()), 0);
  ASSERT_EQ(::symlink((folder / "beside").c_str(), (inner + "/deep/link").c_str()), 0);
  ASSERT_EQ(::symlink("nowhere", (inner + "/deep/dangling").c_str()), 0);
  EXPECT_TRUE(disk().remove_tree(inner).ok());
  EXPECT_TRUE(disk().remove_tree(inner).ok());
  EXPECT_EQ(disk().status(inner).value().kind, Kind::missing);
  EXPECT_EQ(folder.read("outside"), "kept");
  EXPECT_EQ(folder.read("beside/x"), "kept, too");
}

TEST(Files, AFolderIsSyncedWithAllBelowIt) {
  const ScratchFolder folder;
  for (int i = 0; i < 70; ++i) {  // Few entries are synced one by one, many at once.
    folder.write("all/deep/" + std::to_string(i), "x");
    EXPECT_TRUE(disk().sync_tree(folder / "all").ok());
  }
  const Status missing = disk().sync_tree(folder / "none");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message.find(folder / "none"), std::string::npos);
}

TEST(Files, OnlyAnEmptyFolderIsRemovedAsAFolder) {
  const ScratchFolder folder;
  folder.write("full/x", "");
  EXPECT_FALSE(disk().remove_directory(folder / "full").ok());
  ASSERT_TRUE(disk().make_directory(folder / "empty").ok());
  EXPECT_TRUE(disk().remove_directory(folder / "empty").ok());
  EXPECT_EQ(disk().status(folder / "empty").value().kind, Kind::missing);
  EXPECT_FALSE(disk().remove_directory(folder / "empty").ok());
}

TEST(Files, MissingFoldersAreMadeWithThoseAbove) {
  const ScratchFolder folder;
  ASSERT_TRUE(make_directories(disk(), folder / "a/b/c").ok());
  ASSERT_TRUE(make_directories(disk(), folder / "a/b/c").ok());
  EXPECT_EQ(disk().status(folder / "a/b/c").value().kind, Kind::directory);
  folder.write("file", "mine");
  const Status below_a_file = make_directories(disk(), folder / "file/x/y");
  ASSERT_FALSE(below_a_file.ok());
  EXPECT_NE(below_a_file.error().message.find(folder / "file"), std::string::npos);
  EXPECT_EQ(folder.read("file"), "mine");
}

TEST(Files, ALockIsHeldOnceAndNamesItsHolder) {
  const ScratchFolder folder;
  std::string holder;
  {
    auto first = disk().lock(folder / "lock", "the first holder", holder);
    ASSERT_TRUE(first.ok() && first.value() != nullptr);
    auto second = disk().lock(folder / "lock", "another", holder);
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(second.value(), nullptr);
    EXPECT_EQ(holder, "the first holder");
  }
  auto third = disk().lock(folder / "lock", "third", holder);
  ASSERT_TRUE(third.ok() && third.value() != nullptr);
  EXPECT_EQ(folder.read("lock"), "third");
  EXPECT_FALSE(disk().lock(folder / "none/lock", "x", holder).ok());
}

TEST(Files, TellsWhetherAFileMayBeRead) {
  const ScratchFolder folder;
  const std::string path = folder.write("x", "");
  EXPECT_TRUE(disk().readable(path).value());
  EXPECT_FALSE(disk().readable(folder / "none").value());
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  EXPECT_EQ(disk().readable(path).value(), ::geteuid() == 0);  // Root may read anything.
}

TEST(Files, WhetherAFileCanBeWrittenIsKnownBefore) {
  const ScratchFolder folder;
  EXPECT_TRUE(check_writable(disk(), folder / "x").ok());
  folder.write("mine", "mine");
  EXPECT_TRUE(check_writable(disk(), folder / "mine").ok());
  EXPECT_EQ(folder.read("mine"), "mine");
  EXPECT_FALSE(check_writable(disk(), folder / "none/x").ok());
  const Status too_long = check_writable(disk(), folder / std::string(250, 'x'));
  ASSERT_FALSE(too_long.ok());
  EXPECT_NE(too_long.error().message.find("File name too long"), std::string::npos);
  FaultyFiles full(disk());
  full.limit_bytes(100);
  EXPECT_FALSE(check_writable(full, folder / "x").ok());
  EXPECT_EQ(disk().list(folder.path()).value(), std::vector<std::string>{"mine"});
}

TEST(Files, SaysHowMuchIsFree) {
  const ScratchFolder folder;
  EXPECT_GT(disk().free_bytes(folder.path()).value(), 0U);
  EXPECT_FALSE(disk().free_bytes(folder / "missing").ok());
}

TEST(Files, AtomicWriteLeavesOldOrNewWhateverFails) {
  const ScratchFolder folder;
  const std::string path = folder / "x";
  for (const auto fault :
       {FaultyFiles::Fault::io, FaultyFiles::Fault::no_space, FaultyFiles::Fault::short_transfer}) {
    for (const auto lasting : {FaultyFiles::Lasting::once, FaultyFiles::Lasting::for_ever}) {
      bool succeeded = false;
      for (std::uint64_t k = 0; !succeeded; ++k) {
        ASSERT_LT(k, 100U);
        ASSERT_TRUE(write_file_atomically(disk(), path, "old").ok());
        FaultyFiles files(disk());
        files.fail_at(k, fault, lasting);
        const Status written = write_file_atomically(files, path, "the new content");
        succeeded = !files.failed();
        EXPECT_EQ(written.ok(), succeeded) << k;
        const std::string content = folder.read("x");
        // After the rename only the sync of the folder can fail.
        EXPECT_TRUE(content == "the new content" || (!written.ok() && content == "old")) << k;
        EXPECT_TRUE(write_file_atomically(disk(), path, "again").ok());
        EXPECT_EQ(disk().list(folder.path()).value().size(), 1U);
      }
    }
  }
}

TEST(Files, AtomicWriteOnAFullDisk) {
  const ScratchFolder folder;
  FaultyFiles files(disk());
  files.limit_bytes(10);
  const Status written = write_file_atomically(files, folder / "x", "eleven bytes");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message,
            "cannot write " + (folder / "x.partial") + ": No space left on device");
  EXPECT_TRUE(disk().list(folder.path()).value().empty());
}

TEST(Files, MapsAFileThatOutlivesItsName) {
  const ScratchFolder folder;
  const std::string bytes(100'000, 'x');
  const std::string path = folder.write("x", bytes);
  std::unique_ptr<File> file = open(path, OpenMode::read);
  const std::unique_ptr<Mapping> mapping = file->map();
  ASSERT_NE(mapping, nullptr);
  file.reset();
  ASSERT_TRUE(disk().remove_file(path).ok());
  EXPECT_EQ(mapping->bytes(), bytes);
  // Released bytes can still be used.
  mapping->release(5000, 60'000);
  mapping->release(0, bytes.size());
  mapping->release(7, 7);
  EXPECT_EQ(mapping->bytes(), bytes);
  EXPECT_EQ(open(folder.write("empty", ""), OpenMode::read)->map(), nullptr);
  EXPECT_EQ(open("/dev/null", OpenMode::read)->map(), nullptr);
}

TEST(Files, ReadsWholeFilesUpToALimit) {
  const ScratchFolder folder;
  const std::string path = folder.write("x", "123456");
  EXPECT_EQ(read_whole_file(disk(), path, 6).value(), "123456");
  EXPECT_EQ(read_whole_file(disk(), folder.write("empty", ""), 6).value(), "");
  EXPECT_EQ(read_whole_file(disk(), path, 5).error().message,
            "cannot read " + path + ": over the 5 bytes allowed here");
  // A file that says it is empty, and never ends.
  EXPECT_FALSE(read_whole_file(disk(), "/dev/zero", 100'000).ok());
}

TEST(Files, ShortReadsAreNotTheEnd) {
  const ScratchFolder folder;
  const std::string path = folder.write("x", std::string(1000, 'x'));
  FaultyFiles files(disk());
  // Fails after opening it and asking for its size.
  files.fail_at(2, FaultyFiles::Fault::short_transfer, FaultyFiles::Lasting::for_ever);
  EXPECT_EQ(read_whole_file(files, path, 2000).value().size(), 1000U);
}

}  // namespace
}  // namespace twinset
