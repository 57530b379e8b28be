// The parts of a checkpoint: the progress of each pass, and the standing of every document.
//
// Threads: one thread at a time.
#pragma once

#include <string>

#include "join/documents.h"
#include "run/job.h"
#include "run/workspace.h"
#include "twinset/result.h"

namespace twinset {

/// A pass that begins at `source`, as if those before were empty.
ReadState read_state_from(std::uint64_t source);

void store_read_state(const ReadState& state, const std::string& pass, StateFile& file);
bool has_read_state(const StateFile& file, const std::string& pass);
/// Error (io) if the state has no such pass.
Status load_read_state(const StateFile& file, const std::string& pass, ReadState& state);

/// Makes every standing durable and notes the file in `file`; load_standings() reads them back.
Status save_standings(const Job& job, const DocumentTable& documents, StateFile& file);
Status load_standings(const Job& job, DocumentTable& documents);

}  // namespace twinset
