// A stream of bytes held in memory, in blocks, so that a long one grows without copying.
//
// Threads: append() by one thread alone; read_at() from any after that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rows/region.h"
#include "twinset/result.h"

namespace twinset {

class HeldBytes {
 public:
  /// Error (io): the system gives no memory; then some of the bytes may have been added.
  Status append(std::string_view bytes);
  /// Up to `size` bytes at `offset`; fewer only at the end.
  std::size_t read_at(std::uint64_t offset, char* out, std::size_t size) const;
  std::uint64_t size() const { return size_; }
  /// Memory taken; of the last block only the written part counts.
  std::uint64_t memory_bytes() const {
    return head_.capacity() + (size_ > block_bytes ? size_ - block_bytes : 0);
  }
  /// The most memory taken while `more` bytes are added.
  std::uint64_t memory_bytes_with(std::uint64_t more) const {
    return size_ < block_bytes ? 2 * (size_ + more) + size_ : memory_bytes() + more;
  }

  static constexpr std::uint64_t block_bytes = std::uint64_t{32} << 20;

 private:
  std::string head_;  ///< the first block_bytes: most streams are short
  std::vector<Region> blocks_;
  std::uint64_t size_ = 0;
};

}  // namespace twinset
