// Checks the options of dedup, fills in defaults, and translates them for the shared parts
// of a run.
//
// Threads: pure functions.
#pragma once

#include <string>

#include "run/job.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// The rule of the options; by default longest with containment, first without.
std::string keep_rule_of(const DecisionOptions& options);

/// A run that decides as `options` say and writes nothing.
VerbOptions deciding_verb(const DecisionOptions& options);

/// A run of dedup. `options.keep` must not be empty.
VerbOptions dedup_verb(const DedupOptions& options);

/// Checks that kept records go to a folder, to control.kept, or nowhere, and that the other
/// files fit that. Errors: usage.
Status check_destination(const DedupOptions& options, const RunControl& control);

}  // namespace twinset
