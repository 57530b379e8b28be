// Pairs are never stored: each worker counts, for the documents of the pairs that it meets, how
// many partners are due, found, found and due, and found with each kind of label; the sums of the
// workers are what one of them would have counted. A pair is met once and counts for both of its
// documents.
//
// This file's interface is evaluate/queries.h; the rest is private.
#include "evaluate/queries.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "evaluate/clustered_share.h"
#include "evaluate/tally.h"
#include "join/held_pairs.h"
#include "join/key_partners.h"
#include "join/union_find.h"
#include "system/threads.h"

namespace twinset {
namespace {

constexpr std::uint64_t bootstrap_seed = 43;

/// What is counted of one document's partners.
struct Answer {
  std::uint32_t found = 0;
  std::uint32_t right = 0;
  std::uint32_t wanted = 0;
  std::uint32_t unwanted = 0;

  void add(const Answer& other) {
    found += other.found;
    right += other.right;
    wanted += other.wanted;
    unwanted += other.unwanted;
  }
};

/// The answers by document, and the clusters of the found pairs.
struct Answers {
  explicit Answers(std::size_t documents)
      : of(documents), clusters(static_cast<std::uint32_t>(documents)) {}

  void add(Answers& other) {
    for (std::uint32_t d = 0; d < of.size(); ++d) {
      of[d].add(other.of[d]);
      clusters.unite(d, other.clusters.find(d));
    }
  }

  std::vector<Answer> of;
  UnionFind clusters;
};

/// Sums over some queries. Utilities are whole numbers, so they have no rounding.
struct QuerySums {
  std::uint64_t queries = 0;
  std::uint64_t with_partner = 0;
  std::uint64_t answered = 0;
  double recall = 0;
  double precision = 0;
  double utility = 0;

  void add(const QuerySums& other) {
    queries += other.queries;
    with_partner += other.with_partner;
    answered += other.answered;
    recall += other.recall;
    precision += other.precision;
    utility += other.utility;
  }
};

/// Recall, precision, utility; 0 without a query.
std::array<double, 3> means(const QuerySums& sums) {
  const auto mean = [](double sum, std::uint64_t of) {
    return of == 0 ? 0 : sum / static_cast<double>(of);
  };
  return {mean(sums.recall, sums.with_partner), mean(sums.precision, sums.answered),
          mean(sums.utility, sums.queries)};
}

class QueryTrial {
 public:
  QueryTrial(const QueryDocuments& documents, const ShingleCollection& features,
             const TrialOptions& options, QueryEvaluation& queries)
      : documents_(documents),
        features_(features),
        truth_(make_truth(options.truth_rule())),
        options_(options),
        queries_(queries),
        partners_(documents.views.size()),
        components_(static_cast<std::uint32_t>(documents.views.size())) {}

  Status run() {
    TWINSET_TRY(count_partners());
    queries_.documents = documents_.views.size();
    for (std::uint32_t d = 0; d < partners_.size(); ++d) {
      queries_.queries += is_query(d) ? 1 : 0;
      queries_.with_partner += is_query(d) && partners_[d] > 0 ? 1 : 0;
    }
    const std::vector<std::string> names = trial_names(options_.specs);
    for (std::size_t i = 0; i < options_.specs.size(); ++i) {
      const Result<std::unique_ptr<Scheme>> scheme =
          make_scheme(options_.specs[i], options_.resemblance.value());
      // The table of thresholds says why a scheme is left out.
      if (!scheme.ok() || !check_views(*scheme.value(), documents_.views).ok()) continue;
      TWINSET_TRY(try_scheme(*scheme.value(), names[i]));
    }
    return {};
  }

 private:
  bool is_query(std::uint32_t document) const {
    return documents_.wanted == no_label || documents_.labels[document] == documents_.wanted;
  }

