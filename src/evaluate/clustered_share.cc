// B. Efron, "Bootstrap methods: another look at the jackknife", Annals of
// Statistics 7 (1979); percentiles at 2.5 and 97.5 %.
//
// This file's interface is evaluate/clustered_share.h; the rest is private.
#include "evaluate/clustered_share.h"

#include <algorithm>
#include <vector>

#include "evaluate/random.h"

namespace twinset {

Interval clustered_interval(std::span<const Share> clusters, std::uint64_t seed) {
  constexpr std::size_t draws = 1000;
  constexpr std::size_t tail = draws / 40;  // 2.5 %
  std::vector<Share> counted;
  Share sum;
  for (const Share& cluster : clusters) {
    if (cluster.known()) counted.push_back(cluster);
    sum.add(cluster);
  }
  if (counted.empty()) return sum.interval();
  const auto observations = static_cast<double>(counted.size());
  Interval interval = wilson_interval(sum.value() * observations, observations);
  if (sum.count == 0) interval.low = 0;
  if (sum.count == sum.of) interval.high = 1;
  SeededRandom random(seed);
  std::vector<double> values(draws);
  for (double& value : values) {
    Share drawn;
    for (std::size_t i = 0; i < counted.size(); ++i) {
      drawn.add(counted[random.below(counted.size())]);
    }
    value = drawn.value();
  }
  std::sort(values.begin(), values.end());
  interval.low = std::min(interval.low, values[tail]);
  interval.high = std::max(interval.high, values[draws - 1 - tail]);
  return interval;
}

}  // namespace twinset
