#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/spans.h"

namespace twinset {

std::vector<Field> fields_of(SpansSummary& summary) {
  std::vector<Field> fields{
      {"read", &summary.read, Unit::count, "records of the inputs"},
      {"documents", &summary.documents, Unit::count, "... that have a text"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"least_tokens", &summary.least_tokens, Unit::count,
       "the fewest words of a span: `--min-tokens`"},
      {"tokens", &summary.tokens, Unit::count, "words of the inputs' documents"},
      {"spans", &summary.spans, Unit::count, "lines of [`spans.jsonl.zst`](spans.md)"},
      {"reused_tokens", &summary.reused_tokens, Unit::count,
       "words of the inputs that lie in a passage which stands at an earlier place"},
      {"reused_documents", &summary.reused_documents, Unit::count,
       "documents that have such words"},
      {"cut_bytes", &summary.cut_bytes, Unit::bytes,
       "with `--cut`, the bytes of texts that were cut; else 0"},
      {"spans_by_tokens", &summary.by_tokens, Unit::count, "spans of 1, 2 to 3, 4 to 7, ... words"},
      {"passages_by_documents", &summary.by_documents, Unit::count,
       "passages of `least_tokens` words that stand twice or more, by the documents they stand in: "
       "1, 2 to 3, 4 to 7, ..."},
      {"documents_by_share", &summary.by_share, Unit::count,
       "documents with reused words, by their share: below 10 %, ... below 100 %, all"},
      analyzer_field(summary)};
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

}  // namespace twinset
