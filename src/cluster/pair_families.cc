// This file's interface is PairFamilies; the rest is private.
#include "cluster/pair_families.h"

#include <utility>

#include "rows/appender.h"

namespace twinset {

Result<PairFamilies> PairFamilies::of(const SharedPairStore& pairs, std::uint32_t documents,
                                      const RowsOptions& rows) {
  PairFamilies made(documents);
  std::vector<bool> paired(documents);
  TWINSET_TRY(for_each_row(pairs, [&](const SharedPair& pair) {
    made.families_.unite(pair.a, pair.b);
    paired[pair.a] = paired[pair.b] = true;
  }));
  // The members of each family, counted at its root, which is the least of them.
  std::vector<std::uint32_t> places(documents);
  for (std::uint32_t i = 0; i < documents; ++i) {
    if (paired[i]) ++places[made.families_.find(i)];
  }
  std::uint32_t members = 0;
  for (std::uint32_t& place : places) members += std::exchange(place, members);
  made.members_.resize(members);
  for (std::uint32_t i = 0; i < documents; ++i) {
    if (paired[i]) made.members_[places[made.families_.find(i)]++] = i;
  }
  for (std::uint32_t i = 0; i < members; ++i) places[made.members_[i]] = i;
  made.pairs_ = std::make_unique<SharedPairStore>(rows);
  Appender<SharedPairStore, SharedPair> placed(*made.pairs_);
  TWINSET_TRY(for_each_row(pairs, [&](const SharedPair& pair) {
    return placed.add({places[pair.a], places[pair.b], {}});
  }));
  TWINSET_TRY(placed.finish());
  TWINSET_TRY(made.pairs_->seal());
  return made;
}

}  // namespace twinset
