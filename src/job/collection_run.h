// What every run over a collection begins and ends with: options made good, inputs
// found, the work folder taken, pass 1 read with its checkpoints, and at the end
// the output published in one rename.
//
//   CollectionRun run("dedup", options, control);
//   TWINSET_TRY(run.prepare());
//   Result<bool> finished = run.open();    // true: this very command has run before
//   TWINSET_TRY(run.read());
//   ...                                    // what the verb is for
//   TWINSET_TRY(run.publish(summary, report_page));
//
// Threads: one thread at a time; read() uses the options' threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "job/dedup_job.h"
#include "job/run_state.h"
#include "job/stage_clock.h"
#include "job/workspace.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

class CollectionRun {
 public:
  /// A dry run works in a folder of its own, which abandon() removes.
  CollectionRun(std::string_view verb, const DedupOptions& options, const RunControl& control);

  /// Makes the options good, before anything is found or made. Errors: usage.
  Status prepare();
  /// Finds the inputs and takes the work folder. True if all was done before.
  Result<bool> open();
  /// Pass 1, from the last checkpoint on.
  Status read();
  /// Saves what a killed run needs to go on from here.
  Status save(const StateFile& file) const { return workspace_->save(file); }
  /// Writes the summary, and the report if there is a page, then makes all visible.
  Status publish(const std::string& summary, const std::string& report_page);
  /// Leaves nothing behind.
  Status abandon();

  /// Sets what is known of the run so far: times, memory, bytes, what was skipped, lost.
  void describe(RunFacts& facts) const;
  /// Sets what the summary of a run that was all done before says of lost inputs.
  Status describe_finished(RunFacts& facts) const;
  const std::string& identity() const { return identity_; }
  bool resumed() const { return resumed_; }
  /// As the run was asked for, with the defaults filled.
  const DedupOptions& options() const { return options_; }

  DedupJob job;
  StateFile checkpoint;  ///< of the run continued
  ReadState state;
  DedupStores stores;
  StageClock clock;
  std::uint64_t spilled_bytes = 0;  ///< records; add the stores when they are done with

 private:
  bool reads_standard_input() const;
  Status find_inputs(const std::string& spool);
  Status check_output_apart() const;
  Status check_output_name(const Input& input) const;
  Status check_report_path(const std::string& report, const std::string& output) const;
  Status check_report_is_new() const;
  std::string make_identity() const;
  Status load_checkpoint();
  void tell_of_little_room() const;
  void tell_if_little(const std::string& folder, std::uint64_t needed) const;

  std::string verb_;
  DedupOptions options_;
  const RunControl& control_;
  std::string identity_;
  std::unique_ptr<Workspace> workspace_;
  bool resumed_ = false;
};

}  // namespace twinset
