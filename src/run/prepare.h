// Checks options before any input is read: looks up names, checks thresholds and budgets.
//
// Threads: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

/// Of cluster, where none is asked for.
inline constexpr std::string_view default_cluster_scheme = "mod(samples=64)";

/// The spec with shingles of one token if the analyzer takes features, which have no order,
/// unless it says how many or the scheme has none. Mistakes in it are make_scheme()'s to tell.
std::string spec_for(const Analyzer& analyzer, const std::string& spec);

/// Everything of a job but its inputs and folders. Errors: usage.
Status prepare_job(const CollectionOptions& options, const VerbOptions& verb,
                   const RunControl& control, Job& job);

/// The memory of a run that holds records of up to `max_record_bytes`; sets the threads and
/// the memory of `context`. `files` tell what the machine has. Errors: usage, with the bytes
/// needed.
Result<MemoryPlan> plan_memory(const Resources& resources, std::uint64_t max_record_bytes,
                               FileSystem& files, RunContext& context);

/// Errors: usage, for a name that summaries and messages cannot show on one line.
Status check_folder_names(const std::string& output, const std::string& tmp);

/// The part of the memory for large things that a batch takes.
struct BatchRoom {
  std::uint64_t longest_record = 0;
  std::uint64_t large_bytes = 0;
  bool alone = false;  ///< no other batch is worked on beside it
};

/// Sets `room`. Errors: usage, for a record that the budget cannot hold; it names file,
/// record and the bytes needed.
Status check_held(const Job& job, const Source& source, const RecordBatch& batch, BatchRoom& room);

/// Physical memory of the machine, or what its control group or `ulimit` allows if less.
std::uint64_t machine_memory_bytes(FileSystem& files);

}  // namespace twinset
