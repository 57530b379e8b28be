#include "join/sketch_check.h"

#include <algorithm>
#include <cmath>

#include "base/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t block_pairs = 8192;

/// A share's standard error over so many samples.
double standard_error(double share, double samples) {
  return std::sqrt(share * (1 - share) / std::max(samples, 1.0));
}

/// Pairs in a row, and which of them passed.
struct Block {
  std::vector<Pair> pairs;
  std::vector<Edge> passed;
};

}  // namespace

Result<std::optional<Estimate>> SketchCheck::estimate(const Pair& pair) {
  if (!has_later_ || later_document_ != pair.later.document) {
    TWINSET_TRY(source_.stored(pair.later.document, later_));
    later_document_ = pair.later.document;
    has_later_ = true;
  }
  TWINSET_TRY(source_.stored(pair.earlier.document, earlier_));
  return scheme_.compare(later_, earlier_).resemblance;
}

Result<bool> SketchCheck::passes(const Pair& pair) {
  TWINSET_ASSIGN(std::optional<Estimate> found, estimate(pair));
  if (!found.has_value()) return true;
  const Estimate& estimate = *found;
  return estimate.value >= threshold_ - dropped_standard_errors * estimate.standard_error;
}

Result<bool> SketchCheck::passes(const Pair& pair, const Ratio& containment,
                                 std::uint32_t later_size, std::uint32_t earlier_size) {
  TWINSET_ASSIGN(std::optional<Estimate> found, estimate(pair));
  if (!found.has_value()) return true;
  const Estimate& estimate = *found;
  const double most = estimate.value + dropped_standard_errors * estimate.standard_error;
  if (most >= threshold_) return true;
  // shared = r (a + b) / (1 + r), so this is the most that containment can be.
  const double both = static_cast<double>(later_size) + earlier_size;
  return most * both / ((1 + most) * std::max(later_size, 1U)) >= containment.value();
}

Status SketchJudge::judge(Edge& edge) {
  TWINSET_ASSIGN(std::optional<Estimate> found, check_.estimate(edge.pair));
  edge.verdict = {{}, EdgeState::below};
  if (!found.has_value()) return {};
  const double clamped = std::clamp(found->value, 0.0, 1.0);
  const auto scaled = static_cast<std::uint32_t>(std::floor(clamped * estimate_scale));
  if (!resemblance_.reached_by(scaled, estimate_scale)) return {};
  const auto error =
      static_cast<std::uint32_t>(std::lround(found->standard_error * estimate_scale));
  edge.verdict = {{scaled, error, 0}, EdgeState::sketch};
  return {};
}

Result<std::uint64_t> check_pairs(const RunContext& context, RowCursor<Pair>& pairs,
                                  const Scheme& scheme, const Ratio& resemblance,
                                  SketchSource& source, RowFile<Edge>& out) {
  std::vector<SketchCheck> checks(std::max(1U, context.threads),
                                  SketchCheck(scheme, resemblance, source));
  std::uint64_t dropped = 0;
  OrderedSteps<Block> steps;
  steps.take = [&](Block& block, TaskPlace) -> Result<bool> {
    TWINSET_TRY(context.check_cancelled());
    block.pairs.clear();
    while (block.pairs.size() < block_pairs) {
      TWINSET_ASSIGN(const Pair* next, pairs.next());
      if (next == nullptr) break;
      block.pairs.push_back(*next);
    }
    return !block.pairs.empty();
  };
  steps.work = [&](unsigned worker, Block& block) -> Status {
    block.passed.clear();
    for (const Pair& pair : block.pairs) {
      TWINSET_ASSIGN(const bool passes, checks[worker].passes(pair));
      if (passes) block.passed.push_back({.pair = pair});
    }
    return {};
  };
  steps.put = [&](Block& block) -> Status {
    dropped += block.pairs.size() - block.passed.size();
    return out.append(block.passed);
  };
  TWINSET_TRY(run_in_order(context.threads, steps));
  return dropped;
}

bool counted_pair_passes(std::uint64_t shared_keys, std::uint32_t later_keys,
                         std::uint32_t earlier_keys, const Threshold& thresholds, Moduli moduli) {
  const auto shared = static_cast<double>(shared_keys);
  const auto reaches = [&](const Ratio& ratio, double keys) {
    if (keys <= 0) return true;
    const double threshold = ratio.value();
    return shared / keys >= threshold - dropped_standard_errors * standard_error(threshold, keys);
  };
  const double all = moduli == Moduli::one ? static_cast<double>(later_keys) + earlier_keys - shared
                                           : std::min(later_keys, earlier_keys);
  if (reaches(thresholds.resemblance, all)) return true;
  return thresholds.containment.has_value() && reaches(*thresholds.containment, later_keys);
}

}  // namespace twinset
