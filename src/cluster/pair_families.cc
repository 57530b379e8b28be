// This file's interface is PairFamilies; the rest is private.
#include "cluster/pair_families.h"

#include <algorithm>

namespace twinset {

Result<PairFamilies> PairFamilies::of(const SharedPairStore& pairs, std::uint32_t documents,
                                      const RowsOptions& rows) {
  PairFamilies made(documents);
  std::vector<bool> paired(documents);
  TWINSET_TRY(for_each_row(pairs, [&](const SharedPair& pair) {
    made.families_.unite(pair.a, pair.b);
    paired[pair.a] = paired[pair.b] = true;
  }));
  std::vector<std::uint64_t> order;
  for (std::uint32_t i = 0; i < documents; ++i) {
    if (paired[i]) order.push_back(std::uint64_t{made.families_.find(i)} << 32 | i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> places(documents);
  made.members_.reserve(order.size());
  for (const std::uint64_t each : order) {
    const auto document = static_cast<std::uint32_t>(each);
    places[document] = static_cast<std::uint32_t>(made.members_.size());
    made.members_.push_back(document);
  }
  order = {};
  made.pairs_ = std::make_unique<SharedPairStore>(rows);
  TWINSET_TRY(for_each_row(pairs, [&](const SharedPair& pair) {
    return made.pairs_->append({places[pair.a], places[pair.b], {}});
  }));
  TWINSET_TRY(made.pairs_->seal());
  return made;
}

}  // namespace twinset
