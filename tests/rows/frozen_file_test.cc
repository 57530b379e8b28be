// FrozenFile: it gives the bytes that were written, part by part, and never others.
#include "rows/frozen_file.h"

#include <map>

#include "rows/rows_testing.h"
#include "support/faulty_files.h"
#include "support/power_loss_files.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

constexpr FrozenKind frozen_kind{.format = "segment", .version = 3, .fingerprint = 7};
using Parts = std::vector<std::pair<std::string, std::string>>;

std::string noise(std::size_t bytes, std::uint64_t seed) {
  std::string out;
  for (std::uint64_t i = 0; out.size() < bytes; ++i) {
    const std::uint64_t word = mix64(seed << 32 | i);
    out.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  out.resize(bytes);
  return out;
}

/// Parts that begin in a block and end in another, empty ones, and one over many blocks.
Parts some_parts() {
  return {{"a", "alpha"},
          {"none", ""},
          {"b", noise(4096, 1)},
          {"long", noise(700'001, 2)},
          {"last of 16 bytes", "z"}};
}

Result<Fingerprint> write_parts(FileSystem& files, const std::string& path, const Parts& parts,
                                std::size_t piece = 1000) {
  const RunContext context = context_on(files);
  FrozenWriter writer(context, path, frozen_kind);
  for (const auto& [name, bytes] : parts) {
    TWINSET_TRY(writer.begin(name));
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      TWINSET_TRY(writer.append(std::string_view(bytes).substr(at, piece)));
      EXPECT_EQ(writer.part_bytes(), std::min(at + piece, bytes.size()));
    }
  }
  return writer.finish();
}

/// All parts of the names, read in pieces.
Result<Parts> read_parts(FileSystem& files, const std::string& path, const Parts& named) {
  TWINSET_ASSIGN(const auto file, FrozenFile::open(files, path, frozen_kind));
  Parts read;
  for (const auto& [name, unused] : named) {
    TWINSET_ASSIGN(const FrozenPart part, file->part(name));
    std::string bytes;
    for (std::uint64_t at = 0; at < part.size(); at += 3333) {
      TWINSET_ASSIGN(const std::string_view piece,
                     part.read(at, std::min<std::uint64_t>(at + 3333, part.size())));
      bytes += piece;
    }
    read.emplace_back(name, bytes);
  }
  return read;
}

TEST(FrozenFile, GivesEachPartAsItWasWritten) {
  const ScratchFolder folder;
  const Parts parts = some_parts();
  const auto hash = write_parts(disk(), folder / "f", parts);
  ASSERT_TRUE(hash.ok());
  EXPECT_EQ(read_parts(disk(), folder / "f", parts).value(), parts);
  const auto file = FrozenFile::open(disk(), folder / "f", frozen_kind);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value()->hash(), hash.value());
  EXPECT_TRUE(file.value()->verify(context_on(disk())).ok());
  for (const auto& [name, bytes] : parts) {
    const FrozenPart part = file.value()->part(name).value();
    EXPECT_EQ(part.size(), bytes.size());
    const auto all = part.read(0, part.size());
    ASSERT_TRUE(all.ok());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.value().data()) % 8, 0U) << name;
    EXPECT_FALSE(part.read(0, part.size() + 1).ok());
    EXPECT_FALSE(part.read(1, 0).ok());
    EXPECT_FALSE(part.read(~std::uint64_t{0} - 1, ~std::uint64_t{0}).ok());
  }
  EXPECT_EQ(file.value()->part("lost").error().message,
            (folder / "f") + " has no part \"lost\"; make it again");
}

TEST(FrozenFile, ItsHashIsOfItsPartsAlone) {
  MemoryFiles files;
  const Parts parts = some_parts();
  const Fingerprint hash = write_parts(files, "f", parts).value();
  EXPECT_EQ(write_parts(files, "g", parts, 7).value(), hash);
  Parts others = parts;
  others[0].second = "alphb";
  EXPECT_NE(write_parts(files, "f", others).value(), hash);
  others = parts;
  others[0].first = "c";
  EXPECT_NE(write_parts(files, "f", others).value(), hash);
  others = parts;
  std::swap(others[0], others[1]);
  EXPECT_NE(write_parts(files, "f", others).value(), hash);
  EXPECT_TRUE(write_parts(files, "f", {}).ok());
}

TEST(FrozenFile, OfAnotherKindIsAnErrorThatSaysWhich) {
  MemoryFiles files;
  ASSERT_TRUE(write_parts(files, "f", {{"a", "b"}}).ok());
  const auto told = [&](const FrozenKind& other) {
    return FrozenFile::open(files, "f", other).error().message;
  };
  EXPECT_NE(told({"index", 3, 7}).find("holds \"segment\" where \"index\" should be"),
            std::string::npos);
  EXPECT_NE(told({"segment", 2, 7}).find("version 3"), std::string::npos);
  EXPECT_NE(told({"segment", 3, 8}).find("fingerprint 0000000000000007"), std::string::npos);
  ASSERT_TRUE(files.write("f", "").ok());
  EXPECT_FALSE(FrozenFile::open(files, "f", frozen_kind).ok());
}

