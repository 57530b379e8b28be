// The parts that all ways to calibrate share: their refusals, the verb as a run sees it, the
// warnings about a choice, and the profile.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "calibrate/choice.h"
#include "calibrate/found_pairs.h"
#include "run/job.h"
#include "run/profile.h"
#include "scheme/scheme.h"
#include "twinset/calibrate.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// Without labels and judged pairs the exact resemblance tells which documents are the same, and
/// planted copies tell the recall.
bool plants_copies(const CalibrateOptions& options);

/// CalibrateOptions::sample, or what is usual.
std::uint64_t sample_of(const CalibrateOptions& options);

/// Refuses options before anything is read. Errors: usage.
Status check_options(const CalibrateOptions& options);
/// Refuses an analyzer. Errors: usage.
Status check_analyzer(const CalibrateOptions& options, const Job& job);
/// Refuses a scheme that reads fields of records, which sampled texts and copies do not have.
Status check_reads_texts(const Scheme& scheme);
/// Refuses --verify for a scheme whose signatures tell more than a resemblance.
Status check_verify(const CalibrateOptions& options, const Scheme& scheme);
/// Refuses a sample in which labels tell nothing: `labels` are the distinct ones of its documents.
/// Errors: usage.
Status check_labels(const CalibrateOptions& options, std::uint64_t labels, std::uint64_t sampled);

/// The error if no document has a label.
std::string no_label(const CalibrateOptions& options);
/// Calibration::truth with labels.
std::string truth_of_labels(const CalibrateOptions& options, std::uint64_t sampled,
                            std::uint64_t labeled);

VerbOptions calibrate_verb();
ComparisonOptions comparison_of(const CalibrateOptions& options);

/// Takes the choice over into `made`, and warns if it is a poor one.
void conclude_choice(const CalibrateOptions& options, Choices chosen, Calibration& made);

/// The parts of a profile that the choice among the values of `found` sets, all but where it comes
/// from. `check` is that of an option "resemblance".
Result<Profile> chosen_profile(const Job& job, const FoundPairs& found, Check check,
                               Calibration& made);

}  // namespace twinset
