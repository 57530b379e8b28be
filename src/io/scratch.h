// For implementers of readers: the buffers that a batch's records point into beside its raw bytes
// (decoded text, descriptions of faults), and how to prepare a batch.
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
  std::deque<std::string> words;         ///< a deque, so that views of its strings stay valid
  std::string texts;                     ///< decoded texts that grow as they are made
  std::vector<std::string_view> fields;  ///< of all records, those of one record in a row

  /// Room for `wanted` bytes of decoded text; earlier content is lost.
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

/// The number of bytes after the last record at which `RecordBatch::bytes` can be read.
inline constexpr std::size_t batch_padding_bytes = 64;

/// The number of bytes of an unreadable record that are kept for the quarantine.
inline constexpr std::size_t kept_of_skipped_bytes = 256;

/// Adds bytes to the kept beginning of a skipped record, up to that number.
inline void keep_head(std::string& head, std::string_view next) {
  head += next.substr(0, kept_of_skipped_bytes - head.size());
}

/// "byte 1234 of the file as stored: ".
std::string fault_place(std::uint64_t stored_offset);
/// "byte 1234 of the file as stored: gzip: checksum differs".
std::string fault_words(const StreamFault& fault);

/// Empties `batch` and makes room in it for `bytes` and the padding; frees memory left from a far
/// larger batch.
void prepare_batch(RecordBatch& batch, std::size_t bytes);

}  // namespace twinset