  /// Calls visit(worker, partner, document) for each pair that shares a key.
  template <class Visit>
  Status for_each_pair(const KeyPartners& shared, const Visit& visit) const {
    const unsigned threads = std::max(1U, options_.threads);
    return run_workers(threads, [&](unsigned worker) -> Status {
      PartnerReader partners(shared);
      for (std::size_t d = worker; d < shared.documents(); d += threads) {
        if (options_.keep_going) TWINSET_TRY(options_.keep_going());
        const auto document = static_cast<std::uint32_t>(d);
        for (const std::uint32_t partner : partners.before(document)) {
          visit(worker, partner, document);
        }
      }
      return {};
    });
  }

  std::vector<Answers> answers_of_workers() const {
    std::vector<Answers> answers;
    for (unsigned i = 0; i < std::max(1U, options_.threads); ++i) {
      answers.emplace_back(documents_.views.size());
    }
    return answers;
  }

  /// Counts the due partners of each document, and joins them to components.
  Status count_partners() {
    const KeyPartners rarest(truth_keys(features_, *truth_), 0);
    std::vector<Answers> workers = answers_of_workers();
    TWINSET_TRY(for_each_pair(rarest, [&](unsigned worker, std::uint32_t a, std::uint32_t b) {
      if (!truth_->due(features_.pair(a, b))) return;
      ++workers[worker].of[a].found;
      ++workers[worker].of[b].found;
      workers[worker].clusters.unite(a, b);
    }));
    for (std::size_t i = 1; i < workers.size(); ++i) workers[0].add(workers[i]);
    for (std::uint32_t d = 0; d < partners_.size(); ++d) {
      partners_[d] = workers[0].of[d].found;
      components_[d] = workers[0].clusters.find(d);
    }
    return {};
  }

  Status try_scheme(const Scheme& scheme, const std::string& name) {
    const SketchedDocuments sketched = sketch_documents(scheme, documents_.views, options_.threads);
    const KeyPartners shared(scheme, sketched.keys, options_.max_group);
    std::vector<Answers> by_keys = answers_of_workers();
    std::vector<Answers> by_estimate = answers_of_workers();
    std::vector<std::uint8_t> estimates(by_keys.size());
    TWINSET_TRY(for_each_pair(shared, [&](unsigned worker, std::uint32_t a, std::uint32_t b) {
      const Comparison comparison = compare_pair(scheme, sketched, a, b);
      const PairVerdict verdict = judge_pair(scheme, comparison, options_.resemblance);
      if (comparison.resemblance) estimates[worker] = 1;
      if (!verdict.found) return;
      const bool due = truth_->due(features_.pair(a, b));
      count(by_keys[worker], a, b, due);
      if (verdict.passed) count(by_estimate[worker], a, b, due);
    }));
    const bool any_estimate = std::find(estimates.begin(), estimates.end(), 1) != estimates.end();
    // If keys are counted, a pair is found by the count: an estimate already.
    if (scheme.counts_keys()) return add_row(name, "estimate", by_keys);
    TWINSET_TRY(add_row(name, "keys", by_keys));
    return any_estimate ? add_row(name, "estimate", by_estimate) : Status();
  }

  void count(Answers& answers, std::uint32_t a, std::uint32_t b, bool due) const {
    const auto add = [&](std::uint32_t query, std::uint32_t found) {
      const std::uint32_t label = documents_.labels[found];
      const bool judged = documents_.wanted != no_label && label != no_label;
      answers.of[query].add({1, due ? 1U : 0U, judged && label == documents_.wanted ? 1U : 0U,
                             judged && label != documents_.wanted ? 1U : 0U});
    };
    add(a, b);
    add(b, a);
    answers.clusters.unite(a, b);
  }

  Status add_row(const std::string& name, const char* accepted, std::vector<Answers>& workers) {
    for (std::size_t i = 1; i < workers.size(); ++i) workers[0].add(workers[i]);
    QueryMeasures row;
    row.name = name;
    row.accepted = accepted;
    TWINSET_TRY(measure(workers[0].of, row));
    describe_clusters(workers[0], row);
    const std::vector<QueryMeasures>& rows = queries_.rows;
    const double first = rows.empty() ? row.recall.value : rows.front().recall.value;
    if (first > 0) row.increase = row.recall.value / first - 1;
    queries_.rows.push_back(std::move(row));
    return {};
  }

