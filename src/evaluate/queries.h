// Each document as a query, as the papers on I-Match measure (002 section 6.4): the documents that
// a scheme finds for it are compared with its due partners.
//
//   QueryEvaluation queries = ...;   // label and cost are set
//   TWINSET_TRY(try_queries({views, tokens, labels, wanted}, 5, memory_bytes, options, queries));
//   queries.rows[0].recall.value;    // mean over the queries with a due partner
//
// A document is not its own answer. 002 Eq. 4 prints |A| and |B| where it means the size of their
// intersection, and Eq. 3 leaves the intersection out; it is taken in both.
//
// Threads: a call uses options.threads; the result does not depend on their number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/trial.h"
#include "evaluate/truth.h"
#include "scheme/scheme.h"
#include "twinset/evaluate.h"
#include "twinset/result.h"

namespace twinset {

struct QueryDocuments {
  std::span<const GivenView> views;
  std::span<const std::span<const std::uint64_t>> tokens;
  std::vector<std::uint32_t> labels;  ///< no_label: none
  /// The label of the queries, and of the documents that they should find; no_label: every document
  /// is a query, and there is no utility.
  std::uint32_t wanted = no_label;
};

/// Fills in all but `label` and `cost`, which it reads: a row for each scheme that can be made, and
/// one for its own estimate if it makes one. Errors: as ShingleCollection::make, or keep_going's.
Status try_queries(const QueryDocuments& documents, unsigned shingle_tokens,
                   std::uint64_t memory_bytes, const TrialOptions& options,
                   QueryEvaluation& queries);

}  // namespace twinset
