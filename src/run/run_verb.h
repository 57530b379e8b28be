// The life of a run of any verb over a collection, and the only place that knows how one ends.
//
//   class LengthRun final : public VerbSteps {
//     Status work() override { ... }     // passes, files of the output, numbers of the summary
//   };
//   LengthRun steps(...);
//   return run_verb(run, options, summary, steps);
//
// A run that makes a folder publishes it in one rename; one that fails leaves its work for the same
// command to continue, unless an input has changed. Any other run leaves nothing but the files that
// it was asked for.
//
// Threads: one thread at a time; a pass uses the options' threads.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "collection/output_files.h"
#include "run/collection_run.h"
#include "run/summary.h"
#include "twinset/result.h"

namespace twinset {

/// Draws the report of a verb's run from its findings. Such functions are in faces/, above all
/// verbs, where the verb's public function hands one down: the room of a verb does not know how its
/// results are shown. A run that no report is asked of, as of a verb within another, needs none.
template <class Findings>
using DrawReport = Result<ReportFiles> (*)(const Findings& findings);

/// What a verb does in its run. The steps come in this order.
class VerbSteps {
 public:
  virtual ~VerbSteps() = default;

  /// Refuses options that prepare() has read, before any input is looked for. Errors: usage.
  virtual Status check() { return {}; }
  /// Of a run that was finished before: completes the summary beyond its summary.json.
  virtual Status found() { return {}; }
  /// Everything but the end: passes, files of the output, numbers of the summary.
  virtual Status work() = 0;
  /// Completes the summary, which now has the facts of the run.
  virtual Status conclude() { return {}; }
  /// The report that the options ask for; called only if they ask for one.
  virtual Result<ReportFiles> report() { return ReportFiles(); }
  /// Of a run without a folder: makes the files that it was asked for. The report is there.
  virtual Status keep() { return {}; }
  /// Closes the files in the run's folder, which may be removed next; if the run failed, removes
  /// what it made elsewhere.
  virtual void end(const Status& /*done*/) {}
};

/// The summary of a verb, as the end of a run needs it.
struct VerbSummary {
  RunFacts& facts;
  std::function<std::vector<Field>()> fields;
  std::function<std::string()> json;  ///< null: the verb has no summary.json
};

/// Runs the steps, and fills the summary. Errors: those of the run and of the steps.
Status run_verb(CollectionRun& run, const VerbSummary& summary, VerbSteps& steps);

/// A verb with a summary.json.
template <class Summary, class Options>
Result<Summary> run_verb(CollectionRun& run, const Options& options, Summary& summary,
                         VerbSteps& steps) {
  TWINSET_TRY(run_verb(
      run,
      {summary, [&] { return fields_of(summary); }, [&] { return summary_json(summary, options); }},
      steps));
  return std::move(summary);
}

/// A verb whose summary is only shown.
template <class Summary>
Result<Summary> run_verb(CollectionRun& run, Summary& summary, VerbSteps& steps) {
  TWINSET_TRY(run_verb(run, {summary, nullptr, nullptr}, steps));
  return std::move(summary);
}

}  // namespace twinset
