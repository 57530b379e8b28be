// summary.json of dedup: the numbers of records by fate.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "twinset/dedup.h"

namespace twinset {

/// The text of summary.json (docs/formats/summary.md). `identity` identifies the command and its
/// inputs. Everything except `run` depends on inputs and options only.
std::string dedup_summary_json(const DedupSummary& summary, const DedupOptions& options,
                               std::string_view identity);

}  // namespace twinset
