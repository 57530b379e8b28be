// How the readers of batches take bytes from their stream, and what they have in common.
//
//   class MboxReader final : public StreamReader { ... Status fill(RecordBatch& batch) override; };
//   TWINSET_ASSIGN(const Ending ending, read_into(*bytes_, batch.bytes, used, room));
//
// Threads: a stream is read by one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "io/bytes.h"
#include "io/reader.h"
#include "io/record.h"
#include "io/scratch.h"
#include "twinset/result.h"

namespace twinset {

/// How the bytes read so far end.
enum class Ending : std::uint8_t { more, end, fault };

/// Reads into out[used, room), which is not empty, what is there, and waits only for the first
/// byte.
inline Result<Ending> read_some(ByteSource& stream, std::string& out, std::size_t& used,
                                std::size_t room) {
  TWINSET_ASSIGN(const std::size_t got, stream.read(out.data() + used, room - used));
  used += got;
  if (got > 0) return Ending::more;
  return stream.fault().reason == BadReason::none ? Ending::end : Ending::fault;
}

/// Reads until out[used, room) are full or the stream stops.
inline Result<Ending> read_into(ByteSource& stream, std::string& out, std::size_t& used,
                                std::size_t room) {
  Result<Ending> ending = Ending::more;
  while (used < room && ending.ok() && ending.value() == Ending::more) {
    ending = read_some(stream, out, used, room);
  }
  return ending;
}

/// Doubles the room of a batch of which `used` bytes are full, up to just enough for `most` bytes.
inline void grow_batch(RecordBatch& batch, std::size_t used, std::uint64_t most) {
  const std::uint64_t wanted = std::min<std::uint64_t>(2 * std::uint64_t{used}, most);
  const std::size_t room =
      std::max(used + 1, static_cast<std::size_t>(wanted)) + batch_padding_bytes;
  std::string larger;
  larger.reserve(room);
  larger.assign(batch.bytes, 0, used);
  larger.resize(room);
  batch.bytes = std::move(larger);
}

/// Empties `text`, and frees its memory if that far exceeds a batch of so many bytes.
inline std::string keep_small(std::string text, std::size_t batch_bytes) {
  if (text.capacity() > 4 * batch_bytes) return {};
  text.clear();
  return text;
}

/// A reader that splits a stream. What a batch leaves unfinished begins the next one.
class StreamReader : public Reader {
 public:
  Result<bool> read(RecordBatch& batch) final {
    prepare_batch(batch, carried_.size() + batch_bytes_);
    batch.lines = records_;
    if (finished_) return false;
    TWINSET_TRY(fill(batch));
    batch.lines = records_;
    batch.stored_bytes = bytes_->stored_bytes_read();
    batch.window_bytes = bytes_->window_bytes();
    return !finished_ || !batch.records.empty();
  }

 protected:
  StreamReader(std::unique_ptr<ByteSource> bytes, const ReaderLimits& limits)
      : bytes_(std::move(bytes)),
        limits_(limits),
        most_held_(std::min(limits.max_record_bytes, limits.max_held_bytes)),
        batch_bytes_(std::max<std::size_t>(static_cast<std::size_t>(limits.batch_bytes), 1)) {}

  /// Makes the next records; sets finished_ at the end.
  virtual Status fill(RecordBatch& batch) = 0;

  /// Moves what the last batch left to the beginning of this one; returns how many bytes.
  std::size_t take_carried(RecordBatch& batch) {
    const std::size_t used = carried_.size();
    carried_.copy(batch.bytes.data(), used);
    carried_ = keep_small(std::move(carried_), batch_bytes_);
    return used;
  }

  BadReason why_not_held(std::uint64_t length) const {
    return length > limits_.max_record_bytes ? BadReason::record_too_long : BadReason::over_memory;
  }

  const std::unique_ptr<ByteSource> bytes_;
  const ReaderLimits limits_;
  const std::uint64_t most_held_;  ///< bytes of a record
  const std::size_t batch_bytes_;
  std::string carried_;        ///< bytes after the last batch, not yet split
  std::uint64_t offset_ = 0;   ///< of the first of them in the stream
  std::uint64_t records_ = 0;  ///< numbers given so far
  bool finished_ = false;
};

}  // namespace twinset
