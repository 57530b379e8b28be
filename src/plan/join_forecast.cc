#include "plan/join_forecast.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <vector>

#include "join/hamming.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

template <std::size_t Words>
class JoinForecaster {
 public:
  JoinForecaster(const KeySample& sample, const SampleBatch& sampled) : share_(sample.share()) {
    for (const KeyHolder& document : sampled.documents) {
      const std::span<const std::uint8_t> stored = sampled.sketch_of(document);
      Signature<Words>& signature = signatures_.emplace_back();
      for (std::size_t i = 0; i < Words; ++i) {
        signature[i] = load_little_endian<std::uint64_t>(&stored[1 + i * 8]);
      }
    }
    documents_ = signatures_.size();
    std::ranges::sort(signatures_);
    signatures_.erase(std::unique(signatures_.begin(), signatures_.end()), signatures_.end());
  }

  Result<JoinForecast> run(const RunContext& context, std::uint32_t distance,
                           double most_compared) const {
    JoinForecast out;
    out.join.distance = distance;
    out.join.signatures = static_cast<double>(signatures_.size()) / share_;
    const HammingPlan plan = tables(distance);
    out.join.tables = plan.tables.size();
    out.join.comparisons = plan.meetings;
    out.join.cpu_seconds = plan.cpu_seconds;
    if (share_ < 1 || plan.meetings > most_compared) return out;
    std::atomic<std::uint64_t> near = 0;
    TWINSET_TRY(near_pairs<Words>(context, signatures_, plan,
                                  [&](std::span<const NearPair> pairs) -> Status {
                                    near += pairs.size();
                                    return {};
                                  }));
    const auto pairs = static_cast<double>(near + documents_ - signatures_.size());
    out.pairs = {pairs, pairs, pairs};
    return out;
  }

 private:
  HammingPlan tables(std::uint32_t distance) const {
    if (share_ == 1) return plan_tables<Words>(signatures_, distance);
    // As large a sample as the run would take, of these.
    std::vector<Signature<Words>> some;
    for (const Signature<Words>& signature : signatures_) {
      if (in_plan_sample<Words>(signature, signatures_.size())) some.push_back(signature);
    }
    const double all = static_cast<double>(signatures_.size()) / share_;
    return plan_tables<Words>(some, static_cast<std::uint64_t>(std::llround(all)), distance);
  }

  double share_;
  std::uint64_t documents_ = 0;
  std::vector<Signature<Words>> signatures_;  ///< different ones, sorted
};

}  // namespace

Result<JoinForecast> forecast_join(const RunContext& context, const KeySample& sample,
                                   const SampleBatch& sampled, const Scheme& scheme,
                                   std::uint32_t distance, double most_compared) {
  return scheme.facts().signature_bits == 64
             ? JoinForecaster<1>(sample, sampled).run(context, distance, most_compared)
             : JoinForecaster<2>(sample, sampled).run(context, distance, most_compared);
}

}  // namespace twinset
