// The fields of what is told of an index; this file's interface is their fields_of() and to_json().
#include <string_view>

#include "io/field_json.h"
#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/hits.h"
#include "twinset/index.h"

namespace twinset {
namespace {

Field share_field(std::string_view name, std::optional<Interval>& share, std::string_view help) {
  return if_set({name, OptionalNested(&share), Unit::share, help});
}

}  // namespace

std::vector<Field> fields_of(IndexDocument& document) {
  return {json_field("id", document.id, "its id; `file:record` if its record has none"),
          if_set({"url", &document.url, Unit::text, "its URL"}),
          if_set({"date", &document.date, Unit::text, "its date, as its record has it"}),
          if_set(json_field("fields", document.fields, "the further fields that are kept")),
          if_set(json_field("survivor", document.survivor,
                            "the id of the document in whose favor `dedup` removed it"))};
}

std::vector<Field> fields_of(StoredDocument& stored) {
  std::vector<Field> fields = fields_of(stored.document);
  fields.push_back(if_set({"text", &stored.text, Unit::text, "its text"}));
  return fields;
}

std::vector<Field> fields_of(Likeness& likeness) {
  return {
      {"same", Choice(&likeness.same, {"no", "tokens", "bytes"}), Unit::text,
       "`bytes` or `tokens` if those are equal to the query's, else `no`"},
      share_field("resemblance", likeness.resemblance, "of query and document"),
      share_field("containment", likeness.containment, "of the query in the document"),
      share_field("contains", likeness.contains, "of the document in the query"),
      {"exact", &likeness.exact, Unit::text, "the texts were compared; else sketches tell"},
      if_set({"shared", &likeness.shared, Unit::count,
              "shingles of both, if it is exact, else values of both samples"}),
      if_set({"distance", &likeness.distance, Unit::count, "bits in which the signatures differ"}),
      if_set(
          {"coordinate", &likeness.coordinate, Unit::count, "at which the signatures are equal"})};
}

std::vector<Field> fields_of(SharedPassage& passage) {
  return {{"begin", &passage.begin, Unit::bytes, "of the query's text, where the passage begins"},
          {"end", &passage.end, Unit::bytes, "... and ends"},
          if_set({"in_begin", &passage.in_begin, Unit::bytes,
                  "of the document's text; left out where keys alone tell of the passage"}),
          if_set({"in_end", &passage.in_end, Unit::bytes, "likewise"}),
          {"tokens", &passage.tokens, Unit::count, "in a row"}};
}

std::vector<Field> fields_of(QuotingHost& host) {
  return {{"host", &host.host, Unit::text, "of documents that share a passage; empty: no URL"},
          {"documents", &host.documents, Unit::count, "such documents"},
          {"passages", &host.passages, Unit::count, "in all of them"},
          {"quoted", &host.quoted, Unit::count,
           "tokens of the query that lie in a passage of one of them"}};
}

std::vector<Field> fields_of(CommonPassage& passage) {
  return {{"begin", &passage.begin, Unit::bytes, "of the query's text"},
          {"end", &passage.end, Unit::bytes, ""}};
}

std::vector<Field> fields_of(IndexHit& hit) {
  std::vector<Field> fields = fields_of(hit.document);
  add_fields(fields, fields_of(static_cast<Likeness&>(hit)));
  add_fields(
      fields,
      {if_set({"passages", NestedList(&hit.passages), Unit::count,
               "with `--passages`: shared with the query, by place"}),
       if_set({"quoted", &hit.quoted, Unit::count, "tokens of the query that lie in a passage"})});
  return fields;
}

std::vector<Field> fields_of(IndexAnswer& answer) {
  return {{"hits", NestedList(&answer.hits), Unit::count, "the best first"},
          {"compared", &answer.compared, Unit::count, "documents that share a key with the query"},
          {"skipped", &answer.skipped, Unit::count,
           "keys of the query that more than `--max-group` documents have, and that find none"},
          if_set({"hosts", NestedList(&answer.hosts), Unit::count,
                  "with `--passages`: of all documents that share one, beyond `--top`, too; by "
                  "name"}),
          if_set({"common", NestedList(&answer.common), Unit::count,
                  "with `--passages`: where the query has skipped keys"}),
          if_set({"sure_tokens", &answer.sure_tokens, Unit::count,
                  "with `--passages`: every document that shares so many tokens in a row was "
                  "found"}),
          if_set({"timed_out", &answer.timed_out, Unit::text,
                  "`--time-limit` passed: there may be more"})};
}

std::vector<Field> fields_of(MoveEvidence& evidence) {
  return {{"from", &evidence.from, Unit::text, "the URL where the content stood"},
          {"from_date", &evidence.from_date, Unit::text, "of the document there"},
          {"to", Nested(&evidence.to), Unit::text, "the later document that has it"},
          share_field("resemblance", evidence.resemblance, "of the two documents"),
          share_field("containment", evidence.containment, "of the earlier document in the later"),
          share_field("contains", evidence.contains, "of the later document in the earlier"),
          {"exact", &evidence.exact, Unit::text, "the texts were compared; else sketches tell"},
          {"own", &evidence.own, Unit::count,
           "pieces of the earlier document that no other page had while it was there: shingles if "
           "exact, else keys of its sample"},
          {"kept", &evidence.kept, Unit::count, "of these, those that the later document has"},
          {"share", &evidence.share, Unit::share,
           "the estimated share of the earlier document's own content that stands in the later, or "
           "the share that it makes of that, whichever is greater"}};
}

std::vector<Field> fields_of(PageLocation& location) {
  return {{"url", &location.url, Unit::text, "as asked for"},
          {"status", Choice(&location.status, {"here", "moved", "gone", "unknown"}), Unit::text,
           "`here`: the last sweep has the URL; `moved`: it has the page's content at another; "
           "`gone`: neither; `unknown`: the index has no document of the URL"},
          if_set({"newest", OptionalNested(&location.newest), Unit::text,
                  "the last document of the page"}),
          if_set({"confidence", &location.confidence, Unit::share,
                  "the share of such answers that was right where the truth was planted"}),
          if_set({"since", &location.since, Unit::text, "when the last sweep began"}),
          if_set({"last_seen", &location.last_seen, Unit::text,
                  "the date of the last document of the URL"}),
          if_set({"host_seen", &location.host_seen, Unit::text,
                  "the newest date of a document of the host where the page was seen last"}),
          {"evidence", NestedList(&location.evidence), Unit::count,
           "the moves that lead to `newest`, in their order"},
          {"others", NestedList(&location.others), Unit::count,
           "further places in the last sweep, such as of the other half of a page that was split"}};
}

std::vector<Field> fields_of(IndexCluster& cluster) {
  return {{"documents", NestedList(&cluster.documents), Unit::count, "in the order of adding"},
          {"whole", &cluster.whole, Unit::text, "false: there are more, which `--top` cuts off"}};
}

std::vector<Field> fields_of(IndexLookup& lookup) {
  return {{"name", &lookup.name, Unit::text, "the id or URL, as asked for"},
          {"documents", NestedList(&lookup.documents), Unit::count,
           "all that have it, the earliest added first; none: it is unknown"},
          {"clusters", NestedList(&lookup.clusters), Unit::count,
           "of these documents, each once: all documents that pairs connect"}};
}

std::vector<Field> fields_of(IndexStats& stats) {
  return {{"index", &stats.index, Unit::text, "its folder"},
          {"settings", Nested(&stats.settings), Unit::text, "what decides its content"},
          {"documents", &stats.documents, Unit::count, "without deleted and removed ones"},
          {"removed", &stats.removed, Unit::count,
           "documents that `dedup` removed: they only lead to others"},
          {"deleted", &stats.deleted, Unit::count, "documents whose bytes are still there"},
          {"segments", &stats.segments, Unit::count, ""},
          {"bytes", &stats.bytes, Unit::bytes, "of all files"},
          {"changes", &stats.changes, Unit::count, "since it was made"}};
}

std::vector<Field> fields_of(IndexSummary& summary) {
  std::vector<Field> fields{
      {"read", &summary.read, Unit::count, "records"},
      {"documents", &summary.documents, Unit::count, "... that have a text"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"added", &summary.added, Unit::count, "documents, replacing ones too"},
      {"replaced", &summary.replaced, Unit::count, "... whose id the index had"},
      {"unchanged", &summary.unchanged, Unit::count,
       "documents that the index had already, equal in everything"},
      {"repeated", &summary.repeated, Unit::count,
       "documents whose id came again later in the inputs"},
      {"removed", &summary.removed, Unit::count, "documents that were deleted by their ids"},
      if_set({"not_there", &summary.not_there, Unit::text,
              "ids to be deleted that the index does not have"}),
      {"bad_records", &summary.bad_records, Unit::text, "the first ones, as file:record: reason"},
      {"stats", Nested(&summary.stats), Unit::text, "the index afterwards"}};
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

std::vector<Field> fields_of(QuerySummary& summary) {
  std::vector<Field> fields{
      {"read", &summary.read, Unit::count, "records"},
      {"documents", &summary.documents, Unit::count, "... that have a text"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"queries", &summary.queries, Unit::count, "lines that were written"},
      {"answered", &summary.answered, Unit::count, "... with a hit"},
      {"hits", &summary.hits, Unit::count, "in all lines"},
      {"compared", &summary.compared, Unit::count, "documents that share a key with a query"},
      {"skipped", &summary.skipped, Unit::count, "keys that too many documents have"},
      if_set({"passages", &summary.passages, Unit::count, "in all lines"}),
      if_set({"timed_out", &summary.timed_out, Unit::count, "queries that `--time-limit` ended"}),
      {"bad_records", &summary.bad_records, Unit::text, "the first ones, as file:record: reason"}};
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

std::vector<Field> fields_of(GroupedHit& hit) {
  std::vector<Field> fields{
      json_field("id", hit.id, "its id, as the list has it"),
      if_set({"best", &hit.best, Unit::text, "it is the best one, which the others are like"}),
      {"action", Choice(&hit.action, {"show", "demote", "skip"}), Unit::text,
       "`show`: it keeps a place of its group; `demote`: it comes behind all groups; `skip`: it is "
       "not in the order"},
      if_set({"unknown", &hit.unknown, Unit::text,
              "the index has no such document, and the list no text"})};
  if (!hit.best) add_fields(fields, fields_of(static_cast<Likeness&>(hit)));
  return fields;
}

std::vector<Field> fields_of(HitGroup& group) {
  return {json_field("best", group.best, "the id of the best one"),
          {"members", NestedList(&group.members), Unit::count, "by rank, the best one included"}};
}

std::vector<Field> fields_of(GroupedHits& grouped) {
  return {
      if_set(json_field("id", grouped.id, "the list's, if it has one")),
      {"groups", NestedList(&grouped.groups), Unit::count, "by the rank of their first members"},
      {"order", JsonForm{[&grouped] {
         std::string ids = "[";
         for (const ShownHit& shown : grouped.order) {
           ids += (ids.size() > 1 ? ", " : "") + shown.id;
         }
         return ids + "]";
       }},
       Unit::text, "the ids of what to show, from the first place on"}};
}

std::vector<Field> fields_of(GroupSummary& summary) {
  std::vector<Field> fields{
      {"lists", &summary.lists, Unit::count, "lines that were answered"},
      {"quarantined", &summary.quarantined, Unit::count, "... that are no lists"},
      {"hits", &summary.hits, Unit::count, "that their askers may see"},
      {"groups", &summary.groups, Unit::count, "... that they make"},
      {"bad_records", &summary.bad_records, Unit::text, "the first ones, as file:line: reason"}};
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

std::string to_json(const GroupedHits& grouped) {
  return fields_json(fields_of(to_write(grouped)));
}

std::string to_json(const PageLocation& location) {
  return fields_json(fields_of(to_write(location)));
}

std::string to_json(const IndexLookup& lookup) { return fields_json(fields_of(to_write(lookup))); }

std::string to_json(const IndexStats& stats) {
  return fields_json(fields_of(to_write(stats)), JsonLayout::lines);
}

std::string to_json(const IndexSummary& summary) {
  return fields_json(fields_of(to_write(summary)), JsonLayout::lines);
}

}  // namespace twinset
