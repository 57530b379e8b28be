// Reading compressed files that are a sequence of frames (gzip calls them members), and going on
// after a broken one.
//
// A FrameDecoder wraps one library and knows one frame; CodedSource does the
// rest: reading the file, one frame after another, zero padding after them, the
// caps against bombs, and after a fault the search for the next frame that
// decodes.
//
// Threads: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/bytes.h"

namespace twinset {

/// No frame may ask for a wider window (zstd --long=31), however much memory there is.
inline constexpr std::uint64_t widest_window_bytes = std::uint64_t{1} << 31;

class FrameDecoder {
 public:
  enum class State : std::uint8_t { more, frame_end, corrupt, window_too_large };
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    State state = State::more;
    std::string_view detail;  ///< why, if corrupt; a literal
  };

  virtual ~FrameDecoder() = default;
  /// "gzip", "zstd"; for messages.
  virtual std::string_view name() const = 0;
  /// The number of bytes that may_begin() needs.
  virtual std::size_t magic_bytes() const = 0;
  /// Could a frame begin with these magic_bytes() bytes?
  virtual bool may_begin(std::string_view bytes) const = 0;
  /// The byte every frame begins with, for a fast search; -1 if they differ.
  virtual int first_byte() const = 0;
  /// Resets the decoder: the next step() begins a frame.
  virtual void begin() = 0;
  /// Decodes some bytes. If it neither consumes nor produces any, it needs more input.
  virtual Step step(std::string_view in, char* out, std::size_t size) = 0;
  /// Memory that the frame asks for to keep earlier bytes, as far as known.
  virtual std::uint64_t window_bytes() const { return 0; }
  /// Of the frame that has ended: StoredFrame::stands_alone.
  virtual bool stands_alone() const { return true; }
};

/// Reads `file`, of that `path`, through `decoder`.
std::unique_ptr<ByteSource> make_coded_source(std::unique_ptr<File> file, std::string path,
                                              std::unique_ptr<FrameDecoder> decoder,
                                              const ReaderLimits& limits);

}  // namespace twinset
