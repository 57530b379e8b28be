#include "run/stored_rows.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(NotedParts, AreThoseThatWereNoted) {
  StateFile file;
  note_parts({{"/spill/a", 10, 2}, {"/spill/b", 20, 4}}, "a", file);
  note_parts({}, "b", file);
  StateFile decoded;
  ASSERT_TRUE(StateFile::decode(file.encode(), decoded));
  const std::vector<PartLength> parts = noted_parts(decoded, "a");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[1].path, "/spill/b");
  EXPECT_EQ(parts[1].bytes, 20U);
  EXPECT_EQ(parts[1].rows, 4U);
  EXPECT_TRUE(noted_parts(decoded, "b").empty());
  EXPECT_TRUE(noted_parts(decoded, "c").empty());
  EXPECT_EQ(decoded.kept_files(), (std::vector<std::string>{"/spill/a", "/spill/b"}));
}

}  // namespace
}  // namespace twinset
