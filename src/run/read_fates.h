// What a pass found of each record: the document table of the next steps, and the sums for a
// summary.
//
//   TWINSET_ASSIGN(table_, read_fates(run, summary));
//
// Threads: one thread at a time.
#pragma once

#include <memory>

#include "join/documents.h"
#include "run/collection_run.h"
#include "twinset/run.h"

namespace twinset {

/// The lines of all sources.
std::uint64_t lines_of(const ReadState& state);

/// The records of a pass that keeps no fates, references included.
void count_records(const ReadState& state, RecordCounts& counts);

/// Sets the fates of the records that are not documents.
Status set_read_fates(const RecordFiles& records, DocumentTable& documents);

/// A table with the fates of pass 1. Adds the records of the inputs, without references, to
/// `counts`.
Result<std::unique_ptr<DocumentTable>> read_fates(const CollectionRun& run, RecordCounts& counts);

}  // namespace twinset
