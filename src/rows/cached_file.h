// Small reads anywhere in a file that no longer changes, from blocks held in memory: a system call
// for each would cost more than the use of a few bytes.
//
//   Result<std::unique_ptr<CachedFile>> rows = CachedFile::make(file, bytes, memory_bytes);
//   rows.value()->read_at(offset, out, size);
//
// With memory for the whole file each block is read once. With less, blocks replace each other;
// neighbors read in turn still come from one block.
//
// Threads: read_at() from any.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "rows/region.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

class CachedFile {
 public:
  static constexpr std::size_t block_bytes = std::size_t{32} << 10;

  /// `file`, of `file_bytes`, outlives this. Takes at most `memory_bytes`, or 16 blocks if that is
  /// more.
  static Result<std::unique_ptr<CachedFile>> make(File& file, std::uint64_t file_bytes,
                                                  std::uint64_t memory_bytes);

  /// As File::read_at(). A read of a block or more goes to the file.
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size);

 private:
  static constexpr std::uint64_t no_block = ~std::uint64_t{0};

  /// Room for one of the blocks whose numbers are equal modulo the number of slots.
  struct Slot {
    std::mutex mutex;
    std::uint64_t block = no_block;
    std::size_t bytes = 0;  ///< of the block; fewer at the end of the file
  };

  CachedFile(File& file, std::uint64_t slots, Region room)
      : file_(file), slots_(slots), room_(std::move(room)) {}

  File& file_;
  std::vector<Slot> slots_;
  Region room_;
};

}  // namespace twinset
