#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/sketch.h"

namespace twinset {

std::vector<Field> fields_of(SketchSummary& summary) {
  std::vector<Field> fields{
      {"read", &summary.read, Unit::count, "records"},
      {"documents", &summary.documents, Unit::count, "... that have a text"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"schemes", &summary.schemes, Unit::code, "the full specs"},
      {"without", NestedList(&summary.without), Unit::count,
       "of each scheme, the documents that have no signature, by reason"},
      {"bad_records", &summary.bad_records, Unit::text, "the first ones, as file:record: reason"},
      analyzer_field(summary)};
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

std::vector<Field> fields_of(JoinSummary& summary) {
  return {{"lines", &summary.lines, Unit::count, "signatures that were read"},
          {"without", &summary.without, Unit::count, "lines without a signature"},
          {"pairs", &summary.pairs, Unit::count, "lines that were written"},
          {"scheme", &summary.scheme, Unit::code, "of all lines"}};
}

}  // namespace twinset
