// The options of dedup: declares them, checks them, and translates them for the shared parts of a
// run. The groups of options that evaluate also has are declared one by one.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "run/job.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// The input options, --analyzer, --scheme and the thresholds.
std::vector<Option> decision_options(ReadingOptions& reading, ComparisonOptions& comparison,
                                     DecisionOptions& options);
Option verify_option(DecisionOptions& options);
/// --distance, --profile, --max-group, --max-meetings, --seed.
std::vector<Option> key_options(ComparisonOptions& comparison, DecisionOptions& options);

/// The --keep rule; by default "longest" with containment, "first" without.
std::string keep_rule_of(const DecisionOptions& options);

/// Sets the options of the profile, if there is one. Errors: of apply_profile().
Status take_profile(FileSystem& files, ComparisonOptions& comparison, DecisionOptions& options);

/// A run that decides as `options` say and writes nothing.
VerbOptions deciding_verb(const DecisionOptions& options);

/// A run of dedup. `options.keep` must not be empty. `reads_references`: `against` names inputs.
VerbOptions dedup_verb(const DedupOptions& options, bool reads_references = true);

/// Checks that kept records go to a folder, to control.kept, or nowhere, and that the other file
/// options are possible with that. Errors: usage.
Status check_destination(const DedupOptions& options, const RunControl& control);

}  // namespace twinset
