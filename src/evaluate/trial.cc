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

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/threads.h"
#include "evaluate/clustered_share.h"
#include "evaluate/key_partners.h"
#include "evaluate/trial_sketches.h"

namespace twinset {
namespace {

/// In percent, cut to one decimal: 100 means all.
double cut_percent(double share) { return std::floor(share * 1000) / 10; }

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
        shared_key_(scheme.declaration().shared_key),
        thresholds_(std::move(thresholds)),
        parts_of_(parts_of),
        sketched_(sketch_documents(scheme, views, options.threads)),
        shared_(sketched_.keys, shared_key_ == SharedKey::count ? options.max_group : 0),
        found_(set.pairs().size()) {
    for (const Ratio& threshold : thresholds_) {
      truths_.push_back(resemblance_truth(threshold));
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
  Result<ThresholdTrial> result(std::size_t i, const KeepGoing& keep_going) const {
    ThresholdTrial out;
    out.spec = scheme_.spec();
    out.common_keys = shared_.common_keys();
    TWINSET_ASSIGN(out.recall, share(i, &ClusterTally::recall, keep_going));
    TWINSET_ASSIGN(out.precision, share(i, &ClusterTally::precision, keep_going));
    TWINSET_ASSIGN(out.passed_recall, share(i, &ClusterTally::passed_recall, keep_going));
    TWINSET_ASSIGN(out.passed_precision, share(i, &ClusterTally::passed_precision, keep_going));
    out.found = out.precision.share.of;
    out.passed = out.passed_precision.share.of;
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
      const PairEstimate estimate = estimate_pair(scheme_, sketched_, partner, document);
      const ExactPair* const pair = set_.find(partner, document);
      for (std::size_t t = 0; t < thresholds_.size(); ++t) {
        const bool due = pair != nullptr && truths_[t]->due(*pair);
        const PairVerdict verdict = judge_pair(shared_key_, estimate, thresholds_[t].value());
        ClusterTally& tally = tallies[t][clusters_[t][document]];
        if (verdict.found) tally.precision.add(due);
        if (verdict.passed) tally.passed_precision.add(due);
        if (verdict.found && due) ++tally.recall.count;
        if (verdict.passed && due) ++tally.passed_recall.count;
      }
      if (pair == nullptr) continue;
      // Each pair has one later document, so no two workers write one byte.
      const bool found = judge_pair(shared_key_, estimate, parts_of_.value()).found;
      const bool contains =
          finds_containment(shared_key_, estimate, set_.options().containment.value());
      found_[static_cast<std::size_t>(pair - set_.pairs().data())] =
          static_cast<std::uint8_t>((found ? found_bit : 0) | (contains ? contained_bit : 0));
    }
  }

  Result<ClusteredShare> share(std::size_t threshold, Tally ClusterTally::*of,
                               const KeepGoing& keep_going) const {
    std::vector<Tally> clusters;
    clusters.reserve(tallies_[threshold].size());
    for (const ClusterTally& tally : tallies_[threshold]) clusters.push_back(tally.*of);
    return clustered_share(clusters, set_.options().seed, keep_going);
  }

  const TrialSet& set_;
  const Scheme& scheme_;
  SharedKey shared_key_;
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
Result<std::vector<ClusteredShare>> recall_by_part(const TrialSet& set, const TrialParts& parts,
                                                   const Attempt& attempt,
                                                   const KeepGoing& keep_going) {
  PartCounts counts(parts);
  for (std::uint64_t i = 0; i < set.pairs().size(); ++i) {
    const ExactPair& pair = set.pairs()[i];
    counts.add(parts.of_pair(pair), parts.cluster(pair.b),
               parts.due(pair) ? attempt.found(i) : attempt.found_contained(i));
  }
  return counts.shares(set.options().seed, keep_going);
}

/// `at` is the scheme's trial at the user's threshold.
SchemeCost cost_of(const Scheme& scheme, std::span<const GivenView> timed,
                   const SketchedDocuments& sketched, const ThresholdTrial& at,
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
  cost.join_microseconds =
      time_join(scheme, sketched, options.max_group, options.resemblance.value());
  cost.candidates = static_cast<double>(at.found) / documents;
  cost.work_microseconds =
      cost.microseconds + cost.join_microseconds + cost.candidates * verification_microseconds;
  return cost;
}

Result<MethodTrial> try_scheme(const TrialSet& set, const TrialParts& parts,
                               std::span<const GivenView> views, std::span<const GivenView> timed,
                               const std::string& spec, const TrialReport& report,
                               const TrialOptions& options) {
  MethodTrial trial;
  trial.given = spec;
  trial.at.resize(report.thresholds.size());
  std::map<std::string, std::pair<std::unique_ptr<Scheme>, std::vector<std::size_t>>> made;
  for (std::size_t t = 0; t < report.thresholds.size(); ++t) {
    Result<std::unique_ptr<Scheme>> scheme = make_scheme(spec, report.thresholds[t].value());
    if (!scheme.ok()) {
      trial.at[t].refusal = scheme.error().message;
      continue;
    }
    auto& [alike, of] = made[scheme.value()->spec()];
    alike = std::move(scheme).value();
    of.push_back(t);
  }
  const Ratio& chosen = report.thresholds[report.chosen];
  for (const auto& [whole_spec, entry] : made) {
    const Scheme& scheme = *entry.first;
    std::vector<Ratio> thresholds;
    for (const std::size_t t : entry.second) thresholds.push_back(report.thresholds[t]);
    trial.shared_key = scheme.declaration().shared_key;
    Attempt attempt(set, views, scheme, std::move(thresholds), chosen, options);
    TWINSET_TRY(attempt.judge(options));
    for (std::size_t i = 0; i < entry.second.size(); ++i) {
      TWINSET_ASSIGN(trial.at[entry.second[i]], attempt.result(i, options.keep_going));
    }
    if (std::find(entry.second.begin(), entry.second.end(), report.chosen) == entry.second.end()) {
      continue;
    }
    TWINSET_ASSIGN(trial.recall, recall_by_part(set, parts, attempt, options.keep_going));
    trial.cost = cost_of(scheme, timed, attempt.sketched(), trial.at[report.chosen],
                         report.verification_microseconds, options);
  }
  return trial;
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
          "--schemes names no scheme between two commas, or none at all; write "
          "\"all\", or specs such as \"fss,mod(modulus=16)\"");
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

TrialReport start_report(const TrialSet& set, const TrialOptions& options) {
  TrialReport report;
  report.originals = set.originals();
  report.copies = set.documents().size() - set.originals();
  report.text_bytes = set.text_bytes();
  report.pairs = set.pairs().size();
  report.common_documents = set.common_documents();
  report.common_least = set.common_least();
  report.thresholds = options.specs.empty() ? std::vector{options.resemblance}
                                            : trial_thresholds(options.resemblance);
  report.chosen =
      static_cast<std::size_t>(std::find_if(report.thresholds.begin(), report.thresholds.end(),
                                            reaches(options.resemblance)) -
                               report.thresholds.begin());
  report.containment = set.options().containment;
  report.least_recall = options.least_recall;
  report.families = TrialParts(set, options.resemblance).families();
  report.by_edit = edit_truths(set);
  return report;
}

Status try_schemes(const TrialSet& set, const TrialOptions& options, TrialReport& report) {
  if (options.specs.empty()) return {};
  std::vector<GivenView> views;
  views.reserve(set.documents().size());
  for (const TrialDocument& document : set.documents()) {
    views.emplace_back(document.text, document.analysis, std::span<const std::uint64_t>(),
                       set.options().analyzer);
  }
  const std::vector<GivenView> timed = documents_to_time(views);
  report.analysis_microseconds = time_analysis(*set.options().analyzer, timed);
  report.verification_microseconds =
      time_verification(*set.options().analyzer, set.options().shingle_tokens, timed);
  const TrialParts parts(set, options.resemblance);
  const std::vector<std::string> names = trial_names(options.specs);
  for (std::size_t i = 0; i < options.specs.size(); ++i) {
    if (options.keep_going) TWINSET_TRY(options.keep_going());
    TWINSET_ASSIGN(MethodTrial trial,
                   try_scheme(set, parts, views, timed, options.specs[i], report, options));
    trial.name = names[i];
    report.methods.push_back(std::move(trial));
  }
  return {};
}

namespace {

/// Does scheme a have the better recall at a threshold, or the same for less work?
bool surer(const MethodTrial& a, const MethodTrial& b, std::size_t threshold) {
  const ClusteredShare& of_a = a.at[threshold].recall;
  const ClusteredShare& of_b = b.at[threshold].recall;
  if (of_a.share.count != of_b.share.count) return of_a.share.count > of_b.share.count;
  return a.cost->work_microseconds < b.cost->work_microseconds;
}

/// Containment: what it needs, and the scheme among those tried that finds most.
std::string containment_sentence(const TrialReport& report) {
  const std::size_t part = pair_kinds;  // TrialParts::only_contained()
  const MethodTrial* best = nullptr;
  for (const MethodTrial& trial : report.methods) {
    if (trial.run || trial.recall.empty() || trial.shared_key != SharedKey::count) continue;
    if (!trial.recall[part].known()) continue;
    if (best == nullptr || trial.recall[part].value() > best->recall[part].value()) best = &trial;
  }
  const std::string sentence =
      "Containment needs keys that are counted (scheme mod at one fixed modulus, which dedup "
      "--containment adds by itself)";
  if (best == nullptr) return sentence + ".";
  return sentence + fmt::format(
                        "; of those tried, {} finds {:.1f} % of the {} pairs that are "
                        "contained to {:g} but less alike than {:g}.",
                        best->name, cut_percent(best->recall[part].value()),
                        best->recall[part].share.of, report.containment.value(),
                        report.thresholds[report.chosen].value());
}

/// How good the run is.
std::string run_sentence(const TrialReport& report, const MethodTrial& trial) {
  const ThresholdTrial& at = trial.at[report.chosen];
  const Tally& right = at.precision.share;
  std::string out = fmt::format("{} removed {} documents, {} of them wrongly", trial.name, right.of,
                                right.of - right.count);
  if (!at.recall.known()) {
    return out + fmt::format("; the sample has no pair of resemblance {:g} or more.",
                             report.thresholds[report.chosen].value());
  }
  return out + fmt::format(
                   ", and resolved {:.1f} % (from {:.1f}) of {} pairs of resemblance {:g} "
                   "or more.",
                   cut_percent(at.recall.value()), cut_percent(at.recall.interval.low),
                   at.recall.share.of, report.thresholds[report.chosen].value());
}

}  // namespace

std::string trial_verdict(const TrialReport& report) {
  const double threshold = report.thresholds[report.chosen].value();
  std::string verdict;
  const MethodTrial* cheapest = nullptr;
  const MethodTrial* surest = nullptr;
  bool any_scheme = false;
  for (const MethodTrial& trial : report.methods) {
    if (trial.run) verdict += run_sentence(report, trial);
    any_scheme = any_scheme || !trial.run;
    const ThresholdTrial& at = trial.at[report.chosen];
    if (trial.run || !at.made() || !at.recall.known()) continue;
    if (at.recall.interval.low >= report.least_recall &&
        (cheapest == nullptr ||
         trial.cost->work_microseconds < cheapest->cost->work_microseconds)) {
      cheapest = &trial;
    }
    if (surest == nullptr || surer(trial, *surest, report.chosen)) surest = &trial;
  }
  if (!any_scheme) return verdict;
  if (!verdict.empty()) verdict += '\n';
  if (cheapest != nullptr) {
    const ClusteredShare& recall = cheapest->at[report.chosen].recall;
    verdict += fmt::format(
        "At {:g} take {}: of the schemes whose recall is at least {:g} by its lower bound, it has "
        "the least work, {:.1f} us a document ({:.1f} to sketch, {:.1f} to join, {:.2f} candidates "
        "at {:.1f} us to verify), and finds {:.1f} % (from {:.1f}).",
        threshold, cheapest->given, report.least_recall, cheapest->cost->work_microseconds,
        cheapest->cost->microseconds, cheapest->cost->join_microseconds, cheapest->cost->candidates,
        report.verification_microseconds, cut_percent(recall.share.value()),
        cut_percent(recall.interval.low));
  } else if (surest != nullptr) {
    const ClusteredShare& recall = surest->at[report.chosen].recall;
    verdict += fmt::format(
        "At {:g} no scheme tried has a recall of at least {:g} by its lower bound; {} has the "
        "highest, {:.1f} % (from {:.1f}) of {} pairs.",
        threshold, report.least_recall, surest->given, cut_percent(recall.share.value()),
        cut_percent(recall.interval.low), recall.share.of);
  } else {
    verdict += fmt::format(
        "Nothing to choose by: the sample has no pair of resemblance {:g} or more, or no scheme "
        "can be made for it.",
        threshold);
  }
  return verdict + " " + containment_sentence(report);
}

}  // namespace twinset
