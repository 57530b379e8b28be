// A large piece of memory that goes back to the system when it is dropped, so that freed memory no
// longer counts as resident.
//
//   Result<Region> region = Region::make(bytes);
//   std::byte* rows = region.value().data();   // aligned to a page, zero
//
// Pages become resident when first touched: small ones, or after use_large_pages() ones of 2 MiB if
// the system has them, which cause a tenth of the faults.
//
// Threads: as any value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "twinset/result.h"

namespace twinset {

class Region {
 public:
  /// Error (io) when the system has no such memory to give.
  static Result<Region> make(std::uint64_t bytes);

  Region() = default;
  Region(Region&& other) noexcept;
  Region& operator=(Region&& other) noexcept;
  ~Region();

  /// Applies from `offset` on, to memory that will be filled in order.
  void use_large_pages(std::size_t offset = 0);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace twinset
