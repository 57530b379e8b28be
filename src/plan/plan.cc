// A plan: pass 1, which stores only a sample of keys, then the forecast.
#include "twinset/plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/message.h"
#include "cluster/clustering.h"
#include "cluster/distance_table.h"
#include "cluster/pair_families.h"
#include "match/match.h"
#include "plan/costs.h"
#include "plan/forecast.h"
#include "plan/join_forecast.h"
#include "plan/key_sampler.h"
#include "plan/shard_costs.h"
#include "run/common_options.h"
#include "run/prepare.h"
#include "run/profile.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "sites/run_templates.h"
#include "sites/site_templates.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_sample_memory = std::uint64_t{512} << 20;
constexpr std::uint64_t most_pairs = std::uint64_t{4} << 20;
/// Signatures that are compared for a count of the near ones: some seconds.
constexpr double most_compared = 4e9;
/// With a smaller chance to find a pair, the pairs found tell nothing about the pairs there are.
constexpr double least_found = 0.05;

/// The options with the defaults of the run to predict.
PlanOptions filled(PlanOptions options) {
  const bool clusters = options.run == PlannedRun::cluster;
  if (options.scheme.empty()) {
    options.scheme = clusters ? std::string(default_cluster_scheme) : DedupOptions().scheme;
  }
  if (!options.resemblance.has_value()) {
    options.resemblance = clusters ? ClusterOptions().resemblance : DedupOptions().resemblance;
  }
  options.resources.checkpoint = UINT64_MAX;
  return options;
}

CollectionOptions read_by(const PlanOptions& options) {
  CollectionOptions read =
      collection_of(options, options, options.min_tokens, std::nullopt, options.within);
  read.exact_below = options.exact_below;
  return read;
}

VerbOptions plan_verb(const PlanOptions& options) {
  VerbOptions verb;
  verb.name = verb.identity = "plan";
  verb.works_in = WorksIn::own;
  verb.stores_nothing = true;
  verb.thresholds.resemblance = *options.resemblance;
  verb.reads_again = options.templates != Templates::keep;
  return verb;
}

class PlanRun final : public VerbSteps {
 public:
  PlanRun(const PlanOptions& options, const RunControl& control)
      : options_(options),
        control_(control),
        run_(read_by(options_), plan_verb(options_), control) {}

  Result<Plan> run() { return run_verb(run_, plan_, *this); }

 private:
  Status work() override {
    KeySample sample(std::min(most_sample_memory, job().memory.rows / 8 + (8U << 20)));
    KeySampler sampler(*job().signer.scheme, sample);
    TWINSET_TRY(use_site_templates(run_, read_by(options_), control_));
    TWINSET_TRY(run_.pass("read", {&sampler}));
    if (run_.state.documents == 0) TWINSET_TRY(run_.check_not_lost());
    if (run_.state.documents == 0 && run_.state.records > run_.state.bad) {
      return usage_error("all records are shorter than " + option("min_tokens") +
                         "; there is nothing to plan for");
    }
    if (run_.state.tokens == 0) {
      return usage_error(run_.state.records == 0
                             ? std::string("there is no record to plan for")
                             : "none of " + std::to_string(run_.state.records) +
                                   " records has a token (" + std::to_string(run_.state.bad) +
                                   " are bad); look at " + option("text") + " and " +
                                   option("format"));
    }
    TWINSET_TRY(predict(sample, sampler));
    add_template_warnings(job(), plan_.warnings);
    return job().context.check_cancelled();
  }

  const Job& job() const { return run_.job; }
  bool counts_keys() const { return job().signer.scheme->counts_keys(); }

  Status check() override {
    const SchemeDeclaration& declaration = job().signer.scheme->declaration();
    if (declaration.shared_key == SharedKey::equal) {
      return usage_error("scheme " + std::string(declaration.name) +
                         " only recognizes equal documents; there is nothing to predict");
    }
    if (options_.documents > 0 && job().signer.joins_signatures()) {
      return usage_error("the comparisons of " + std::string(declaration.name) +
                         " grow faster than the documents: leave out " + option("documents"));
    }
    TWINSET_ASSIGN(plan_.cluster, read_cluster(options_.cluster, options_.documents));
    if (plan_.cluster.has_value() && options_.templates != Templates::keep) {
      return usage_error("templates are learned from all inputs, so shards have none: leave out " +
                         option("templates") + " or " + option("cluster"));
    }
    return {};
  }

  Status predict(KeySample& sample, const KeySampler& sampler) {
    const ReadState& state = run_.state;
    ReadCost read{run_.clock.stages().back(), peak_memory_bytes(), 0, sampler.keys(),
                  sampler.name_bytes()};
    const SampleBatch& sampled = sample.finish();
    read.sampling = sample.peak_bytes();
    Forecast seen = forecast(sample, sampled, state.documents, *job().signer.scheme,
                             {.threshold = job().thresholds.resemblance,
                              .max_group = options_.max_group,
                              .stars = options_.run == PlannedRun::dedup,
                              .most_pairs = std::min(most_pairs, sample.memory_bytes() / 32),
                              .stopped = [this] { return job().context.cancelled(); }});
    if (job().signer.joins_signatures()) TWINSET_TRY(predict_join(sample, sampled, seen, read));
    run_.clock.end("predict");
    describe(seen);
    describe_survival(*job().signer.scheme, sampler.counts(), plan_);
    plan_.keys = sampler.keys();
    const Costs costs = options_.run == PlannedRun::cluster
                            ? cluster_costs(job(), state, seen, read, this_machine(job(), read))
                            : dedup_costs(job(), state, seen, read, this_machine(job(), read));
    const MemoryPlan& memory = job().memory;
    plan_.budget = memory.budget;
    plan_.least_memory = least_memory(memory, lines_of(state));
    plan_.unspilled_memory = memory.budget_for_rows(unspilled_memory(state, read), UINT64_MAX);
    plan_.peak_memory = costs.peak_memory;
    plan_.spilled = costs.spilled;
    plan_.costs = costs.stages;
    // The stages so far: what it took to learn templates, if any, and the reading.
    const std::vector<StageTime>& taken = run_.clock.stages();
    plan_.costs.insert(plan_.costs.begin(), taken.begin(), taken.end() - 1);  // but "predict"
    if (plan_.cluster.has_value()) predict_cluster(seen, read, *plan_.cluster);
    return {};
  }

