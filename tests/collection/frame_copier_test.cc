#include "collection/frame_copier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/streams.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

using testing::compressed;
using testing::sample_text;

/// The empty block that ends a file of bgzip (SAM, section 4.1.2).
const std::string bgzf_end(
    "\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0\x42\x43\2\0\x1b\0\3\0\0\0\0\0\0\0\0\0", 28);
const std::string skippable("\x5e\x2a\x4d\x18\x03\0\0\0abc", 11);

/// A packed file, and its records as bytes [begin, end) of what it holds.
struct Packed {
  std::string stored;
  std::string plain;
  std::vector<std::string> frames;  ///< as stored, in order
  std::vector<KeptPiece> records;
};

/// `lines` records, packed as frames that end at these bytes of the whole, and at its end.
Packed packed(int lines, const std::vector<std::size_t>& ends, Compression compression) {
  Packed made;
  for (int i = 0; i < lines; ++i) {
    const std::string line =
        sample_text(100, static_cast<std::uint64_t>(i + 1)).replace(99, 1, "\n");
    made.records.push_back({made.plain.size(), line.size()});
    made.plain += line;
  }
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    made.frames.push_back(compressed(made.plain.substr(begin, end - begin), compression));
    made.stored += made.frames.back();
    begin = end;
  };
  for (const std::size_t end : ends) add(end);
  add(made.plain.size());
  return made;
}

struct Way {
  Compression compression = Compression::gzip;
  bool own_members = false;
  unsigned threads = 0;
  std::size_t batch = 1000;  ///< bytes read at once
};

class FrameCopies : public ::testing::Test {
 protected:
  /// The output of the records that `stays` says.
  template <class Stays>
  std::string copy(const Packed& input, const Way& way, Stays stays) {
    files_ = std::make_unique<MemoryFiles>();
    EXPECT_TRUE(files_->write("in", input.stored).ok());
    Source source;
    source.path = source.shown = "in";
    source.compression = way.compression;
    source.own_members = way.own_members;
    std::vector<StoredFrame> frames;
    ReaderLimits limits;
    limits.frames = &frames;
    auto bytes = open_bytes(*files_, "in", way.compression, limits).value();
    auto sink = create_bytes(*files_, "out", way.compression, way.threads, way.own_members).value();
    EXPECT_TRUE(FrameCopier::can_copy(source, *sink));
    FrameCopier copier(*files_, source, *sink);
    std::string read;
    std::string buffer(way.batch, ' ');
    std::size_t record = 0;
    for (bool more = true; more;) {
      const std::size_t got = bytes->read(buffer.data(), buffer.size()).value();
      read += buffer.substr(0, got);
      more = got > 0;
      if (change_) {
        change_ = false;
        std::string other = input.stored;
        other[other.size() - 30] ^= 1;
        EXPECT_TRUE(files_->write("in", other).ok());
      }
      std::string kept;
      std::vector<KeptPiece> pieces;
      for (; record < input.records.size(); ++record) {
        const KeptPiece& at = input.records[record];
        if (at.begin + at.size > read.size()) break;
        if (!stays(record)) continue;
        kept += read.substr(at.begin, at.size);
        pieces.push_back(at);
      }
      const std::uint64_t reached =
          record == input.records.size() ? read.size() : input.records[record].begin;
      status_ = copier.put(kept, pieces, frames, reached);
      if (!status_.ok()) return {};
      frames.clear();
    }
    EXPECT_TRUE(bytes->fault().reason == BadReason::none);
    EXPECT_TRUE(copier.finish().ok());
    EXPECT_TRUE(sink->finish().ok());
    return files_->read("out");
  }

  std::unique_ptr<MemoryFiles> files_;
  Status status_;
  bool change_ = false;  ///< the file changes after the first bytes were read
};

std::string plain_of(const std::string& stored, Compression compression) {
  const testing::ScratchFolder folder;
  const auto whole = testing::read_stream(folder.write("x", stored), compression);
  EXPECT_TRUE(whole.faults.empty());
  return whole.bytes;
}

TEST_F(FrameCopies, OfAllThatStaysTheFile) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    // Frames that end within a record, at the end of one, and without any bytes.
    const Packed input = packed(40, {250, 1000, 1000, 1730}, compression);
    EXPECT_EQ(copy(input, {compression}, [](std::size_t) { return true; }), input.stored);
  }
}

TEST_F(FrameCopies, OfNothingThatStaysNoneButEmptyOnes) {
  const Packed input = packed(40, {250, 1000}, Compression::gzip);
  const std::string none = copy(input, {}, [](std::size_t) { return false; });
  EXPECT_EQ(none, compressed("", Compression::gzip));
}

