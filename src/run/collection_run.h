// The beginning and the end of every run over a collection: checks the options, finds the inputs,
// takes the work folder, makes the passes with their checkpoints, and at the end publishes the
// output in one rename.
//
//   CollectionRun run(options, verb, control);    // verb: a VerbOptions (run/job.h)
//   TWINSET_TRY(run.read(DocumentKeys::Stored::count));   // among the steps of run/run_verb.h
//
// Threads: one thread at a time; a pass uses the options' threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collection/output_files.h"
#include "run/job.h"
#include "run/keys_per_document.h"
#include "run/page_file.h"
#include "run/run_state.h"
#include "run/shard.h"
#include "run/stage_clock.h"
#include "run/stores.h"
#include "run/workspace.h"
#include "system/memory_files.h"
#include "twinset/collection.h"
#include "twinset/field.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// Document tables up to this size are part of a run's fixed memory.
inline constexpr std::uint64_t usual_tables_bytes = std::uint64_t{16} << 20;

class CollectionRun {
 public:
  /// A run whose kept records go to control.kept works in a folder of its own, which abandon()
  /// removes; so does a run over columns if the resources name a folder, else in memory.
  CollectionRun(const CollectionOptions& options, VerbOptions verb, const RunControl& control);
  /// Reads `collection` in place of the options' inputs and makes no folder.
  void read_from(std::shared_ptr<Collection> collection) { given_ = std::move(collection); }

  /// Checks the options, before it reads or makes any file. Errors: usage.
  Status prepare();
  /// Finds the inputs and takes the work folder. True if this run was already done.
  Result<bool> open();
  /// The pass "read", which fills `stores` and the verb's own collectors. See make_stores().
  Status read(DocumentKeys::Stored counted, std::vector<Collector*> own = {});
  /// A pass over the collection: reads every record once for `collectors`, which must live to the
  /// end of the run. Starts at the last checkpoint; if the pass was finished, only opens them. A
  /// run always makes the same passes in the same order, each with its own name. Error (io) if the
  /// collection is not the one that the first pass read.
  Status pass(const std::string& name, std::vector<Collector*> collectors);
  /// Reads every record once more, before or after the passes. Opens the collectors; a resumed run
  /// fills them again from the start. Errors as pass().
  Status read_again(const std::string& name, const std::vector<Collector*>& collectors);
  /// From here on passes and texts take pages from `pages`, which another run over this collection
  /// has filled, if it keeps their tokens; `read` are the inputs as that run describes them.
  void take_pages(std::unique_ptr<PageFile> pages, const std::vector<InputFacts>& read);
  /// Of the run of a shard, after read(): adds what a merge needs to the output, and counts its
  /// records.
  Status keep_shard(RecordCounts& counts);
  bool is_shard() const { return shard_.has_value(); }
  /// Every later checkpoint has `step`, set to 1.
  void note_done(const std::string& step) { done_.push_back(step); }
  /// After read(): error (usage) if documents have too few keys for what the scheme promises.
  Status check_promise();
  /// After read(): gives the memory that long records do not need to the rows. Error (usage) if the
  /// rows have less than `resident_bytes`.
  Status check_memory(std::uint64_t resident_bytes);
  /// Saves a checkpoint, from which a killed run continues: all passes, their collectors, and the
  /// verb's `state`.
  Status save(StateFile state);
  /// Do the options ask for a report?
  bool reports() const { return !verb_.report.empty(); }
  Status write_report(const ReportFiles& report);
  /// Removes the report of a run that makes no folder and failed after it.
  void remove_report();
  /// Writes the report, if there is to be one, and lists the files of the output in `facts`.
  Status complete_outputs(const ReportFiles& report, RunFacts& facts);
  /// Writes the summary, then makes the output visible.
  Status publish(const std::string& summary);
  /// Removes everything that the run made.
  Status abandon();
  /// Does the same for a run that no other options could continue. Returns `error`, or that of the
  /// removal.
  Error refuse(Error error);
  /// After a run that makes a folder failed: removes its work unless the same command continues it,
  /// and returns `error` with an advice that helps.
  Error leave_off(Error error);
  /// True if the run leaves an output folder.
  bool makes_folder() const { return verb_.works_in == WorksIn::folder; }

  /// Error (lost input) if inputs were lost, unless the options allow that: the reason why a pass
  /// found nothing.
  Status check_not_lost() const;
  /// The error of a pass that found none of what its verb works on, such as a "page to read":
  /// inputs were lost, or there is no record, or none is one. `also` counts records beside the bad
  /// ones, and `name` is an option that may be why.
  Error nothing_to_read(const std::string& noun, const std::string& also,
                        std::string_view name) const;
  /// Sets the facts of the run so far: times, memory, bytes, skipped and lost inputs.
  void describe(RunFacts& facts) const;
  /// Reads the summary.json of the run that open() found finished into `fields`.
  Status read_finished(const std::vector<Field>& fields, RunFacts& facts) const;

  Job job;
  StateFile checkpoint;  ///< of the run that this one continues
  ReadState state;       ///< of the last pass
  Stores stores;
  StageClock clock;
  std::uint64_t spilled_bytes = 0;  ///< in collectors' files; the verb adds those of rows it uses

 private:
  bool streams() const { return control_.kept != nullptr; }
  InputFacts facts_of(std::uint64_t source) const;
  bool reads_standard_input() const;
  Status prepare_memory();
  Status find_inputs(const std::string& spool);
  void keep_what_is_read_once();
  Result<std::shared_ptr<Collection>> find_collection(const std::string& spool) const;
  Status check_kept_takes_lines() const;
  Status check_level() const;
  std::string make_identity() const;
  Status check_can_be_shared() const;
  Status take_over_shards(const std::vector<Collector*>& collectors, ReadState& state);
  Status load_checkpoint();
  Result<std::string> missing_file() const;
  Status remove_strays() const;
  Status check_same_collection(const ReadState& pass);
  void release();
  void tell_of_little_room() const;
  void tell_if_little(const std::string& folder, std::uint64_t needed) const;

  struct Pass {
    std::string name;
    std::vector<Collector*> collectors;
    ReadState state;
  };

  CollectionOptions options_;
  VerbOptions verb_;
  const RunControl control_;
  std::string identity_;
  std::optional<Shard> shard_;       ///< that this run is
  std::string shared_identity_;      ///< of a shard: that of the run without --shard
  std::vector<ShardFolder> shards_;  ///< that this run merges, in order
  std::string finished_summary_;
  std::shared_ptr<Collection> given_;          ///< in place of the options' inputs, or null
  std::unique_ptr<MemoryFiles> memory_files_;  ///< the files of a run that uses no disk, or null
  std::unique_ptr<Workspace> workspace_;
  std::vector<std::unique_ptr<Pass>> passes_;
  std::unique_ptr<PageFile> pages_;      ///< job.pages, or null
  std::optional<ReadState> first_read_;  ///< of the first pass, or of an earlier read_again()
  std::vector<std::string> done_;
  bool resumed_ = false;
  std::optional<WithoutSignature> without_signature_;
  KeysPerDocument keys_per_document_;
};

}  // namespace twinset
