// The middle of a dedup run: from the stores of pass 1 to the fate of every document and
// its proof. Folds copies, finds candidates, checks sketches, sweeps and repairs, and sorts
// the proofs of all removed documents by document.
//
// Threads: one call at a time; uses the context's threads.
#pragma once

#include <cstdint>
#include <memory>

#include "join/decide.h"
#include "join/documents.h"
#include "join/shared_keys.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/stage_clock.h"
#include "run/stores.h"
#include "run/texts.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// The proof of a removal. Sorted by document.
struct Proof {
  DocumentId document;
  DocumentId survivor;
  Link link;
};
struct ProofLess {
  bool operator()(const Proof& a, const Proof& b) const { return a.document < b.document; }
  static std::uint64_t radix(const Proof& proof) { return proof.document.value(); }
};

struct MatchReport {
  std::uint64_t candidate_pairs = 0;
  std::uint64_t checked_pairs = 0;
  std::uint64_t verified_pairs = 0;
  std::uint64_t repair_rounds = 0;
  std::uint64_t repair_pairs = 0;     ///< new pairs that repair added
  std::uint64_t by_known_sketch = 0;  ///< removals that an index's stored sketch decided
  std::uint64_t spilled_bytes = 0;
  CountReport common_keys;
};

/// The bytes that matching holds for so many documents, without rows.
std::uint64_t resident_bytes(const Job& job, std::uint64_t documents);

/// Folds, matches and decides; sets every standing; writes the proofs of near
/// and contained documents and of those folded into them to `proofs`. Ends the
/// stages fold, pair, verify and prove on `clock`.
Result<MatchReport> match_documents(const Job& job, const DecisionOptions& options, Stores& stores,
                                    DocumentTable& documents, Texts& texts, RowFile<Proof>& proofs,
                                    StageClock& clock);

/// The kept document that represents `index`: itself if kept, else its survivor (for a folded
/// copy, the survivor of its representative).
std::uint64_t final_survivor(const DocumentTable& documents, std::uint64_t index);

/// The final fate: a folded copy has the fate of its removed representative.
Fate final_fate(const DocumentTable& documents, std::uint64_t index);

}  // namespace twinset
