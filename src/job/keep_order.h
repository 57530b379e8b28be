// Keep order: from the --keep rule and what pass 1 wrote down to an order per
// document.
//
// Threads: one call at a time.
#pragma once

#include "job/dedup_job.h"
#include "join/documents.h"
#include "twinset/result.h"

namespace twinset {

/// Sets the table's orders by job.keep; does nothing where input order is keep
/// order. Equal values get one order (ties fall to input order), missing values
/// the last, references one ahead of all.
Status set_keep_order(const DedupJob& job, const RecordFiles& records, DocumentTable& documents,
                      std::uint64_t memory_bytes);

}  // namespace twinset
