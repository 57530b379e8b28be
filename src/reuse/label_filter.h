// Says of most chunks that they are no label, without a look into the file of labels: a Bloom
// filter whose bits for a key are in one line of the cache (paper 004, 4.4.2, uses one for stop
// chunks).
//
//   TWINSET_ASSIGN(LabelFilter filter, LabelFilter::make(labels, memory));
//   if (filter.may_have(chunk.hash.key())) look it up
//
// It is never wrong about a label. Of other chunks it lets through about one in a hundred, more if
// memory is short.
//
// Threads: made by one, then read by any.
#pragma once

#include <cstdint>

#include "labels/label_file.h"
#include "rows/region.h"
#include "twinset/result.h"

namespace twinset {

class LabelFilter {
 public:
  /// Takes at most `memory_bytes`. Error (io): the file is damaged.
  static Result<LabelFilter> make(const LabelFile& labels, std::uint64_t memory_bytes);

  bool may_have(const Fingerprint& key) const {
    const std::uint64_t* const line = line_of(key);
    bool all = true;
    for (unsigned i = 0; i < probes; ++i) {
      const std::uint64_t bit = key.low >> (i * bits_of_probe) & (line_bits - 1);
      all = all && (line[bit / 64] >> (bit % 64) & 1) != 0;
    }
    return all;
  }

  std::uint64_t chunks() const { return chunks_; }
  std::uint64_t files() const { return files_; }
  std::uint64_t bytes() const { return lines_ * line_bytes; }

 private:
  static constexpr std::uint64_t line_bytes = 64;
  static constexpr std::uint64_t line_bits = line_bytes * 8;
  static constexpr unsigned bits_of_probe = 9;
  static constexpr unsigned probes = 6;

  std::uint64_t* line_of(const Fingerprint& key) const {
    const auto line =
        static_cast<std::uint64_t>(static_cast<unsigned __int128>(key.high) * lines_ >> 64);
    return reinterpret_cast<std::uint64_t*>(lines_at_.data()) + line * (line_bytes / 8);
  }

  Region lines_at_;
  std::uint64_t lines_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t files_ = 0;
};

}  // namespace twinset