  /// The means. A component of due pairs is one observation.
  Status measure(const std::vector<Answer>& answers, QueryMeasures& row) const {
    std::vector<QuerySums> by_component(answers.size());
    for (std::uint32_t d = 0; d < answers.size(); ++d) {
      if (!is_query(d)) continue;
      const Answer& answer = answers[d];
      row.found += answer.found;
      row.wanted += answer.wanted;
      row.unwanted += answer.unwanted;
      QuerySums query;
      query.queries = 1;
      if (partners_[d] > 0) {
        query.with_partner = 1;
        query.recall = static_cast<double>(answer.right) / partners_[d];
      }
      if (answer.found > 0) {
        query.answered = 1;
        query.precision = static_cast<double>(answer.right) / answer.found;
      }
      query.utility =
          static_cast<double>(answer.wanted) - static_cast<double>(queries_.cost) * answer.unwanted;
      by_component[components_[d]].add(query);
    }
    std::erase_if(by_component, [](const QuerySums& sums) { return sums.queries == 0; });
    QuerySums all;
    std::size_t with_partner = 0;
    std::size_t answered = 0;
    for (const QuerySums& sums : by_component) {
      all.add(sums);
      with_partner += sums.with_partner > 0 ? 1 : 0;
      answered += sums.answered > 0 ? 1 : 0;
    }
    row.answered = all.answered;
    if (by_component.empty()) return {};
    TWINSET_ASSIGN(auto intervals, bootstrap<3>(std::span<const QuerySums>(by_component),
                                                bootstrap_seed, options_.keep_going, means));
    if (with_partner > 0) intervals[0] = at_least_wilson(intervals[0], with_partner);
    if (answered > 0) intervals[1] = at_least_wilson(intervals[1], answered);
    row.recall = intervals[0];
    row.precision = intervals[1];
    row.utility = intervals[2];
    return {};
  }

  /// Clusters are components of the found pairs; those without a query do not count.
  void describe_clusters(Answers& answers, QueryMeasures& row) const {
    struct Cluster {
      bool query = false;
      bool pure = true;
      bool one_label = true;
      std::uint32_t labeled = 0;
      std::uint32_t label = no_label;
    };
    std::unordered_map<std::uint32_t, Cluster> clusters;
    for (std::uint32_t d = 0; d < answers.of.size(); ++d) {
      const Answer& answer = answers.of[d];
      if (answer.found == 0) continue;
      Cluster& cluster = clusters[answers.clusters.find(d)];
      cluster.query = cluster.query || is_query(d);
      cluster.pure = cluster.pure && answer.right == answer.found;
      const std::uint32_t label = documents_.labels[d];
      if (label == no_label) continue;
      if (cluster.labeled++ == 0) cluster.label = label;
      cluster.one_label = cluster.one_label && label == cluster.label;
    }
    Tally pure;
    Tally one_label;
    for (const auto& [root, cluster] : clusters) {
      if (!cluster.query) continue;
      pure.add(cluster.pure);
      if (cluster.labeled >= 2) one_label.add(cluster.one_label);
    }
    row.pure = share_of(pure);
    row.one_label = share_of(one_label);
  }

  const QueryDocuments& documents_;
  const ShingleCollection& features_;
  const std::unique_ptr<Truth> truth_;
  const TrialOptions& options_;
  QueryEvaluation& queries_;
  std::vector<std::uint32_t> partners_;    // due ones, by document
  std::vector<std::uint32_t> components_;  // of due pairs, by document
};

}  // namespace

Status try_queries(const QueryDocuments& documents, unsigned shingle_tokens,
                   std::uint64_t memory_bytes, const TrialOptions& options,
                   QueryEvaluation& queries) {
  TWINSET_ASSIGN(
      const ShingleCollection features,
      truth_features(options.truth_rule(), documents.tokens, shingle_tokens, memory_bytes));
  return QueryTrial(documents, features, options, queries).run();
}

}  // namespace twinset
