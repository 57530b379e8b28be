// This file's interface is search/shingle_cache.h.
#include "search/shingle_cache.h"

#include <utility>

namespace twinset {
namespace {

std::uint64_t bytes_of(const ShingleCache::Shingles& shingles) {
  constexpr std::uint64_t node_bytes = 64;
  return shingles.capacity() * sizeof(std::uint64_t) + node_bytes;
}

std::uint64_t number_of(IndexPlace place) {
  return std::uint64_t{place.segment} << 32 | place.number;
}

}  // namespace

ShingleCache::Shingles* ShingleCache::find(IndexPlace place) {
  if (const auto at = young_.find(number_of(place)); at != young_.end()) return &at->second;
  Half::node_type node = old_.extract(number_of(place));
  if (node.empty()) return nullptr;
  const std::uint64_t bytes = bytes_of(node.mapped());
  old_bytes_ -= bytes;
  make_room();
  young_bytes_ += bytes;
  return &young_.insert(std::move(node)).position->second;
}

ShingleCache::Shingles& ShingleCache::keep(IndexPlace place, const Shingles& shingles) {
  make_room();
  Shingles& held = young_[number_of(place)];
  held = shingles;
  young_bytes_ += bytes_of(held);
  return held;
}

/// Before something comes to the younger half.
void ShingleCache::make_room() {
  if (young_bytes_ < half_bytes_) return;
  old_ = std::exchange(young_, {});
  old_bytes_ = std::exchange(young_bytes_, 0);
}

}  // namespace twinset
