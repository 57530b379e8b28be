// A large piece of memory that goes back to the system when it is dropped, so
// that what a store has freed no longer counts as resident.
//
//   Result<Region> region = Region::make(bytes);
//   std::byte* rows = region.value().data();   // aligned to a page, zero
//
// Pages become resident as they are touched.
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

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace twinset
