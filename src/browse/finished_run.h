// The summary of a finished run of any verb that can be browsed, and the facts that a report would
// begin with.
//
//   TWINSET_ASSIGN(const FinishedRun run, read_finished_run(files, "clean"));
//   run.title;                                    // "Near-duplicates"
//   const Section totals = totals_of(run);        // a number for each declared count
//
// Threads: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "faces/facts.h"
#include "system/files.h"
#include "twinset/dedup.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct FinishedRun {
  std::string path;  ///< of the folder
  std::string verb;
  std::string title;
  RunFacts facts;
  std::optional<DedupSummary> dedup;
  std::uint64_t clusters = 0;   ///< of dedup, cluster and recut
  std::uint64_t documents = 0;  ///< in these
  /// The numbers that its summary declares, in their order.
  std::vector<Fact> numbers;
};

/// Errors: usage (no such folder; it is of a verb that leaves nothing to browse), io (damaged).
Result<FinishedRun> read_finished_run(FileSystem& files, const std::string& path);

Section totals_of(const FinishedRun& run);
/// What became of the records of each input, at most 200; of dedup. Else no table.
std::optional<Section> files_of_run(const FinishedRun& run);
Section section_of_run(const FinishedRun& run);

}  // namespace twinset
