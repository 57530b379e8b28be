// The shingles of documents of an index, held from one question to the next, in bounded memory.
//
//   Shingles* shingles = cache.find(place);
//   if (shingles == nullptr) shingles = &cache.keep(place, of_its_text);
//
// Two halves: what is used goes to the younger; when that is full, it takes the place of the older
// one, which is forgotten. So what has not been used for as long as half the memory lasts goes.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "index/snapshot.h"

namespace twinset {

class ShingleCache {
 public:
  /// In any order, with repeats: as PairCounter takes them.
  using Shingles = std::vector<std::uint64_t>;

  /// Holds about so many bytes, and the last two however many they are.
  explicit ShingleCache(std::uint64_t memory_bytes) : half_bytes_(memory_bytes / 2) {}

  /// Those of a document of the one snapshot that the cache is for; null: they are not held. Valid
  /// until the second call after this one.
  Shingles* find(IndexPlace place);
  /// Holds those of a document that has none here. Valid likewise.
  Shingles& keep(IndexPlace place, const Shingles& shingles);
  std::uint64_t bytes() const { return young_bytes_ + old_bytes_; }

 private:
  /// By IndexPlace, its segment in the upper half. Nodes stay where they are.
  using Half = std::unordered_map<std::uint64_t, Shingles>;

  void make_room();

  std::uint64_t half_bytes_;
  Half young_;
  Half old_;
  std::uint64_t young_bytes_ = 0;
  std::uint64_t old_bytes_ = 0;
};

}  // namespace twinset
