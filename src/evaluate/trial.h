// Tries methods side by side on one trial set: schemes, each by itself at each threshold, and a run
// of dedup at the user's threshold (trial_run.h). Their pairs are compared with every true pair.
//
//   Evaluation evaluation = start_evaluation(set, options);
//   TWINSET_TRY(try_schemes(set, options, evaluation));
//   evaluation.methods[0].at[evaluation.chosen].recall.value();
//
// Pairs are counted. A pair is *found* if the scheme alone would produce it: by an equal key if a
// key means equality, by any shared key if it means a candidate, and if keys are counted, by a
// shared key and an estimate at or above the threshold. It is *passed* if the scheme's own
// estimate, if it makes one, is that high as well. Each scheme is made for each threshold, so band
// plans fit it.
//
// All but the costs depends on the set and the options alone.
//
// Threads: a call uses options.threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/clustered_share.h"
#include "evaluate/trial_set.h"
#include "scheme/scheme.h"
#include "twinset/evaluate.h"
#include "twinset/result.h"

namespace twinset {

struct TrialOptions {
  std::vector<std::string> specs;  ///< of the schemes, as the user wrote them
  Ratio resemblance{4, 5};         ///< the user's threshold
  std::optional<TruthRule> truth;  ///< replaces resemblance in what is due, as in the set
  std::uint64_t max_group = 1000;  ///< counted keys in more documents are left out
  double least_recall = 0.95;      ///< for Evaluation::choice()
  unsigned threads = 1;
  KeepGoing keep_going;
  TruthRule truth_rule() const {
    return truth.value_or(TruthRule{TruthRule::Of::resemblance, resemblance, {1, 1}});
  }
  /// The maker of the labeled documents' tokens; null for schemes that do not read texts.
  const Analyzer* analyzer = nullptr;
};

/// 0.5, 0.7, 0.8, 0.9 and the user's, ascending.
std::vector<Ratio> trial_thresholds(const Ratio& chosen);

/// The schemes of a list: "all", or specs separated by commas (commas inside brackets belong to a
/// spec). Errors (usage): an empty or unknown one, or one that cannot be made for any of the
/// thresholds.
Result<std::vector<std::string>> parse_scheme_list(std::string_view list, const Ratio& chosen);

/// Short names for tables: a scheme's own, numbered if it occurs twice.
std::vector<std::string> trial_names(const std::vector<std::string>& specs);

/// The part of an evaluation that does not depend on a method. Without schemes, or if the set has a
/// truth of its own, the user's threshold is the only one.
Evaluation start_evaluation(const TrialSet& set, const TrialOptions& options);

/// Adds the schemes and their costs. A spec that cannot be made for a threshold is reported as
/// refused there. Errors: keep_going's.
Status try_schemes(const TrialSet& set, const TrialOptions& options, Evaluation& evaluation);

/// A labeled document.
struct LabeledDocument {
  std::string text;
  Analysis analysis;
  std::uint32_t label = 0;
};

/// Clusters at the user's threshold, compared with the labels: the exact ones first, then those of
/// a run, if `survivors` has its survivor for each document, then each scheme's. Errors: as
/// ShingleCollection::make, or keep_going's.
Result<std::vector<LabelEvaluation>> try_labels(const std::vector<LabeledDocument>& documents,
                                                std::span<const std::uint32_t> survivors,
                                                unsigned shingle_tokens, std::uint64_t memory_bytes,
                                                const TrialOptions& options);

}  // namespace twinset
