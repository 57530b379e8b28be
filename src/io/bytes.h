// Bytes in and out of files, compressed or not: gzip (multi-member) and zstd
// (multi-frame, long window) behind one interface, each library in one file.
//
// Threads: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/reader.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// The fault that kept a stream from being read to its end.
struct StreamFault {
  BadReason reason = BadReason::none;  ///< none: no fault
  std::uint64_t stored_offset = 0;     ///< where in the file as stored
  std::uint64_t frame_offset = 0;      ///< where the damaged frame begins in the decoded stream
  std::string detail;
};

/// A gzip member or zstd frame that decoded without a fault, its checksum included.
struct StoredFrame {
  std::uint64_t begin = 0;  ///< in the file
  std::uint64_t end = 0;
  std::uint64_t decoded_begin = 0;  ///< in the decoded stream
  std::uint64_t decoded_end = 0;
  std::uint64_t checksum = 0;  ///< RunningChecksum of the bytes in the file
  bool stands_alone = true;    ///< needs no dictionary, and tells nothing of other frames
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `size` decoded bytes; 0 at the end or at a fault. After a fault in one gzip member or
  /// zstd frame reading may continue after it: fault() reports it, resume() clears it and returns
  /// false if nothing more can be read.
  virtual Result<std::size_t> read(char* out, std::size_t size) = 0;
  virtual const StreamFault& fault() const = 0;
  virtual bool resume() = 0;
  virtual std::uint64_t stored_bytes_read() const = 0;
  /// Memory that the current frame needs to find earlier bytes in.
  virtual std::uint64_t window_bytes() const { return 0; }
};

Result<std::unique_ptr<ByteSource>> open_bytes(FileSystem& files, const std::string& path,
                                               Compression compression, const ReaderLimits& limits);
/// `head`, and then the bytes of the file from where it is.
std::unique_ptr<ByteSource> plain_bytes(std::unique_ptr<File> file, std::string head = {});

/// The levels that packed bytes are written at, from 1. Higher ones of zstd want more memory than
/// an output has.
struct PackingLevels {
  unsigned most = 0;
  unsigned usual = 0;
};
inline constexpr PackingLevels gzip_levels{9, 1};
inline constexpr PackingLevels zstd_levels{6, 3};

/// Bytes out. The same bytes in give the same file at the same level, gzip with time 0.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(std::string_view bytes) = 0;
  /// A record ends here. Only a sink with a member a record, which must be told, needs it.
  virtual Status end_record() { return {}; }
  /// Can add_frames() be called?
  virtual bool takes_frames() const { return false; }
  /// Adds whole gzip members or zstd frames as they are stored, after all bytes written before.
  virtual Status add_frames(std::string_view /*stored*/) { return {}; }
  /// Ends the stream. Nothing is complete before that, nor durable before a sync.
  virtual Status finish() = 0;
};

/// Creates `path`, which must not exist. `threads` threads of its own compress it; with 0 the
/// caller does. (With threads zstd writes other bytes than without, the same for any number of
/// them.) `own_members`: each record is a gzip member or a zstd frame of its own, however long;
/// then the bytes are the same with threads and without. `level`: 0 is the usual one.
Result<std::unique_ptr<ByteSink>> create_bytes(FileSystem& files, const std::string& path,
                                               Compression compression, unsigned threads = 0,
                                               bool own_members = false, unsigned level = 0);

}  // namespace twinset
