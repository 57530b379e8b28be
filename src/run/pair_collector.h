// Selects the facts worth showing from a stream of a run's pairs, in memory that does not grow with
// the collection: histograms, the oddest pairs, and a sample of pairs.
//
//   PairCollector pairs(0.8);
//   pairs.add({.earlier = 3, .later = 17, .link = link});   // each pair
//   for (const SeenPair& pair : pairs.oddest()) ...
//
// The result depends on the pairs, never on the order they were added in.
//
// Threads: belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "join/fate.h"
#include "join/link.h"

namespace twinset {

/// Puts `item` into a sorted list of at most `most`, if it is not there already.
template <class T, class Before>
void insert_bounded(std::vector<T>& list, const T& item, std::size_t most, Before before) {
  if (list.size() >= most && (most == 0 || !before(item, list.back()))) return;
  const auto at = std::upper_bound(list.begin(), list.end(), item, before);
  if (at != list.begin() && !before(*(at - 1), item)) return;
  list.insert(at, item);
  if (list.size() > most) list.pop_back();
}

/// Pairs by resemblance, in hundredths; the last bin is exactly 1.
struct ResemblanceBins {
  std::array<std::uint64_t, 101> bins{};
  void add(double resemblance);
};

/// Two documents by dense index, and their link.
struct SeenPair {
  std::uint64_t earlier = 0;
  std::uint64_t later = 0;
  Fate fate = Fate::near;  ///< near or contained, or a copy's
  Link link;
  bool apart = false;  ///< of different inputs
};

/// How little a pair looks like two versions of one text: twice the share of the better
/// contained text that the other lacks, plus the share by which the shorter text is shorter (not
/// if the pair counts as contained), plus a tenth if the two are of different inputs. If the
/// link has no sizes, the first two are 1 - resemblance.
double oddness(const SeenPair& pair);

class PairCollector {
 public:
  static constexpr std::size_t most_odd = 12;
  static constexpr std::size_t bands = 5;  ///< of resemblance, from the threshold to 1

  explicit PairCollector(double threshold) : threshold_(threshold) {}

  void add(const SeenPair& pair);

  /// The oddest first, no document twice; copies are never odd.
  std::vector<SeenPair> oddest() const;
  /// A random pair of each band, of the contained pairs, and of each kind of copy, as far as they
  /// occur.
  std::vector<SeenPair> sample() const;

 private:
  std::size_t stratum_of(const SeenPair& pair) const;

  double threshold_;
  std::vector<SeenPair> oddest_;  ///< more than are shown; one of each earlier document
  std::array<std::vector<SeenPair>, bands + 3> sampled_;  ///< each at most one
};

}  // namespace twinset
