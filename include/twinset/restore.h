// Gets removed records back from the inputs of a finished run, byte for byte.
//
//   RestoreOptions options;
//   options.output = "clean";
//   options.records = {"n4"};
//   options.to = "again";
//   Result<RestoreSummary> done = restore(options, RunControl{});
//
// Kept records and all restored ones, sorted by their place, are the run's documents again.
//
// Threads: one call at a time per folder made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct RestoreOptions {
  std::string output;                ///< folder that dedup made
  std::vector<std::string> records;  ///< ids, or file:record
  bool all = false;                  ///< every removed record
  /// Folder to make, with the inputs' own names and compression; empty: control.kept takes
  /// the records, as it takes dedup's.
  std::string to;
};

std::vector<Option> options_of(RestoreOptions& options);

struct RestoreSummary {
  std::uint64_t records = 0;
  std::uint64_t files = 0;  ///< inputs they are from
};

/// Restores in input order, each record once. Errors: usage (no such folder or record; an id of
/// several records; a folder that exists), io (also: an input is not what the run read;
/// then no folder is made), interrupted.
Result<RestoreSummary> restore(const RestoreOptions& options, const RunControl& control);

}  // namespace twinset
