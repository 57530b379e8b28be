#include "io/glob.h"

#include <gtest/gtest.h>

#include "support/scratch_folder.h"

namespace twinset {
namespace {

using testing::ScratchFolder;

TEST(Glob, TellsPatternsFromPaths) {
  EXPECT_TRUE(is_glob("a*"));
  EXPECT_TRUE(is_glob("a?/b"));
  EXPECT_TRUE(is_glob("[ab]"));
  EXPECT_FALSE(is_glob("a/b.jsonl"));
}

TEST(Glob, ExpandsAsAShellDoes) {
  const ScratchFolder folder;
  for (const char* name : {"a/1.txt", "a/2.txt", "a/.hidden.txt", "a/deep/3.txt", "b/1.txt",
                           "b/1.md", "c.txt", "B/9.txt"}) {
    folder.write(name, "");
  }
  const auto expand = [&](const std::string& pattern) {
    std::vector<std::string> names;
    const auto paths = expand_glob(disk(), folder / pattern);
    for (const std::string& path : paths.value()) {
      EXPECT_TRUE(path.starts_with(folder.path() + "/")) << path;
      names.push_back(path.substr(folder.path().size() + 1));
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(expand("*"), (Names{"B", "a", "b", "c.txt"}));
  EXPECT_EQ(expand("*.txt"), (Names{"c.txt"}));
  EXPECT_EQ(expand("*/*.txt"), (Names{"B/9.txt", "a/1.txt", "a/2.txt", "b/1.txt"}));
  EXPECT_EQ(expand("*/1.txt"), (Names{"a/1.txt", "b/1.txt"}));
  EXPECT_EQ(expand("a/?.txt"), (Names{"a/1.txt", "a/2.txt"}));
  EXPECT_EQ(expand("a/[!1].txt"), (Names{"a/2.txt"}));
  EXPECT_EQ(expand("a/.*.txt"), (Names{"a/.hidden.txt"}));
  EXPECT_EQ(expand("[ab]//*/3.txt"), (Names{"a/deep/3.txt"}));
  EXPECT_EQ(expand("*.none"), Names{});
  EXPECT_EQ(expand("none/*"), Names{});
  EXPECT_EQ(expand("c.txt/*"), Names{});
}

}  // namespace
}  // namespace twinset
