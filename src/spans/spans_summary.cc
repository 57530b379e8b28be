#include "spans/spans_summary.h"

#include "io/json.h"
#include "run/options_json.h"
#include "run/summary.h"

namespace twinset {
namespace {

std::string list_json(const std::vector<std::uint64_t>& counts) {
  std::string out = "[";
  for (const std::uint64_t count : counts) {
    out += (out.size() > 1 ? ", " : "") + std::to_string(count);
  }
  return out + "]";
}

}  // namespace

std::string spans_summary_json(const SpansSummary& summary, const SpansOptions& options,
                               std::string_view identity) {
  std::string out;
  SummaryLines lines(out);
  lines.number("read", summary.read);
  lines.number("documents", summary.documents);
  lines.number("quarantined", summary.quarantined);
  lines.number("least_tokens", summary.least_tokens);
  lines.number("tokens", summary.tokens);
  lines.number("spans", summary.spans);
  lines.number("reused_tokens", summary.reused_tokens);
  lines.number("reused_documents", summary.reused_documents);
  lines.number("cut_bytes", summary.cut_bytes);
  lines.raw("spans_by_tokens", list_json(summary.by_tokens));
  lines.raw("passages_by_documents", list_json(summary.by_documents));
  lines.raw("documents_by_share", list_json(summary.by_share));
  lines.raw("analyzer", analyzer_json(summary));
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
