// summary.json of dedup: where every record went.
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

/// The options that decide an output, one JSON object: what `explain` needs to
/// read the inputs again, and part of a run's identity.
std::string dedup_options_json(const DedupOptions& options);

}  // namespace twinset
