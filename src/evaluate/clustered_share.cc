// B. Efron, "Bootstrap methods: another look at the jackknife", Annals of
// Statistics 7 (1979); percentiles at 2.5 and 97.5 %.
//
// This file's interface is evaluate/clustered_share.h; the rest is private.
#include "evaluate/clustered_share.h"

namespace twinset {

Interval at_least_wilson(Interval interval, std::size_t observations) {
  const auto trials = static_cast<double>(observations);
  const Interval wilson = wilson_interval(interval.value * trials, trials);
  // Exact ends if all or none were counted.
  interval.low = interval.value == 0 ? 0 : std::min(interval.low, wilson.low);
  interval.high = interval.value == 1 ? 1 : std::max(interval.high, wilson.high);
  return interval;
}

Share share_of(const Tally& tally) {
  const Interval interval = tally.interval();
  return {tally.count, tally.of, interval.low, interval.high};
}

Result<Share> clustered_share(std::span<const Tally> clusters, std::uint64_t seed,
                              const KeepGoing& keep_going) {
  Tally sum;
  std::vector<Tally> counted;
  for (const Tally& cluster : clusters) {
    if (cluster.known()) counted.push_back(cluster);
    sum.add(cluster);
  }
  if (counted.empty()) return Share();
  TWINSET_ASSIGN(const auto drawn,
                 bootstrap<1>(std::span<const Tally>(counted), seed, keep_going,
                              [](const Tally& draw) { return std::array{draw.value()}; }));
  const Interval interval = at_least_wilson(drawn[0], counted.size());
  return Share{sum.count, sum.of, interval.low, interval.high};
}

Result<Share> ClusterTallies::share(std::uint64_t seed, const KeepGoing& keep_going) const {
  std::vector<Tally> clusters;
  clusters.reserve(clusters_.size());
  for (const auto& [cluster, tally] : clusters_) clusters.push_back(tally);
  return clustered_share(clusters, seed, keep_going);
}

}  // namespace twinset
