// MappedFile: the bytes of a file, mapped or read.
#include "rows/mapped_file.h"

#include "rows/rows_testing.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

TEST(MappedFile, HasTheBytesOfAFileThatIsMappedOrRead) {
  const ScratchFolder folder;
  const std::string bytes(100'000, 'x');
  put_file(folder / "f", bytes);
  put_file(folder / "empty", "");
  EXPECT_EQ(MappedFile::open(disk(), folder / "f").value().bytes(), bytes);
  EXPECT_EQ(MappedFile::open(disk(), folder / "empty").value().bytes(), "");
  MemoryFiles files;  // maps nothing
  ASSERT_TRUE(files.write("f", bytes).ok());
  MappedFile read = MappedFile::open(files, "f").value();
  const MappedFile moved = std::move(read);
  EXPECT_EQ(moved.bytes(), bytes);
}

TEST(MappedFile, OfAMissingFileOrAFolderIsAnError) {
  const ScratchFolder folder;
  EXPECT_EQ(MappedFile::open(disk(), folder / "none").error().message,
            "cannot open " + (folder / "none") + ": there is no such file");
  EXPECT_FALSE(MappedFile::open(disk(), folder.path()).ok());
}

TEST(MappedFile, ReleasedBytesAreStillThere) {
  const ScratchFolder folder;
  const std::string bytes(50'000, 'y');
  put_file(folder / "f", bytes);
  const MappedFile file = MappedFile::open(disk(), folder / "f").value();
  file.release(0, bytes.size());
  EXPECT_EQ(file.bytes(), bytes);
}

}  // namespace
}  // namespace twinset::testing
