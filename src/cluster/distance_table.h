// The clusters at each distance up to that of the run (papers/003, Tables 6.1 and 6.2; S-22, S-23).
//
//   DistanceTable table(documents, 3, ClusterShape::components);
//   table.fold(7, 2); table.add(pair);     // all copies and pairs, by (a, b)
//   table.end_adding();
//   table.count(pair);                     // all pairs again
//   table.rows();                          // distances 0, 1, 2, 3
//
// The pairs are those of a Hamming join: a document of the signature of an earlier one is paired
// with the first of it alone, so that the pairs of all the others follow from the numbers of equal
// documents.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/clustering.h"
#include "twinset/cluster.h"

namespace twinset {

class DistanceTable {
 public:
  DistanceTable(std::uint32_t documents, std::uint32_t distance, ClusterShape shape);

  /// Bytes this holds for `documents` documents, in the worst case.
  static std::uint64_t bytes_needed(std::uint64_t documents, std::uint32_t distance,
                                    bool led = false) {
    return (distance + 1) * Clustering::bytes_needed(documents, led) + documents * 2 * 4;
  }

  /// Adds a copy of a document.
  void fold(std::uint32_t copy, std::uint32_t representative);
  void add(const SharedPair& pair);
  /// As Clustering::lead().
  void lead(std::span<const std::uint32_t> ranks);
  void end_adding();
  void count(const SharedPair& pair);
  std::vector<DistanceCounts> rows();

 private:
  std::vector<Clustering> at_;  ///< by distance
  /// By the first document of a signature: the documents that have it, copies included.
  std::vector<std::uint32_t> equal_;
  std::vector<bool> paired_;          ///< likewise: is another signature near?
  std::vector<std::uint64_t> pairs_;  ///< by distance
};

}  // namespace twinset
