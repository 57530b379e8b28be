// One scheme: all documents are sketched, keys are joined with no shortcut, and each
// document's partners before it are judged, at all thresholds for which the scheme
// is made alike (all of them, if it has no band plan) at once. Workers take
// documents in turn; what they count are whole numbers by cluster, so that their
// sum does not depend on who counted.
//
// A pair belongs, for intervals, to the cluster (component of true pairs) of the
// later document: true pairs lie in one cluster anyway, wrong ones between two.
//
// This file's interface is evaluate/trial.h; the rest is private.
#include "evaluate/trial.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/threads.h"
#include "evaluate/clustered_share.h"
#include "evaluate/key_partners.h"
#include "evaluate/random.h"
#include "evaluate/trial_sketches.h"

namespace twinset {
namespace {

constexpr std::uint64_t interval_purpose = 21;

std::size_t cluster_class(std::uint64_t size) {
  return size < 3 ? 0 : size < 5 ? 1 : size < 10 ? 2 : 3;
}

/// In percent, cut to one decimal: 100 means all.
double cut_percent(double share) { return std::floor(share * 1000) / 10; }

/// Found and passed pairs of one cluster, the true ones of them, and those due.
struct ClusterTally {
  std::uint64_t due = 0;
  std::uint64_t found = 0;
  std::uint64_t found_true = 0;
  std::uint64_t passed = 0;
  std::uint64_t passed_true = 0;

  void add(const PairVerdict& verdict, bool is_due) {
    found += verdict.found ? 1 : 0;
    found_true += verdict.found && is_due ? 1 : 0;
    passed += verdict.passed ? 1 : 0;
    passed_true += verdict.passed && is_due ? 1 : 0;
  }
  void add(const ClusterTally& other) {
    due += other.due;
    found += other.found;
    found_true += other.found_true;
    passed += other.passed;
    passed_true += other.passed_true;
  }
};

/// One scheme, as it is made for some of the thresholds, on the set.
class Attempt {
 public:
  /// `parts_of` is the threshold whose found pairs are noted one by one.
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
      clusters_.push_back(set.components(threshold, false));
    }
  }

