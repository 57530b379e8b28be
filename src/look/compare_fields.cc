#include "twinset/field.h"
#include "twinset/pair.h"

namespace twinset {

std::vector<Field> fields_of(ShingleCounts& counts) {
  return {{"resemblance", Computed{[&counts] { return counts.resemblance(); }}, Unit::share,
           "shared shingles of all"},
          {"containment_a_in_b", Computed{[&counts] { return counts.containment_a_in_b(); }},
           Unit::share, "shared shingles of those of A"},
          {"containment_b_in_a", Computed{[&counts] { return counts.containment_b_in_a(); }},
           Unit::share, "... of those of B"},
          {"shared_shingles", &counts.shared_shingles, Unit::count, "distinct shingles of both"},
          {"shingles_a", &counts.shingles_a, Unit::count, "distinct shingles of A"},
          {"shingles_b", &counts.shingles_b, Unit::count, "distinct shingles of B"}};
}

std::vector<Field> fields_of(Passages& passages) {
  std::vector<Field> fields = fields_of(static_cast<ShingleCounts&>(passages));
  fields.push_back({"tokens_a", &passages.tokens_a, Unit::count, "tokens of A"});
  fields.push_back({"tokens_b", &passages.tokens_b, Unit::count, "tokens of B"});
  return fields;
}

std::vector<Field> fields_of(ComparedTexts& compared) {
  std::vector<Field> fields{{"a", &compared.name_a, Unit::text, "the first text, as it was given"},
                            {"b", &compared.name_b, Unit::text, "the second"}};
  add_fields(fields, fields_of(compared.passages));
  add_fields(fields,
             {{"identical", &compared.identical, Unit::text, "byte for byte, markup included"},
              if_set({"whole_resemblance", &compared.whole_resemblance, Unit::share,
                      "of the whole pages, if templates were left out"}),
              if_set({"notes", &compared.notes, Unit::sentence, "a sentence each"})});
  return fields;
}

}  // namespace twinset
