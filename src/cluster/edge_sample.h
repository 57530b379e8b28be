// What is known of pairs beyond those found: how many edges that estimates made are wrong,
// from some of them that are held against their texts; and how many pairs share no key.
//
//   EdgeSample sample(threshold, seed);
//   for (each kept pair) sample.add(pair);
//   // the texts of sample.edges() are compared
//   checked_edges(edges, checked, right).share;    // of all edges, those that are wrong
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

  /// Takes the pair if it is an edge and chance wills it.
  void add(const SharedPair& pair);
  /// At most most_edges, each edge as likely as any other; by (a, b).
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

/// The share of `edges` that is wrong, where of `checked` ones `right` are right.
CheckedEdges checked_edges(std::uint64_t edges, std::uint64_t checked, std::uint64_t right);

/// Pairs at a resemblance that share no sampled key, as far as those tell that do.
class UnseenPairs {
 public:
  /// `chance` of a shingle to be a key.
  explicit UnseenPairs(double chance) : chance_(chance) {}

  /// A pair that was found, its numbers of shingles. Pairs of one family share shingles, so
  /// that they are seen or not seen together: they count as one draw.
  void add(const SharedPair& pair, std::uint32_t family);
  /// Of all pairs, those not seen; nullopt if none was found.
  std::optional<PairShare> share() const;

 private:
  struct Draw {
    double found = 0;
    double stands_for = 0;  ///< found ones and those that they stand for
  };
  double chance_;
  std::map<std::uint32_t, Draw> draws_;  ///< by family, so that sums have one order
};

}  // namespace twinset
