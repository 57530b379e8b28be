#include "dedup/dedup_summary.h"

#include <cstddef>

#include "io/json.h"
#include "run/options_json.h"
#include "run/summary.h"

namespace twinset {
namespace {

void add_counts(JsonObject& object, const Counts& counts) {
  std::string kinds;
  JsonObject by_kind(kinds);
  by_kind.number("identical", counts.identical)
      .number("lexical", counts.lexical)
      .number("near", counts.near)
      .number("contained", counts.contained);
  by_kind.end();
  object.number("read", counts.read)
      .number("kept", counts.kept)
      .number("removed", counts.removed())
      .number("quarantined", counts.quarantined)
      .number("filtered", counts.filtered)
      .number("carried", counts.carried)
      .raw("removed_by_kind", kinds);
}

std::string files_json(const DedupSummary& summary) {
  std::string out = "[";
  for (std::size_t i = 0; i < summary.files.size(); ++i) {
    const FileCounts& file = summary.files[i];
    out += out.size() > 1 ? ",\n    " : "\n    ";
    JsonObject object(out);
    object.string("file", file.file).boolean("reference", file.reference);
    add_counts(object, file.counts);
    if (i < summary.inputs.size()) add_input(object, summary.inputs[i]);
    object.end();
  }
  return out + "]";
}

}  // namespace

std::string dedup_summary_json(const DedupSummary& summary, const DedupOptions& options,
                               std::string_view identity) {
  std::string totals;
  JsonObject kinds(totals);
  kinds.number("identical", summary.total.identical)
      .number("lexical", summary.total.lexical)
      .number("near", summary.total.near)
      .number("contained", summary.total.contained);
  kinds.end();
  std::string work;
  JsonObject pairs(work);
  pairs.number("clusters", summary.clusters)
      .number("largest_cluster", summary.largest_cluster)
      .number("candidate_pairs", summary.candidate_pairs)
      .number("checked_pairs", summary.checked_pairs)
      .number("verified_pairs", summary.verified_pairs)
      .number("repair_rounds", summary.repair_rounds)
      .number("repair_pairs", summary.repair_pairs)
      .number("text_bytes", summary.text_bytes);
  pairs.end();
  std::string out;
  SummaryLines lines(out);
  lines.number("read", summary.total.read);
  lines.number("kept", summary.total.kept);
  lines.number("removed", summary.total.removed());
  lines.number("quarantined", summary.total.quarantined);
  lines.number("filtered", summary.total.filtered);
  lines.number("carried", summary.total.carried);
  lines.raw("removed_by_kind", totals);
  lines.raw("matching", work);
  add_without_signature(summary, lines);
  lines.string("scheme", summary.scheme);
  lines.string("plan", summary.plan);
  if (!summary.templates.empty()) lines.raw("templates", summary.templates);
  lines.raw("analyzer", analyzer_json(summary));
  lines.raw("warnings", json_list(summary.warnings));
  lines.raw("skipped", json_list(summary.skipped));
  add_input_facts(summary, lines);
  lines.raw("options", options_json(options));
  lines.raw("files", files_json(summary));
  lines.raw("run", run_json(summary, options.command, identity));
  lines.end();
  return out;
}

}  // namespace twinset
