// Calibrates by the pairs of a join over the whole collection, each with the same chance. They are
// the pairs that a run finds at each value: copies of equal words are folded first; then documents
// that share a key of the value's scheme are paired (each with the first four of a group and with
// the one before it), or those whose shared keys were counted, or those whose signatures are within
// the loosest distance that can be afforded; and sketches or texts decide. Pairs are drawn from all
// of these evenly (pair_sample.h) and judged by their labels or their texts.
//
// A sample of documents would not do. If s of N documents are drawn one by one, a pair is among
// them with a chance of (s/N)^2, so too few are. If they are drawn together because they share
// text, that is less so for right pairs than for wrong ones, and nearly every pair seems right.
//
// Recall is that of copies planted in documents, which are drawn evenly; with labels, that of pairs
// of one label, drawn evenly.
//
// Threads: as calibrate().
#pragma once

#include "twinset/calibrate.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// The options have passed check_options(), and name no judged pairs. Errors: as calibrate().
Result<Calibration> calibrate_by_join(const CalibrateOptions& options, const RunControl& control);

}  // namespace twinset
