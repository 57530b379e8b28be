#include <algorithm>
#include <cmath>

#include "io/field_json.h"
#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/plan.h"

namespace twinset {
namespace {

/// Null if the sample cannot tell it.
Field predicted(std::string_view name, Predicted& predicted, std::string_view help) {
  return {name, OptionalNested(&predicted, &predicted.predictable), Unit::count, help};
}

std::vector<Field> predicted_fields(Plan& plan) {
  const bool estimates = plan.estimates;
  const bool removes = estimates && plan.run == PlannedRun::dedup;
  return {
      predicted("copies", plan.copies, "documents folded into an identical or lexical one"),
      predicted("candidate_pairs", plan.candidate_pairs,
                "pairs that share a key, or whose signatures are near"),
      shown_if(plan.counts_keys, predicted("groups", plan.groups, "keys of several documents")),
      shown_if(plan.counts_keys, predicted("common_keys", plan.common_keys, "keys that are cut")),
      shown_if(plan.counts_keys,
               predicted("meetings", plan.meetings, "times that two documents meet under a key")),
      shown_if(estimates, predicted("pairs", plan.pairs, "pairs that reach the threshold")),
      shown_if(removes, predicted("removed", plan.removed, "documents that go, copies too")),
      shown_if(estimates && plan.counted(), predicted("clusters", plan.clusters, "clusters")),
      shown_if(estimates, predicted("clustered_documents", plan.clustered_documents,
                                    "documents in clusters"))};
}

Computed whole(const double& number) {
  return {[&number] { return static_cast<std::uint64_t>(std::llround(std::max(number, 0.0))); }};
}

std::vector<Field> cost_fields(Plan& plan) {
  return {
      {"least_memory_bytes", &plan.least_memory, Unit::bytes, "that are enough"},
      {"unspilled_memory_bytes", &plan.unspilled_memory, Unit::bytes, "no row goes to disk"},
      {"peak_memory_bytes", whole(plan.peak_memory), Unit::bytes, "of the run"},
      {"spilled_bytes", whole(plan.spilled), Unit::bytes, "of rows that go to disk"},
      measured({"seconds", Computed{[&plan] { return plan.total_seconds(); }}, Unit::seconds,
                "of all stages"}),
      measured({"stages", NestedMap(&plan.costs, &StageTime::stage), Unit::seconds, "of each"})};
}

}  // namespace

std::vector<Field> fields_of(Predicted& predicted) {
  return {{"value", &predicted.value, Unit::count, "the number"},
          {"low", &predicted.low, Unit::count, "lower end of its 95 % interval"},
          {"high", &predicted.high, Unit::count, "upper end of it"}};
}

std::vector<Field> fields_of(PlanBin& bin) {
  return {{"from", &bin.from, Unit::share, "the least resemblance"},
          {"to", &bin.to, Unit::share, "the most"},
          {"found", &bin.found, Unit::share, "the share of such pairs that the scheme finds"},
          {"candidates", &bin.candidates, Unit::count, "pairs that it finds"},
          {"pairs", &bin.pairs, Unit::count, "pairs of the collection"}};
}

std::vector<Field> fields_of(PlannedJoin& join) {
  return {{"distance", &join.distance, Unit::count, "the most bits in which signatures differ"},
          {"signatures", whole(join.signatures), Unit::count,
           "different ones, of the documents that are no copies"},
          {"tables", &join.tables, Unit::count, "in which they are grouped"},
          {"comparisons", whole(join.comparisons), Unit::count,
           "of two signatures, in all tables together"},
          {"refused", &join.refused, Unit::text,
           "whether they are more than `--max-meetings` allows by default"},
          {"cpu_seconds", &join.cpu_seconds, Unit::seconds, "of the join alone, of one core"}};
}

std::vector<Field> fields_of(PlannedStage& stage) {
  return {{"machines", &stage.machines, Unit::count, "that work at it"},
          measured({"seconds", &stage.seconds, Unit::seconds, "of the one that takes longest"}),
          measured({"cpu_seconds", &stage.cpu_seconds, Unit::seconds, "of all of them"}),
          {"moved_bytes", whole(stage.moved_bytes), Unit::bytes, "of rows from other machines"},
          {"input_bytes", whole(stage.input_bytes), Unit::bytes,
           "of the inputs as stored, wherever they are"},
          {"memory_bytes", whole(stage.memory_bytes), Unit::bytes, "the peak of one machine"}};
}

std::vector<Field> fields_of(PlannedCluster& cluster) {
  return {{"machines", &cluster.machines, Unit::count, "of the cluster"},
          {"cores", &cluster.cores, Unit::count, "that each of them uses"},
          {"documents", &cluster.documents, Unit::count, "of the run"},
          {"least_memory_bytes", &cluster.least_memory, Unit::bytes,
           "that are enough for the merging machine"},
          {"stages", NestedMap(&cluster.stages, &PlannedStage::stage), Unit::count, "of each"}};
}

std::vector<Field> fields_of(Plan& plan) {
  std::vector<Field> fields{
      {"run", Choice(&plan.run, {"dedup", "cluster"}), Unit::text, "the verb: `--for`"},
      {"read", &plan.read, Unit::count, "records"},
      {"documents", &plan.documents, Unit::count, "... that could be compared"},
      {"quarantined", &plan.quarantined, Unit::count, "... that could not be read"},
      {"text_bytes", &plan.text_bytes, Unit::bytes, "bytes of all texts, decoded"},
      {"keys", &plan.keys, Unit::count, "keys of all documents but copies"},
      {"scheme", &plan.scheme, Unit::code, "the full spec"},
      {"resemblance", &plan.resemblance, Unit::share, "the threshold"},
      {"key_share", Real{&plan.key_share}, Unit::share, "the share of the keys in the sample"},
      {"document_share", Real{&plan.document_share}, Unit::share,
       "the share of the documents whose pairs were looked at"},
      {"sampled_documents", &plan.sampled_documents, Unit::count, "documents with such a key"},
      {"predicted", Nested([&plan] { return predicted_fields(plan); }), Unit::count,
       "the result of the run"},
      shown_if(plan.join.has_value(), {"join", OptionalNested(&plan.join), Unit::count,
                                       "of a scheme that joins by distance"}),
      {"by_resemblance", NestedList(&plan.bins, ListLayout::lines), Unit::count,
       "pairs by their resemblance"},
      coordinates_field(plan),
      by_edits_field(plan),
      {"costs", Nested([&plan] { return cost_fields(plan); }), Unit::count,
       "memory, disk and time of the run"},
      shown_if(plan.cluster.has_value(), {"cluster", OptionalNested(&plan.cluster), Unit::count,
                                          "the run in shards, by `--cluster`"})};
  add_fields(fields, input_trouble_fields(plan));
  return fields;
}

std::string to_json(const Plan& plan) {
  return fields_json(fields_of(to_write(plan)), JsonLayout::lines);
}

}  // namespace twinset
