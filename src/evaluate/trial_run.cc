// This file's interface is evaluate/trial_run.h; the rest is private.
#include "evaluate/trial_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "dedup/dedup_collection.h"
#include "evaluate/random.h"
#include "evaluate/trial_parts.h"

namespace twinset {
namespace {

constexpr std::uint64_t shuffle_purpose = 31;
constexpr std::size_t most_listed = 100;

class RunJudge {
 public:
  RunJudge(const TrialSet& set, const RunDecisions& run, const RunRules& rules,
           const Evaluation& evaluation)
      : set_(set),
        run_(run),
        rules_(rules),
        evaluation_(evaluation),
        parts_(set, evaluation.thresholds[evaluation.chosen]),
        recall_(parts_),
        right_(parts_) {
    // A truth of its own alone says which removals are right.
    if (rules.containment && !set.options().truth) contained_ = removal_truth(*rules.containment);
    method_.name = method_.given = "dedup";
    method_.run.emplace();
    method_.run->plan = run.plan;
    method_.at.resize(evaluation.thresholds.size());
  }

  Result<MethodEvaluation> judge(const KeepGoing& keep_going) {
    for (const ExactPair& pair : set_.pairs()) judge_pair(pair);
    for (std::uint32_t d = 0; d < set_.documents().size(); ++d) {
      if (!kept(d)) judge_removal(d);
    }
    const std::uint64_t seed = set_.options().seed;
    ThresholdEvaluation& at = method_.at[evaluation_.chosen];
    at.spec = run_.scheme;
    TWINSET_ASSIGN(at.recall, all_recall_.share(seed, keep_going));
    TWINSET_ASSIGN(at.precision, all_right_.share(seed, keep_going));
    at.found = at.precision.of;
    TWINSET_ASSIGN(method_.recall, recall_.shares(seed, keep_going));
    TWINSET_ASSIGN(method_.run->right, right_.shares(seed, keep_going));
    return std::move(method_);
  }

 private:
  bool kept(std::uint32_t document) const { return run_.survivors[document] == document; }

  void judge_pair(const ExactPair& pair) {
    const bool resolved = !kept(pair.a) || !kept(pair.b);
    const std::uint32_t cluster = parts_.cluster(pair.b);
    if (parts_.due(pair)) {
      all_recall_.add(cluster, resolved);
      recall_.add(parts_.of_pair(pair), cluster, resolved);
    } else if (contained_ != nullptr && contained_->due(as_removed(pair))) {
      recall_.add({parts_.only_contained()}, cluster, resolved);
    } else {
      return;
    }
    if (!resolved) list(method_.run->missed, pair.b, pair.a, set_.resemblance(pair).value());
  }

  void judge_removal(std::uint32_t document) {
    const std::uint32_t survivor = run_.survivors[document];
    const auto [a, b] = std::minmax(document, survivor);
    const ExactPair* const pair = set_.find(a, b);
    bool right = kept(survivor);
    if (right && set_.documents()[document].text != set_.documents()[survivor].text) {
      right = pair != nullptr &&
              (parts_.due(*pair) ||
               (contained_ != nullptr && contained_->due(removed_for(*pair, document))));
    }
    const std::uint32_t cluster = parts_.cluster(document);
    all_right_.add(cluster, right);
    right_.add(parts_.of_removal(document), cluster, right);
    if (right) return;
    list(method_.run->wrong, document, survivor, set_.exact_pair(a, b).resemblance().value());
  }

  /// The pair with `removed` as its b.
  static ExactPair removed_for(const ExactPair& pair, std::uint32_t removed) {
    if (pair.b == removed) return pair;
    return {pair.b, pair.a, pair.shared, pair.b_size, pair.a_size};
  }

  /// The pair with the document that the run would remove as its b.
  ExactPair as_removed(const ExactPair& pair) const {
    const bool by_size = rules_.keep.by == KeepRule::By::size && pair.a_size != pair.b_size;
    const bool a_stays = by_size ? (pair.a_size > pair.b_size) == rules_.keep.descending
                                 : run_.places[pair.a] < run_.places[pair.b];
    return removed_for(pair, a_stays ? pair.b : pair.a);
  }

  void list(std::vector<WrongPair>& pairs, std::uint32_t document, std::uint32_t other,
            double resemblance) const {
    if (pairs.size() == most_listed) return;
    pairs.push_back({set_.name(document), set_.name(other), resemblance});
  }

  const TrialSet& set_;
  const RunDecisions& run_;
  const RunRules& rules_;
  const Evaluation& evaluation_;
  const TrialParts parts_;
  std::unique_ptr<Truth> contained_;
  ClusterTallies all_recall_;
  ClusterTallies all_right_;
  PartCounts recall_;
  PartCounts right_;
  MethodEvaluation method_;
};

}  // namespace

Result<RunDecisions> run_on_texts(std::span<const std::string_view> texts,
                                  const DedupOptions& options, const KeepRule& keep,
                                  const RunControl& control) {
  DedupOptions run = options;
  run.inputs.clear();
  run.columns = {texts};
  run.input = {};
  run.input.max_record = options.input.max_record;
  run.min_tokens = 0;
  run.max_bad.reset();
  run.profile.clear();              // its values are set already
  run.templates = Templates::keep;  // the texts lack them already
  run.url.clear();
  // Texts without a record have no fields: any keep order judges the same pairs.
  if (keep.by == KeepRule::By::field) run.keep = "first";
  RunDecisions out;
  out.survivors.resize(texts.size());
  std::iota(out.survivors.begin(), out.survivors.end(), 0U);
  out.places = out.survivors;
  DedupResults results;
  results.removed = [&](const Removal& removal) -> Status {
    out.survivors[removal.document.record - 1] =
        static_cast<std::uint32_t>(removal.survivor.record - 1);
    return {};
  };
  // Its progress would be taken for that of the whole.
  RunControl unseen = control;
  unseen.progress = nullptr;
  TWINSET_ASSIGN(const DedupSummary summary, dedup_collection(nullptr, run, unseen, results));
  out.scheme = summary.scheme;
  out.plan = summary.plan;
  return out;
}

Result<RunDecisions> run_on_set(const TrialSet& set, const DedupOptions& options,
                                const KeepRule& keep, const RunControl& control, bool whole) {
  std::vector<std::uint32_t> order(set.documents().size());
  std::iota(order.begin(), order.end(), 0U);
  SeededRandom random(derive_seed(set.options().seed, shuffle_purpose));
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::string_view> texts;
  texts.reserve(order.size());
  std::vector<std::string> whole_texts(whole ? order.size() : 0);
  for (const std::uint32_t document : order) {
    if (whole) whole_texts[texts.size()] = set.whole_text(document);
    texts.emplace_back(whole ? whole_texts[texts.size()] : set.documents()[document].text);
  }
  TWINSET_ASSIGN(const RunDecisions shuffled, run_on_texts(texts, options, keep, control));
  RunDecisions out = shuffled;
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    out.survivors[order[place]] = order[shuffled.survivors[place]];
    out.places[order[place]] = place;
  }
  return out;
}

Result<MethodEvaluation> judge_run(const TrialSet& set, const RunDecisions& run,
                                   const RunRules& rules, const Evaluation& evaluation,
                                   const KeepGoing& keep_going) {
  for (const std::uint32_t survivor : run.survivors) {
    if (survivor >= set.documents().size()) {
      return usage_error(fmt::format("document {} is a survivor, but the set has {}", survivor,
                                     set.documents().size()));
    }
  }
  return RunJudge(set, run, rules, evaluation).judge(keep_going);
}

}  // namespace twinset
