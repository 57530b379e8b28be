#include "run/run_fields.h"
#include "spans/span_lines.h"
#include "twinset/field.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

Nested side_fields(SpanLine::Side& side) {
  return Nested([&side] {
    std::vector<Field> fields = place_fields(side.document);
    add_fields(fields,
               {{"begin", &side.begin, Unit::bytes,
                 "the first byte of the passage's first word, in the decoded text; in the raw "
                 "page, if it is one"},
                {"end", &side.end, Unit::bytes, "the byte after its last word"},
                {"begin <= end", FieldRule{[&side] { return side.begin <= side.end; }}}});
    return fields;
  });
}

}  // namespace

std::vector<Field> fields_of(TextSpan& span) {
  const auto range = [](std::uint64_t& begin, std::uint64_t& end) {
    return Nested(
        [&begin, &end] {
          return std::vector<Field>{{"begin", &begin, Unit::bytes, "its first byte"},
                                    {"end", &end, Unit::bytes, "the byte after its last one"}};
        },
        NestedForm::row);
  };
  return {{"a", range(span.begin_a, span.end_a), Unit::bytes, "its place in A"},
          {"b", range(span.begin_b, span.end_b), Unit::bytes, "its place in B"},
          {"tokens", &span.tokens, Unit::count, "its words"}};
}

std::vector<Field> fields_of(ComparedSpans& compared) {
  return {{"a", &compared.name_a, Unit::text, "the first text, as it was given"},
          {"b", &compared.name_b, Unit::text, "the second"},
          {"min_tokens", &compared.least_tokens, Unit::count, "the fewest words of a span"},
          {"tokens_a", &compared.tokens_a, Unit::count, "words of A"},
          {"tokens_b", &compared.tokens_b, Unit::count, "words of B"},
          {"shared_tokens_a", &compared.shared_tokens_a, Unit::count, "words of A in any span"},
          {"shared_tokens_b", &compared.shared_tokens_b, Unit::count, "words of B in any span"},
          {"all", &compared.all, Unit::text, "whether every span is listed"},
          {"spans", NestedList(&compared.spans), Unit::count, "longest first"}};
}

std::vector<Field> fields_of(SpanLine& line) {
  return {{"a", side_fields(line.a), Unit::text, "the earlier place"},
          {"b", side_fields(line.b), Unit::text, "the later one, never of `--against`"},
          {"tokens", &line.tokens, Unit::count,
           "words of the passage: those of both places are equal, and neither side could go on"},
          if_set({"place", Choice(&line.place, {"first", "nearest", "both"}), Unit::text,
                  "`first` place of the passage, `nearest` before the later one, or `both`; not "
                  "with `--all-pairs`"})};
}

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
      {"cut_rounds", &summary.cut_rounds, Unit::count,
       "... in so many rounds, the last of which found nothing to cut, unless they are 64"},
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
