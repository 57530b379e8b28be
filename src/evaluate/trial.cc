// One scheme: all documents are sketched, keys are joined without shortcuts, and each document is
// judged with its partners before it, at once for all thresholds at which the scheme is the same
// (all of them, if it has no band plan). Workers take documents in turn; they count whole numbers
// by cluster, so the sums do not depend on who counted.
//
// For intervals, a pair belongs to the cluster (component of true pairs) of its later document:
// true pairs are in one cluster anyway, wrong ones between two.
//
// This file's interface is evaluate/trial.h; the rest is private.
#include "evaluate/trial.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/message.h"
#include "evaluate/clustered_share.h"
#include "evaluate/trial_parts.h"
#include "evaluate/trial_times.h"
#include "join/key_partners.h"
#include "system/threads.h"

namespace twinset {
namespace {

/// The counts of one cluster: due pairs that were found and passed, and found and passed pairs that
/// are due.
struct ClusterTally {
  Tally recall;
  Tally precision;
  Tally passed_recall;
  Tally passed_precision;

  void add(const ClusterTally& other) {
    recall.add(other.recall);
    precision.add(other.precision);
    passed_recall.add(other.passed_recall);
    passed_precision.add(other.passed_precision);
  }
};

/// One scheme on the set, made for some of the thresholds.
class Attempt {
 public:
  /// `parts_of` is the threshold at which found pairs are recorded one by one.
  Attempt(const TrialSet& set, std::span<const GivenView> views, const Scheme& scheme,
          std::vector<Ratio> thresholds, const Ratio& parts_of, const TrialOptions& options)
      : set_(set),
        scheme_(scheme),
        thresholds_(std::move(thresholds)),
        parts_of_(parts_of),
        sketched_(sketch_documents(scheme, views, options.threads)),
        shared_(scheme, sketched_.keys, options.max_group),
        found_(set.pairs().size()) {
    for (const Ratio& threshold : thresholds_) {
      truths_.push_back(set.truth(threshold));
      clusters_.push_back(set.components(*truths_.back()));
    }
  }

  Status judge(const TrialOptions& options) {
    const unsigned threads = std::max(1U, options.threads);
    std::vector<Tallies> parts(threads, empty_tallies());
    TWINSET_TRY(run_workers(threads, [&](unsigned worker) -> Status {
      PartnerReader partners(shared_);
      for (std::size_t d = worker; d < set_.documents().size(); d += threads) {
        if (options.keep_going) TWINSET_TRY(options.keep_going());
        judge_document(static_cast<std::uint32_t>(d), partners, parts[worker]);
      }
      return {};
    }));
    tallies_ = empty_tallies();
    for (const Tallies& part : parts) {
      for (std::size_t t = 0; t < part.size(); ++t) {
        for (std::size_t c = 0; c < part[t].size(); ++c) tallies_[t][c].add(part[t][c]);
      }
    }
    return {};
  }

  /// The result at the i-th of its thresholds.
  Result<ThresholdEvaluation> result(std::size_t i, const KeepGoing& keep_going) const {
    ThresholdEvaluation out;
    out.spec = scheme_.spec();
    out.common_keys = shared_.common_keys();
    TWINSET_ASSIGN(out.recall, share(i, &ClusterTally::recall, keep_going));
    TWINSET_ASSIGN(out.precision, share(i, &ClusterTally::precision, keep_going));
    TWINSET_ASSIGN(out.passed_recall, share(i, &ClusterTally::passed_recall, keep_going));
    TWINSET_ASSIGN(out.passed_precision, share(i, &ClusterTally::passed_precision, keep_going));
    out.found = out.precision.of;
    out.passed = out.passed_precision.of;
    return out;
  }

  const SketchedDocuments& sketched() const { return sketched_; }
  bool found(std::uint64_t pair) const { return (found_[pair] & found_bit) != 0; }
  bool found_contained(std::uint64_t pair) const { return (found_[pair] & contained_bit) != 0; }

