#include "run/matcher.h"

#include "join/fold.h"
#include "run/stored_sketches.h"

namespace twinset {

Status Matcher::fold(DocumentTable& documents) {
  auto& copies = stores_.fingerprints->rows_by_tokens();
  TWINSET_TRY(fold_copies(copies, documents));
  spilled_bytes_ += copies.spilled_bytes();
  stores_.fingerprints->drop_rows();
  return {};
}

Result<std::uint64_t> Matcher::pair(DocumentKeys& keys, const Scheme& scheme,
                                    const Threshold& threshold, Check check,
                                    const TakeEdges& take) {
  PairStore pairs(rows("pairs"));
  TWINSET_TRY(candidate_pairs(keys.rows_by_key(), documents_, pairs));
  spilled_bytes_ += keys.rows_by_key().spilled_bytes();
  keys.drop_rows();
  TWINSET_TRY(pairs.seal());
  spilled_bytes_ += pairs.spilled_bytes();
  if (check != Check::none) TWINSET_TRY(keys.stored().hold(memory_));
  StoredSketches sketches(&keys, documents_);
  TWINSET_ASSIGN(const auto cursor, pairs.read());
  return check_pairs(job_.context, *cursor, scheme, threshold, sketches, check, take);
}

Result<std::uint64_t> Matcher::count(std::span<SampleSizes> sizes, const Counting& counting,
                                     SharedPairStore& out) {
  std::uint64_t counted = 0;
  {
    KeyGroups groups(rows("groups"));
    auto& keys = stores_.counted->rows_by_key();
    TWINSET_TRY(groups.gather(keys, documents_, *job_.counted_scheme(), counting.max_group, sizes));
    spilled_bytes_ += keys.spilled_bytes();
    stores_.counted->drop_rows();
    TWINSET_TRY(counting.gathered(groups.report()));
    TWINSET_ASSIGN(counted, groups.count(sizes, documents_.first_index(job_.reference_sources),
                                         counting.floor, counting.accept, out));
  }
  TWINSET_TRY(out.seal());
  spilled_bytes_ += out.spilled_bytes();
  return counted;
}

}  // namespace twinset
