// dedup over a collection of any kind.
//
// Threads: one call at a time; a call uses the options' threads.
#pragma once

#include <memory>

#include "collection/collection.h"
#include "match/match.h"
#include "rows/rows.h"
#include "run/run_verb.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// What a run has found when its report is drawn.
struct DedupFindings {
  const Job& job;
  const DedupOptions& options;
  const RecordFiles& records;
  const DocumentTable& documents;
  const RowFile<Proof>& proofs;
  const DedupSummary& summary;
};

/// As dedup(), over `collection` in place of the options' inputs; makes no file, like dedup() over
/// columns. Null: over the options' inputs. `draw` makes the report that the options ask for.
Result<DedupSummary> dedup_collection(std::shared_ptr<Collection> collection,
                                      const DedupOptions& options, const RunControl& control,
                                      const DedupResults& results,
                                      DrawReport<DedupFindings> draw = nullptr);

}  // namespace twinset
