// Intervals of shares that are counted in groups. Ten versions of one text are 45 pairs, but not 45
// independent observations: a method that finds one tends to find all.
//
//   std::vector<Tally> clusters = ...;           // each cluster's found of due pairs
//   TWINSET_ASSIGN(const Share recall, clustered_share(clusters, seed, keep_going));
//
// The interval is the wider, at each end, of two: Wilson's, for as many observations as there are
// clusters, and the percentiles of a bootstrap that draws whole clusters. The first alone ignores
// that some clusters are larger than others; the second alone says "exactly 1" if all were found.
//
// Every share has this kind of interval. If two methods are compared on the same due pairs and one
// found all that the other found, and more, its bound is never the lower one: both parts rise with
// the pairs found, and the draws are the same for both methods.
//
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "evaluate/keep_going.h"
#include "evaluate/random.h"
#include "evaluate/tally.h"
#include "twinset/evaluate.h"
#include "twinset/result.h"

namespace twinset {

/// With Wilson's interval: each counted thing is an observation.
Share share_of(const Tally& tally);

/// The sum of `clusters` with its 95 % interval; clusters without pairs do not matter. Depends only
/// on them and the seed. Errors: keep_going's.
Result<Share> clustered_share(std::span<const Tally> clusters, std::uint64_t seed,
                              const KeepGoing& keep_going);

/// Tallies counted pair by pair, each for the cluster of its pair.
class ClusterTallies {
 public:
  void add(std::uint32_t cluster, bool counted) { clusters_[cluster].add(counted); }
  Result<Share> share(std::uint64_t seed, const KeepGoing& keep_going) const;

 private:
  std::map<std::uint32_t, Tally> clusters_;
};

/// The wider of `interval` and Wilson's interval of its value, a share of `observations`.
Interval at_least_wilson(Interval interval, std::size_t observations);

/// `measure` of all groups, with its 2.5 % and 97.5 % percentiles over 1,000 draws, with
/// replacement, of as many groups as there are; [0, 1] without a group. add() sums groups;
/// `measure` computes `count` numbers from a sum. Errors: keep_going's.
template <std::size_t count, class Group, class Measure>
Result<std::array<Interval, count>> bootstrap(std::span<const Group> groups, std::uint64_t seed,
                                              const KeepGoing& keep_going, const Measure& measure) {
  constexpr std::size_t draws = 1000;
  constexpr std::size_t tail = draws / 40;  // 2.5 %
  constexpr std::size_t draws_a_question = 16;
  Group all;
  for (const Group& group : groups) all.add(group);
  const std::array<double, count> of_all = measure(all);
  std::array<Interval, count> intervals;
  for (std::size_t i = 0; i < count; ++i) intervals[i].value = of_all[i];
  if (groups.empty()) return intervals;
  SeededRandom random(seed);
  std::array<std::vector<double>, count> values;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    if (keep_going && draw % draws_a_question == 0) TWINSET_TRY(keep_going());
    Group sum;
    for (std::size_t i = 0; i < groups.size(); ++i) sum.add(groups[random.below(groups.size())]);
    const std::array<double, count> measured = measure(sum);
    for (std::size_t i = 0; i < count; ++i) values[i].push_back(measured[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::sort(values[i].begin(), values[i].end());
    intervals[i].low = values[i][tail];
    intervals[i].high = values[i][draws - 1 - tail];
  }
  return intervals;
}

}  // namespace twinset
