// The manifest: written and read again; damage and other versions are refused.
#include "index/manifest.h"

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

Manifest made_manifest() {
  Manifest manifest;
  manifest.settings = {.scheme = {"fss", "mod"}, .resemblance = Ratio(3, 5), .texts = true};
  manifest.fingerprint = "00000000000000ff";
  manifest.changes = 3;
  manifest.next = 9;
  manifest.serials = 103;
  manifest.log = 7;
  manifest.segments = {{1, 100, 7, 5, "aa"}, {8, 3, 0, 0, "bb"}};
  manifest.pending = {{9, 4, 0, 0, "cc"}, "/data/out", "an identity"};
  return manifest;
}

TEST(Manifest, IsReadAsItWasWritten) {
  MemoryFiles files;
  const Manifest manifest = made_manifest();
  ASSERT_TRUE(write_manifest(files, "x", manifest).ok());
  const Manifest read = read_manifest(files, "x").value();
  EXPECT_EQ(read.settings, manifest.settings);
  EXPECT_EQ(read.fingerprint, manifest.fingerprint);
  EXPECT_EQ(read.changes, 3U);
  EXPECT_EQ(read.next, 9U);
  EXPECT_EQ(read.segments, manifest.segments);
  EXPECT_EQ(read.serials, 103U);
  EXPECT_EQ(read.log, 7U);
  EXPECT_EQ(read.pending, manifest.pending);
  EXPECT_TRUE(files.read("x/manifest").starts_with("twinset-index 3 "));
  EXPECT_TRUE(is_index_folder(files, "x").value());
}

TEST(Manifest, EveryDamagedByteIsAnError) {
  MemoryFiles files;
  ASSERT_TRUE(write_manifest(files, "x", made_manifest()).ok());
  const std::string whole = files.read("x/manifest");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 1);
    ASSERT_TRUE(files.write("x/manifest", bytes).ok());
    ASSERT_FALSE(read_manifest(files, "x").ok()) << i;
    ASSERT_TRUE(files.write("x/manifest", whole.substr(0, i)).ok());
    ASSERT_FALSE(read_manifest(files, "x").ok()) << i;
  }
}

TEST(Manifest, OfAnotherVersionIsRefusedAndNotMisread) {
  MemoryFiles files;
  for (const char* version : {"1", "4"}) {
    const std::string first = std::string("twinset-index ") + version + " 0123456789abcdef\n";
    ASSERT_TRUE(files.write("x/manifest", first + "{}\n").ok());
    EXPECT_EQ(read_manifest(files, "x").error().message,
              "x/manifest is of another version of twinset; use that, or make the index again");
    EXPECT_TRUE(is_index_folder(files, "x").value());
  }
  ASSERT_TRUE(files.write("x/manifest", "name: something else\n").ok());
  EXPECT_EQ(read_manifest(files, "x").error().message,
            "x/manifest is not the manifest of an index");
  EXPECT_FALSE(is_index_folder(files, "x").value());
  EXPECT_FALSE(is_index_folder(files, "y").value());
}

}  // namespace
}  // namespace twinset::testing
