// How the readers of batches take bytes from their stream.
//
//   TWINSET_ASSIGN(const Ending ending, read_into(*bytes, batch.bytes, used, room));
//
// Threads: a stream is read by one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "io/bytes.h"
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

}  // namespace twinset
