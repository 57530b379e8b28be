// BlobFile: every blob is read as it was added, and nothing else ever is.
#include "rows/blob_file.h"

#include <random>

#include "rows/rows_testing.h"
#include "rows/table.h"
#include "support/counting_files.h"
#include "support/faulty_files.h"
#include "support/power_loss_files.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

using Blobs = std::vector<std::string>;

/// Blobs of 0 to 60 bytes, and a large one now and then.
Blobs made_blobs(std::size_t count, std::size_t large = 300'000) {
  std::mt19937_64 random(count);
  Blobs blobs;
  for (std::size_t i = 0; i < count; ++i) {
    std::string blob(i % 1000 == 999 ? large : random() % 61, '\0');
    for (char& byte : blob) byte = static_cast<char>(random());
    blobs.push_back(std::move(blob));
  }
  return blobs;
}

RowsOptions options_of(const RunContext& context, const std::string& path) {
  return {.context = &context, .path = path, .fingerprint = 7};
}

Status add(BlobFile& file, std::span<const std::string> blobs) {
  for (const std::string& blob : blobs) TWINSET_TRY(file.append(blob));
  return {};
}

/// All blobs, read in order and by number.
Result<Blobs> all_of(const BlobFile& file) {
  Blobs blobs;
  TWINSET_TRY(file.for_each([&](std::uint64_t number, std::string_view blob) -> Status {
    EXPECT_EQ(number, blobs.size());
    blobs.emplace_back(blob);
    return {};
  }));
  std::string blob;
  for (std::size_t number = 0; number < blobs.size(); ++number) {
    TWINSET_TRY(file.read(number, blob));
    EXPECT_EQ(blob, blobs[number]);
  }
  return blobs;
}

using Lengths = std::vector<PartLength>;

Result<Blobs> restore_and_read(FileSystem& files, const std::string& path, const Lengths& lengths) {
  const RunContext context = context_on(files);
  BlobFile file(options_of(context, path));
  TWINSET_TRY(file.restore(lengths));
  return all_of(file);
}

Result<Lengths> write_blobs(FileSystem& files, const std::string& path, const Blobs& blobs) {
  const RunContext context = context_on(files);
  BlobFile file(options_of(context, path));
  Lengths lengths;
  TWINSET_TRY(add(file, blobs));
  TWINSET_TRY(file.checkpoint(lengths));
  return lengths;
}

TEST(BlobFile, ReadsARangeAsFarAsThereIsOne) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk());
  const Blobs blobs = made_blobs(9000);
  BlobFile file(options_of(context, folder / "x"));
  ASSERT_TRUE(add(file, blobs).ok());
  ASSERT_TRUE(file.flush().ok());
  const std::pair<std::size_t, std::size_t> ranges[] = {
      {0, 9000}, {0, 1},       {999, 1000},  {1000, 1000},     {4095, 4098},
      {1, 8999}, {8990, 9100}, {9000, 9001}, {20'000, 20'001}, {7, 3}};
  for (const auto& range : ranges) {
    const std::size_t first = range.first;  // A lambda cannot capture a part of a binding.
    const std::size_t end = range.second;
    if (first == 1000) {
      ASSERT_TRUE(file.hold_places(40000).ok());
    }
    const std::size_t begin = std::min<std::size_t>(first, 9000);
    const std::size_t last = std::max(begin, std::min<std::size_t>(end, 9000));
    Blobs found;
    const Status read = file.for_each(first, end, [&](std::uint64_t number, std::string_view blob) {
      EXPECT_EQ(number, first + found.size());
      found.emplace_back(blob);
      return Status();
    });
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(found, Blobs(blobs.begin() + static_cast<std::ptrdiff_t>(begin),
                           blobs.begin() + static_cast<std::ptrdiff_t>(last)))
        << first << " to " << end;
  }
}

