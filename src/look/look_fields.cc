#include <array>

#include "join/fate.h"
#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/look.h"

namespace twinset {
namespace {

/// By Explanation::Fate.
constexpr std::array<std::string_view, 7> fate_words{
    "kept", "removed", "reference", "quarantined", "filtered", "clustered", "alone"};

/// By Decided.
constexpr std::array<std::string_view, 3> decided_words{"restore", "remove", "none"};

/// The survivor of a removed record, and how alike the two are.
std::vector<Field> removed_fields(Explanation& explanation) {
  RecordName& survivor = explanation.survivor;
  return {{"kind", Choice(&explanation.kind, removal_kinds()), Unit::text,
           "`identical`, `lexical`, `near` or `contained`"},
          {"survivor_id", &survivor.id, Unit::text, "the kept record that represents it"},
          {"survivor_file", &survivor.file, Unit::text, "its file"},
          {"survivor_record", &survivor.record, Unit::count, "its number there"},
          {"resemblance", &explanation.resemblance, Unit::share, "of the two"},
          if_set({"interval", OptionalNested(&explanation.interval), Unit::share,
                  "of an estimated resemblance: its 95 % interval, Wilson's"}),
          {"containment", &explanation.containment, Unit::share, "of the record in its survivor"},
          {"survivor_containment", &explanation.survivor_containment, Unit::share,
           "of the survivor in the record"},
          if_set({"whole_resemblance", &explanation.whole_resemblance, Unit::share,
                  "of the whole pages, if templates were left out"})};
}

/// The records after the first.
NestedList members(ShownCluster& cluster) {
  return {ListLayout::one_line, [&cluster] { return cluster.records.size() - 1; },
          [&cluster](std::size_t size) { cluster.records.resize(size + 1); },
          [&cluster](std::size_t i) { return fields_of(cluster.records[i + 1]); }};
}

}  // namespace

std::string_view name_of(Explanation::Fate fate) {
  return fate_words[static_cast<std::size_t>(fate)];
}

std::vector<Field> fields_of(RecordName& name) {
  return {{"id", &name.id, Unit::text, "its id, or file:record"},
          {"file", &name.file, Unit::text, "its file, as you would write it"},
          {"record", &name.record, Unit::count, "its number in the file"}};
}

std::vector<Field> fields_of(AlikeRecord& alike) {
  std::vector<Field> fields = fields_of(alike.name);
  add_fields(
      fields,
      {if_set({"kind", Choice(&alike.kind, removal_kinds()), Unit::text, "of a removed record"}),
       if_set({"resemblance", &alike.resemblance, Unit::share, "to the record"}),
       if_set({"containment", &alike.containment, Unit::share, "in the survivor"}),
       if_set({"distance", &alike.distance, Unit::count, "bits that differ"}),
       if_set({"interval", OptionalNested(&alike.interval), Unit::share,
               "of an estimated resemblance: its 95 % interval, of counted keys that of Clopper "
               "and Pearson, of sketches Wilson's"}),
       if_set({"rest_resemblance", &alike.rest_resemblance, Unit::share,
               "in a run with `--mark-templates`: of the two without templates; left out if "
               "nothing is "
               "left of both, which resembles nothing"}),
       if_set({"template", &alike.is_template, Unit::text,
               "true if that is below the threshold: a template pair"})});
  return fields;
}

std::vector<Field> fields_of(ClusterPlace& place) {
  const bool in_cluster = place.documents > 0;
  return {shown_if(in_cluster, {"representative", Nested(&place.representative), Unit::text,
                                "the first document of its cluster"}),
          shown_if(in_cluster, {"documents", &place.documents, Unit::count, "of the cluster"}),
          if_set({place.copy_kind.has_value() ? name_of(*place.copy_kind) : "",
                  OptionalNested(&place.original), Unit::text, "its original"}),
          shown_if(place.has_pairs, {"edges", &place.pairs, Unit::count, "pairs at the threshold"}),
          if_set({"template_pairs", &place.template_pairs, Unit::count,
                  "those of them that are template pairs"}),
          shown_if(place.has_pairs, {"nearest", NestedList(&place.nearest), Unit::count,
                                     "of the pairs, most alike first"})};
}

std::vector<Field> fields_of(Explanation& explanation) {
  std::vector<Field> fields = fields_of(explanation.document);
  using enum Explanation::Fate;
  const Explanation::Fate fate = explanation.fate;
  fields.push_back({"fate", Choice(&explanation.fate, {fate_words.begin(), fate_words.end()}),
                    Unit::text, "what became of it"});
  if (fate == removed) add_fields(fields, removed_fields(explanation));
  add_fields(fields, {if_set({"reason", &explanation.reason, Unit::text, "why it was left out"}),
                      shown_if(fate == kept || fate == reference,
                               {"stands_for", &explanation.stands_for, Unit::count,
                                "removed records that it represents"})});
  if (explanation.cluster.has_value()) add_fields(fields, fields_of(*explanation.cluster));
  fields.push_back(if_set({"notes", &explanation.notes, Unit::sentence, "a sentence each"}));
  return fields;
}

std::vector<Field> fields_of(ShownRecord& shown) {
  std::vector<Field> fields = fields_of(shown.name);
  add_fields(fields, {{"words", &shown.words, Unit::text, "its first words"},
                      if_set({"missing", &shown.missing, Unit::text, "why there are none"}),
                      if_set({"resemblance", &shown.resemblance, Unit::share, "to the survivor"})});
  return fields;
}

std::vector<Field> fields_of(ShownCluster& cluster) {
  std::vector<Field> fields = fields_of(cluster.records.front());
  add_fields(fields, {{"documents", &cluster.documents, Unit::count, "of the cluster"},
                      {"members", members(cluster), Unit::count, "some of the others"}});
  return fields;
}

std::vector<Field> fields_of(ShownReuse& text) {
  std::vector<Field> fields = fields_of(text.name);
  add_fields(fields,
             {{"spans", &text.spans, Unit::count, "that end in it"},
              {"reused_bytes", &text.bytes, Unit::bytes, "of it that are in any of these"}});
  return fields;
}

std::vector<Field> fields_of(ShownLink& link) {
  std::vector<Field> fields = fields_of(link.record);
  add_fields(fields, {{"kind", Choice(&link.kind, removal_kinds()), Unit::text,
                       "`identical`, `lexical`, `near`, `contained`"},
                      if_set({"distance", &link.distance, Unit::count, "bits that differ"}),
                      shown_if(!link.distance.has_value(),
                               {"resemblance", &link.resemblance, Unit::share, "of the two"}),
                      if_set({"template", &link.is_template, Unit::text,
                              "true if the two do not reach the threshold without templates"}),
                      {"other", Nested(&link.other), Unit::text, "the record that it resembles"}});
  return fields;
}

std::vector<Field> fields_of(ClusterPair& pair) {
  std::vector<Field> fields = fields_of(pair.document);
  add_fields(fields, {{"other", Nested(&pair.other), Unit::text},
                      {"kind", TextForm{[&pair] { return std::string(name_of(pair.kind)); }}},
                      if_set({"resemblance", &pair.resemblance, Unit::share}),
                      if_set({"containment", &pair.containment, Unit::share}),
                      if_set({"other_containment", &pair.other_containment, Unit::share}),
                      if_set({"distance", &pair.distance}),
                      {"template", &pair.is_template}});
  return fields;
}

std::vector<Field> fields_of(RestoreSummary& summary) {
  return {{"records", &summary.records, Unit::count, "records given back"},
          {"files", &summary.files, Unit::count, "inputs they are from"},
          if_set({"notes", &summary.notes, Unit::sentence, "caveats, a sentence each"})};
}

std::string_view name_of(Decided decision) {
  return decided_words[static_cast<std::size_t>(decision)];
}

std::vector<Field> fields_of(RecordDecision& decision) {
  RecordName& name = decision.name;
  return {
      {"record", &decision.record, Unit::text, "as people name it: its id, or `file:record`"},
      if_given({"id", &name.id, Unit::text, "its id, or `file:record`"}),
      if_given({"file", &name.file, Unit::text, "its file, as you would write it"}),
      if_given({"number", &name.record, Unit::count, "its number in the file, from 1"}),
      {"decision", Choice(&decision.decision, {decided_words.begin(), decided_words.end()}),
       Unit::text,
       "`restore`: a removed record comes back; `remove`: a record goes; `none` takes an earlier "
       "decision back"},
      if_set({"judge", &decision.judge, Unit::text, "the name of the person who decided"}),
      if_given({"time", &decision.time, Unit::text, "UTC, ISO 8601"})};
}

std::vector<Field> fields_of(RecordDecisions& decisions) {
  return {
      {"decisions", NestedList(&decisions.decisions), Unit::count, "the last one of each record"},
      if_set({"notes", &decisions.notes, Unit::sentence, "caveats, a sentence each"})};
}

}  // namespace twinset
