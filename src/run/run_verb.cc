#include "run/run_verb.h"

#include "system/guarded.h"

namespace twinset {
namespace {

/// The end of a run whose work is done.
Status complete(CollectionRun& run, const VerbSummary& summary, VerbSteps& steps) {
  run.describe(summary.facts);
  TWINSET_TRY(steps.conclude());
  ReportFiles report;
  if (run.reports()) {
    TWINSET_ASSIGN(report, steps.report());
  }
  if (run.makes_folder()) TWINSET_TRY(run.complete_outputs(report, summary.facts));
  if (summary.json != nullptr) summary.facts.json = summary.json();
  if (run.makes_folder()) return run.publish(summary.facts.json);
  Status made = run.reports() ? run.write_report(report) : Status();
  if (made.ok()) made = steps.keep();
  if (!made.ok()) run.remove_report();
  return made;
}

Status do_steps(CollectionRun& run, const VerbSummary& summary, VerbSteps& steps) {
  TWINSET_TRY(run.prepare());
  TWINSET_TRY(steps.check());
  TWINSET_ASSIGN(const bool finished, run.open());
  if (finished) {
    TWINSET_TRY(run.read_finished(summary.fields(), summary.facts));
    return steps.found();
  }
  TWINSET_TRY(steps.work());
  return complete(run, summary, steps);
}

}  // namespace

Status run_verb(CollectionRun& run, const VerbSummary& summary, VerbSteps& steps) {
  // On this thread: a failed allocation ends the run as any error does.
  Status done = guarded([&] { return do_steps(run, summary, steps); });
  // A file that gave up waiting does not know what is left behind.
  if (!done.ok() && done.error().code == ErrorCode::interrupted && run.job.context.cancelled()) {
    done = run.job.context.check_cancelled();
  }
  steps.end(done);
  if (!run.makes_folder()) {
    const Status removed = run.abandon();
    TWINSET_TRY(done);
    return removed;
  }
  return done.ok() ? done : run.leave_off(done.error());
}

}  // namespace twinset
