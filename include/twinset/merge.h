// One run of the folders of its shards.
//
//   DedupOptions options;  // on each machine, with the same inputs
//   options.inputs = {"crawl/"};
//   options.shard = "1/2";
//   options.output = "parts/1";
//   Result<DedupSummary> part = dedup(options, RunControl{});
//
//   MergeOptions all;  // once, on a machine that sees all of them
//   all.parts = {"parts/1", "parts/2"};
//   all.output = "clean";
//   Result<MergeSummary> done = merge(all, RunControl{});
//
// Output bytes are those of the run without a shard, whatever the number of shards (paper 001,
// section 7: all but the last merges in parallel).
//
// Threads: one call at a time per output folder; a call uses resources.threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twinset/cluster.h"
#include "twinset/dedup.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct MergeOptions {
  /// A folder of each shard, in any order, all of one command of dedup() or cluster(). That names
  /// the options and the inputs, which are read again for the texts of similar documents.
  std::vector<std::string> parts;
  std::string output;   ///< folder to make; missing, or empty
  std::string command;  ///< ReadingOptions::command
  Resources resources;
};

std::vector<Option> options_of(MergeOptions& options);

/// The summary of the run that the shards make: one of the two is set.
struct MergeSummary {
  std::optional<DedupSummary> dedup;
  std::optional<ClusterSummary> cluster;
};
std::vector<Field> fields_of(MergeSummary& summary);

/// Errors: usage (a folder that is no finished shard, shards of two commands, one twice or missing,
/// inputs that have changed), and those of dedup() or cluster().
Result<MergeSummary> merge(const MergeOptions& options, const RunControl& control);

/// The counts, for a terminal.
std::string to_text(const MergeSummary& summary, bool verbose = false);

}  // namespace twinset
