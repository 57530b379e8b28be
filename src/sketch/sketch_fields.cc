#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/sketch.h"

namespace twinset {
namespace {

std::vector<Field> fields_of(DocumentFeatures& features) {
  return {{"features", &features.features, Unit::count, "that vote on the signature"},
          {"heaviest", NestedList(&features.heaviest), Unit::count, "the heaviest of them"}};
}

}  // namespace

std::vector<Field> fields_of(WeightedFeature& feature) {
  return {
      {"text", &feature.text, Unit::text,
       "its words, or the value of a field; of a number that a field has, `high` or `low`"},
      if_set({"field", &feature.field, Unit::text,
              "the field of the record or page; left out if it is of the text"}),
      {"weight", &feature.weight, Unit::count, "its weight, a whole number"},
      {"share", &feature.share, Unit::share, "its share of the weights of all features"},
      {"bits", &feature.bits, Unit::code,
       "hexadecimal digits in the order of the signature's: it votes for these bits, and "
       "against the others"},
      {"agreeing", &feature.agreeing, Unit::count, "bits of the signature that are as it votes"}};
}

std::vector<Field> fields_of(ListedFeatures& listed) {
  std::vector<Field> fields{{"document", &listed.document, Unit::text, "its id"},
                            {"scheme", &listed.scheme, Unit::code, "the full spec"}};
  add_fields(fields, fields_of(static_cast<DocumentFeatures&>(listed)));
  return fields;
}

std::vector<Field> fields_of(SketchSummary& summary) {
  std::vector<Field> fields{
      {"read", &summary.read, Unit::count, "records"},
      {"documents", &summary.documents, Unit::count, "... that have a text"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"schemes", &summary.schemes, Unit::code, "the full specs"},
      {"without", NestedList(&summary.without), Unit::count,
       "of each scheme, the documents that have no signature, by reason"},
      {"bad_records", &summary.bad_records, Unit::text, "the first ones, as file:record: reason"},
      if_set({"features", NestedList(&summary.features, ListLayout::lines), Unit::count,
              "of the first documents"}),
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
