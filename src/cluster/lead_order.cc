#include "cluster/lead_order.h"

#include "rows/appender.h"

namespace twinset {
namespace {

struct LedPair {
  std::uint32_t later = 0;
  std::uint32_t earlier = 0;
  SharedPair pair;
};

struct LedPairLess {
  bool operator()(const LedPair& x, const LedPair& y) const { return radix(x) < radix(y); }
  static std::uint64_t radix(const LedPair& row) {
    return std::uint64_t{row.later} << 32 | row.earlier;
  }
};

}  // namespace

std::vector<std::uint32_t> ranks_of(const DocumentTable& documents) {
  const auto size = static_cast<std::uint32_t>(documents.size());
  // Orders are dense: documents are counted by order, then numbered.
  std::vector<std::uint32_t> next(1);
  for (std::uint32_t index = 0; index < size; ++index) {
    const std::uint64_t order = documents.place_at(index).order;
    if (next.size() < order + 2) next.resize(order + 2);
    ++next[order + 1];
  }
  for (std::size_t order = 1; order < next.size(); ++order) next[order] += next[order - 1];
  std::vector<std::uint32_t> ranks(size);
  for (std::uint32_t index = 0; index < size; ++index) {
    ranks[index] = next[documents.place_at(index).order]++;
  }
  return ranks;
}

Status add_by_lead(const RowsOptions& rows, const std::function<Status(const UsePair&)>& give,
                   std::span<const std::uint32_t> ranks, Clustering& clustering,
                   DistanceTable* distances) {
  const PairFloor& threshold = clustering.threshold();
  const auto add = [&](const SharedPair& pair) {
    clustering.add(pair);
    if (distances != nullptr && threshold.reached_by(pair.keys)) distances->add(pair);
  };
  TWINSET_TRY(give([&](const SharedPair& pair) -> Status {
    if (!threshold.reached_by(pair.keys) || threshold.equal(pair.keys)) add(pair);
    return {};
  }));
  clustering.lead(ranks);
  if (distances != nullptr) distances->lead(ranks);
  SortedRows<LedPair, LedPairLess> sorted(rows);
  Appender<SortedRows<LedPair, LedPairLess>, LedPair> out(sorted);
  TWINSET_TRY(give([&](const SharedPair& pair) -> Status {
    if (!threshold.reached_by(pair.keys) || threshold.equal(pair.keys)) return {};
    const std::uint32_t a = clustering.lead_rank(pair.a);
    const std::uint32_t b = clustering.lead_rank(pair.b);
    return out.add({std::max(a, b), std::min(a, b), pair});
  }));
  TWINSET_TRY(out.finish());
  TWINSET_TRY(sorted.seal());
  return for_each_row(sorted, [&](const LedPair& row) { add(row.pair); });
}

}  // namespace twinset