  /// That of a run whose memory is divided as `memory` says.
  std::uint64_t least_memory(const MemoryPlan& memory, std::uint64_t lines) const {
    const std::uint64_t large_bytes = run_.state.large_bytes;
    const bool joins = options_.run == PlannedRun::cluster && job().signer.uses_bands();
    std::uint64_t tables = resident_bytes(job(), lines);
    if (joins && plan_.join.has_value()) {
      tables += Clustering::bytes_needed(lines) +
                DistanceTable::bytes_needed(lines, job().thresholds.distance->most());
    } else if (joins) {
      // Before clusters are made of the pairs, which takes less.
      tables += PairFamilies::bytes_needed(lines);
    }
    return std::max(
        memory.budget_for_large(large_bytes),
        memory.budget_for_rows(tables - std::min(tables, usual_tables_bytes), large_bytes));
  }

  void predict_cluster(const Forecast& seen, const ReadCost& read, PlannedCluster& cluster) {
    const ReadState& state = run_.state;
    const MemoryPlan& memory = job().memory;
    if (cluster.documents == 0) cluster.documents = state.documents;
    cluster.cores = std::min<std::uint64_t>(cluster.cores, MemoryPlan::threads_in(memory.budget));
    PlannedWork work = planned_work(job(), options_.run, state, seen, read, cluster.machines);
    scale(cluster, work);
    cluster.stages = shard_stages(job(), work, cluster);
    const double lines = static_cast<double>(lines_of(state)) *
                         static_cast<double>(cluster.documents) /
                         static_cast<double>(std::max<std::uint64_t>(1, state.documents));
    cluster.least_memory =
        least_memory(MemoryPlan::make(memory.budget, static_cast<unsigned>(cluster.cores),
                                      memory.max_record_bytes, memory.window_bytes),
                     static_cast<std::uint64_t>(lines));
  }

  /// The pairs are those of near signatures, not those that share a sampled key.
  Status predict_join(const KeySample& sample, const SampleBatch& sampled, Forecast& seen,
                      ReadCost& read) {
    TWINSET_ASSIGN(JoinForecast joined,
                   forecast_join(job().context, sample, sampled, *job().signer.scheme,
                                 job().thresholds.distance->most(), most_compared));
    const bool clusters = options_.run == PlannedRun::cluster;
    const std::uint64_t allowed =
        clusters ? ClusterOptions().max_meetings : DedupOptions().max_meetings;
    joined.join.refused = joined.join.comparisons > static_cast<double>(allowed);
    read.join_cpu_seconds = joined.join.cpu_seconds;
    seen.candidates = joined.pairs;
    if (clusters) seen.pairs = joined.pairs;
    plan_.join = joined.join;
    return {};
  }

  void describe(const Forecast& seen) {
    const ReadState& state = run_.state;
    plan_.run = options_.run;
    count_records(state, plan_);
    plan_.counts_keys = counts_keys();
    plan_.scheme = job().signer.scheme->spec();
    plan_.resemblance = job().thresholds.resemblance;
    plan_.key_share = seen.key_share;
    plan_.document_share = seen.probe_share;
    plan_.sampled_documents = seen.documents;
    plan_.copies = seen.copies;
    plan_.candidate_pairs = seen.candidates;
    plan_.pairs = seen.pairs;
    plan_.removed = sum(seen.copies, seen.removed);
    plan_.clusters = seen.clusters;
    plan_.clustered_documents = seen.clustered;
    plan_.groups = seen.groups;
    plan_.common_keys = seen.common_keys;
    plan_.meetings = seen.meetings;
    plan_.estimates = seen.estimates;
    if (!seen.estimates || !seen.candidates.predictable) return;
    for (std::size_t i = 0; i < Forecast::bins; ++i) {
      PlanBin bin;
      bin.from = static_cast<double>(i) / Forecast::bins;
      bin.to = static_cast<double>(i + 1) / Forecast::bins;
      bin.found = job().signer.scheme->match_probability((bin.from + bin.to) / 2);
      bin.candidates = seen.by_resemblance[i];
      if (!bin.found.has_value()) {
        bin.pairs = bin.candidates;
      } else if (*bin.found >= least_found) {
        bin.pairs = bin.candidates / *bin.found;
      }
      plan_.bins.push_back(bin);
    }
  }

  PlanOptions options_;
  const RunControl& control_;
  CollectionRun run_;
  Plan plan_;
};

}  // namespace

double Plan::total_seconds() const {
  double total = 0;
  for (const StageTime& stage : costs) total += stage.seconds;
  return total;
}

Result<Plan> plan(const PlanOptions& options, const RunControl& control) {
  PlanOptions of_run = filled(options);
  // What a run would read the texts for, a plan predicts: --verify changes nothing here.
  TWINSET_TRY(apply_profile(files_of(control), {&of_run, &*of_run.resemblance, [](Check) {}}));
  return PlanRun(of_run, control).run();
}

}  // namespace twinset
