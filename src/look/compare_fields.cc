#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

Field place_field(std::string_view name, Passage& passage, std::string_view help) {
  return {name,
          Nested(
              [&passage] {
                return std::vector<Field>{
                    {"begin", &passage.begin, Unit::bytes, "its first byte"},
                    {"end", &passage.end, Unit::bytes, "the byte after its last one"}};
              },
              NestedForm::row),
          Unit::bytes, help};
}

/// A passage of A and its equal in B.
std::vector<Field> passage_fields(ComparedTexts& compared, PassageMatch& match) {
  Passage& a = compared.passages.a[match.a];
  return {place_field("a", a, "its place in A as a reader sees it"),
          place_field("b", compared.passages.b[match.b], "its place in B"),
          {"tokens", &match.tokens, Unit::count, "its tokens"},
          {"moved", &match.moved, Unit::text, "whether it stands elsewhere in B"},
          {"text", Computed{[&compared, &a] {
             return std::string(compared.text_a, a.begin, a.end - a.begin);
           }},
           Unit::text, "as A has it"}};
}

}  // namespace

std::vector<Field> fields_of(ShingleCounts& counts) {
  return {if_set({"resemblance", Computed{[&counts] { return counts.resemblance(); }}, Unit::share,
                  "shared shingles of all; left out if unknown, as no text has a word"}),
          if_set({"containment_a_in_b", Computed{[&counts] { return counts.containment_a_in_b(); }},
                  Unit::share, "shared shingles of those of A; left out if A has no word"}),
          if_set({"containment_b_in_a", Computed{[&counts] { return counts.containment_b_in_a(); }},
                  Unit::share, "... of those of B"}),
          {"shared_shingles", &counts.shared_shingles, Unit::count, "distinct shingles of both"},
          {"shingles_a", &counts.shingles_a, Unit::count, "distinct shingles of A"},
          {"shingles_b", &counts.shingles_b, Unit::count, "distinct shingles of B"}};
}

std::vector<Field> fields_of(Passages& passages) {
  std::vector<Field> fields = fields_of(static_cast<ShingleCounts&>(passages));
  fields.push_back({"tokens_a", &passages.tokens_a, Unit::count, "tokens of A"});
  fields.push_back({"tokens_b", &passages.tokens_b, Unit::count, "tokens of B"});
  fields.push_back({"shared_tokens_a", &passages.shared_tokens_a, Unit::count,
                    "tokens of A in shared passages, repeats included"});
  fields.push_back({"shared_tokens_b", &passages.shared_tokens_b, Unit::count, "... of B"});
  fields.push_back(
      {"shingle_tokens", &passages.shingle_tokens, Unit::count, "tokens of a shingle"});
  fields.push_back({"short_a", Computed{[&passages] { return passages.short_a(); }}, Unit::text,
                    "whether A has fewer, so that all of it counts as one shingle"});
  fields.push_back(
      {"short_b", Computed{[&passages] { return passages.short_b(); }}, Unit::text, "... B"});
  return fields;
}

std::vector<Field> fields_of(EstimatedShares& shares) {
  return {{"scheme", &shares.scheme, Unit::code, "the full spec"},
          if_set({"resemblance", OptionalNested(&shares.resemblance), Unit::share,
                  "the estimate and its 95 % interval (Wilson); left out if unknown"}),
          if_set({"containment_a_in_b", OptionalNested(&shares.containment_a_in_b), Unit::share,
                  "likewise"}),
          if_set({"containment_b_in_a", OptionalNested(&shares.containment_b_in_a), Unit::share,
                  "likewise"})};
}

std::vector<Field> fields_of(ComparedTexts& compared) {
  std::vector<Field> fields{{"a", &compared.name_a, Unit::text, "the first text, as it was given"},
                            {"b", &compared.name_b, Unit::text, "the second"}};
  add_fields(fields, fields_of(compared.passages));
  add_fields(
      fields,
      {{"identical", &compared.identical, Unit::text, "byte for byte, markup included"},
       {"shared_passages",
        NestedList(&compared.passages.matches,
                   [&compared](PassageMatch& match) { return passage_fields(compared, match); }),
        Unit::count, "the longest stretches that both have, in order of A; a repeat is not listed"},
       if_set({"whole_resemblance", &compared.whole_resemblance, Unit::share,
               "of the whole pages, if templates were left out"}),
       if_set({"estimated", OptionalNested(&compared.estimated), Unit::share,
               "with `--scheme`: the same shares, as the sketches tell them"}),
       if_set({"notes", &compared.notes, Unit::sentence, "a sentence each"})});
  return fields;
}

}  // namespace twinset
