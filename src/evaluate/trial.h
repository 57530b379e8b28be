// Tries methods side by side on one trial set: schemes, each by itself at each threshold, and a run
// of dedup at the user's threshold (trial_run.h). Their pairs are compared with every true pair.
//
//   TrialReport report = start_report(set, options);
//   TWINSET_TRY(try_schemes(set, options, report));
//   print(trial_table(report));
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
#include "evaluate/labels.h"
#include "evaluate/trial_parts.h"
#include "evaluate/trial_set.h"
#include "scheme/scheme.h"
#include "twinset/result.h"

namespace twinset {

struct TrialOptions {
  std::vector<std::string> specs;  ///< of the schemes, as the user wrote them
  Ratio resemblance{4, 5};         ///< the user's threshold
  std::uint64_t max_group = 1000;  ///< counted keys in more documents are left out
  double least_recall = 0.95;      ///< for the verdict's rule
  unsigned threads = 1;
  KeepGoing keep_going;
  /// The maker of the labeled documents' tokens; null for schemes that do not read texts.
  const Analyzer* analyzer = nullptr;
};

/// One method at one threshold. A run finds a pair for each removal: the removed document and
/// its survivor. It resolves a due pair, which counts as recall, if it does not keep both.
struct ThresholdTrial {
  std::string spec;         ///< whole, as made for the threshold; empty if it cannot be
  std::string refusal;      ///< why not; empty for a run at a threshold that is not the user's
  std::uint64_t found = 0;  ///< pairs brought up, right or wrong
  std::uint64_t passed = 0;
  std::uint64_t common_keys = 0;  ///< left out, in over max_group documents
  ClusteredShare recall;          ///< share of true pairs that were found
  ClusteredShare precision;       ///< share of found pairs that are true
  ClusteredShare passed_recall;
  ClusteredShare passed_precision;

  bool made() const { return !spec.empty(); }
};

/// The costs at the user's threshold. Times are processor time, the least of several repetitions on
/// one thread; only they differ from run to run.
struct SchemeCost {
  double stored_bytes = 0;  ///< a document, on average
  double keys = 0;          ///< a document
  double bytes = 0;         ///< stored bytes, and 8 for each key
  double microseconds = 0;  ///< a document: shingles, sketch and keys
  double megabytes_a_second = 0;
  double join_microseconds = 0;  ///< a document: finding and comparing pairs that share a key
  double candidates = 0;         ///< found pairs a document, which must be verified
  double work_microseconds = 0;  ///< sketching, joining, verifying
};

/// A pair that a run missed, or removed wrongly.
struct WrongPair {
  std::string document;  ///< its id, a JSON value; "planted-1" of a copy
  std::string other;     ///< its survivor, or the other one that was kept
  Fraction resemblance;
};

/// The judgment of a run, other than its shares. Lists hold at most 100 pairs.
struct RunFindings {
  std::string plan;                   ///< in words; may be empty
  std::vector<ClusteredShare> right;  ///< share of removals that are due, by part
  std::vector<WrongPair> wrong;       ///< removals that are not due
  std::vector<WrongPair> missed;      ///< due pairs of which both are kept
};

struct MethodTrial {
  std::string name;   ///< short, for a table
  std::string given;  ///< the user's spec
  SharedKey shared_key = SharedKey::candidate;
  std::vector<ThresholdTrial> at;      ///< as TrialReport::thresholds
  std::vector<ClusteredShare> recall;  ///< by part, at the user's threshold; empty if not made
  std::optional<SchemeCost> cost;      ///< none of a run
  std::optional<RunFindings> run;      ///< none of a scheme
};

/// Clusters of one method, or of the truth, compared with labels.
struct LabelTrial {
  std::string name;      ///< a method's, or "every pair" for the truth
  std::string accepted;  ///< which pairs join: "exact", "estimate", "verified", "as run"
  bool stars = false;    ///< false: components
  LabelMeasures measures;
};

struct TrialReport {
  std::uint64_t seen = 0;  ///< documents with a token in the collection; set by the caller
  std::string sampled_so;  ///< why not more, in words; may be empty; set by the caller
  std::uint64_t originals = 0;
  std::uint64_t copies = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t pairs = 0;             ///< true pairs at the lowest threshold
  std::uint64_t common_documents = 0;  ///< as TrialSet's
  std::uint64_t common_least = 0;
  std::vector<Ratio> thresholds;
  std::size_t chosen = 0;  ///< index of the user's threshold
  Ratio containment;
  double least_recall = 0;
  double analysis_microseconds = 0;      ///< a document, text to tokens: common to all
  double verification_microseconds = 0;  ///< a candidate
  std::vector<PartFamily> families;
  std::vector<EditTruth> by_edit;
  std::vector<MethodTrial> methods;
  std::string verdict;
  std::vector<LabelTrial> labels;  ///< empty without labels
  std::string labels_of;           ///< the labels, in words
};

/// 0.5, 0.7, 0.8, 0.9 and the user's, ascending.
std::vector<Ratio> trial_thresholds(const Ratio& chosen);

/// The schemes of a list: "all", or specs separated by commas (commas inside brackets belong to a
/// spec). Errors (usage): an empty or unknown one, or one that cannot be made for any of the
/// thresholds.
Result<std::vector<std::string>> parse_scheme_list(std::string_view list, const Ratio& chosen);

/// Short names for tables: a scheme's own, numbered if it occurs twice.
std::vector<std::string> trial_names(const std::vector<std::string>& specs);

/// The part of a report that does not depend on a method. Without schemes, the user's threshold is
/// the only one.
TrialReport start_report(const TrialSet& set, const TrialOptions& options);

/// Adds the schemes and their costs. A spec that cannot be made for a threshold is reported as
/// refused there. Errors: keep_going's.
Status try_schemes(const TrialSet& set, const TrialOptions& options, TrialReport& report);

/// Sentences, one a line: how good the run is; which scheme to choose, if any was tried, and by
/// which rule.
std::string trial_verdict(const TrialReport& report);

/// A labeled document.
struct LabeledDocument {
  std::string text;
  Analysis analysis;
  std::uint32_t label = 0;
};

/// Clusters at the user's threshold, compared with the labels: the exact ones first, then those of
/// a run, if `survivors` has its survivor for each document, then each scheme's. Errors: as
/// ShingleCollection::make, or keep_going's.
Result<std::vector<LabelTrial>> try_labels(const std::vector<LabeledDocument>& documents,
                                           std::span<const std::uint32_t> survivors,
                                           unsigned shingle_tokens, std::uint64_t memory_bytes,
                                           const TrialOptions& options);

/// The report as text tables, at most 100 columns wide.
std::string trial_table(const TrialReport& report);

/// The report as one JSON object; members that differ from run to run are in `measured`.
/// `lost_inputs`: the member of that name, a JSON array.
std::string trial_json(const TrialReport& report, std::string_view lost_inputs);

}  // namespace twinset
