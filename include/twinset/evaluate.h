// How well dedup does on your own kind of documents: copies with known edits are planted among
// a sample of a collection, dedup runs on it, and its answer is compared with every pair that is
// truly alike, found exactly. With `schemes`, several schemes are tried beside it, each alone.
//
// Threads: as dedup().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// The collection to sample, and the decisions to judge. Planted copies are never too short
/// or bad: min_tokens and max_bad do not apply.
struct EvaluateOptions : DecisionOptions {
  std::uint64_t sample_seed = 1;  ///< chooses documents and edits
  bool json = false;
  std::string schemes;                  ///< "all", or specs with commas between them; empty: none
  std::optional<std::uint64_t> sample;  ///< sample at most so many documents [2,000]
  std::string labels;                   ///< field of a record's label, nested by dots; empty: none
  std::string labels_file;              ///< or a file of lines {"id": ..., "label": ...}
  bool ignore_unknown_labels = false;   ///< allow ids in labels_file that the inputs lack
  std::string copies_out;  ///< file to make: the planted copies as JSON Lines; empty: none
};

std::vector<Option> options_of(EvaluateOptions& options);

/// Recall and precision of the run and of each scheme, as a whole and by edit, length, cluster
/// size and resemblance, with 95 % intervals, as text tables or JSON; compared with labels, if
/// there are any. Everything except the times, and a verdict that weighs them, is the same for any
/// number of threads. Standard input is stored in a folder under resources.tmp (default: the
/// system's), which is removed. `facts`, if not null, gets the inputs that were skipped or lost,
/// and warnings.
/// Errors: as dedup(); lost_input if inputs were lost and the rest holds no document with a token;
/// usage if the inputs hold no document with a token, if copies_out exists, or if labels_file names
/// documents the inputs lack.
Result<std::string> evaluate(const EvaluateOptions& options, const RunControl& control,
                             RunFacts* facts = nullptr);

}  // namespace twinset
