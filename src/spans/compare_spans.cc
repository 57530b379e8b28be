// Two texts: all their common runs, as values and as JSON.
//
// This file's interface is compare_spans() and to_json() of twinset/spans.h; the rest is
// private.
#include <algorithm>
#include <new>
#include <utility>

#include "base/message.h"
#include "collection/one_record.h"
#include "io/field_json.h"
#include "join/common_runs.h"
#include "scheme/document_view.h"
#include "spans/placed_tokens.h"
#include "spans/span_rule.h"
#include "system/context.h"
#include "text/anchors.h"
#include "twinset/spans.h"
#include "words/numbers.h"

namespace twinset {
namespace {

void compare(const Analyzer& analyzer, Markup markup_a, Markup markup_b, ComparedSpans& out) {
  Analysis a;
  Analysis b;
  analyze(analyzer, out.text_a, markup_a, Offsets::keep, a);
  analyze(analyzer, out.text_b, markup_b, Offsets::keep, b);
  const CommonRuns found = find_common_runs(
      a.tokens, b.tokens, static_cast<unsigned>(out.least_tokens),
      std::max<std::uint64_t>(most_anchor_pairs, a.tokens.size() + b.tokens.size()));
  out.all = found.all;
  out.tokens_a = a.tokens.size();
  out.tokens_b = b.tokens.size();
  out.shared_tokens_a = covered_tokens(found.runs, &CommonRun::a);
  out.shared_tokens_b = covered_tokens(found.runs, &CommonRun::b);
  out.spans.reserve(found.runs.size());
  for (const CommonRun& run : found.runs) {
    const TokenOffsets in_a = byte_range(std::span(a.offsets).subspan(run.a, run.tokens));
    const TokenOffsets in_b = byte_range(std::span(b.offsets).subspan(run.b, run.tokens));
    out.spans.push_back({in_a.begin, in_a.end, in_b.begin, in_b.end, run.tokens});
  }
  // Runs come by place.
  std::stable_sort(out.spans.begin(), out.spans.end(),
                   [](const TextSpan& x, const TextSpan& y) { return x.tokens > y.tokens; });
}

}  // namespace

Result<const Analyzer*> analyzer_of(const SpanRule& rule) {
  if (rule.least_tokens < 1 || rule.least_tokens > most_span_tokens) {
    return usage_error(option("min_tokens", std::to_string(rule.least_tokens)) +
                       " is not from 1 to " + std::to_string(most_span_tokens));
  }
  TWINSET_ASSIGN(const Analyzer* const analyzer, require_analyzer(rule.analyzer));
  if (rule.html && analyzer->takes_features()) {
    return usage_error(option("analyzer", rule.analyzer) + " reads lists of ids, not pages");
  }
  return analyzer;
}

Result<ComparedSpans> compare_spans(std::string_view a, std::string_view b, const SpanRule& rule) {
  TWINSET_ASSIGN(const Analyzer* const analyzer, analyzer_of(rule));
  TWINSET_TRY(check_text_bytes(a));
  TWINSET_TRY(check_text_bytes(b));
  try {
    ComparedSpans out;
    out.name_a = "A";
    out.name_b = "B";
    out.text_a = a;
    out.text_b = b;
    out.pages_b = rule.html;
    out.least_tokens = rule.least_tokens;
    const Markup markup = rule.html ? Markup::html : Markup::none;
    compare(*analyzer, markup, markup, out);
    return out;
  } catch (const std::bad_alloc&) {
    return io_error("not enough memory to compare texts of " + std::to_string(a.size()) + " and " +
                    std::to_string(b.size()) + " bytes");
  }
}

Result<ComparedSpans> compare_spans(const SpansOptions& options, const RunControl& control) {
  const SpanRule rule{options.analyzer, options.min_tokens.value_or(SpanRule().least_tokens)};
  TWINSET_ASSIGN(const Analyzer* const analyzer, analyzer_of(rule));
  const std::pair<bool, std::string> of_folders[] = {{!options.against.empty(), option("against")},
                                                     {options.cut, switch_on("cut")},
                                                     {options.all_pairs, switch_on("all_pairs")},
                                                     {options.across, switch_on("across")},
                                                     {!options.report.empty(), option("report")}};
  for (const auto& [given, name] : of_folders) {
    if (given) return usage_error(name + " needs a folder to make: " + option("output", "DIR"));
  }
  if (options.inputs.size() != 2) {
    return usage_error("without " + option("output", "DIR") + " spans compares two texts; " +
                       format_count(options.inputs.size(), "was", "were") + " given");
  }
  const bool features = analyzer->takes_features();
  FileSystem& files = files_of(control);
  TWINSET_ASSIGN(OneRecord a, read_document(files, options.inputs[0], options.input, features));
  TWINSET_ASSIGN(OneRecord b, read_document(files, options.inputs[1], options.input, features));
  try {
    ComparedSpans out;
    out.name_a = options.inputs[0];
    out.name_b = options.inputs[1];
    out.text_a = std::move(a.text);
    out.text_b = std::move(b.text);
    out.pages_b = is_page(b.markup);
    out.least_tokens = rule.least_tokens;
    compare(*analyzer, a.markup, b.markup, out);
    return out;
  } catch (const std::bad_alloc&) {
    return io_error("not enough memory to compare " + options.inputs[0] + " and " +
                    options.inputs[1]);
  }
}

std::string to_json(const ComparedSpans& compared) {
  return fields_json(fields_of(to_write(compared))) + "\n";
}

}  // namespace twinset
