// Union-find over dense numbers: connected components of a graph given edge by
// edge (B section 4.1, phase 4).
//
//   UnionFind components(documents);
//   components.unite(3, 7);
//   components.find(7);   // 3: a component's root is its smallest member
//
// The root does not depend on the order of edges, so neither does anything derived from it. 4 bytes
// a member.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace twinset {

class UnionFind {
 public:
  /// Members 0 to size - 1, each alone.
  explicit UnionFind(std::uint32_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(parents_.size()); }

  /// The smallest member of `member`'s component. Halves the path to it.
  std::uint32_t find(std::uint32_t member) {
    while (parents_[member] != member) {
      parents_[member] = parents_[parents_[member]];
      member = parents_[member];
    }
    return member;
  }

  /// Joins two components; false if they were the same. A larger root always goes
  /// below a smaller one, so paths descend and the root is the least.
  bool unite(std::uint32_t a, std::uint32_t b) {
    // Climbs both paths at once, the larger end first: most paths meet before either root (Rem's
    // algorithm).
    while (parents_[a] != parents_[b]) {
      if (parents_[a] < parents_[b]) std::swap(a, b);
      if (parents_[a] == a) {
        parents_[a] = parents_[b];
        return true;
      }
      const std::uint32_t above = parents_[a];
      parents_[a] = parents_[b];  // Splices the path onto the other, lower one.
      a = above;
    }
    return false;
  }

  /// Bytes this holds for `members` members.
  static constexpr std::uint64_t bytes_needed(std::uint64_t members) { return members * 4; }

 private:
  std::vector<std::uint32_t> parents_;
};

}  // namespace twinset
