// This file's interface is rows/cached_file.h; the rest is private.
#include "rows/cached_file.h"

#include <algorithm>
#include <cstring>

namespace twinset {

Result<std::unique_ptr<CachedFile>> CachedFile::make(File& file, std::uint64_t file_bytes,
                                                     std::uint64_t memory_bytes) {
  constexpr std::uint64_t least_slots = 16;
  const std::uint64_t blocks = (file_bytes + block_bytes - 1) / block_bytes;
  const std::uint64_t slots =
      std::clamp<std::uint64_t>(blocks, 1, std::max(memory_bytes / block_bytes, least_slots));
  TWINSET_ASSIGN(Region room, Region::make(slots * block_bytes));
  return std::unique_ptr<CachedFile>(new CachedFile(file, slots, std::move(room)));
}

Result<std::size_t> CachedFile::read_at(std::uint64_t offset, char* out, std::size_t size) {
  if (size >= block_bytes) return file_.read_at(offset, out, size);
  std::size_t done = 0;
  while (done < size) {
    const std::uint64_t block = (offset + done) / block_bytes;
    const std::uint64_t number = block % slots_.size();
    Slot& slot = slots_[number];
    char* const bytes = reinterpret_cast<char*>(room_.data()) + number * block_bytes;
    const std::lock_guard lock(slot.mutex);
    if (slot.block != block) {
      slot.block = no_block;  // A failed read leaves no valid block.
      TWINSET_ASSIGN(const std::size_t got, file_.read_at(block * block_bytes, bytes, block_bytes));
      slot.block = block;
      slot.bytes = got;
    }
    const auto begin = static_cast<std::size_t>(offset + done - block * block_bytes);
    if (begin >= slot.bytes) break;
    const std::size_t count = std::min(size - done, slot.bytes - begin);
    std::memcpy(out + done, bytes + begin, count);
    done += count;
  }
  return done;
}

}  // namespace twinset