TEST(FrozenFile, EveryDamagedByteIsAnErrorOrInNoPart) {
  const Parts parts{{"a", noise(3000, 1)}, {"b", noise(3001, 2)}, {"c", "end"}};
  MemoryFiles files;
  ASSERT_TRUE(write_parts(files, "f", parts).ok());
  const std::string whole = files.read("f");
  // Read and verified.
  const auto is_error = [&](const std::string& bytes) {
    EXPECT_TRUE(files.write("f", bytes).ok());
    const auto read = read_parts(files, "f", parts);
    if (read.ok()) {
      EXPECT_EQ(read.value(), parts);
      const auto file = FrozenFile::open(files, "f", frozen_kind);
      return !file.ok() || !file.value()->verify(context_on(files)).ok();
    }
    EXPECT_TRUE(read.error().message.starts_with("f ")) << read.error().message;
    return true;
  };
  ASSERT_FALSE(is_error(whole));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 1 << i % 8);
    ASSERT_TRUE(is_error(bytes)) << "byte " << i;
  }
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    ASSERT_TRUE(is_error(whole.substr(0, size))) << size << " bytes";
  }
  EXPECT_TRUE(is_error(whole + 'x'));
  EXPECT_TRUE(is_error(whole + whole));
}

TEST(FrozenFile, ADamagedBlockLeavesTheOthers) {
  const ScratchFolder folder;
  const Parts parts{{"a", noise(40'960, 1)}};
  ASSERT_TRUE(write_parts(disk(), folder / "f", parts).ok());
  flip_byte(folder / "f", 4096 * 5 + 9, 1);
  const auto file = FrozenFile::open(disk(), folder / "f", frozen_kind);
  ASSERT_TRUE(file.ok());
  const FrozenPart part = file.value()->part("a").value();
  for (std::uint64_t at = 0; at < part.size(); ++at) {
    // The header's 48 bytes are in front of the part.
    const bool damaged = (at + 48) / 4096 == 5;
    ASSERT_EQ(part.read(at, at + 1).ok(), !damaged) << at;
  }
  EXPECT_EQ(part.read(0, part.size()).error().message,
            (folder / "f") +
                " is damaged: a block fails its checksum at byte 20480; take a copy "
                "of the file, or make it again");
}

TEST(FrozenFile, EveryFailingOperationIsAnErrorAndLeavesTheOldFile) {
  const Parts old_parts{{"a", "old"}};
  const Parts parts{{"a", noise(600'000, 1)}};
  for (const auto lasting : {FaultyFiles::Lasting::once, FaultyFiles::Lasting::for_ever}) {
    for (std::uint64_t operation = 0;; ++operation) {
      ASSERT_LT(operation, 1000U);
      const ScratchFolder folder;
      ASSERT_TRUE(write_parts(disk(), folder / "f", old_parts).ok());
      folder.write("f.partial", "left by a killed run");
      FaultyFiles files(disk());
      files.fail_at(operation, FaultyFiles::Fault::short_transfer, lasting);
      const auto hash = write_parts(files, folder / "f", parts);
      ASSERT_EQ(hash.ok(), !files.failed()) << "operation " << operation;
      const auto read = read_parts(disk(), folder / "f", parts);
      ASSERT_TRUE(read.ok());
      EXPECT_TRUE(read.value() == parts || (files.failed() && read.value() == old_parts));
      if (!files.failed()) break;
    }
  }
}

TEST(FrozenFile, APowerLossLeavesTheOldOrTheNewFile) {
  const Parts old_parts{{"a", "old"}};
  const Parts parts{{"a", noise(600'000, 1)}};
  using Loss = PowerLossFiles::Loss;
  for (const Loss loss : {Loss::dropped, Loss::torn, Loss::reordered}) {
    for (std::uint64_t point = 0;; ++point) {
      ASSERT_LT(point, 100U);
      PowerLossFiles files;
      ASSERT_TRUE(write_parts(files, "/f", old_parts).ok());
      files.lose_power_at(point);
      const bool written = write_parts(files, "/f", parts).ok();
      files.restore_power(loss, point);
      const auto read = read_parts(files, "/f", parts);
      ASSERT_TRUE(read.ok()) << read.error().message;
      EXPECT_TRUE(read.value() == parts || (!written && read.value() == old_parts));
      if (written) break;
    }
  }
}

TEST(FrozenFile, WritingIsInterrupted) {
  MemoryFiles files;
  std::atomic<bool> stop = true;
  RunContext context = context_on(files);
  context.cancel = &stop;
  {
    FrozenWriter writer(context, "f", frozen_kind);
    ASSERT_TRUE(writer.begin("a").ok());
    EXPECT_EQ(writer.append(noise(600'000, 1)).error().code, ErrorCode::interrupted);
    EXPECT_FALSE(writer.begin("b").ok());
    EXPECT_FALSE(writer.finish().ok());
  }
  EXPECT_EQ(files.status("f.partial").value().kind, FileStatus::Kind::missing);
}

}  // namespace
}  // namespace twinset::testing
