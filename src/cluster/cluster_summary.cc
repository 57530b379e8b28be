#include "cluster/cluster_summary.h"

#include "io/json.h"
#include "run/options_json.h"
#include "run/summary.h"

namespace twinset {
namespace {

std::string counts_json(const ClusterCounts& counts) {
  std::string out;
  JsonObject object(out);
  object.number("clusters", counts.clusters).number("documents", counts.documents);
  object.end();
  return out;
}

std::string clusters_json(const ClusterSummary& summary) {
  std::string sizes = "[";
  for (const std::uint64_t clusters : summary.sizes) {
    sizes += (sizes.size() > 1 ? ", " : "") + std::to_string(clusters);
  }
  sizes += ']';
  const ClusterCounts mixed{summary.all.clusters - summary.identical_only.clusters,
                            summary.all.documents - summary.identical_only.documents};
  std::string out;
  JsonObject object(out);
  object.raw("all", counts_json(summary.all))
      .raw("identical_only", counts_json(summary.identical_only))
      .raw("mixed", counts_json(mixed))
      .number("largest", summary.largest)
      .raw("sizes", sizes);
  object.end();
  return out;
}

std::string share_json(const PairShare& share) {
  std::string out;
  JsonObject object(out);
  object.real("value", share.value).real("low", share.low).real("high", share.high);
  object.end();
  return out;
}

std::string counting_json(const ClusterSummary& summary) {
  std::string out;
  JsonObject object(out);
  object.number("keys", summary.keys)
      .number("groups", summary.groups)
      .number("common_keys", summary.common_keys)
      .number("meetings", summary.meetings)
      .number("candidate_pairs", summary.candidate_pairs)
      .number("verified_pairs", summary.verified_pairs)
      .number("verified_texts", summary.verified_texts)
      .number("kept_pairs", summary.kept_pairs)
      .number("edges", summary.edges)
      .number("lines", summary.lines)
      .number("text_bytes", summary.text_bytes);
  object.end();
  return out;
}

/// The documents not compared, and the errors of estimates.
std::string limits_json(const ClusterSummary& summary) {
  std::string out;
  JsonObject object(out);
  object.number("mostly_common", summary.mostly_common)
      .number("without_keys", summary.without_keys)
      .number("too_few_keys", summary.too_few_keys)
      .number("least_keys", summary.least_keys);
  if (summary.checked_edges.has_value()) {
    std::string wrong;
    JsonObject edges(wrong);
    edges.number("checked", summary.checked_edges->checked)
        .number("wrong", summary.checked_edges->wrong)
        .raw("share", share_json(summary.checked_edges->share));
    edges.end();
    object.raw("edges", wrong);
  }
  if (summary.unseen_pairs.has_value())
    object.raw("unseen_pairs", share_json(*summary.unseen_pairs));
  object.end();
  return out;
}

std::string distances_json(const ClusterSummary& summary) {
  std::string out = "[";
  for (const DistanceCounts& counts : summary.distances) {
    out += out.size() > 1 ? ",\n    " : "\n    ";
    JsonObject object(out);
    object.number("distance", counts.distance)
        .number("pairs", counts.pairs)
        .number("clusters", counts.clusters)
        .number("documents", counts.documents)
        .real("mean_size", counts.mean_size)
        .real("mean_size_without_self", counts.mean_size_without_self);
    object.end();
  }
  return out + "]";
}

std::string common_json(const ClusterSummary& summary) {
  std::string out = "[";
  for (const CommonShingle& shingle : summary.common) {
    out += out.size() > 1 ? ",\n    " : "\n    ";
    JsonObject object(out);
    object.number("documents", shingle.documents)
        .raw("sample", shingle.sample_id)
        .string("text", shingle.text);
    object.end();
  }
  return out + "]";
}

}  // namespace

LinkKind link_kind_of(const ClusterSummary& summary) {
  if (summary.check == Check::exact) return LinkKind::shingles;
  if (summary.check == Check::none) return LinkKind::nothing;
  if (summary.counts_keys) return LinkKind::keys;
  return summary.tells == Tells::distance     ? LinkKind::distance
         : summary.tells == Tells::coordinate ? LinkKind::signature
                                              : LinkKind::estimate;
}

std::string cluster_summary_json(const ClusterSummary& summary, const ClusterOptions& options,
                                 std::string_view identity) {
  std::string out;
  SummaryLines lines(out);
  lines.number("read", summary.read);
  lines.number("documents", summary.documents);
  lines.number("quarantined", summary.quarantined);
  lines.number("filtered", summary.filtered);
  lines.number("carried", summary.carried);
  lines.number("identical", summary.identical);
  lines.number("lexical", summary.lexical);
  lines.raw("clusters", clusters_json(summary));
  if (!summary.distances.empty()) lines.raw("distances", distances_json(summary));
  lines.raw("counting", counting_json(summary));
  lines.raw("limits", limits_json(summary));
  add_without_signature(summary, lines);
  lines.string("scheme", summary.scheme);
  if (!summary.plan.empty()) lines.string("plan", summary.plan);
  lines.raw("analyzer", analyzer_json(summary));
  if (!summary.templates.empty()) lines.raw("templates", summary.templates);
  lines.string("pairs_count", link_kind_name(link_kind_of(summary)));
  lines.raw("tells_containment", summary.tells_containment ? "true" : "false");
  lines.raw("common_shingles", common_json(summary));
  lines.raw("warnings", json_list(summary.warnings));
  lines.raw("skipped", json_list(summary.skipped));
  add_input_facts(summary, lines);
  lines.raw("options", options_json(options));
  lines.raw("files", inputs_json(summary));
  lines.raw("run", run_json(summary, options.command, identity));
  lines.end();
  return out;
}

}  // namespace twinset
