// The fields of what a filter tells; this file's interface is their fields_of() and to_json().
#include "io/field_json.h"
#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/filter.h"

namespace twinset {

std::vector<Field> fields_of(PrototypeCount& count) {
  return {json_field("id", count.id, "of the prototype"),
          if_set({"added", &count.added, Unit::text, "when, at the latest"}),
          {"matches", &count.matches, Unit::count, "messages that matched it"},
          {"first_seen", &count.first_seen, Unit::text, "when the first did"},
          {"last_seen", &count.last_seen, Unit::text, "when the last did"}};
}

std::vector<Field> fields_of(FilterStats& stats) {
  return {{"prototypes", &stats.prototypes, Unit::count, "in the set"},
          {"checked", &stats.checked, Unit::count, "messages since the filter began"},
          {"matched", &stats.matched, Unit::count, "... that match a prototype"},
          {"passed", &stats.passed, Unit::count, "... that match none"},
          {"unknown", &stats.unknown, Unit::count, "... of which it cannot be told"},
          {"added", &stats.added, Unit::count, "prototypes since then, one at a time"},
          {"removed", &stats.removed, Unit::count, "... by their ids"},
          {"expired", &stats.expired, Unit::count, "... that went with time"},
          {"most_matched", NestedList(&stats.most_matched), Unit::count,
           "the prototypes that the most messages matched, of all times"}};
}

std::vector<Field> fields_of(FilterAnswer& answer) {
  std::vector<Field> fields{
      {"verdict", Choice(&answer.verdict, {"match", "pass", "unknown"}), Unit::text,
       "`match`: a prototype is like it; `pass`: none is; `unknown`: it cannot be told"},
      shown_if(answer.why != WhyUnknown::known,
               {"why",
                Choice(&answer.why, {"known", "few_tokens", "no_signature", "common_keys",
                                     "time_limit", "unreadable"}),
                Unit::text,
                "of an unknown one: too short; without a signature under any scheme of the set; "
                "with keys that too many prototypes have; not found in time; a record that cannot "
                "be read"})};
  if (!answer.prototype.has_value()) return fields;
  IndexHit& hit = *answer.prototype;
  add_fields(fields,
             {json_field("prototype", hit.document.id, "the id of the one that is most like it"),
              if_set({"prototype_url", &hit.document.url, Unit::text, "its URL"}),
              if_set({"prototype_date", &hit.document.date, Unit::text, "its date"}),
              if_set(json_field("prototype_fields", hit.document.fields, "its further fields"))});
  add_fields(fields, fields_of(static_cast<Likeness&>(hit)));
  return fields;
}

std::vector<Field> fields_of(FilterSummary& summary) {
  std::vector<Field> fields{
      {"read", &summary.read, Unit::count, "records"},
      {"documents", &summary.documents, Unit::count, "... that have a text"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"prototypes_added", &summary.prototypes_added, Unit::count,
       "from `--prototypes`; the set had the others already"},
      if_set({"clients", &summary.clients, Unit::count, "of the socket"}),
      {"bad_records", &summary.bad_records, Unit::text, "the first ones, as file:record: reason"},
      {"stats", Nested(&summary.stats), Unit::text, "of messages and prototypes"}};
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

std::string to_json(const FilterStats& stats) {
  return fields_json(fields_of(to_write(stats)), JsonLayout::lines);
}

std::string to_json(const FilterAnswer& answer) { return fields_json(fields_of(to_write(answer))); }

std::string to_json(const FilterSummary& summary) {
  return fields_json(fields_of(to_write(summary)), JsonLayout::lines);
}

}  // namespace twinset
