// What a pass found of each record: the fates that the next steps begin with, and the sums for a
// summary.
//
//   DocumentTable table(run.state.lines, job.reference_sources);
//   TWINSET_TRY(set_read_fates(*run.stores.records, table, summary));
//
// Threads: one thread at a time.
#pragma once

#include <cstdint>

#include "join/documents.h"
#include "run/job.h"
#include "run/record_files.h"
#include "twinset/run.h"

namespace twinset {

/// The lines of all sources.
std::uint64_t lines_of(const ReadState& state);

/// The records of a pass that keeps no fates, references included.
void count_records(const ReadState& state, RecordCounts& counts);

/// All records of a pass, by their fates, references included.
Status count_records(const RecordFiles& records, RecordCounts& counts);

/// Sets the fates of the records that are not documents, and adds all records but those of
/// references to `counts`.
Status set_read_fates(const RecordFiles& records, DocumentTable& documents, RecordCounts& counts);

}  // namespace twinset
