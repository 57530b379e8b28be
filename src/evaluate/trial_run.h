// A run of dedup as one of the methods of a trial: "dedup as you run it".
//
//   TWINSET_ASSIGN(const RunDecisions run, run_on_set(set, options, control));
//   TWINSET_ASSIGN(MethodEvaluation method, judge_run(set, run, rules, evaluation, keep_going));
//
// The set's documents are shuffled for the run, so a copy may come before its original.
//
// Threads: as dedup(); judge_run() is pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "evaluate/trial.h"
#include "run/keep_rule.h"
#include "twinset/dedup.h"

namespace twinset {

/// The decisions of a run, by document.
struct RunDecisions {
  std::vector<std::uint32_t> survivors;  ///< the document itself, if it is kept
  std::vector<std::uint32_t> places;     ///< in the run's order
  std::string scheme;                    ///< full spec
  std::string plan;                      ///< in words; may be empty
};

/// Runs dedup on texts in memory, in the order given, with the thresholds, scheme, verification
/// and keep order of `options`. Errors: dedup's.
Result<RunDecisions> run_on_texts(std::span<const std::string_view> texts,
                                  const DedupOptions& options, const KeepRule& keep,
                                  const RunControl& control);
/// `whole`: with the templates of pages.
Result<RunDecisions> run_on_set(const TrialSet& set, const DedupOptions& options,
                                const KeepRule& keep, const RunControl& control,
                                bool whole = false);

/// The rules that a run decided by.
struct RunRules {
  std::optional<Ratio> containment;  ///< of the removed document in its survivor
  KeepRule keep;
};

/// Compares the decisions with the exact pairs. A removal is right if its survivor is kept and
/// equal in bytes, or the pair is due. Errors: usage, if the set lacks a survivor; keep_going's.
Result<MethodEvaluation> judge_run(const TrialSet& set, const RunDecisions& run,
                                   const RunRules& rules, const Evaluation& evaluation,
                                   const KeepGoing& keep_going);

}  // namespace twinset