 private:
  static constexpr std::uint8_t found_bit = 1;
  static constexpr std::uint8_t contained_bit = 2;
  using Tallies = std::vector<std::vector<ClusterTally>>;  // by threshold and cluster

  Tallies empty_tallies() const {
    return Tallies(thresholds_.size(), std::vector<ClusterTally>(set_.documents().size()));
  }

  void judge_document(std::uint32_t document, PartnerReader& partners, Tallies& tallies) {
    for (const ExactPair& pair : set_.pairs_before(document)) {
      for (std::size_t t = 0; t < thresholds_.size(); ++t) {
        if (!truths_[t]->due(pair)) continue;
        ClusterTally& tally = tallies[t][clusters_[t][document]];
        ++tally.recall.of;
        ++tally.passed_recall.of;
      }
    }
    for (const std::uint32_t partner : partners.before(document)) {
      const Comparison comparison = compare_pair(scheme_, sketched_, partner, document);
      const ExactPair* const pair = set_.find(partner, document);
      for (std::size_t t = 0; t < thresholds_.size(); ++t) {
        const bool due = pair != nullptr && truths_[t]->due(*pair);
        const PairVerdict verdict = judge_pair(scheme_, comparison, thresholds_[t]);
        ClusterTally& tally = tallies[t][clusters_[t][document]];
        if (verdict.found) tally.precision.add(due);
        if (verdict.passed) tally.passed_precision.add(due);
        if (verdict.found && due) ++tally.recall.count;
        if (verdict.passed && due) ++tally.passed_recall.count;
      }
      if (pair == nullptr) continue;
      // Each pair has one later document, so no two workers write one byte.
      const bool found = judge_pair(scheme_, comparison, parts_of_).found;
      const bool contains = finds_containment(scheme_, comparison, set_.options().containment);
      found_[static_cast<std::size_t>(pair - set_.pairs().data())] =
          static_cast<std::uint8_t>((found ? found_bit : 0) | (contains ? contained_bit : 0));
    }
  }

  Result<Share> share(std::size_t threshold, Tally ClusterTally::*of,
                      const KeepGoing& keep_going) const {
    std::vector<Tally> clusters;
    clusters.reserve(tallies_[threshold].size());
    for (const ClusterTally& tally : tallies_[threshold]) clusters.push_back(tally.*of);
    return clustered_share(clusters, set_.options().seed, keep_going);
  }

