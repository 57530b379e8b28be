// Unseen pairs: D. G. Horvitz and D. J. Thompson, "A generalization of sampling without
// replacement from a finite universe", JASA 47 (1952). A pair that shares B shingles shares
// a key with probability p = 1 - (1 - q)^B, and represents 1 / p pairs.
//
// This file's interface is edge_sample.h; the rest is private.
#include "cluster/edge_sample.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "scheme/estimate.h"

namespace twinset {
namespace {

/// Fewer families of equal weight do not have a normal interval.
constexpr double fewest_families = 10;

}  // namespace

void EdgeSample::add(const SharedPair& pair) {
  if (!threshold_.reached_by(pair.keys)) return;
  const std::uint64_t hash = mix64(mix64(seed_ + 1) ^ SharedPairLess::radix(pair));
  if (drawn_.size() == most_edges) {
    if (hash >= drawn_.front().hash) return;
    std::pop_heap(drawn_.begin(), drawn_.end());
    drawn_.pop_back();
  }
  drawn_.push_back({hash, pair});
  std::push_heap(drawn_.begin(), drawn_.end());
}

std::vector<SharedPair> EdgeSample::edges() const {
  std::vector<SharedPair> edges;
  edges.reserve(drawn_.size());
  for (const Drawn& drawn : drawn_) edges.push_back(drawn.pair);
  std::sort(edges.begin(), edges.end(), SharedPairLess{});
  return edges;
}

CheckedEdges checked_edges(std::uint64_t edges, std::uint64_t checked, std::uint64_t right) {
  CheckedEdges found{checked, checked - right, {}};
  found.share = estimate_share(found.wrong, checked,
                               static_cast<double>(checked) / static_cast<double>(edges));
  return found;
}

void UnseenPairs::add(const SharedPair& pair, std::uint32_t family) {
  const double seen = -std::expm1(pair.keys.shared * std::log1p(-chance_));
  Draw& draw = draws_[family];
  ++draw.found;
  draw.stands_for += 1 / seen;
}

std::optional<Interval> UnseenPairs::share() const {
  double found = 0;
  double all = 0;
  double squares = 0;
  double variance = 0;
  for (const auto& [family, draw] : draws_) {
    found += draw.found;
    all += draw.stands_for;
    squares += draw.stands_for * draw.stands_for;
    variance += draw.stands_for * draw.stands_for * (1 - draw.found / draw.stands_for);
  }
  if (found == 0 || (variance > 0 && all * all < fewest_families * squares)) return std::nullopt;
  const double unseen = 1 - found / all;
  const double half = normal_95 * std::sqrt(variance) * found / (all * all);
  // The score interval's constant: few families may hide some that no key shows.
  const double few = variance > 0 ? normal_95 * normal_95 / 2 * squares / (all * all) : 0;
  return Interval{unseen, std::max(0.0, unseen - half), std::min(1.0, unseen + half + few)};
}

}  // namespace twinset
