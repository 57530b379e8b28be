// FrozenBlobs: each blob by its number, and no other bytes.
#include "rows/frozen_blobs.h"

#include "rows/rows_testing.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

constexpr FrozenKind blobs_kind{.format = "blobs", .version = 1, .fingerprint = 9};

Result<Fingerprint> write_blobs(FileSystem& files, const std::vector<std::string>& blobs) {
  const RunContext context = context_on(files);
  FrozenBlobsWriter writer(context, "f", blobs_kind);
  for (const std::string& blob : blobs) TWINSET_TRY(writer.append(blob));
  EXPECT_EQ(writer.blobs(), blobs.size());
  return writer.finish();
}

Result<std::vector<std::string>> read_blobs(FileSystem& files) {
  TWINSET_ASSIGN(const FrozenBlobs blobs, FrozenBlobs::open(files, "f", blobs_kind));
  std::vector<std::string> read;
  for (std::uint64_t i = 0; i < blobs.size(); ++i) {
    TWINSET_ASSIGN(const std::string_view blob, blobs.read(i));
    read.emplace_back(blob);
  }
  EXPECT_FALSE(blobs.read(blobs.size()).ok());
  return read;
}

std::vector<std::string> blobs_of_many_sizes(std::size_t count, std::size_t most_bytes) {
  std::vector<std::string> blobs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t random = mix64(i + 1);
    blobs.emplace_back(random % 5 == 0 ? 0 : random % most_bytes, static_cast<char>('a' + i % 26));
  }
  return blobs;
}

TEST(FrozenBlobs, AreReadByTheirNumbers) {
  MemoryFiles files;
  for (const std::size_t count : {0, 1, 63, 64, 65, 128, 1000}) {
    const std::vector<std::string> blobs = blobs_of_many_sizes(count, 300);
    ASSERT_TRUE(write_blobs(files, blobs).ok());
    EXPECT_EQ(read_blobs(files).value(), blobs) << count;
  }
  const std::vector<std::string> large = blobs_of_many_sizes(100, 1'000'000);
  ASSERT_TRUE(write_blobs(files, large).ok());
  EXPECT_EQ(read_blobs(files).value(), large);
}

TEST(FrozenBlobs, TakeFourBytesBesideTheirOwn) {
  MemoryFiles files;
  ASSERT_TRUE(write_blobs(files, std::vector<std::string>(64'000, std::string(100, 'x'))).ok());
  const double bytes = static_cast<double>(files.read("f").size()) / 64'000;
  EXPECT_LT(bytes, 100 + 4.4);
}

TEST(FrozenBlobs, EveryDamagedByteIsAnErrorOrChangesNoBlob) {
  MemoryFiles files;
  const std::vector<std::string> blobs = blobs_of_many_sizes(70, 40);
  ASSERT_TRUE(write_blobs(files, blobs).ok());
  const std::string whole = files.read("f");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    ASSERT_TRUE(files.write("f", bytes).ok());
    const auto read = read_blobs(files);
    if (read.ok()) {
      ASSERT_EQ(read.value(), blobs) << "byte " << i;
    }
  }
}

/// Files whose checksums are right and whose numbers are not, as a forger makes them.
TEST(FrozenBlobs, ForgedListsAreErrors) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  const auto forge = [&](const std::vector<std::uint64_t>& groups,
                         const std::vector<std::uint32_t>& lengths) {
    FrozenWriter writer(context, "f", blobs_kind);
    EXPECT_TRUE(writer.begin("blobs").ok());
    EXPECT_TRUE(writer
                    .append({reinterpret_cast<const char*>(lengths.data()),
                             lengths.size() * sizeof lengths[0]})
                    .ok());
    EXPECT_TRUE(writer.begin("groups").ok());
    EXPECT_TRUE(writer
                    .append({reinterpret_cast<const char*>(groups.data()),
                             groups.size() * sizeof groups[0]})
                    .ok());
    EXPECT_TRUE(writer.finish().ok());
    return read_blobs(files).ok();
  };
  EXPECT_TRUE(forge({0, 1}, {0}));
  EXPECT_TRUE(forge({0}, {}));
  EXPECT_FALSE(forge({}, {}));
  EXPECT_FALSE(forge({0, 1}, {1}));                  // before the front
  EXPECT_FALSE(forge({8, 1}, {0}));                  // after the end
  EXPECT_FALSE(forge({~std::uint64_t{0}, 1}, {0}));  // wraps around
  EXPECT_FALSE(forge({0, ~std::uint64_t{0}}, {0}));  // more blobs than groups
  EXPECT_FALSE(forge({4, 2}, {0, 3, 0xffff'ffff}));  // longer than all
}

}  // namespace
}  // namespace twinset::testing