  Status judge(const TrialOptions& options) {
    const unsigned threads = std::max(1U, options.threads);
    std::vector<Tallies> parts(threads, empty_tallies());
    TWINSET_TRY(run_workers(threads, [&](unsigned worker) -> Status {
      PartnerReader partners(shared_);
      std::vector<std::uint64_t> pair_of(set_.documents().size());  // 1 + its index; 0: none
      for (std::size_t d = worker; d < set_.documents().size(); d += threads) {
        if (options.keep_going) TWINSET_TRY(options.keep_going());
        judge_document(static_cast<std::uint32_t>(d), partners, pair_of, parts[worker]);
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

  /// At the i-th of its thresholds.
  ThresholdTrial result(std::size_t i) const {
    ThresholdTrial out;
    out.spec = scheme_.spec();
    for (const ClusterTally& tally : tallies_[i]) {
      out.found += tally.found;
      out.passed += tally.passed;
    }
    out.common_keys = shared_.common_keys();
    out.recall = share(i, &ClusterTally::found_true, &ClusterTally::due);
    out.precision = share(i, &ClusterTally::found_true, &ClusterTally::found);
    out.passed_recall = share(i, &ClusterTally::passed_true, &ClusterTally::due);
    out.passed_precision = share(i, &ClusterTally::passed_true, &ClusterTally::passed);
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

  void judge_document(std::uint32_t document, PartnerReader& partners,
                      std::vector<std::uint64_t>& pair_of, Tallies& tallies) {
    const std::span<const ExactPair> pairs = set_.pairs_before(document);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      pair_of[pairs[i].a] = set_.first_pair(document) + i + 1;
      for (std::size_t t = 0; t < thresholds_.size(); ++t) {
        if (pairs[i].resemblance().at_least(thresholds_[t])) {
          ++tallies[t][clusters_[t][document]].due;
        }
      }
    }
    for (const std::uint32_t partner : partners.before(document)) {
      const PairEstimate estimate = estimate_pair(scheme_, sketched_, partner, document);
      const std::uint64_t pair = pair_of[partner];
      for (std::size_t t = 0; t < thresholds_.size(); ++t) {
        const bool due = pair != 0 && set_.pairs()[pair - 1].resemblance().at_least(thresholds_[t]);
        tallies[t][clusters_[t][document]].add(
            judge_pair(shared_key_, estimate, thresholds_[t].value()), due);
      }
      if (pair == 0) continue;
      // Each pair has one later document, so no two workers write one byte.
      const bool found = judge_pair(shared_key_, estimate, parts_of_.value()).found;
      const bool contains =
          finds_containment(shared_key_, estimate, set_.options().containment.value());
      found_[pair - 1] =
          static_cast<std::uint8_t>((found ? found_bit : 0) | (contains ? contained_bit : 0));
    }
    for (const ExactPair& pair : pairs) pair_of[pair.a] = 0;
  }

  ClusteredShare share(std::size_t threshold, std::uint64_t ClusterTally::*count,
                       std::uint64_t ClusterTally::*of) const {
    ClusteredShare out;
    std::vector<Share> clusters;
    clusters.reserve(tallies_[threshold].size());
    for (const ClusterTally& tally : tallies_[threshold]) {
      clusters.push_back({tally.*count, tally.*of});
      out.share.add(clusters.back());
    }
    out.interval = clustered_interval(clusters, derive_seed(set_.options().seed, interval_purpose));
    return out;
  }

  const TrialSet& set_;
  const Scheme& scheme_;
  SharedKey shared_key_;
  std::vector<Ratio> thresholds_;
  Ratio parts_of_;
  SketchedDocuments sketched_;
  KeyPartners shared_;
  std::vector<std::vector<std::uint32_t>> clusters_;  // by threshold and document
  std::vector<std::uint8_t> found_;
  Tallies tallies_;
};

/// The parts of recall at the user's threshold.
void break_down(const TrialSet& set, const Attempt& attempt, const Ratio& threshold,
                SchemeTrial& out) {
  const std::vector<std::uint32_t> clusters = set.components(threshold, true);
  std::vector<std::uint64_t> sizes(clusters.size());
  for (const std::uint32_t cluster : clusters) ++sizes[cluster];
  out.by_edit.assign(edits().size(), {});
  for (std::uint64_t i = 0; i < set.pairs().size(); ++i) {
    const ExactPair& pair = set.pairs()[i];
    const TrialDocument& later = set.documents()[pair.b];
    if (!pair.resemblance().at_least(threshold)) {
      if (larger_containment(pair).at_least(set.options().containment)) {
        out.contained.add(attempt.found_contained(i));
      }
      continue;
    }
    const bool found = attempt.found(i);
    const PairKind kind = set.kind(pair);
    out.by_kind[static_cast<std::size_t>(kind)].add(found);
    const TrialDocument& earlier = set.documents()[pair.a];
    const std::size_t tokens =
        std::min(earlier.analysis.tokens.size(), later.analysis.tokens.size());
    out.by_length[static_cast<std::size_t>(length_class(tokens))].add(found);
    if (kind == PairKind::planted) {
      out.by_edit[static_cast<std::size_t>(later.edit - edits().data())].add(found);
    } else if (kind == PairKind::natural) {
      out.by_cluster[cluster_class(sizes[clusters[pair.b]])].add(found);
    }
  }
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

std::vector<EditTruth> edit_truths(const TrialSet& set) {
  std::vector<EditTruth> truths(edits().size());
  for (std::size_t d = set.originals(); d < set.documents().size(); ++d) {
    const ExactPair pair = set.planted_pair(static_cast<std::uint32_t>(d));
    EditTruth& truth = truths[static_cast<std::size_t>(set.documents()[d].edit - edits().data())];
    ++truth.planted;
    truth.mean_resemblance += pair.resemblance().value();
    truth.mean_containment += larger_containment(pair).value();
  }
  for (EditTruth& truth : truths) {
    if (truth.planted == 0) continue;
    truth.mean_resemblance /= static_cast<double>(truth.planted);
    truth.mean_containment /= static_cast<double>(truth.planted);
  }
  return truths;
}

Result<SchemeTrial> try_scheme(const TrialSet& set, std::span<const GivenView> views,
                               std::span<const GivenView> timed, const std::string& spec,
                               const TrialReport& report, const TrialOptions& options) {
  SchemeTrial trial;
  trial.given = spec;
  trial.by_edit.assign(edits().size(), {});
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
      trial.at[entry.second[i]] = attempt.result(i);
    }
    if (std::find(entry.second.begin(), entry.second.end(), report.chosen) == entry.second.end()) {
      continue;
    }
    break_down(set, attempt, chosen, trial);
    trial.cost = cost_of(scheme, timed, attempt.sketched(), trial.at[report.chosen],
                         report.verification_microseconds, options);
  }
  return trial;
}

/// Whether a ratio is at least `bound`.
auto reaches(const Ratio& bound) {
  return
      [bound](const Ratio& each) { return bound.reached_by(each.numerator(), each.denominator()); };
}

}  // namespace

std::string_view cluster_class_name(std::size_t size_class) {
  constexpr std::array<std::string_view, cluster_classes> names = {"2", "3-4", "5-9", "10+"};
  return names[size_class];
}

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

Result<TrialReport> try_schemes(const TrialSet& set, const TrialOptions& options) {
  TrialReport report;
  report.originals = set.originals();
  report.copies = set.documents().size() - set.originals();
  report.text_bytes = set.text_bytes();
  report.pairs = set.pairs().size();
  report.thresholds = trial_thresholds(options.resemblance);
  report.chosen =
      static_cast<std::size_t>(std::find_if(report.thresholds.begin(), report.thresholds.end(),
                                            reaches(options.resemblance)) -
                               report.thresholds.begin());
  report.containment = set.options().containment;
  report.least_recall = options.least_recall;
  report.by_edit = edit_truths(set);
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
  const std::vector<std::string> names = trial_names(options.specs);
  for (std::size_t i = 0; i < options.specs.size(); ++i) {
    if (options.keep_going) TWINSET_TRY(options.keep_going());
    TWINSET_ASSIGN(SchemeTrial trial,
                   try_scheme(set, views, timed, options.specs[i], report, options));
    trial.name = names[i];
    report.schemes.push_back(std::move(trial));
  }
  report.verdict = trial_verdict(report);
  return report;
}

namespace {

/// Has a scheme the better recall at a threshold, or the same for less work?
bool surer(const SchemeTrial& a, const SchemeTrial& b, std::size_t threshold) {
  const ClusteredShare& of_a = a.at[threshold].recall;
  const ClusteredShare& of_b = b.at[threshold].recall;
  if (of_a.share.count != of_b.share.count) return of_a.share.count > of_b.share.count;
  return a.cost.work_microseconds < b.cost.work_microseconds;
}

/// What containment asks of a scheme, and who of those tried gives it.
std::string containment_sentence(const TrialReport& report) {
  const SchemeTrial* best = nullptr;
  for (const SchemeTrial& trial : report.schemes) {
    if (!trial.at[report.chosen].made() || trial.shared_key != SharedKey::count) continue;
    if (!trial.contained.known()) continue;
    if (best == nullptr || trial.contained.value() > best->contained.value()) best = &trial;
  }
  std::string sentence = fmt::format(
      "Containment needs keys that are counted (scheme mod at one fixed modulus, which dedup "
      "--containment adds by itself)");
  if (best == nullptr) return sentence + ".";
  return sentence + fmt::format(
                        "; of those tried, {} finds {:.1f} % of the {} pairs that are "
                        "contained to {:g} but less alike than {:g}.",
                        best->name, cut_percent(best->contained.value()), best->contained.of,
                        report.containment.value(), report.thresholds[report.chosen].value());
}

}  // namespace

std::string trial_verdict(const TrialReport& report) {
  const double threshold = report.thresholds[report.chosen].value();
  const SchemeTrial* cheapest = nullptr;
  const SchemeTrial* surest = nullptr;
  for (const SchemeTrial& trial : report.schemes) {
    const ThresholdTrial& at = trial.at[report.chosen];
    if (!at.made() || !at.recall.share.known()) continue;
    if (at.recall.interval.low >= report.least_recall &&
        (cheapest == nullptr || trial.cost.work_microseconds < cheapest->cost.work_microseconds)) {
      cheapest = &trial;
    }
    if (surest == nullptr || surer(trial, *surest, report.chosen)) surest = &trial;
  }
  std::string verdict;
  if (cheapest != nullptr) {
    const ClusteredShare& recall = cheapest->at[report.chosen].recall;
    verdict = fmt::format(
        "At {:g} take {}: of the schemes whose recall is at least {:g} by its lower bound, it has "
        "the least work, {:.1f} us a document ({:.1f} to sketch, {:.1f} to join, {:.2f} candidates "
        "at {:.1f} us to verify), and finds {:.1f} % (from {:.1f}).",
        threshold, cheapest->given, report.least_recall, cheapest->cost.work_microseconds,
        cheapest->cost.microseconds, cheapest->cost.join_microseconds, cheapest->cost.candidates,
        report.verification_microseconds, cut_percent(recall.share.value()),
        cut_percent(recall.interval.low));
  } else if (surest != nullptr) {
    const ClusteredShare& recall = surest->at[report.chosen].recall;
    verdict = fmt::format(
        "At {:g} no scheme tried has a recall of at least {:g} by its lower bound; {} has the "
        "highest, {:.1f} % (from {:.1f}) of {} pairs.",
        threshold, report.least_recall, surest->given, cut_percent(recall.share.value()),
        cut_percent(recall.interval.low), recall.share.of);
  } else {
    verdict = fmt::format(
        "Nothing to choose by: the sample has no pair of resemblance {:g} or more, or no scheme "
        "can be made for it.",
        threshold);
  }
  return verdict + " " + containment_sentence(report);
}

}  // namespace twinset
