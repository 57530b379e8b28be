// The options of dedup made good: defaults filled, and what the parts that every run has
// are told of them.
//
// Threads: pure functions.
#pragma once

#include <string>

#include "run/job.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// The rule asked for, or else longest with containment and first without.
std::string keep_rule_of(const DecisionOptions& options);

/// A run that decides as `options` say and writes nothing.
VerbOptions deciding_verb(const DecisionOptions& options);

/// A run of dedup. `options.keep` is filled.
VerbOptions dedup_verb(const DedupOptions& options);

/// Kept records go to a folder, to control.kept, or nowhere, and the files asked for go
/// with that. Errors: usage.
Status check_destination(const DedupOptions& options, const RunControl& control);

}  // namespace twinset
