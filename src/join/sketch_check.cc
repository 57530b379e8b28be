#include "join/sketch_check.h"

#include <algorithm>
#include <cmath>

#include "system/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t block_pairs = 8192;

/// The standard error of a share estimated from so many samples.
double standard_error(double share, double samples) {
  return std::sqrt(share * (1 - share) / std::max(samples, 1.0));
}

/// Does a pair pass? Sets its link.
Result<bool> check_pair(SketchCheck& sketches, const Scheme& scheme, Check check, Edge& edge) {
  // Signatures may be near by all their bits and too far by the scheme's own rule, or by that for
  // documents of this length.
  const bool distances = scheme.declaration().tells == Tells::distance;
  if (check == Check::none) {
    edge.link = Link::candidate();
    return true;
  }
  if (check == Check::exact && !distances) return sketches.passes(edge.pair);
  TWINSET_ASSIGN(const std::optional<Link> link, sketches.link(edge.pair));
  if (!link.has_value()) return false;
  if (check == Check::sketch) edge.link = *link;
  return distances ? sketches.reaches(edge.pair, *link) : Result<bool>(true);
}

/// Consecutive pairs, and the edges of those that pass.
struct Block {
  std::vector<Pair> pairs;
  std::vector<Edge> passed;
};

}  // namespace

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

Result<bool> SketchCheck::reaches(const Pair& pair, const Link& link) {
  if (!threshold_.distance.has_value() || !threshold_.distance->depends_on_length()) {
    return threshold_.reached_by(link);
  }
  TWINSET_ASSIGN(const std::uint64_t later, source_.tokens(pair.later.document));
  TWINSET_ASSIGN(const std::uint64_t earlier, source_.tokens(pair.earlier.document));
  return threshold_.reached_by(link, std::min(later, earlier));
}

bool SketchCheck::passes(const Comparison& found) const {
  return verdict(found, {.resemblance = threshold_.resemblance,
                         .distance = UINT32_MAX,  // A distance rules nothing out.
                         .granted_errors = granted_standard_errors}) != Verdict::below;
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
      found.resemblance->value + granted_standard_errors * found.resemblance->standard_error;
  const double both = static_cast<double>(later_size) + earlier_size;
  return most * both / ((1 + most) * std::max(later_size, 1U)) >= threshold_.containment->value();
}

Status SketchJudge::judge(Edge& edge) {
  TWINSET_ASSIGN(const std::optional<Link> found, check_.link(edge.pair));
  edge.link = Link::too_low();
  if (!found.has_value()) return {};
  TWINSET_ASSIGN(const bool reached, check_.reaches(edge.pair, *found));
  if (reached) edge.link = *found;
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
      TWINSET_ASSIGN(const bool passes, check_pair(checks[worker], scheme, check, edge));
      if (!passes) continue;
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
    return shared / keys >= threshold - granted_standard_errors * standard_error(threshold, keys);
  };
  const double all = moduli == Moduli::one ? static_cast<double>(later_keys) + earlier_keys - shared
                                           : std::min(later_keys, earlier_keys);
  if (reaches(thresholds.resemblance, all)) return true;
  return thresholds.containment.has_value() && reaches(*thresholds.containment, later_keys);
}

}  // namespace twinset
