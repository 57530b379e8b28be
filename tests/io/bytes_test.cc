#include "io/bytes.h"

#include <gtest/gtest.h>

#include <random>

#include "support/faulty_files.h"
#include "support/streams.h"
#include "system/forwarding_file.h"

namespace twinset {
namespace {

using testing::compressed;
using testing::FaultyFiles;
using testing::read_stream;
using testing::sample_text;
using testing::ScratchFolder;

constexpr Compression all[] = {Compression::none, Compression::gzip, Compression::zstd};

TEST(Bytes, ComeBackAsTheyWere) {
  const ScratchFolder folder;
  for (const Compression compression : all) {
    for (const std::size_t size : {0U, 1U, 4095U, 100'000U, 3'000'000U}) {
      const std::string text = sample_text(size);
      const std::string path = folder.write("x", compressed(text, compression));
      for (const std::size_t step : {std::size_t{1} << 20, std::size_t{1000}}) {
        const auto whole = read_stream(path, compression, {}, step);
        EXPECT_EQ(whole.bytes, text);
        EXPECT_TRUE(whole.faults.empty());
        EXPECT_EQ(whole.error, "");
      }
    }
  }
}

TEST(Bytes, WrittenTheSameHoweverTheyCome) {
  const ScratchFolder folder;
  const std::string text = sample_text(2'500'000);
  for (const Compression compression : all) {
    const std::string at_once = compressed(text, compression);
    for (const std::size_t piece : {std::size_t{997}, std::size_t{524'288}, std::size_t{1} << 20}) {
      std::unique_ptr<ByteSink> sink = create_bytes(disk(), folder / "x", compression).value();
      for (std::size_t i = 0; i < text.size(); i += piece) {
        ASSERT_TRUE(sink->write(std::string_view(text).substr(i, piece)).ok());
      }
      ASSERT_TRUE(sink->write("").ok());
      ASSERT_TRUE(sink->finish().ok());
      EXPECT_TRUE(folder.read("x") == at_once) << piece;
      ASSERT_TRUE(disk().remove_file(folder / "x").ok());
    }
  }
}

/// A file that counts how often its bytes are sent on their way to the disk.
class StartedFile final : public ForwardingFile {
 public:
  StartedFile(std::unique_ptr<File> below, unsigned& started)
      : ForwardingFile(std::move(below)), started_(started) {}
  void start_sync() override {
    ++started_;
    ForwardingFile::start_sync();
  }

 private:
  unsigned& started_;
};

class StartedFiles final : public ForwardingFiles {
 public:
  StartedFiles() : ForwardingFiles(disk()) {}
  unsigned started = 0;

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    TWINSET_ASSIGN(std::unique_ptr<File> file, ForwardingFiles::open(path, mode));
    return std::unique_ptr<File>(std::make_unique<StartedFile>(std::move(file), started));
  }
};

TEST(Bytes, GoToTheDiskWhileMoreAreWritten) {
  const ScratchFolder folder;
  std::string text(30 << 20, '\0');
  std::mt19937_64 random(1);
  for (char& c : text) c = static_cast<char>(random());  // Packed, it is as long.
  for (const Compression compression : all) {
    StartedFiles files;
    const std::string path = folder / ("x" + std::to_string(static_cast<int>(compression)));
    std::unique_ptr<ByteSink> sink = create_bytes(files, path, compression).value();
    for (std::size_t i = 0; i < text.size(); i += 1 << 20) {
      ASSERT_TRUE(sink->write(std::string_view(text).substr(i, 1 << 20)).ok());
    }
    EXPECT_GE(files.started, 2U);
    ASSERT_TRUE(sink->finish().ok());
    EXPECT_LE(files.started, 4U);
  }
}

TEST(Bytes, WrittenTheSameByAnyNumberOfThreads) {
  const std::string text = sample_text(7'500'000);
  for (const Compression compression : all) {
    std::string by_one;
    for (const unsigned threads : {1U, 2U, 3U, 7U}) {
      const ScratchFolder folder;
      auto sink = create_bytes(disk(), folder / "x", compression, threads).value();
      for (std::size_t i = 0; i < text.size(); i += 300'001) {
        ASSERT_TRUE(sink->write(std::string_view(text).substr(i, 300'001)).ok());
      }
      ASSERT_TRUE(sink->finish().ok());
      if (threads == 1) by_one = folder.read("x");
      EXPECT_TRUE(folder.read("x") == by_one) << threads;
      EXPECT_TRUE(read_stream(folder / "x", compression).bytes == text);
      if (compression != Compression::zstd) {
        EXPECT_TRUE(by_one == compressed(text, compression));
      }
    }
  }
}

// Bytes that hardly compress; zstd jobs that end just full. Whether the last job was begun when the
// stream ends depends on time; the bytes written must not.
TEST(Bytes, FullJobsAtTheEndMakeNoDifference) {
  std::uint64_t state = 7;
  for (const std::size_t mebibytes : {2U, 4U, 16U, 24U}) {
    std::string bytes(mebibytes << 20, ' ');
    for (char& byte : bytes) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      byte = static_cast<char>(state >> 56);
    }
    std::string first;
    for (const unsigned threads : {1U, 2U, 5U, 1U}) {
      const ScratchFolder folder;
      auto sink = create_bytes(disk(), folder / "x", Compression::zstd, threads).value();
      ASSERT_TRUE(sink->write(bytes).ok());
      ASSERT_TRUE(sink->finish().ok());
      if (first.empty()) first = folder.read("x");
      EXPECT_TRUE(folder.read("x") == first) << mebibytes << " " << threads;
    }
    const ScratchFolder folder;
    EXPECT_TRUE(read_stream(folder.write("x", first), Compression::zstd).bytes == bytes);
  }
}

TEST(Bytes, AHigherLevelTakesLessRoomForTheSameBytes) {
  const std::string text = sample_text(1'500'000);
  for (const auto& [compression, levels] :
       {std::pair{Compression::gzip, gzip_levels}, {Compression::zstd, zstd_levels}}) {
    for (const bool own_members : {false, true}) {
      const ScratchFolder folder;
      const auto written = [&, compression = compression](unsigned level) {
        const std::string name = std::to_string(level);
        auto sink = create_bytes(disk(), folder / name, compression, 1, own_members, level).value();
        EXPECT_TRUE(sink->write(text).ok());
        EXPECT_TRUE(sink->end_record().ok());
        EXPECT_TRUE(sink->finish().ok());
        EXPECT_TRUE(read_stream(folder / name, compression).bytes == text);
        return folder.read(name);
      };
      const std::string by_first = written(1);
      EXPECT_LT(written(levels.most).size(), by_first.size());
      EXPECT_TRUE(written(0) == (levels.usual == 1 ? by_first : written(levels.usual)));
    }
  }
}

TEST(Bytes, NeverOverwrite) {
  const ScratchFolder folder;
  folder.write("x", "mine");
  for (const Compression compression : all) {
    EXPECT_FALSE(create_bytes(disk(), folder / "x", compression).ok());
  }
  EXPECT_EQ(folder.read("x"), "mine");
}

TEST(Bytes, AMissingFileIsAnError) {
  for (const Compression compression : all) {
    EXPECT_EQ(open_bytes(disk(), "/nowhere/x", compression, {}).error().message,
              "cannot open /nowhere/x: No such file or directory");
  }
}

TEST(Bytes, EveryFailingWriteIsTold) {
  const std::string text = sample_text(2'500'000);
  for (const auto& [compression, threads] : {std::pair{Compression::none, 0U},
                                             {Compression::gzip, 0U},
                                             {Compression::gzip, 2U},
                                             {Compression::zstd, 0U},
                                             {Compression::zstd, 2U}}) {
    bool failed = true;
    for (std::uint64_t k = 0; failed; ++k) {
      const ScratchFolder folder;
      FaultyFiles files(disk());
      files.fail_at(k, FaultyFiles::Fault::no_space, FaultyFiles::Lasting::once);
      Result<std::unique_ptr<ByteSink>> sink =
          create_bytes(files, folder / "x", compression, threads);
      bool told = !sink.ok();
      if (sink.ok()) {
        const Status written = sink.value()->write(text);
        const Status finished = written.ok() ? sink.value()->finish() : written;
        told = !finished.ok();
        if (told) {
          EXPECT_NE(finished.error().message.find(folder / "x"), std::string::npos);
        }
      }
      failed = files.failed();
      EXPECT_EQ(told, failed) << k;
      ASSERT_LT(k, 200U);
    }
  }
}

TEST(Bytes, EveryFailingReadIsTold) {
  const std::string text = sample_text(700'000);
  for (const Compression compression : all) {
    const ScratchFolder folder;
    const std::string path = folder.write("x", compressed(text, compression));
    for (std::uint64_t k = 0;; ++k) {
      FaultyFiles files(disk());
      files.fail_at(k, FaultyFiles::Fault::io, FaultyFiles::Lasting::for_ever);
      const auto whole = read_stream(path, compression, {}, 1 << 16, files);
      if (!files.failed()) {
        EXPECT_EQ(whole.bytes, text);
        break;
      }
      EXPECT_NE(whole.error.find(path), std::string::npos) << k;
      EXPECT_EQ(whole.bytes, text.substr(0, whole.bytes.size())) << k;
      ASSERT_LT(k, 200U);
    }
  }
}

TEST(Bytes, StoredBytesReachTheFilesSize) {
  const ScratchFolder folder;
  for (const Compression compression : all) {
    const std::string stored = compressed(sample_text(500'000), compression);
    const std::string path = folder.write("x", stored);
    std::unique_ptr<ByteSource> source = open_bytes(disk(), path, compression, {}).value();
    std::string buffer(10'000, '\0');
    std::uint64_t before = 0;
    while (source->read(buffer.data(), buffer.size()).value() > 0) {
      EXPECT_GE(source->stored_bytes_read(), before);
      before = source->stored_bytes_read();
    }
    EXPECT_EQ(source->stored_bytes_read(), stored.size());
  }
}

}  // namespace
}  // namespace twinset