// One record goes: the frames that hold a byte of it are packed anew, and no others.
TEST_F(FrameCopies, AFrameThatLosesARecordIsPackedAnew) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const Packed input = packed(40, {250, 1000, 1730, 3000}, compression);
    const std::vector<std::size_t> begins{0, 250, 1000, 1730, 3000, input.plain.size()};
    for (std::size_t gone = 0; gone < input.records.size(); ++gone) {
      const std::string out =
          copy(input, {compression}, [&](std::size_t record) { return record != gone; });
      std::string left = input.plain;
      left.erase(input.records[gone].begin, input.records[gone].size);
      EXPECT_EQ(plain_of(out, compression), left) << gone;
      for (std::size_t i = 0; i < input.frames.size(); ++i) {
        const bool untouched = input.records[gone].begin + input.records[gone].size <= begins[i] ||
                               input.records[gone].begin >= begins[i + 1];
        EXPECT_EQ(out.find(input.frames[i]) != std::string::npos, untouched) << gone << " " << i;
      }
    }
  }
}

TEST_F(FrameCopies, TheSameForBatchesOfAnySizeAndAnyNumberOfThreads) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const Packed input = packed(3000, {250, 1000, 1730, 3000, 100'000, 100'050}, compression);
    std::string first;
    for (const unsigned threads : {1U, 2U, 5U}) {
      for (const std::size_t batch : {64UL, 1000UL, 1UL << 20}) {
        const std::string out = copy(input, {compression, false, threads, batch},
                                     [](std::size_t record) { return record % 700 != 20; });
        if (first.empty()) first = out;
        EXPECT_TRUE(out == first) << threads << " " << batch;
      }
    }
    EXPECT_NE(first.find(input.frames[2]), std::string::npos);
    EXPECT_NE(first.find(input.frames[5]), std::string::npos);
  }
}

TEST_F(FrameCopies, OfRecordsPackedOneByOneTheirFrames) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    // Records 2 and 3 share a frame, and the end of 5 is in that of 6.
    const Packed input = packed(8, {100, 200, 400, 500, 550, 700}, compression);
    const std::string out =
        copy(input, {compression, true}, [](std::size_t record) { return record != 1; });
    std::string expected = input.frames[0];
    for (const std::size_t record : {2U, 3U}) {
      const auto sink = create_bytes(*files_, "one" + std::to_string(record), compression, 0, true);
      const KeptPiece& at = input.records[record];
      EXPECT_TRUE(sink.value()->write(input.plain.substr(at.begin, at.size)).ok());
      EXPECT_TRUE(sink.value()->end_record().ok());
      EXPECT_TRUE(sink.value()->finish().ok());
      expected += files_->read("one" + std::to_string(record));
    }
    EXPECT_TRUE(out.starts_with(expected));
    EXPECT_NE(out.find(input.frames[3]), std::string::npos);
    EXPECT_EQ(out.find(input.frames[4]), std::string::npos);
    EXPECT_EQ(plain_of(out, compression), input.plain.substr(0, 100) + input.plain.substr(200));
  }
}

TEST_F(FrameCopies, TheEndOfBgzipGoesWithIt) {
  Packed input = packed(20, {1000}, Compression::gzip);
  input.stored += bgzf_end;
  EXPECT_EQ(copy(input, {}, [](std::size_t) { return true; }), input.stored);
}

// Such frames tell where others are, as the table of zstd's seekable format does.
TEST_F(FrameCopies, SkippableFramesAreLeftOut) {
  Packed input = packed(20, {1000}, Compression::zstd);
  input.stored = skippable + input.frames[0] + skippable + input.frames[1] + skippable;
  EXPECT_EQ(copy(input, {Compression::zstd}, [](std::size_t) { return true; }),
            input.frames[0] + input.frames[1]);
}

TEST_F(FrameCopies, ALongFrameIsPackedAnew) {
  const int lines = static_cast<int>(FrameCopier::most_frame_bytes / 100) + 1;
  const Packed input = packed(lines, {100}, Compression::zstd);
  const std::string out =
      copy(input, {Compression::zstd, false, 0, 100'000}, [](std::size_t) { return true; });
  EXPECT_TRUE(out.starts_with(input.frames[0]));
  EXPECT_TRUE(plain_of(out, Compression::zstd) == input.plain);
}

TEST_F(FrameCopies, AFileThatChangesIsNotCopied) {
  const Packed input = packed(40, {1000, 2000, 3000}, Compression::gzip);
  change_ = true;
  copy(input, {}, [](std::size_t) { return true; });
  ASSERT_FALSE(status_.ok());
  EXPECT_TRUE(status_.error().input_changed);
  EXPECT_FALSE(change_);
}

// A frame that does not decode is none, and the bytes that came of it are packed anew.
TEST_F(FrameCopies, ADamagedFrameIsNotCopied) {
  const testing::ScratchFolder folder;
  const Packed input = packed(40, {1000, 2000}, Compression::gzip);
  std::string stored = input.stored;
  stored[input.frames[0].size() + input.frames[1].size() - 6] ^= 1;  // The checksum.
  std::vector<StoredFrame> frames;
  ReaderLimits limits;
  limits.frames = &frames;
  EXPECT_EQ(
      testing::read_stream(folder.write("x", stored), Compression::gzip, limits).faults.size(), 1U);
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].end, input.frames[0].size());
  EXPECT_EQ(frames[1].begin, input.frames[0].size() + input.frames[1].size());
}

}  // namespace
}  // namespace twinset
