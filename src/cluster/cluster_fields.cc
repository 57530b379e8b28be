#include "cluster/cluster_fields.h"

#include "run/run_fields.h"
#include "template/template_fields.h"

namespace twinset {
namespace {

/// False if `name` is no kind of link.
bool set_link_kind(ClusterSummary& summary, std::string_view name) {
  const std::optional<LinkKind> kind = link_kind(name);
  if (!kind.has_value()) return false;
  summary.check = *kind == LinkKind::shingles  ? Check::exact
                  : *kind == LinkKind::nothing ? Check::none
                                               : Check::sketch;
  summary.tells = *kind == LinkKind::distance    ? Tells::distance
                  : *kind == LinkKind::signature ? Tells::coordinate
                                                 : Tells::resemblance;
  summary.counts_keys = Link::read(*kind, {}).counts();
  return true;
}

/// Do the inputs have as many lines as were counted? The sum could wrap around.
bool lines_add_up(const ClusterSummary& summary) {
  std::uint64_t left = summary.lines;
  for (const InputFacts& input : summary.inputs) {
    if (input.lines > left) return false;
    left -= input.lines;
  }
  return left == 0;
}

std::vector<Field> mixed_fields(ClusterSummary& summary) {
  return {{"clusters",
           Computed{[&summary] { return summary.all.clusters - summary.identical_only.clusters; }},
           Unit::count, "clusters"},
          {"documents", Computed{[&summary] {
             return summary.all.documents - summary.identical_only.documents;
           }},
           Unit::count, "documents in them"}};
}

std::vector<Field> clusters_fields(ClusterSummary& summary) {
  return {
      {"all", Nested(&summary.all), Unit::count, "all clusters"},
      {"identical_only", Nested(&summary.identical_only), Unit::count,
       "clusters of nothing but identical documents"},
      {"mixed", Nested([&summary] { return mixed_fields(summary); }), Unit::count, "the others"},
      {"largest", &summary.largest, Unit::count, "documents of the largest"},
      {"sizes", &summary.sizes, Unit::count,
       "how many clusters have 1, 2 to 3, 4 to 7, ... documents"}};
}

std::vector<Field> counting_fields(ClusterSummary& summary) {
  return {{"keys", &summary.keys, Unit::count, "keys of all documents but copies"},
          {"groups", &summary.groups, Unit::count, "keys of several documents"},
          {"common_keys", &summary.common_keys, Unit::count,
           "keys of more documents than `--max-group`, cut"},
          {"meetings", &summary.meetings, Unit::count,
           "times that two documents meet under a key: the cost of counting"},
          {"candidate_pairs", &summary.candidate_pairs, Unit::count,
           "pairs that share a key, where keys do not count"},
          {"verified_pairs", &summary.verified_pairs, Unit::count, "pairs compared by their texts"},
          {"verified_texts", &summary.verified_texts, Unit::count, "documents of these"},
          {"kept_pairs", &summary.kept_pairs, Unit::count,
           "pairs that reach the floor, in [`pairs.jsonl.zst`](pairs.md)"},
          {"edges", &summary.edges, Unit::count, "pairs that reach the threshold"},
          if_set({"template_pairs", &summary.template_pairs, Unit::count,
                  "with `--mark-templates`: those of them whose texts do not reach it without "
                  "templates"}),
          {"lines", &summary.lines, Unit::count, "lines of all inputs, blank ones too"},
          {"text_bytes", &summary.text_bytes, Unit::bytes, "bytes of all texts, decoded"}};
}

/// The documents not compared, and the errors of estimates.
std::vector<Field> limits_fields(ClusterSummary& summary) {
  return {{"mostly_common", &summary.mostly_common, Unit::count,
           "documents most of whose keys are common"},
          {"without_keys", &summary.without_keys, Unit::count,
           "documents that cannot be compared because they have none"},
          {"too_few_keys", &summary.too_few_keys, Unit::count,
           "pairs left out, because they rest on fewer than `least_keys` shared keys"},
          {"least_keys", &summary.least_keys, Unit::count,
           "the fewest shared keys that a pair rests on"},
          if_set({"edges", OptionalNested(&summary.checked_edges), Unit::count,
                  "with `--verify sketch`: random edges, held against their texts"}),
          if_set({"unseen_pairs", OptionalNested(&summary.unseen_pairs), Unit::share,
                  "with `--containment`, if predictable: of the pairs at the resemblance, the "
                  "share that has no key in common"})};
}

std::vector<Field> count_fields(ClusterSummary& summary) {
  return {{"read", &summary.read, Unit::count, "records of all inputs"},
          {"documents", &summary.documents, Unit::count,
           "... that could be compared: `read` without `quarantined`, `filtered` and `carried`"},
          {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
          {"filtered", &summary.filtered, Unit::count, "... that `--min-tokens` left out"},
          {"carried", &summary.carried, Unit::count, "... that are not documents; in no cluster"},
          {"identical", &summary.identical, Unit::count,
           "copies folded before counting: of equal bytes"},
          {"lexical", &summary.lexical, Unit::count, "... of equal tokens"},
          if_set({"shingles", &summary.shingles, Unit::count,
                  "... of an equal set of shingles, with `--fold shingles`"}),
          {"documents = read - quarantined - filtered - carried", FieldRule{[&summary] {
             return adds_up(summary.read, {summary.documents, summary.quarantined, summary.filtered,
                                           summary.carried});
           }}}};
}

}  // namespace

LinkKind link_kind_of(const ClusterSummary& summary) {
  return link_kind(summary.check, summary.counts_keys, summary.tells);
}

std::vector<Field> fields_of(ClusterCounts& counts) {
  return {{"clusters", &counts.clusters, Unit::count, "clusters"},
          {"documents", &counts.documents, Unit::count, "documents in them"}};
}

std::vector<Field> fields_of(CommonShingle& shingle) {
  return {{"documents", &shingle.documents, Unit::count, "documents that hold it"},
          {"sample",
           JsonForm{[&shingle] { return shingle.sample_id; },
                    [&shingle](std::string_view json) {
                      shingle.sample_id = json;
                      return Status();
                    }},
           Unit::text, "the id of the first"},
          {"text", &shingle.text, Unit::text, "its words there"}};
}

std::vector<Field> fields_of(CheckedEdges& edges) {
  return {{"checked", &edges.checked, Unit::count, "random edges"},
          {"wrong", &edges.wrong, Unit::count, "those of them that are wrong by their texts"},
          {"share", Nested(&edges.share), Unit::share, "share of wrong edges among all"}};
}

std::vector<Field> fields_of(DistanceCounts& counts) {
  return {{"distance", &counts.distance, Unit::count, "bits that signatures may differ in"},
          {"pairs", &counts.pairs, Unit::count, "pairs of documents within it, copies included"},
          {"clusters", &counts.clusters, Unit::count, "clusters of the run's shape"},
          {"documents", &counts.documents, Unit::count, "documents in these"},
          {"mean_size", &counts.mean_size, Unit::count,
           "the mean number of documents within it of a document, itself included, over all "
           "documents that have another within the largest distance"},
          {"mean_size_without_self", &counts.mean_size_without_self, Unit::count,
           "the same without the document itself"}};
}

std::vector<Field> fields_of(ClusterSummary& summary) {
  if (!summary.shard.empty()) return shard_fields(summary.shard, summary);
  std::vector<Field> fields = count_fields(summary);
  fields.push_back({"clusters", Nested([&summary] { return clusters_fields(summary); }),
                    Unit::count, "each kind with its `clusters` and the `documents` in them"});
  fields.push_back(
      if_set({"distances", NestedList(&summary.distances, ListLayout::lines), Unit::count,
              "if distances of signatures decide: each distance from 0 to "
              "`--distance`"}));
  fields.push_back({"counting", Nested([&summary] { return counting_fields(summary); }),
                    Unit::count, "the work of counting"});
  fields.push_back({"limits", Nested([&summary] { return limits_fields(summary); }), Unit::count,
                    "what the run does not see or may get wrong"});
  fields.push_back(without_signature_field(summary));
  fields.push_back(coordinates_field(summary));
  fields.push_back(by_edits_field(summary));
  fields.push_back(
      {"scheme", &summary.scheme, Unit::code, "the full spec; a file is named as NAME@HASH"});
  fields.push_back(if_set({"plan", &summary.plan, Unit::text,
                           "the pairs that candidates find, in words; left out if not known"}));
  fields.push_back(analyzer_field(summary));
  fields.push_back(if_set({"templates", OptionalNested(&summary.templates), Unit::count,
                           "the sites of pages, if templates were left out, or learned for "
                           "`--mark-templates`"}));
  fields.push_back(
      {"pairs_count",
       TextForm{[&summary] { return std::string(link_kind_name(link_kind_of(summary))); },
                [&summary](std::string_view name) { return set_link_kind(summary, name); }},
       Unit::text, "what the numbers of a pair measure: see [pairs](pairs.md)"});
  fields.push_back({"tells_containment", &summary.tells_containment, Unit::text,
                    "whether the counts tell containment, so that `recut --containment` is "
                    "possible"});
  fields.push_back({"common_shingles", NestedList(&summary.common, ListLayout::lines), Unit::count,
                    "the most common shingles that were cut, at most 100"});
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  fields.push_back({"counting.lines is the sum of the lines of all files",
                    FieldRule{[&summary] { return lines_add_up(summary); }}});
  fields.push_back({"", Restored{[&summary] {
                      summary.counts_keys = summary.counts_keys && summary.candidate_pairs == 0;
                    }}});
  return fields;
}

}  // namespace twinset
