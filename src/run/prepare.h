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

/// The scheme of cluster if --scheme is not given.
inline constexpr std::string_view default_cluster_scheme = "mod(samples=64)";

/// Sets everything of a job except its inputs and folders. Errors: usage.
Status prepare_job(const CollectionOptions& options, const VerbOptions& verb,
                   const RunControl& control, Job& job);

/// Plans the memory again, with the zstd windows that the inputs are known to ask for.
void make_room_for_windows(Job& job);

/// Has readers decode the fields that the scheme reads, beside those of `fields`. Error (usage) if
/// these are too many.
Status add_record_fields(const Scheme& scheme, FieldNames& fields);

/// Adds the fields that a run reads by its options and by its rule of keeping, those of its scheme
/// aside.
void add_option_fields(const CollectionOptions& options, const KeepRule& keep, FieldNames& fields);

/// The memory plan of a run with records of up to `max_record_bytes`; sets the threads and the
/// memory of `context`. Leases the memory, which is half of what others have left unless the
/// resources say how much. `files` give the machine's limits. Errors: usage, with the bytes needed.
Result<MemoryPlan> plan_memory(const Resources& resources, std::uint64_t max_record_bytes,
                               FileSystem& files, RunContext& context, MemoryLease& lease);

/// Error (usage) if summaries and messages cannot show a name on one line.
Status check_folder_names(const std::string& output, const std::string& tmp);

/// The share of the memory for large things that a batch takes.
struct BatchRoom {
  std::uint64_t longest_record = 0;
  std::uint64_t large_bytes = 0;
  bool alone = false;  ///< no other batch is worked on at the same time
};

/// Of a long record: freed after use.
inline bool is_huge(const RecordBatch& batch) { return batch.bytes.capacity() > (8U << 20); }
/// Not held while its worker makes another.
inline bool is_large(const RecordBatch& batch) { return batch.bytes.capacity() > (1U << 20); }

/// Sets `room`. Error (usage) if the budget cannot hold a record; it names the file, the record and
/// the bytes needed.
Status check_held(const Job& job, const Source& source, const RecordBatch& batch, BatchRoom& room);

/// After check_held() `refused` a batch that `reader` has given: the error to end the run with. If
/// the same command with more memory would start over, reads on to the end, but for at most
/// `records_left` records, and names the record of all that needs most.
Error longest_record(const Job& job, Error refused, std::uint64_t source, Reader& reader,
                     RecordBatch& batch, std::uint64_t records_left);

/// The memory that other runs of this process have left of the machine's, or of the limit of its
/// control group or of `ulimit` if that is less.
std::uint64_t unleased_memory_bytes(FileSystem& files);

}  // namespace twinset
