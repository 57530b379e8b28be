// Schemes tried side by side on one trial set: what each would bring up at each
// threshold, compared with every true pair, and their costs.
//
//   Result<TrialReport> report = try_schemes(set, options);
//   print(trial_table(report.value()));
//
// A pair is *found* if the scheme alone would bring it up: by an equal key where a
// key means equality, by any shared key where it means a candidate, and where keys
// are counted, by a shared key and an estimate at or above the threshold. It is
// *passed* if the scheme's own estimate, where it makes one, is that high as well.
// Each scheme is made for each threshold, so band plans fit it.
//
// All but the costs depends on the set and the options alone.
//
// Threads: a call uses options.threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/labels.h"
#include "evaluate/share.h"
#include "evaluate/trial_set.h"
#include "scheme/scheme.h"
#include "twinset/result.h"

namespace twinset {

struct TrialOptions {
  std::vector<std::string> specs;  ///< of the schemes, as the user wrote them
  Ratio resemblance{4, 5};         ///< the user's threshold
  std::uint64_t max_group = 1000;  ///< counted keys in more documents are left out
  double least_recall = 0.95;      ///< of the verdict's rule
  unsigned threads = 1;
  std::function<Status()> keep_going;  ///< an error stops the trial; may be null
  /// Made the labelled documents' tokens; null for schemes that do not read texts.
  const Analyzer* analyzer = nullptr;
};

/// A share of pairs with its interval; see clustered_share.h.
struct ClusteredShare {
  Share share;
  Interval interval;
};

/// One scheme at one threshold.
struct ThresholdTrial {
  std::string spec;         ///< whole, as made for the threshold; empty if it cannot be
  std::string refusal;      ///< why not
  std::uint64_t found = 0;  ///< pairs brought up, right or wrong
  std::uint64_t passed = 0;
  std::uint64_t common_keys = 0;  ///< left out as held by over max_group
  ClusteredShare recall;          ///< of true pairs, those found
  ClusteredShare precision;       ///< of found pairs, the true ones
  ClusteredShare passed_recall;
  ClusteredShare passed_precision;

  bool made() const { return !spec.empty(); }
};

/// At the user's threshold. Times are processor time, the least of several
/// repetitions on one thread; they alone differ from run to run.
struct SchemeCost {
  double stored_bytes = 0;  ///< a document, on average
  double keys = 0;          ///< a document
  double bytes = 0;         ///< stored and 8 a key
  double microseconds = 0;  ///< a document: shingles, sketch and keys
  double megabytes_a_second = 0;
  double join_microseconds = 0;  ///< a document: pairs that share a key found and compared
  double candidates = 0;         ///< found pairs a document: what is to be verified
  double work_microseconds = 0;  ///< sketching, joining, verifying
};

/// Natural clusters by size: 2, 3-4, 5-9, 10 and more.
inline constexpr std::size_t cluster_classes = 4;
std::string_view cluster_class_name(std::size_t size_class);

struct SchemeTrial {
  std::string name;   ///< short, for a table
  std::string given;  ///< the user's spec
  SharedKey shared_key = SharedKey::candidate;
  std::vector<ThresholdTrial> at;  ///< as TrialReport::thresholds
  SchemeCost cost;
  // Recall at the user's threshold, of parts of the true pairs.
  std::array<Share, pair_kinds> by_kind;
  std::vector<Share> by_edit;                     ///< planted pairs, as edits() lists them
  std::array<Share, length_classes> by_length;    ///< of the shorter document
  std::array<Share, cluster_classes> by_cluster;  ///< natural pairs
  Share contained;                                ///< containment reached and resemblance not
};

/// The copies planted with one edit.
struct EditTruth {
  std::uint64_t planted = 0;
  double mean_resemblance = 0;
  double mean_containment = 0;  ///< the larger one of each pair
};

/// One scheme's clusters, or the truth's, compared with labels.
struct LabelTrial {
  std::string name;       ///< a scheme's, or "every pair" for the truth
  bool stars = false;     ///< else components
  bool verified = false;  ///< accepted pairs had to be true as well
  LabelMeasures measures;
};

struct TrialReport {
  std::uint64_t seen = 0;  ///< documents with a token in the collection; the caller's to set
  std::string sampled_so;  ///< why not more, in words; may be empty; the caller's to set
  std::uint64_t originals = 0;
  std::uint64_t copies = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t pairs = 0;  ///< true, at the lowest threshold
  std::vector<Ratio> thresholds;
  std::size_t chosen = 0;  ///< the user's, in thresholds
  Ratio containment;
  double least_recall = 0;
  double analysis_microseconds = 0;      ///< a document, text to tokens: common to all
  double verification_microseconds = 0;  ///< a candidate
  std::vector<EditTruth> by_edit;
  std::vector<SchemeTrial> schemes;
  std::string verdict;
  std::vector<LabelTrial> labels;  ///< empty without labels
  std::string labels_of;           ///< the labels, in words
};

/// 0.5, 0.7, 0.8, 0.9 and the user's, ascending.
std::vector<Ratio> trial_thresholds(const Ratio& chosen);

/// The schemes of a list: "all", or specs with commas between them (those inside
/// brackets are theirs). Errors (usage): an empty or unknown one, or one that can be
/// made for none of the thresholds.
Result<std::vector<std::string>> parse_scheme_list(std::string_view list, const Ratio& chosen);

/// Short names for tables: a scheme's own, numbered where it comes twice.
std::vector<std::string> trial_names(const std::vector<std::string>& specs);

/// A spec that cannot be made for a threshold is reported as refused there. Errors:
/// keep_going's.
Result<TrialReport> try_schemes(const TrialSet& set, const TrialOptions& options);

/// A sentence or two: which scheme to choose, and by what rule.
std::string trial_verdict(const TrialReport& report);

/// Documents that have labels.
struct LabelledDocument {
  std::string text;
  Analysis analysis;
  std::uint32_t label = 0;
};

/// Each scheme's clusters at the user's threshold against the labels; the exact
/// ones first. Errors: as ShingleCollection::make, or keep_going's.
Result<std::vector<LabelTrial>> try_labels(const std::vector<LabelledDocument>& documents,
                                           unsigned shingle_tokens, std::uint64_t memory_bytes,
                                           const TrialOptions& options);

/// The report as text tables, 100 columns wide at most.
std::string trial_table(const TrialReport& report);

/// The report as one JSON object; what differs from run to run is in `measured`.
/// `lost_inputs`: the member of that name, a JSON array.
std::string trial_json(const TrialReport& report, std::string_view lost_inputs);

}  // namespace twinset