TEST(BlobFile, ReadsWhatWasAdded) {
  for (const std::size_t count : {0, 1, 2, 4096, 4097}) {
    const ScratchFolder folder;
    const RunContext context = context_on(disk());
    const Blobs blobs = made_blobs(count);
    BlobFile file(options_of(context, folder / "x"));
    std::string blob;
    ASSERT_TRUE(add(file, blobs).ok());
    ASSERT_TRUE(file.flush().ok());
    EXPECT_EQ(all_of(file).value(), blobs);
    EXPECT_FALSE(file.read(count, blob).ok());
    ASSERT_TRUE(file.seal().ok());
    EXPECT_EQ(file.blobs(), count);
    EXPECT_EQ(all_of(file).value(), blobs);
    for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
      ASSERT_TRUE(file.hold(memory).ok());
      EXPECT_EQ(all_of(file).value(), blobs);
      ASSERT_TRUE(file.hold_for_any_order(memory).ok());
      EXPECT_EQ(all_of(file).value(), blobs);
    }
    EXPECT_FALSE(file.append("x").ok());
    EXPECT_EQ(std::filesystem::file_size(folder / "x.blobs") +
                  std::filesystem::file_size(folder / "x.places"),
              file.stored_bytes());
    ASSERT_TRUE(file.discard().ok());
    EXPECT_EQ(files_in(folder), 0U);
  }
}

TEST(BlobFile, MoreMayBeAddedBetweenReads) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  BlobFile file(options_of(context, "x"));
  const Blobs blobs = made_blobs(3000);
  for (std::size_t at = 0; at < blobs.size(); at += 500) {
    ASSERT_TRUE(add(file, std::span(blobs).subspan(at, 500)).ok());
    ASSERT_TRUE(file.flush().ok());
    EXPECT_EQ(all_of(file).value(), Blobs(blobs.begin(), blobs.begin() + at + 500));
    ASSERT_TRUE(file.hold(1 << 20).ok());
    EXPECT_EQ(all_of(file).value(), Blobs(blobs.begin(), blobs.begin() + at + 500));
  }
}

TEST(BlobFile, SortsByAKeyAndIsFoundByIt) {
  const ScratchFolder folder;
  const RunContext context = context_on(disk());
  const Blobs blobs = {"pear", "fig", "apple", "fig", "", "quince"};
  BlobFile file(options_of(context, folder / "x"));
  ASSERT_TRUE(add(file, blobs).ok());
  ASSERT_TRUE(file.flush().ok());
  const auto by_length =
      sort_blobs(file, options_of(context, folder / "sort"), [](std::string_view blob) {
        return Fingerprint{blob.size(), 0};
      });
  ASSERT_TRUE(by_length.ok());
  Blobs sorted;
  ASSERT_TRUE(for_each_row(*by_length.value(), [&](const BlobKey& row) {
                sorted.emplace_back();
                return file.read(row.number, sorted.back());
              }).ok());
  EXPECT_EQ(sorted, Blobs({"", "fig", "fig", "pear", "apple", "quince"}));

  // An index by name.
  const auto name_key = [](std::string_view blob) { return fingerprint_bytes(blob); };
  const auto by_name = sort_blobs(file, options_of(context, folder / "sort"), name_key);
  const TableKind kind{"names", 1, 7};
  TableWriter<BlobKey, Fingerprint> writer(context, folder / "index", kind, "");
  ASSERT_TRUE(
      for_each_row(*by_name.value(), [&](const BlobKey& row) { return writer.append(row); }).ok());
  ASSERT_TRUE(writer.finish().ok());
  const auto index = Table<BlobKey, Fingerprint>::open(disk(), folder / "index", kind);
  const auto figs = index.value().find(name_key("fig"));
  ASSERT_EQ(figs.value().size(), 2U);
  EXPECT_EQ(figs.value()[0].number, 1U);
  EXPECT_EQ(figs.value()[1].number, 3U);
  EXPECT_TRUE(index.value().find(name_key("figs")).value().empty());
}

