// Some parts of an evaluation need another one: a method's answers are at the evaluation's
// thresholds, and its shares are of the evaluation's parts.
#include "evaluate/evaluation_fields.h"

#include "evaluate/verdict.h"
#include "io/field_json.h"
#include "run/run_fields.h"

namespace twinset {

std::vector<Field> fields_of(Share& share) {
  std::vector<Field> fields{{"count", &share.count, Unit::count, "how many"},
                            {"of", &share.of, Unit::count, "of how many"}};
  if (!share.known()) return fields;
  add_fields(fields,
             {{"value", Computed{[&share] { return share.value(); }}, Unit::share, "the share"},
              {"low", &share.low, Unit::share, "lower end of its 95 % interval"},
              {"high", &share.high, Unit::share, "upper end of it"}});
  return fields;
}

std::vector<Field> fields_of(SchemeCost& cost) {
  return {{"stored_bytes", &cost.stored_bytes, Unit::bytes, "of a sketch, on average"},
          {"keys", &cost.keys, Unit::count, "of a document, on average"},
          {"bytes", &cost.bytes, Unit::bytes, "stored bytes, and 8 for each key"},
          {"candidates", &cost.candidates, Unit::count, "pairs to verify, by document"},
          measured({"measured", Nested([&cost] {
                      return std::vector<Field>{
                          {"microseconds", &cost.microseconds, Unit::count, "of sketching"},
                          {"megabytes_a_second", &cost.megabytes_a_second, Unit::count, "of texts"},
                          {"join_microseconds", &cost.join_microseconds, Unit::count,
                           "of finding and comparing pairs"},
                          {"work_microseconds", &cost.work_microseconds, Unit::count,
                           "of these, and of verifying"}};
                    }),
                    Unit::count, "processor time of a document"})};
}

std::vector<Field> fields_of(WrongPair& pair) {
  const auto id_form = [](std::string& id) { return JsonForm{[&id] { return id; }}; };
  return {{"document", id_form(pair.document), Unit::text, "its id; `planted-1` of a copy"},
          {"other", id_form(pair.other), Unit::text, "its survivor, or the other one kept"},
          {"resemblance", &pair.resemblance, Unit::share, "exact"}};
}

std::vector<Field> fields_of(PlantedEdit& edit) {
  return {{"planted", &edit.planted, Unit::count, "copies with the edit"},
          {"mean_resemblance", &edit.mean_resemblance, Unit::share, "to their originals"},
          {"mean_containment", &edit.mean_containment, Unit::share, "the larger one of each pair"}};
}

std::vector<Field> fields_of(LabelMeasures& measures) {
  return {
      {"documents", &measures.documents, Unit::count, "labeled ones"},
      {"labels", &measures.labels, Unit::count, "distinct"},
      {"clusters", &measures.clusters, Unit::count, "singletons counted"},
      {"pair_precision", Nested(&measures.pair_precision), Unit::share, "of pairs in one cluster"},
      {"pair_recall", Nested(&measures.pair_recall), Unit::share, "of pairs of one label"},
      {"adjusted_rand", Nested(&measures.adjusted_rand), Unit::share, "adjusted Rand index"},
      {"bcubed_precision", Nested(&measures.bcubed_precision), Unit::share, "B-cubed precision"},
      {"bcubed_recall", Nested(&measures.bcubed_recall), Unit::share, "B-cubed recall"},
      {"bcubed_f1", Nested(&measures.bcubed_f1), Unit::share, "of these two"},
      {"bytes", &measures.bytes, Unit::bytes, "of text, in all"},
      {"removed_documents", &measures.removed_documents, Unit::count,
       "all but one of each cluster"},
      {"removed_bytes", &measures.removed_bytes, Unit::bytes, "of these"},
      {"lost_documents", &measures.lost_documents, Unit::count, "removed with all of their label"},
      {"lost_bytes", &measures.lost_bytes, Unit::bytes, "of these"},
      {"lost_share", Nested(&measures.lost_share), Unit::share, "of the bytes"}};
}

std::vector<Field> fields_of(LabelEvaluation& labels) {
  std::vector<Field> fields{
      {"name", &labels.name, Unit::text, "the method, or `every pair` for the truth"},
      {"accepted", &labels.accepted, Unit::text, "the pairs that join"},
      {"as", Choice(&labels.stars, {"components", "stars"}), Unit::text, "shape of the clusters"}};
  add_fields(fields, fields_of(labels.measures));
  return fields;
}

std::vector<Field> fields_of(TemplateEvaluation& templates) {
  return {
      {"words", &templates.words, Unit::count, "of the sampled documents, whole"},
      {"words_left_out", &templates.words_left_out, Unit::count, "... that are not compared"},
      {"mostly_left_out", &templates.mostly_left_out, Unit::count,
       "documents that lose at least half of their words"},
      {"whole_recall", Nested(&templates.whole_recall), Unit::share,
       "due pairs that dedup finds over whole texts"},
      {"whole_right", Nested(&templates.whole_right), Unit::share, "its removals that are due"}};
}

namespace {

/// {"kind": {"natural": share, ...}, ...}, without parts that have no pair.
Field parts_field(std::string_view name, std::vector<Share>& shares,
                  std::vector<PartFamily>& families, std::string_view help) {
  return {name, Nested([&shares, &families] {
            std::vector<Field> fields;
            for (PartFamily& family : families) {
              std::vector<Field> parts;
              for (std::size_t i = 0; i < family.labels.size(); ++i) {
                Share& share = shares[family.first + i];
                if (share.known()) parts.push_back({family.labels[i], Nested(&share)});
              }
              fields.push_back({family.name, Nested([parts] { return parts; })});
            }
            return fields;
          }),
          Unit::share, help};
}

std::vector<Field> fields_of(ThresholdEvaluation& at, Ratio threshold, bool run) {
  std::vector<Field> fields{{"resemblance", Computed{[threshold] { return threshold.value(); }},
                             Unit::share, "the threshold"}};
  if (!at.made()) {
    fields.push_back({"refused", &at.refusal, Unit::sentence, "why the scheme cannot be made"});
    return fields;
  }
  add_fields(fields, {{"spec", &at.spec, Unit::code, "the whole spec"},
                      {"found", &at.found, Unit::count, "pairs brought up, right or wrong"}});
  if (!run) {
    add_fields(fields,
               {{"passed", &at.passed, Unit::count, "... that its estimate accepts"},
                {"common_keys", &at.common_keys, Unit::count, "keys left out as too common"}});
  }
  add_fields(fields,
             {{"recall", Nested(&at.recall), Unit::share, "due pairs that were found"},
              {"precision", Nested(&at.precision), Unit::share, "found pairs that are due"}});
  if (!run) {
    add_fields(fields,
               {{"passed_recall", Nested(&at.passed_recall), Unit::share, "... that were accepted"},
                {"passed_precision", Nested(&at.passed_precision), Unit::share,
                 "accepted pairs that are due"}});
  }
  return fields;
}

/// Without the thresholds for which a run cannot be made.
Field thresholds_field(MethodEvaluation& method, std::vector<Ratio>& thresholds) {
  const bool run = method.run.has_value();
  std::vector<std::size_t> shown;
  for (std::size_t t = 0; t < method.at.size(); ++t) {
    if (!run || method.at[t].made()) shown.push_back(t);
  }
  return {"thresholds",
          NestedList(
              ListLayout::one_line, [size = shown.size()] { return size; }, [](std::size_t) {},
              [&method, &thresholds, shown, run](std::size_t i) {
                return fields_of(method.at[shown[i]], thresholds[shown[i]], run);
              }),
          Unit::share, "its recall and precision at each threshold"};
}

std::vector<Field> fields_of(RunEvaluation& run, std::vector<PartFamily>& families) {
  return {parts_field("right", run.right, families, "removals that are due, by part"),
          {"wrong", NestedList(&run.wrong), Unit::text, "removals that are not due, at most 100"},
          {"missed", NestedList(&run.missed), Unit::text, "due pairs both kept, at most 100"}};
}

std::vector<Field> fields_of(MethodEvaluation& method, Evaluation& evaluation) {
  std::vector<Field> fields{{"name", &method.name, Unit::text, "short, for a table"},
                            {"given", &method.given, Unit::code, "the spec as typed"},
                            thresholds_field(method, evaluation.thresholds)};
  if (!method.recall.empty()) {
    fields.push_back(parts_field("recall", method.recall, evaluation.families,
                                 "due pairs found at your threshold, by part"));
  }
  if (method.run) add_fields(fields, fields_of(*method.run, evaluation.families));
  fields.push_back(
      if_set({"cost", OptionalNested(&method.cost), Unit::count, "costs of a document"}));
  return fields;
}

std::vector<Field> fields_of(QueryMeasures& row, const QueryEvaluation& queries) {
  std::vector<Field> fields{
      {"name", &row.name, Unit::text, "the scheme's"},
      {"accepted", &row.accepted, Unit::text, "the pairs that it finds: `keys` or `estimate`"},
      {"found", &row.found, Unit::count, "documents found, of all queries"},
      {"answered", &row.answered, Unit::count, "queries for which a document is found"}};
  if (queries.with_partner > 0) {
    fields.push_back(
        {"recall", Nested(&row.recall), Unit::share, "mean share of due partners found"});
  }
  if (row.answered > 0) {
    fields.push_back({"precision", Nested(&row.precision), Unit::share, "mean share that is due"});
  }
  add_fields(fields,
             {if_set({"increase", &row.increase, Unit::share, "of recall over the first row"}),
              {"pure", Nested(&row.pure), Unit::share, "clusters whose pairs are all due"},
              {"one_label", Nested(&row.one_label), Unit::share, "... that have one label"}});
  if (!queries.label.empty()) {
    add_fields(fields,
               {{"wanted", &row.wanted, Unit::count, "found documents with the label"},
                {"unwanted", &row.unwanted, Unit::count, "... with another one"},
                {"utility", Nested(&row.utility), Unit::count, "`wanted` - `cost` x `unwanted`"}});
  }
  return fields;
}

Field measured_field(Evaluation& evaluation) {
  return measured({"measured", Nested([&evaluation] {
                     return std::vector<Field>{
                         {"analysis_microseconds", &evaluation.analysis_microseconds, Unit::count,
                          "of a document, text to tokens"},
                         {"verification_microseconds", &evaluation.verification_microseconds,
                          Unit::count, "of a pair"},
                         {"verdict", TextForm{[&evaluation] {
                            return render_message(Door::plain, verdict_on(evaluation));
                          }},
                          Unit::text, "the scheme to take, in words"}};
                   }),
                   Unit::count, "what differs from run to run"});
}

std::vector<Field> sample_fields(Evaluation& evaluation) {
  return {
      {"documents", &evaluation.documents, Unit::count, "with a token, in the collection"},
      {"sampled_so", &evaluation.sampled_so, Unit::text, "why no more were sampled, in words"},
      {"originals", &evaluation.originals, Unit::count, "sampled documents"},
      {"copies", &evaluation.copies, Unit::count, "planted"},
      {"text_bytes", &evaluation.sample_bytes, Unit::bytes, "of text, copies too"},
      {"common_documents", &evaluation.common_documents, Unit::count, "mostly text common to many"},
      {"common_least", &evaluation.common_least, Unit::count, "originals that make it common"},
      {"pairs", &evaluation.pairs, Unit::count, "found exactly"},
      {"resemblance",
       Computed{[&evaluation] { return evaluation.thresholds[evaluation.chosen].value(); }},
       Unit::share, "your threshold"},
      {"containment", Computed{[&evaluation] { return evaluation.containment.value(); }},
       Unit::share, "your threshold of containment"},
      if_set({"templates", OptionalNested(&evaluation.templates), Unit::count,
              "what leaving them out does"}),
      if_set({"truth", &evaluation.truth, Unit::code, "the rule of due pairs, if given"}),
      {"least_recall", &evaluation.least_recall, Unit::share, "of a scheme to take"}};
}

}  // namespace

std::vector<Field> fields_of(QueryEvaluation& queries) {
  std::vector<Field> fields{
      {"documents", &queries.documents, Unit::count, "of the sample"},
      {"queries", &queries.queries, Unit::count, "documents that are queries"},
      {"with_partner", &queries.with_partner, Unit::count, "queries with a due partner"}};
  if (!queries.label.empty()) {
    add_fields(fields, {{"label", &queries.label, Unit::text, "of the queries"},
                        {"cost", &queries.cost, Unit::count, "of a found one with another label"}});
  }
  fields.push_back({"rows",
                    NestedList(&queries.rows,
                               [&queries](QueryMeasures& row) { return fields_of(row, queries); }),
                    Unit::text, "each scheme's answers"});
  return fields;
}

std::vector<Field> fields_of(Evaluation& evaluation) {
  std::vector<Field> fields = sample_fields(evaluation);
  add_fields(fields, {{"edits", NestedMap(&evaluation.edits, &PlantedEdit::name), Unit::count,
                       "the copies planted with each edit"},
                      {"methods",
                       NestedList(&evaluation.methods,
                                  [&evaluation](MethodEvaluation& method) {
                                    return fields_of(method, evaluation);
                                  }),
                       Unit::text, "the run, then schemes as listed"}});
  if (!evaluation.labels.empty()) {
    add_fields(fields, {{"labels_of", &evaluation.labels_of, Unit::text, "the labels, in words"},
                        {"labels", NestedList(&evaluation.labels), Unit::text,
                         "clusters compared with labels"}});
  }
  add_fields(fields, {if_set({"queries", OptionalNested(&evaluation.queries), Unit::count,
                              "each document as a query against all others"}),
                      lost_inputs_field(evaluation.lost_inputs), measured_field(evaluation)});
  return fields;
}

std::string to_json(const Evaluation& evaluation) {
  Evaluation made = evaluation;
  return fields_json(fields_of(made)) + "\n";
}

}  // namespace twinset
