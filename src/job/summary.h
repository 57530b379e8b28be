// summary.json: where every record went, and how the run went.
//
// Threads: pure functions.
#pragma once

#include <string>

#include "twinset/dedup.h"

namespace twinset {

/// The version of this build, as `twinset --version` says it.
inline constexpr std::string_view twinset_version = "0.1.0";

/// The text of summary.json (docs/formats/summary.md). `identity` names the
/// command and its inputs. All but `run` is a function of inputs and options.
std::string summary_json(const DedupSummary& summary, const DedupOptions& options,
                         std::string_view identity);

/// The options that decide an output, one JSON object: what `explain` needs to
/// read the inputs again, and part of a run's identity.
std::string options_json(const DedupOptions& options);

}  // namespace twinset
