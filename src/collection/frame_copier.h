// Writes the bytes of a packed input that an output keeps: a gzip member or zstd frame of which
// every byte stays goes out as it came, and all others are packed anew.
//
//   FrameCopier copier(files, source, *sink);
//   TWINSET_TRY(copier.put(kept, pieces, frames, reached));   // for each batch, in order
//   TWINSET_TRY(copier.finish());                    // then sink->finish()
//
// So the output depends on the input and on what stays, not on batches. A frame is copied only if
// it decoded and its bytes in the file are still those that did.
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collection/collection.h"
#include "io/bytes.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// Bytes of an output, by their place in the decoded input.
struct KeptPiece {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  bool altered = false;  ///< the input has others there

  /// Adds a record of so many bytes; neighbors are one piece, unless they are `apart`.
  static void add(std::uint64_t begin, std::uint64_t size, bool apart,
                  std::vector<KeptPiece>& pieces) {
    if (!apart && !pieces.empty() && pieces.back().continues_at(begin)) {
      pieces.back().size += size;
    } else {
      pieces.push_back({begin, size});
    }
  }

 private:
  bool continues_at(std::uint64_t place) const { return !altered && begin + size == place; }
};

class FrameCopier {
 public:
  /// Larger frames are packed anew: a frame's bytes wait until its end is known.
  static constexpr std::uint64_t most_frame_bytes = std::uint64_t{4} << 20;

  /// Can an output's frames be copied from the source?
  static bool can_copy(const Source& source, const ByteSink& sink);

  /// All outlive it. If each record of the source is a frame of its own (Source::own_members), so
  /// is each piece, and only a frame that is one piece is copied.
  FrameCopier(FileSystem& files, const Source& source, ByteSink& sink);

  /// The next pieces, whose bytes are `kept`, one after the other, and frames, ascending, as
  /// InputBatch::frames has them. All pieces before `reached` have been given. Error of
  /// input_changed(), if a frame is no longer the one that was read.
  Status put(std::string_view kept, std::span<const KeptPiece> pieces,
             std::span<const StoredFrame> frames, std::uint64_t reached);
  Status finish();

 private:
  Status add(std::uint64_t begin, std::string_view bytes, bool crosses);
  Status end_frame(const StoredFrame& frame);
  Status end_frames(std::uint64_t reached);
  Status copy(const StoredFrame& frame);
  Result<std::string_view> stored(const StoredFrame& frame);
  Status pass_copied();
  Status pass_anew(std::string_view bytes);
  Status pass_pending();
  Status write(std::string_view bytes);

  FileSystem& files_;
  const Source& source_;
  ByteSink& sink_;
  std::unique_ptr<File> file_;
  std::deque<StoredFrame> frames_;  ///< read, and not yet reached
  std::uint64_t frame_begin_ = 0;   ///< of the frame that has not yet ended, decoded
  bool whole_ = true;               ///< all of its bytes so far stay, and are pending
  std::string pending_;
  std::string copied_;  ///< frames, to be added to the sink
  std::string stored_;  ///< bytes of the file, from here on:
  std::uint64_t stored_at_ = 0;
};

}  // namespace twinset
