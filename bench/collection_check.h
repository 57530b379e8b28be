// The truth reader: what a finished run over a synthetic collection found and
// missed, by the exact resemblance of sampled pairs.
//
// Threads: one call at a time; it uses the threads it is given.
#pragma once

#include <cstdint>
#include <string>

#include "support_runs/synthetic.h"
#include "twinset/result.h"

namespace twinset {

struct CheckOptions {
  std::string resemblance = "0.8";  ///< the run's threshold
  std::string containment;          ///< the run's, if it used one
  std::uint64_t pairs = 40'000;     ///< sampled for recall
  std::uint64_t removals = 10'000;  ///< sampled for precision
  unsigned threads = 1;
  bool json = false;
};

struct CheckReport {
  std::string text;   ///< tables, or one JSON object
  bool sound = true;  ///< no removal below the threshold, none without a kept survivor
};

/// Reads `folder`/removed.jsonl.zst twice, streaming; a bit a document and the
/// samples in memory. Errors (io): no such file, a line that is no removal of
/// this collection.
Result<CheckReport> check_run(const SyntheticCollection& collection, const std::string& folder,
                              const CheckOptions& options);

}  // namespace twinset
