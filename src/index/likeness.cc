// This file's interface is index/likeness.h.
#include "index/likeness.h"

#include <algorithm>

namespace twinset {
namespace {

/// Takes `estimate` if it is better than what is known.
void take_better(const std::optional<Estimate>& estimate, double& error,
                 std::optional<Interval>& known) {
  if (!estimate.has_value() || (known.has_value() && estimate->standard_error >= error)) return;
  error = estimate->standard_error;
  known = *estimate;
}

void take(const Comparison& comparison, LikenessErrors& errors, Likeness& likeness) {
  take_better(comparison.resemblance, errors.resemblance, likeness.resemblance);
  take_better(comparison.containment_a_in_b, errors.containment, likeness.containment);
  take_better(comparison.containment_b_in_a, errors.contains, likeness.contains);
  if (comparison.counts.has_value()) {
    likeness.shared = std::max(likeness.shared.value_or(0), comparison.counts->shared);
  }
  if (comparison.distance.has_value()) likeness.distance = comparison.distance->differ;
  if (comparison.coordinate.has_value()) likeness.coordinate = comparison.coordinate;
}

/// Shares are compared in whole millionths, as everywhere.
bool share_reaches(const std::optional<Interval>& share, const std::optional<Ratio>& least,
                   double granted) {
  return share.has_value() && least.has_value() &&
         least->reached_by(estimate_units(share->value + granted), estimate_scale);
}

bool any_reaches(const HeldLikeness& found, const LeastShares& least, double granted) {
  const Likeness& of = found.likeness;
  const LikenessErrors& errors = found.errors;
  return share_reaches(of.resemblance, least.resemblance, granted * errors.resemblance) ||
         share_reaches(of.containment, least.containment, granted * errors.containment) ||
         share_reaches(of.contains, least.containment, granted * errors.contains);
}

Interval exactly(double value) { return {value, value, value}; }

}  // namespace

Status hold(const IndexSnapshot& snapshot, IndexPlace place, HeldDocument& out) {
  const Segment& segment = *snapshot.parts()[place.segment].segment;
  out.sketches.resize(snapshot.signer().schemes().size());
  for (std::size_t i = 0; i < out.sketches.size(); ++i) {
    TWINSET_ASSIGN(out.sketches[i], segment.sketch(i, place.number));
  }
  TWINSET_ASSIGN(const IndexedDocument document, segment.document(place.number));
  out.bytes_hash = document.bytes_hash;
  out.tokens_hash = document.tokens_hash;
  return {};
}

void hold(const std::vector<Marks>& marks, HeldDocument& out) {
  out.sketches.clear();
  for (const Marks& of : marks) {
    out.sketches.push_back(of.sketch.empty ? std::span<const std::uint8_t>() : of.sketch.stored);
  }
}

HeldLikeness compare_held(const IndexSigner& signer, const HeldDocument& a, const HeldDocument& b,
                          const LeftOutKeys& left_out) {
  HeldLikeness found;
  Likeness& likeness = found.likeness;
  for (std::size_t i = 0; i < a.sketches.size(); ++i) {
    if (a.sketches[i].empty() || b.sketches[i].empty()) continue;
    const Scheme& scheme = *signer.schemes()[i].scheme;
    std::span<const std::uint64_t> keys;
    if (left_out != nullptr && scheme.counts_keys()) {
      keys = left_out(scheme, a.sketches[i], b.sketches[i]);
    }
    const Comparison compared = scheme.compare(a.sketches[i], b.sketches[i], keys);
    take(compared, found.errors, likeness);
    if (!found.counts.has_value() && scheme.counts_keys()) found.counts = compared.counts;
    found.is_same =
        found.is_same || (scheme.equal_keys() && std::ranges::equal(a.sketches[i], b.sketches[i]));
  }
  if (a.tokens_hash == b.tokens_hash) {
    likeness.same = a.bytes_hash == b.bytes_hash ? Sameness::bytes : Sameness::tokens;
  }
  found.is_same =
      found.is_same || likeness.same != Sameness::none || likeness.coordinate.has_value() ||
      (likeness.distance.has_value() && *likeness.distance <= signer.settings().distance);
  return found;
}

bool reaches(const HeldLikeness& found, const LeastShares& least) {
  return found.is_same || any_reaches(found, least, 0);
}

bool may_reach(const HeldLikeness& found, const LeastShares& least) {
  const Likeness& of = found.likeness;
  // Sketches of nothing tell nothing.
  const bool unknown =
      !of.resemblance.has_value() && !of.containment.has_value() && !of.contains.has_value();
  return found.is_same || unknown || any_reaches(found, least, granted_standard_errors);
}

void take_exactly(const Overlap& overlap, Likeness& likeness) {
  likeness.exact = true;
  likeness.shared = overlap.shared;
  likeness.resemblance.reset();
  likeness.containment.reset();
  likeness.contains.reset();
  // 0 / 0 is unknown.
  if (overlap.all() > 0) likeness.resemblance = exactly(overlap.resemblance());
  if (overlap.later > 0) likeness.containment = exactly(overlap.containment());
  if (overlap.earlier > 0) likeness.contains = exactly(overlap.earlier_containment());
}

void take_all_of_each_other(Likeness& likeness) {
  likeness.exact = true;
  likeness.resemblance = likeness.containment = likeness.contains = exactly(1);
}

}  // namespace twinset