TEST(BlobFile, EveryDamagedByteIsAnError) {
  const Blobs blobs = made_blobs(12);
  MemoryFiles files;
  const Lengths lengths = write_blobs(files, "x", blobs).value();
  for (const std::string path : {"x.blobs", "x.places"}) {
    const std::string whole = files.read(path);
    const auto is_error = [&](const std::string& bytes) {
      EXPECT_TRUE(files.write(path, bytes).ok());
      const auto read = restore_and_read(files, "x", lengths);
      if (read.ok()) return false;
      EXPECT_EQ(read.error().code, ErrorCode::io);
      EXPECT_TRUE(read.error().message.starts_with("x.")) << read.error().message;
      return true;
    };
    // The number of rows in the header of places is not used, but its checksum is.
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (const int flip : {0x01, 0x80, 0xff}) {
        std::string bytes = whole;
        bytes[i] = static_cast<char>(bytes[i] ^ flip);
        ASSERT_TRUE(is_error(bytes)) << path << " byte " << i;
      }
    }
    for (std::size_t size = 0; size < whole.size(); ++size) {
      ASSERT_TRUE(is_error(whole.substr(0, size))) << path << ' ' << size << " bytes";
    }
    ASSERT_TRUE(files.write(path, whole).ok());
  }
  EXPECT_EQ(restore_and_read(files, "x", lengths).value(), blobs);
  // Two places exchanged.
  std::string places = files.read("x.places");
  std::swap_ranges(places.begin() + 64, places.begin() + 80, places.begin() + 80);
  ASSERT_TRUE(files.write("x.places", places).ok());
  EXPECT_FALSE(restore_and_read(files, "x", lengths).ok());
  // One of the two files of another store.
  ASSERT_TRUE(write_blobs(files, "y", made_blobs(13)).ok());
  ASSERT_TRUE(files.write("x.places", files.read("y.places")).ok());
  EXPECT_FALSE(restore_and_read(files, "x", lengths).ok());
}

TEST(BlobFile, GoesOnFromItsCheckpoint) {
  const Blobs blobs = made_blobs(8000, 100'000);
  for (const std::size_t before : {0, 1, 5000}) {
    MemoryFiles files;
    const RunContext context = context_on(files);
    std::vector<PartLength> lengths;
    {
      BlobFile file(options_of(context, "x"));
      ASSERT_TRUE(add(file, std::span(blobs).first(before)).ok());
      ASSERT_TRUE(file.checkpoint(lengths).ok());
      ASSERT_TRUE(add(file, made_blobs(3000)).ok());  // Lost with the run.
      ASSERT_TRUE(file.flush().ok());
    }
    BlobFile file(options_of(context, "x"));
    ASSERT_TRUE(file.restore(lengths).ok());
    EXPECT_EQ(file.blobs(), before);
    ASSERT_TRUE(add(file, std::span(blobs).subspan(before)).ok());
    ASSERT_TRUE(file.seal().ok());
    EXPECT_EQ(all_of(file).value(), blobs);

    EXPECT_FALSE(BlobFile(options_of(context, "y")).restore(lengths).ok());
    for (const std::size_t part : {0, 1}) {
      std::vector<PartLength> wrong = lengths;
      wrong[part].bytes += std::uint64_t{1} << 40;
      EXPECT_FALSE(BlobFile(options_of(context, "x")).restore(wrong).ok());
      wrong = lengths;
      wrong[1].rows += 1;
      EXPECT_FALSE(BlobFile(options_of(context, "x")).restore(wrong).ok());
      EXPECT_FALSE(BlobFile(options_of(context, "x")).restore({&lengths[part], 1}).ok());
    }
  }
}

TEST(BlobFile, ACheckpointOutlivesAPowerLoss) {
  using Loss = PowerLossFiles::Loss;
  const Blobs blobs = made_blobs(400);
  for (const Loss loss : {Loss::dropped, Loss::torn, Loss::reordered}) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      PowerLossFiles files;
      const RunContext context = context_on(files);
      std::vector<PartLength> lengths;
      BlobFile file(options_of(context, "x"));
      ASSERT_TRUE(add(file, std::span(blobs).first(200)).ok());
      ASSERT_TRUE(file.checkpoint(lengths).ok());
      ASSERT_TRUE(files.sync_directory(".").ok());  // A checkpoint's own work.
      ASSERT_TRUE(add(file, made_blobs(300)).ok());
      files.restore_power(loss, seed);
      BlobFile again(options_of(context, "x"));
      ASSERT_TRUE(again.restore(lengths).ok());
      ASSERT_TRUE(add(again, std::span(blobs).subspan(200)).ok());
      ASSERT_TRUE(again.flush().ok());
      EXPECT_EQ(all_of(again).value(), blobs);
    }
  }
}

