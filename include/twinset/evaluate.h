// How well dedup does on your own kind of documents: copies with known edits are
// planted among a sample of a collection, dedup runs on it, and its answer is
// held against the exact oracle.
//
// Threads: as dedup().
#pragma once

#include <cstdint>
#include <string>

#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

struct EvaluateOptions {
  /// inputs, input settings, analyzer, scheme, thresholds, verification, seed and
  /// resources are those of the run to be judged; the rest is not looked at.
  DedupOptions run;
  std::uint64_t sample_seed = 1;  ///< chooses originals and edits
  bool json = false;
};

/// Recall and precision per edit, length class and cluster size, with 95 %
/// intervals, as text tables or JSON. Works in a folder of its own under
/// resources.tmp (default: the system's) and removes it. Errors: as dedup();
/// usage if the inputs hold no document with a token.
Result<std::string> evaluate(const EvaluateOptions& options, const RunControl& control);

}  // namespace twinset
