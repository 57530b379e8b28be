// Names of fields depend on what is judged: "pairs" or "labels" count a class, and each category
// has a field.
#include "judge/judge_fields.h"

#include "io/json.h"
#include "run/run_fields.h"

namespace twinset {
namespace {

/// The share by that name, and "interval".
std::vector<Field> share_fields(std::string_view name, Interval& share, std::string_view help) {
  const auto interval = [&share] {
    std::string out = "[";
    append_json_real(out, share.low);
    out += ", ";
    append_json_real(out, share.high);
    return out + "]";
  };
  return {{name, &share.value, Unit::share, help},
          {"interval", JsonForm{interval}, Unit::share, "its 95 % interval"}};
}

/// Left out for pairs.
void add_kind(std::vector<Field>& fields, Judged& kind) {
  if (kind == Judged::pairs) return;
  fields.push_back({"of", Choice(&kind, {"pairs", "labels"}), Unit::text, "`labels`; else pairs"});
}

std::vector<Field> class_fields(std::string& name, std::uint64_t& pairs, std::uint64_t& sampled,
                                Judged kind) {
  return {{"class", &name, Unit::text, "`all` without classes"},
          {judged_name(kind, true), &pairs, Unit::count, "in the run or the file"},
          {"sampled", &sampled, Unit::count, "of these"}};
}

std::vector<Field> fields_of(JudgedClass& of, const JudgedTables& tables) {
  std::vector<Field> fields = class_fields(of.name, of.pairs, of.sampled, tables.kind);
  std::vector<Field> verdicts;
  std::vector<Field> shares;
  for (std::size_t i = 0; i < tables.categories.size(); ++i) {
    const std::string& category = tables.categories[i];
    verdicts.push_back({category, &of.verdicts[i]});
    if (of.shares.empty() || category == dropped_category) continue;
    shares.push_back({category, Nested([share = &of.shares[i]] {
                        return share_fields("share", *share, "of the clear verdicts");
                      })});
  }
  add_fields(fields, {{"judged", &of.judged, Unit::count, "of these"},
                      {"verdicts", Nested([verdicts] { return verdicts; }), Unit::count,
                       "those of each category"}});
  if (tables.kind == Judged::labels) {
    fields.push_back({"shares", Nested([shares] { return shares; }), Unit::share,
                      "of the verdicts that are not `unclear`"});
  } else if (of.precision.has_value()) {
    add_fields(fields, share_fields("precision", *of.precision, "of the good category"));
  } else {
    fields.push_back({"precision", OptionalNested(&of.precision), Unit::share});
  }
  return fields;
}

std::vector<Field> fields_of(JudgeVerdicts& judge, const JudgedTables& tables) {
  return {{"judge", &judge.judge, Unit::text, "the judge's name"},
          {"judged", &judge.judged, Unit::count, "pairs or labels"},
          {"classes",
           NestedList(&judge.classes, [&tables](JudgedClass& of) { return fields_of(of, tables); }),
           Unit::text, "the verdicts by class"}};
}

}  // namespace

std::vector<Field> fields_of(JudgeAgreement& agreement) {
  std::vector<Field> fields{{"a", &agreement.a, Unit::text, "one judge"},
                            {"b", &agreement.b, Unit::text, "the other"},
                            {"both", &agreement.both, Unit::count, "judged by both"},
                            {"agreed", &agreement.agreed, Unit::count, "... alike"}};
  add_fields(fields, share_fields("share", agreement.share, "of these"));
  fields.push_back(
      {"kappa", &agreement.kappa, Unit::share, "Cohen's; null if both know one category only"});
  if (agreement.kappa) {
    fields.push_back({"kappa_error", &agreement.kappa_error, Unit::share, "its standard error"});
  }
  return fields;
}

std::vector<Field> fields_of(JudgedTables& tables) {
  std::vector<Field> fields;
  add_kind(fields, tables.kind);
  add_fields(fields,
             {{"source", &tables.source, Unit::text, "as the first call named it"},
              {"by", &tables.by, Unit::text, "what makes the classes; empty: one class"},
              {"sampled", &tables.sampled, Unit::count, "pairs or labels"},
              {"judges",
               NestedList(&tables.judges,
                          [&tables](JudgeVerdicts& judge) { return fields_of(judge, tables); }),
               Unit::text, "by name"},
              {"agreements", NestedList(&tables.agreements), Unit::text, "of each two judges"},
              {"notes", &tables.notes, Unit::sentence, "a sentence each"}});
  return fields;
}

std::vector<Field> fields_of(JudgedHeader& header) {
  std::vector<Field> fields{{"judged", Computed{[] { return judged_version; }}, Unit::code}};
  add_kind(fields, header.kind);
  add_fields(
      fields,
      {{"source", &header.source, Unit::text, "as the first call named it"},
       {"by",
        TextForm{[&header] { return std::string(by_name(header.by)); },
                 [&header](std::string_view name) { return set_by(header.by, name); }},
        Unit::text, "what makes the classes; empty: one class"},
       {"sample", &header.sample, Unit::count, "pairs or labels of each class"},
       {"seed", &header.seed, Unit::code, "of the sample"},
       {"categories",
        TextForm{[&header] { return header.categories.text(); },
                 [&header](std::string_view list) {
                   Result<Categories> read = Categories::parse(list);
                   if (read.ok()) header.categories = std::move(read).value();
                   return read.ok();
                 }},
        Unit::code, "those of the verdicts"},
       {"sampled", &header.sampled, Unit::count, "pairs or labels"},
       {"classes",
        NestedList(&header.classes,
                   [&header](SampleClass& of) {
                     std::vector<Field> fields =
                         class_fields(of.name, of.pairs, of.sampled, header.kind);
                     fields.push_back(
                         {"class is not empty, and sampled is at most the whole",
                          FieldRule{[&of] { return !of.name.empty() && of.sampled <= of.pairs; }}});
                     return fields;
                   }),
        Unit::text, "in the order of the table"},
       {"fingerprint", checksum_form(header.fingerprint), Unit::code, "of the sampled pairs"}});
  return fields;
}

}  // namespace twinset
