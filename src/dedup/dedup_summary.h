// summary.json of dedup: the numbers of records by fate.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "twinset/dedup.h"

namespace twinset {

/// The text of summary.json (docs/formats/summary.md). `identity` names the
/// command and its inputs. All but `run` is a function of inputs and options.
std::string dedup_summary_json(const DedupSummary& summary, const DedupOptions& options,
                               std::string_view identity);

}  // namespace twinset