  const TrialSet& set_;
  const Scheme& scheme_;
  std::vector<Ratio> thresholds_;
  std::vector<std::unique_ptr<Truth>> truths_;  // by threshold
  Ratio parts_of_;
  SketchedDocuments sketched_;
  KeyPartners shared_;
  std::vector<std::vector<std::uint32_t>> clusters_;  // by threshold and document
  std::vector<std::uint8_t> found_;
  Tallies tallies_;
};

/// Recall by part at the user's threshold.
Result<std::vector<Share>> recall_by_part(const TrialSet& set, const TrialParts& parts,
                                          const Attempt& attempt, const KeepGoing& keep_going) {
  PartCounts counts(parts);
  for (std::uint64_t i = 0; i < set.pairs().size(); ++i) {
    const ExactPair& pair = set.pairs()[i];
    counts.add(parts.of_pair(pair), parts.cluster(pair.b),
               parts.due(pair) ? attempt.found(i) : attempt.found_contained(i));
  }
  return counts.shares(set.options().seed, keep_going);
}

/// `at` is the scheme's evaluation at the user's threshold.
SchemeCost cost_of(const Scheme& scheme, std::span<const GivenView> timed,
                   const SketchedDocuments& sketched, const ThresholdEvaluation& at,
                   double verification_microseconds, const TrialOptions& options) {
  SchemeCost cost;
  const auto documents = static_cast<double>(sketched.keys.size());
  for (std::size_t d = 0; d < sketched.keys.size(); ++d) {
    cost.stored_bytes += static_cast<double>(sketched.stored[d].size());
    cost.keys += static_cast<double>(sketched.keys[d].size());
  }
  cost.stored_bytes /= documents;
  cost.keys /= documents;
  cost.bytes = cost.stored_bytes + 8 * cost.keys;
  std::uint64_t bytes = 0;
  for (const GivenView& view : timed) bytes += view.text().size();
  cost.microseconds = time_sketches(scheme, timed);
  if (cost.microseconds > 0) {
    cost.megabytes_a_second =
        static_cast<double>(bytes) / static_cast<double>(timed.size()) / cost.microseconds;
  }
  cost.join_microseconds = time_join(scheme, sketched, options.max_group, options.resemblance);
  cost.candidates = static_cast<double>(at.found) / documents;
  cost.work_microseconds =
      cost.microseconds + cost.join_microseconds + cost.candidates * verification_microseconds;
  return cost;
}

Result<MethodEvaluation> try_scheme(const TrialSet& set, const TrialParts& parts,
                                    std::span<const GivenView> views,
                                    std::span<const GivenView> timed, const std::string& spec,
                                    const Evaluation& evaluation, const TrialOptions& options) {
  MethodEvaluation method;
  method.given = spec;
  method.at.resize(evaluation.thresholds.size());
  std::map<std::string, std::pair<std::unique_ptr<Scheme>, std::vector<std::size_t>>> made;
  for (std::size_t t = 0; t < evaluation.thresholds.size(); ++t) {
    Result<std::unique_ptr<Scheme>> scheme = make_scheme(spec, evaluation.thresholds[t].value());
    if (!scheme.ok()) {
      method.at[t].refusal = scheme.error().message;
      continue;
    }
    if (const Status fits = check_views(*scheme.value(), views); !fits.ok()) {
      method.at[t].refusal = fits.error().message;
      continue;
    }
    auto& [alike, of] = made[scheme.value()->spec()];
    alike = std::move(scheme).value();
    of.push_back(t);
  }
  const Ratio& chosen = evaluation.thresholds[evaluation.chosen];
  for (const auto& [whole_spec, entry] : made) {
    const Scheme& scheme = *entry.first;
    std::vector<Ratio> thresholds;
    for (const std::size_t t : entry.second) thresholds.push_back(evaluation.thresholds[t]);
    method.shared_key = scheme.declaration().shared_key;
    Attempt attempt(set, views, scheme, std::move(thresholds), chosen, options);
    TWINSET_TRY(attempt.judge(options));
    for (std::size_t i = 0; i < entry.second.size(); ++i) {
      TWINSET_ASSIGN(method.at[entry.second[i]], attempt.result(i, options.keep_going));
    }
    if (std::find(entry.second.begin(), entry.second.end(), evaluation.chosen) ==
        entry.second.end()) {
      continue;
    }
    TWINSET_ASSIGN(method.recall, recall_by_part(set, parts, attempt, options.keep_going));
    method.cost = cost_of(scheme, timed, attempt.sketched(), method.at[evaluation.chosen],
                          evaluation.verification_microseconds, options);
  }
  return method;
}

/// Is a ratio at least `bound`?
auto reaches(const Ratio& bound) {
  return
      [bound](const Ratio& each) { return bound.reached_by(each.numerator(), each.denominator()); };
}

}  // namespace

std::vector<Ratio> trial_thresholds(const Ratio& chosen) {
  std::vector<Ratio> thresholds = {{1, 2}, {7, 10}, {4, 5}, {9, 10}};
  const auto at = std::find_if(thresholds.begin(), thresholds.end(), reaches(chosen));
  if (at == thresholds.end() || !reaches(*at)(chosen)) thresholds.insert(at, chosen);
  return thresholds;
}

Result<std::vector<std::string>> parse_scheme_list(std::string_view list, const Ratio& chosen) {
  std::vector<std::string> specs;
  if (list == "all") {
    for (const SchemeEntry* entry : schemes()) specs.emplace_back(entry->declaration->name);
    return specs;
  }
  std::size_t begin = 0;
  std::size_t open = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at == list.size() ? ',' : list[at];
    open += c == '(' ? 1 : 0;
    if (c == ')' && open > 0) --open;
    if (c != ',' || (open > 0 && at < list.size())) continue;
    specs.emplace_back(list.substr(begin, at - begin));
    begin = at + 1;
  }
  for (const std::string& spec : specs) {
    if (spec.find_first_not_of(" \t") == std::string::npos) {
      return usage_error(
          option("schemes") +
          " names no scheme between two commas, or none at all; write \"all\", or specs such "
          "as \"fss,mod(modulus=16)\"");
    }
    std::optional<Error> refusal;
    bool made = false;
    for (const Ratio& threshold : trial_thresholds(chosen)) {
      const Result<std::unique_ptr<Scheme>> scheme = make_scheme(spec, threshold.value());
      made = made || scheme.ok();
      if (!scheme.ok()) refusal = scheme.error();
    }
    if (!made) return *refusal;
  }
  return specs;
}

