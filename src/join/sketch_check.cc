#include "join/sketch_check.h"

#include <algorithm>
#include <cmath>

#include "base/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t block_pairs = 8192;

/// The standard error of a share estimated from so many samples.
double standard_error(double share, double samples) {
  return std::sqrt(share * (1 - share) / std::max(samples, 1.0));
}

/// Consecutive pairs, and the edges of those that pass.
struct Block {
  std::vector<Pair> pairs;
  std::vector<Edge> passed;
};

}  // namespace

std::optional<Link> link_of(const Comparison& comparison) {
  if (const auto& distance = comparison.distance) {
    return Link::far(distance->differ, distance->bits);
  }
  if (const auto& coordinate = comparison.coordinate) return Link::same_signature(*coordinate);
  if (const auto& estimate = comparison.resemblance) {
    return Link::estimated(estimate->value, estimate->standard_error);
  }
  return std::nullopt;
}

Result<Comparison> SketchCheck::compare(const Pair& pair) {
  if (!has_later_ || later_document_ != pair.later.document) {
    TWINSET_TRY(source_.stored(pair.later.document, later_));
    later_document_ = pair.later.document;
    has_later_ = true;
  }
  TWINSET_TRY(source_.stored(pair.earlier.document, earlier_));
  return scheme_.compare(later_, earlier_);
}

Result<std::optional<Link>> SketchCheck::link(const Pair& pair) {
  TWINSET_ASSIGN(const Comparison found, compare(pair));
  return link_of(found);
}

bool SketchCheck::passes(const Comparison& found) const {
  if (!found.resemblance.has_value()) return true;
  const double granted = dropped_standard_errors * found.resemblance->standard_error;
  return found.resemblance->value >= threshold_.resemblance.value() - granted;
}

Result<bool> SketchCheck::passes(const Pair& pair) {
  TWINSET_ASSIGN(const Comparison found, compare(pair));
  return passes(found);
}

Result<bool> SketchCheck::passes(const Pair& pair, std::uint32_t later_size,
                                 std::uint32_t earlier_size) {
  TWINSET_ASSIGN(const Comparison found, compare(pair));
  if (passes(found) || !threshold_.containment.has_value()) return passes(found);
  if (!found.resemblance.has_value()) return false;
  // shared = r (a + b) / (1 + r), so this is the most that containment can be.
  const double most =
      found.resemblance->value + dropped_standard_errors * found.resemblance->standard_error;
  const double both = static_cast<double>(later_size) + earlier_size;
  return most * both / ((1 + most) * std::max(later_size, 1U)) >= threshold_.containment->value();
}

Status SketchJudge::judge(Edge& edge) {
  TWINSET_ASSIGN(const std::optional<Link> found, check_.link(edge.pair));
  edge.link = found.has_value() && threshold_.reached_by(*found) ? *found : Link::too_low();
  return {};
}

Result<std::uint64_t> check_pairs(const RunContext& context, RowCursor<Pair>& pairs,
                                  const Scheme& scheme, const Threshold& threshold,
                                  SketchSource& source, Check check, const TakeEdges& take) {
  std::vector<SketchCheck> checks(std::max(1U, context.threads),
                                  SketchCheck(scheme, threshold, source));
  std::uint64_t seen = 0;
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
      Edge edge{.pair = pair};
      if (check == Check::exact) {
        TWINSET_ASSIGN(const bool passes, checks[worker].passes(pair));
        if (!passes) continue;
      } else if (check == Check::sketch) {
        TWINSET_ASSIGN(const std::optional<Link> link, checks[worker].link(pair));
        // Documents may be near by all bits, and too far by the scheme's own rule.
        const bool far =
            link.has_value() && link->kind == LinkKind::distance && !threshold.reached_by(*link);
        if (!link.has_value() || far) continue;
        edge.link = *link;
      } else {
        edge.link = Link::candidate();
      }
      block.passed.push_back(edge);
    }
    return {};
  };
  steps.put = [&](Block& block) -> Status {
    seen += block.pairs.size();
    return take(block.passed);
  };
  TWINSET_TRY(run_in_order(context.threads, steps));
  return seen;
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
