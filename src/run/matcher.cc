#include "run/matcher.h"

#include <algorithm>

#include "base/message.h"
#include "join/fold.h"
#include "run/collection_run.h"
#include "run/known_documents.h"
#include "run/meetings.h"
#include "run/stored_sketches.h"
#include "scheme/little_endian.h"

namespace twinset {

Status Matcher::fold(DocumentTable& documents) {
  auto& copies = stores_.fingerprints->fold_rows();
  TWINSET_TRY(fold_copies(copies, job_.known, documents));
  spilled_bytes_ += copies.spilled_bytes();
  stores_.fingerprints->drop_rows();
  if (stores_.sets == nullptr) return {};
  auto& sets = stores_.sets->fold_rows();
  TWINSET_TRY(fold_sets(sets, documents));
  spilled_bytes_ += sets.spilled_bytes();
  stores_.sets->drop_rows();
  return {};
}

Result<std::uint64_t> Matcher::pair(DocumentKeys& keys, const Pairing& pairing,
                                    const TakeEdges& take) {
  PairStore pairs(rows("pairs"));
  switch (pairing.scheme.facts().signature_bits) {
    case 64:
      TWINSET_TRY(pair_signatures<1>(keys, pairing, pairs));
      break;
    case 128:
      TWINSET_TRY(pair_signatures<2>(keys, pairing, pairs));
      break;
    default:
      TWINSET_TRY(candidate_pairs(keys.rows_by_key(), documents_, job_.known, pairs));
  }
  spilled_bytes_ += keys.rows_by_key().spilled_bytes();
  keys.drop_rows();
  TWINSET_TRY(pairs.seal());
  spilled_bytes_ += pairs.spilled_bytes();
  if (pairing.check != Check::none) TWINSET_TRY(keys.stored().hold(memory_));
  StoredSketches sketches(job_, &keys, *stores_.records, documents_);
  TWINSET_ASSIGN(const auto cursor, pairs.read());
  return check_pairs(job_.context, *cursor, pairing.scheme, pairing.threshold, sketches,
                     pairing.check, take);
}

template <std::size_t Words>
Status Matcher::pair_signatures(const DocumentKeys& keys, const Pairing& pairing,
                                PairStore& pairs) {
  RowsOptions half = rows("signatures");
  half.memory_bytes /= 2;
  SignatureRows<Words> signatures(half);
  TWINSET_TRY(keys.stored().for_each(
      [&](std::uint64_t index, std::span<const std::uint8_t> stored) -> Status {
        if (stored.front() == 0 || documents_.standing(index).folded()) return {};
        SignatureRow<Words> row{{}, documents_.place_at(index)};
        for (std::size_t i = 0; i < Words; ++i) {
          row.signature[i] = load_little_endian<std::uint64_t>(&stored[1 + i * 8]);
        }
        return signatures.append(row);
      }));
  TWINSET_TRY(signatures.seal());
  const auto guard = [&](const HammingPlan& plan) {
    return check_meetings(static_cast<std::uint64_t>(plan.meetings), pairing.max_meetings,
                          "their signatures have much in common; a smaller " + option("distance") +
                              " compares fewer of them");
  };
  half.path = rows("tables").path;
  TWINSET_ASSIGN(const HammingReport joined,
                 near_documents<Words>(signatures, documents_, pairing.threshold.distance->most(),
                                       guard, half, pairs));
  plan_ = joined.plan;
  spilled_bytes_ += signatures.spilled_bytes() + joined.spilled_bytes;
  return {};
}

Result<std::uint64_t> Matcher::count(std::span<SampleSizes> sizes, const Counting& counting,
                                     SharedPairStore& out) {
  std::uint64_t counted = 0;
  {
    RowsOptions of_groups = rows("groups");
    // No worker has a batch or a record now.
    of_groups.memory_bytes += job_.context.threads * job_.memory.worker;
    KeyGroups groups(of_groups, [&](std::uint64_t needed) {
      // Of a byte more for the rows at least a quarter is for groups, once the tables have theirs.
      const std::uint64_t missing = needed - std::min(needed, of_groups.memory_bytes);
      const std::uint64_t tables = memory_ == 0 ? usual_tables_bytes : 0;
      return job_.memory.too_little(
          "counting the keys of one record",
          job_.memory.budget_for_rows(job_.memory.rows + tables + 4 * missing, job_.memory.large),
          "a lower " + option("max_group") + " needs less, and leaves out more keys");
    });
    auto& keys = stores_.counted->rows_by_key();
    TWINSET_TRY(
        groups.gather(keys, documents_, *job_.signer.counted_scheme(), counting.max_group, sizes));
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
