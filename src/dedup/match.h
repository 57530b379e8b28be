// The middle of a dedup run: from what pass 1 spilled to every document's fate
// and the proof of it. Fold, candidates, sketch check, sweeps and repairs, and
// the proofs of all that go, sorted by document.
//
// Threads: one call at a time; uses the context's threads.
#pragma once

#include <cstdint>
#include <memory>

#include "join/decide.h"
#include "join/documents.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/stage_clock.h"
#include "run/texts.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// Why one document went: its fate's numbers. Sorted by document.
struct Proof {
  DocumentId document;
  DocumentId survivor;
  Verdict verdict;  ///< as of its edge
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
  std::uint64_t repair_pairs = 0;  ///< added to the checked ones by repair
  std::uint64_t spilled_bytes = 0;
  CountReport common_keys;
};

/// What matching holds of so many documents, whatever the budget for rows.
std::uint64_t resident_bytes(const Job& job, std::uint64_t documents);

/// Folds, matches and decides; sets every standing; writes the proofs of near
/// and contained documents and of those folded into them to `proofs`. Ends the
/// stages fold, pair, verify and prove on `clock`.
Result<MatchReport> match_documents(const Job& job, const DedupOptions& options, Stores& stores,
                                    DocumentTable& documents, Texts& texts, RowFile<Proof>& proofs,
                                    StageClock& clock);

/// The document that stands for `index` in the end: itself if kept, else its
/// survivor (of a folded one, its representative's).
std::uint64_t final_survivor(const DocumentTable& documents, std::uint64_t index);

/// Its fate in the end: a folded copy shares its representative's.
Fate final_fate(const DocumentTable& documents, std::uint64_t index);

}  // namespace twinset
