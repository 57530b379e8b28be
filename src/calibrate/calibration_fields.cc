#include "calibrate/calibration_fields.h"

#include "evaluate/evaluation_fields.h"
#include "io/field_json.h"
#include "run/run_fields.h"

namespace twinset {
namespace {

std::vector<Field> range_fields(TokenRange& range) {
  return {{"least_tokens", &range.least, Unit::count, "the fewest of the length"},
          if_set({"below_tokens", &range.below, Unit::count, "one more than its most"})};
}

}  // namespace

std::vector<Field> fields_of(HalfShares& half) {
  return {{"recall", Nested(&half.recall), Unit::share, "of the same pairs, those found"},
          {"precision", Nested(&half.precision), Unit::share, "of the found pairs, the same ones"}};
}

std::vector<Field> fields_of(CalibrationRow& row) {
  return {{"value", &row.value, Unit::code, "as it would be typed"},
          {"found", &row.found, Unit::count, "all pairs, those that were not judged too"},
          {"choosing", Nested(&row.choosing), Unit::share, "on the half that chooses"},
          {"held_out", Nested(&row.held_out), Unit::share, "on the half that checks"}};
}

std::vector<Field> fields_of(CalibrationClass& of) {
  std::vector<Field> fields = range_fields(of.tokens);
  if (of.chosen) {
    add_fields(fields, {{"chosen", &of.rows[*of.chosen].value, Unit::code, "the value to take"},
                        {"reached", &of.reached, Unit::text,
                         "false: no value reaches the precision, so the strictest stands in"}});
  }
  fields.push_back({"rows", NestedList(&of.rows, ListLayout::lines), Unit::share,
                    "its values, from the strictest to the loosest"});
  return fields;
}

std::vector<Field> fields_of(PlantedRecall& row) {
  std::vector<Field> fields{
      {"replaced", &row.replaced, Unit::share, "of the distinct words of each copy"}};
  add_fields(fields, range_fields(row.tokens));
  fields.push_back({"found", NestedList(&row.found), Unit::share, "of the copies, by `values`"});
  return fields;
}

std::vector<Field> fields_of(Calibration& calibration) {
  return {
      {"scheme", &calibration.scheme, Unit::code,
       "full spec, with the choice if it is a parameter"},
      {"fingerprint", &calibration.fingerprint, Unit::code, "of the scheme and analyzer"},
      {"option", &calibration.option, Unit::text, "`distance`, `resemblance` or `scheme`"},
      {"chosen", &calibration.chosen, Unit::code, "its value as it would be typed"},
      {"truth", &calibration.truth, Unit::text, "in words"},
      {"documents", &calibration.documents, Unit::count, "with a token, in the collection"},
      {"sampled", &calibration.sampled, Unit::count,
       "... that were compared, planted in or have a label"},
      if_set({"found", &calibration.found, Unit::count,
              "pairs that a run over all documents finds at the last value; each value and length "
              "was drawn from evenly"}),
      {"pairs", &calibration.pairs, Unit::count, "with a known truth, found or the same"},
      {"groups", &calibration.groups, Unit::count,
       "components of the pairs that are the same, and other documents; 0 with `found`"},
      {"largest_group", &calibration.largest_group, Unit::share,
       "documents with a pair that are in the largest; 0 with `found`"},
      {"precision", &calibration.precision, Unit::share, "asked for"},
      {"needed", &calibration.needed, Unit::count,
       "groups, or with `found` pairs, that a length needs to tell"},
      {"values", &calibration.values, Unit::code, "from the strictest to the loosest"},
      {"classes", NestedList(&calibration.classes, ListLayout::lines), Unit::share,
       "the values by length; if one is for all lengths, all are the last class"},
      {"planted", NestedList(&calibration.planted, ListLayout::lines), Unit::share,
       "planted copies found; empty with labels or pairs"},
      {"warnings", &calibration.warnings, Unit::sentence, "a sentence each"},
      lost_inputs_field(calibration.lost_inputs)};
}

std::string checked_json(std::vector<CalibrationClass> classes) {
  std::erase_if(classes, [](const CalibrationClass& of) { return !of.chosen; });
  const auto checked_fields = [](CalibrationClass& of) {
    CalibrationRow& row = of.rows[*of.chosen];
    std::vector<Field> fields = range_fields(of.tokens);
    add_fields(fields, {{"value", &row.value}, {"reached", &of.reached}});
    add_fields(fields, fields_of(row.held_out));
    return fields;
  };
  return value_json({"checked", NestedList(&classes, checked_fields, ListLayout::lines)});
}

std::string origin_json(Calibration calibration, std::vector<std::string> inputs) {
  return fields_json({{"command", &calibration.command},
                      {"version", &calibration.version},
                      {"date", &calibration.started},
                      {"inputs", &inputs},
                      {"documents", &calibration.documents},
                      {"sampled", &calibration.sampled},
                      {"pairs", &calibration.pairs},
                      {"truth", &calibration.truth},
                      {"precision", &calibration.precision}});
}

std::string to_json(const Calibration& calibration) {
  Calibration made = calibration;
  return fields_json(fields_of(made)) + "\n";
}

}  // namespace twinset
