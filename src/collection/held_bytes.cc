#include "collection/held_bytes.h"

#include <algorithm>
#include <cstring>

namespace twinset {

Status HeldBytes::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::uint64_t used = size_ % block_bytes;
    const std::string_view now =
        bytes.substr(0, static_cast<std::size_t>(std::min(bytes.size(), block_bytes - used)));
    if (size_ < block_bytes) {
      head_ += now;
    } else {
      if (used == 0) {
        TWINSET_ASSIGN(Region block, Region::make(block_bytes));
        block.use_large_pages();
        blocks_.push_back(std::move(block));
      }
      now.copy(reinterpret_cast<char*>(blocks_.back().data()) + used, now.size());
    }
    size_ += now.size();
    bytes.remove_prefix(now.size());
  }
  return {};
}

std::size_t HeldBytes::read_at(std::uint64_t offset, char* out, std::size_t size) const {
  std::size_t got = 0;
  while (got < size && offset < size_) {
    const std::uint64_t block = offset / block_bytes;
    const std::uint64_t begin = offset % block_bytes;
    const auto now = static_cast<std::size_t>(
        std::min({std::uint64_t{size - got}, block_bytes - begin, size_ - offset}));
    const char* const from =
        block == 0 ? head_.data() : reinterpret_cast<const char*>(blocks_[block - 1].data());
    std::memcpy(out + got, from + begin, now);
    got += now;
    offset += now;
  }
  return got;
}

}  // namespace twinset