std::vector<std::string> trial_names(const std::vector<std::string>& specs) {
  const auto bare = [](const std::string& spec) {
    const std::size_t begin = spec.find_first_not_of(" \t");
    const std::size_t end = spec.find_first_of("( \t", begin);
    return begin == std::string::npos ? std::string() : spec.substr(begin, end - begin);
  };
  std::map<std::string, int> total;
  for (const std::string& spec : specs) ++total[bare(spec)];
  std::map<std::string, int> next;
  std::vector<std::string> names;
  for (const std::string& spec : specs) {
    std::string name = bare(spec);
    if (total[name] > 1) name += "-" + std::to_string(++next[bare(spec)]);
    names.push_back(std::move(name));
  }
  return names;
}

Evaluation start_evaluation(const TrialSet& set, const TrialOptions& options) {
  Evaluation evaluation;
  evaluation.originals = set.originals();
  evaluation.copies = set.documents().size() - set.originals();
  evaluation.sample_bytes = set.text_bytes();
  evaluation.pairs = set.pairs().size();
  evaluation.common_documents = set.common_documents();
  evaluation.common_least = set.common_least();
  evaluation.thresholds = options.specs.empty() || set.options().truth
                              ? std::vector{options.resemblance}
                              : trial_thresholds(options.resemblance);
  if (const std::optional<TruthRule>& truth = set.options().truth) {
    evaluation.truth = truth->spec();
    evaluation.due = truth->text();
  }
  evaluation.chosen = static_cast<std::size_t>(std::find_if(evaluation.thresholds.begin(),
                                                            evaluation.thresholds.end(),
                                                            reaches(options.resemblance)) -
                                               evaluation.thresholds.begin());
  evaluation.containment = set.options().containment;
  evaluation.least_recall = options.least_recall;
  evaluation.families = TrialParts(set, options.resemblance).families();
  evaluation.edits = planted_edits(set);
  return evaluation;
}

Status try_schemes(const TrialSet& set, const TrialOptions& options, Evaluation& evaluation) {
  if (options.specs.empty()) return {};
  std::vector<GivenView> views;
  views.reserve(set.documents().size());
  for (const TrialDocument& document : set.documents()) {
    views.emplace_back(document.text, document.analysis, std::span<const std::uint64_t>(),
                       set.options().analyzer);
  }
  const std::vector<GivenView> timed = documents_to_time(views);
  evaluation.analysis_microseconds = time_analysis(*set.options().analyzer, timed);
  evaluation.verification_microseconds =
      time_verification(*set.options().analyzer, set.options().shingle_tokens, timed);
  const TrialParts parts(set, options.resemblance);
  const std::vector<std::string> names = trial_names(options.specs);
  for (std::size_t i = 0; i < options.specs.size(); ++i) {
    if (options.keep_going) TWINSET_TRY(options.keep_going());
    TWINSET_ASSIGN(MethodEvaluation method,
                   try_scheme(set, parts, views, timed, options.specs[i], evaluation, options));
    method.name = names[i];
    evaluation.methods.push_back(std::move(method));
  }
  return {};
}

}  // namespace twinset
