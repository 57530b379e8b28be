// Anonymous mappings. The allocator would keep freed blocks below its own threshold; a mapping goes
// back at once, which keeps the promise about peak memory when the buffers of one stage follow
// those of another.
//
// This file's interface is rows/region.h; the rest is private.
#include "rows/region.h"

#include <sys/mman.h>

#include <string>
#include <utility>

#include "base/message.h"

namespace twinset {

Result<Region> Region::make(std::uint64_t bytes) {
  Region region;
  if (bytes == 0) return region;
  void* const mapped =
      bytes > PTRDIFF_MAX ? MAP_FAILED
                          : ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    return io_error("the system refuses " + std::to_string(bytes) +
                    " bytes of memory; give a smaller " + option("memory"));
  }
  region.data_ = static_cast<std::byte*>(mapped);
  region.size_ = static_cast<std::size_t>(bytes);
  return region;
}

void Region::use_large_pages([[maybe_unused]] std::size_t offset) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t large_page = std::size_t{2} << 20;
  const std::size_t begin = (offset + large_page - 1) / large_page * large_page;
  // Only advice: without such pages nothing is lost.
  if (begin < size_ && size_ - begin >= 2 * large_page) {
    ::madvise(data_ + begin, size_ - begin, MADV_HUGEPAGE);
  }
#endif
}

Region::Region(Region&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Region& Region::operator=(Region&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

Region::~Region() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace twinset
