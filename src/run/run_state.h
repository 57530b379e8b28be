// What a checkpoint holds: how far pass 1 has come, and how long its files were.
//
// Threads: one thread at a time; checkpoint_stores while nothing is appended.
#pragma once

#include "run/job.h"
#include "run/workspace.h"
#include "twinset/result.h"

namespace twinset {

void store_read_state(const ReadState& state, StateFile& file);
/// Error (io) if the state is of another kind.
Status load_read_state(const StateFile& file, ReadState& state);

/// Makes every standing durable, and brings it into the table again.
Status save_standings(const Job& job, const DocumentTable& documents);
Status load_standings(const Job& job, DocumentTable& documents);

/// Makes the stores, or opens them where `checkpoint` says they stood; whatever
/// else a killed run left in the spill folder is removed.
Status open_stores(const Job& job, const StateFile* checkpoint, const ReadState& state,
                   Stores& stores);

/// Brings the stores to disk and writes their lengths into `file`.
Status checkpoint_stores(Stores& stores, StateFile& file);

}  // namespace twinset
