// Calibrates a scheme that joins by distance. The pairs come from a join over the whole collection,
// the same that cluster makes: copies of equal words are folded first, documents of one signature
// are paired with the first of them, and every two other signatures within the loosest distance
// that can be afforded are a pair. Pairs are drawn from all of these evenly (pair_sample.h) and
// judged by their labels or their texts.
//
// A sample of documents would not do. If s of N documents are drawn one by one, a pair is among
// them with a chance of (s/N)^2, so too few are. If they are drawn together because they share
// text, that is so for the wrong pairs alone, which share none, and nearly every pair seems right.
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

/// The options have passed check_options(), and name a scheme that tells a distance, and no judged
/// pairs. Errors: as calibrate().
Result<Calibration> calibrate_distance(const CalibrateOptions& options, const RunControl& control);

}  // namespace twinset
