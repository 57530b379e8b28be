// Estimates about pairs: the share of wrong edges, from a sample of edges whose texts are compared;
// and the share of pairs that have no common key.
//
//   EdgeSample sample(threshold, seed);
//   for (each kept pair) sample.add(pair);
//   // the texts of sample.edges() are compared
//   checked_edges(edges, checked, right).share;    // the share of wrong edges
//
// Both are functions of the pairs and the seed alone.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "join/shared_keys.h"
#include "twinset/cluster.h"

namespace twinset {

class EdgeSample {
 public:
  static constexpr std::size_t most_edges = 500;

  EdgeSample(const PairFloor& threshold, std::uint64_t seed) : threshold_(threshold), seed_(seed) {}

  /// Adds a pair if it is an edge; the sample keeps most_edges of them, chosen at random.
  void add(const SharedPair& pair);
  /// The sample: at most most_edges, all equally likely; by (a, b).
  std::vector<SharedPair> edges() const;

 private:
  struct Drawn {
    std::uint64_t hash = 0;
    SharedPair pair;
    bool operator<(const Drawn& other) const { return hash < other.hash; }
  };
  PairFloor threshold_;
  std::uint64_t seed_;
  std::vector<Drawn> drawn_;  ///< a heap, the largest hash first
};

/// The share of wrong edges among `edges`, if `right` of `checked` edges are right.
CheckedEdges checked_edges(std::uint64_t edges, std::uint64_t checked, std::uint64_t right);

/// Estimates the pairs at a resemblance that share no sampled key from the pairs that do.
class UnseenPairs {
 public:
  /// `chance`: the probability that a shingle is a key.
  explicit UnseenPairs(double chance) : chance_(chance) {}

  /// Adds a pair that was found, with its numbers of shingles. Pairs of one family share
  /// shingles and are seen or missed together: they count as one draw.
  void add(const SharedPair& pair, std::uint32_t family);
  /// The share of all pairs that were not seen; nullopt if none was found, or if so few families
  /// have most of them that it is not predictable.
  std::optional<Interval> share() const;

 private:
  struct Draw {
    double found = 0;
    double stands_for = 0;  ///< the number of pairs that the found ones represent
  };
  double chance_;
  std::map<std::uint32_t, Draw> draws_;  ///< by family, so that sums always have the same order
};

}  // namespace twinset