TEST(BlobFile, EveryFailingOperationIsAnError) {
  const Blobs blobs = made_blobs(5000);
  for (const auto lasting : {FaultyFiles::Lasting::once, FaultyFiles::Lasting::for_ever}) {
    for (std::uint64_t operation = 0;; ++operation) {
      MemoryFiles below;
      FaultyFiles files(below);
      files.fail_at(operation, FaultyFiles::Fault::short_transfer, lasting);
      const auto read = [&]() -> Result<Blobs> {
        TWINSET_ASSIGN(const Lengths lengths, write_blobs(files, "x", blobs));
        const RunContext context = context_on(files);
        BlobFile file(options_of(context, "x"));
        TWINSET_TRY(file.restore(lengths));
        Blobs found;
        TWINSET_TRY(file.for_each([&](std::uint64_t, std::string_view blob) -> Status {
          found.emplace_back(blob);
          return {};
        }));
        return found;
      }();
      if (!files.failed()) {
        ASSERT_TRUE(read.ok());
        EXPECT_EQ(read.value(), blobs);
        break;
      }
      ASSERT_FALSE(read.ok()) << "operation " << operation;
      EXPECT_TRUE(read.error().message.starts_with("cannot ")) << read.error().message;
    }
  }
}

TEST(BlobFile, MakesNoSmallReadOrWrite) {
  MemoryFiles below;
  CountingFiles files(below);
  const RunContext context = context_on(files);
  const Blobs blobs = made_blobs(50'000, 30);
  BlobFile file(options_of(context, "x"));
  ASSERT_TRUE(add(file, blobs).ok());
  ASSERT_TRUE(file.seal().ok());
  ASSERT_TRUE(file.hold(16 << 20).ok());
  EXPECT_EQ(all_of(file).value(), blobs);
  EXPECT_LT(files.calls(), files.bytes() / 32'768 + 200);
}

TEST(BlobFile, TakesOverTheBlobsOfAnotherUpToItsCheckpoint) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  const Blobs blobs = made_blobs(3000);
  Lengths lengths;
  BlobFile other(options_of(context, "y"));
  ASSERT_TRUE(add(other, blobs).ok());
  ASSERT_TRUE(other.checkpoint(lengths).ok());
  ASSERT_TRUE(add(other, made_blobs(7)).ok());
  ASSERT_TRUE(other.flush().ok());
  const std::string bytes = files.read("y.blobs");
  BlobFile file(options_of(context, "x"));
  ASSERT_TRUE(file.append("first").ok());
  ASSERT_TRUE(file.take_over("y", lengths).ok());
  Blobs expected{"first"};
  expected.insert(expected.end(), blobs.begin(), blobs.end());
  EXPECT_EQ(all_of(file).value(), expected);
  EXPECT_EQ(files.read("y.blobs"), bytes);
  std::string damaged = bytes;
  damaged[1000] ^= 1;
  ASSERT_TRUE(files.write("y.blobs", damaged).ok());
  EXPECT_FALSE(file.take_over("y", lengths).ok());
}

}  // namespace
}  // namespace twinset::testing
