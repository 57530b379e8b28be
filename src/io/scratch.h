// For those who write readers: what a batch's records point into beside its raw
// bytes (decoded text, words about what is wrong with a record), and how a batch
// is made ready.
//
// Threads: as its batch.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/bytes.h"
#include "io/record.h"

namespace twinset {

struct RecordBatch::Scratch {
  std::unique_ptr<char[]> room;  ///< for decoded text; untouched pages cost nothing
  std::size_t room_bytes = 0;
  std::deque<std::string> words;         ///< a deque, so that views of them stay good
  std::vector<std::string_view> fields;  ///< of all records, those of one in a row

  /// Room for `wanted` bytes of decoded text; what was there is lost.
  char* make_room(std::size_t wanted) {
    if (room_bytes < wanted) {
      room.reset();
      room = std::make_unique_for_overwrite<char[]>(wanted);
      room_bytes = wanted;
    }
    return room.get();
  }

  std::string_view keep(std::string text) { return words.emplace_back(std::move(text)); }
};

/// How far past the last record `RecordBatch::bytes` can be read.
inline constexpr std::size_t batch_padding_bytes = 64;

/// How much of a record that can't be read is kept for the quarantine.
inline constexpr std::size_t kept_of_skipped_bytes = 256;

/// Adds to the beginning of a record that is skipped what is still wanted of it.
inline void keep_head(std::string& head, std::string_view next) {
  head += next.substr(0, kept_of_skipped_bytes - head.size());
}

/// "byte 1234 of the file as stored: ".
std::string fault_place(std::uint64_t stored_offset);
/// "byte 1234 of the file as stored: gzip: checksum differs".
std::string fault_words(const StreamFault& fault);

/// Empties `batch` for a reader that wants `bytes` of room in it, besides the
/// padding; memory left from a far larger batch is given back.
void prepare_batch(RecordBatch& batch, std::size_t bytes);

}  // namespace twinset
