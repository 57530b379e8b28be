#include "run/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/scratch_folder.h"

namespace twinset {
namespace {

TEST(ScratchPath, IsBelowTheFolderAskedForAndNeverTheSame) {
  Resources resources;
  resources.tmp = "/spill";
  const std::string one = scratch_path(resources, "verb");
  EXPECT_TRUE(one.starts_with("/spill/twinset-verb-")) << one;
  EXPECT_NE(one, scratch_path(resources, "verb"));
}

TEST(ScratchFolderOfARun, IsGoneAtTheEnd) {
  const testing::ScratchFolder folder;
  const std::string path = folder / "scratch";
  {
    const ScratchFolder scratch(disk(), path);
    std::filesystem::create_directories(scratch.path() + "/deep");
    std::ofstream(path + "/deep/file") << "x";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace twinset
