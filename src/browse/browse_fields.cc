// The fields of the answers about a finished run; this file's interface is their fields_of().

#include "io/field_json.h"
#include "join/fate.h"
#include "twinset/browse.h"

namespace twinset {
namespace {

/// Ids and files are strings of any bytes; JSON has them as twinset/field.h says.
Field first_field(RecordName& name, std::string_view help) {
  return {"first", Nested(&name), Unit::text, help};
}

/// Those of cluster, too.
std::vector<std::string_view> kind_words() {
  std::vector<std::string_view> words = removal_kinds();
  words.push_back(name_of(RemovalKind::shingles));
  return words;
}

/// The elements, each JSON, as an array.
JsonForm json_array(const std::vector<std::string>& elements) {
  return {[&elements] {
    std::string out = "[";
    for (const std::string& element : elements) {
      if (out.size() > 1) out += ", ";
      out += element;
    }
    return out + "]";
  }};
}

}  // namespace

std::vector<Field> fields_of(KindCounts& counts) {
  return {if_set({"identical", &counts.identical, Unit::count, "of equal bytes"}),
          if_set({"lexical", &counts.lexical, Unit::count, "of equal tokens"}),
          if_set({"shingles", &counts.shingles, Unit::count, "of an equal set of shingles"}),
          if_set({"near", &counts.near, Unit::count, "that resemble another"}),
          if_set({"contained", &counts.contained, Unit::count, "that another contains"})};
}

std::vector<Field> fields_of(BrowsedCluster& cluster) {
  return {{"cluster", &cluster.cluster, Unit::count, "its number from 1, in the order of the run"},
          {"documents", &cluster.documents, Unit::count, "the first one included"},
          first_field(cluster.first, "the survivor, or the first document"),
          {"words", &cluster.words, Unit::text, "its first words"},
          if_set({"missing", &cluster.missing, Unit::text, "why there are none"}),
          {"resemblance", &cluster.resemblance, Unit::share,
           "the least of its members, or of its pairs; null: not known"},
          {"kinds", Nested(&cluster.kinds), Unit::count, "members by kind"},
          {"sources", &cluster.sources, Unit::count, "files that its documents are of"}};
}

std::vector<Field> fields_of(ClusterPage& page) {
  return {{"total", &page.total, Unit::count, "clusters that were asked for"},
          {"documents", &page.documents, Unit::count, "in all of these"},
          {"clusters", NestedList(&page.clusters), Unit::count, "those of the page"}};
}

std::vector<Field> fields_of(BrowsedMember& member) {
  std::vector<Field> fields = fields_of(member.name);
  add_fields(fields, {{"kind", Choice(&member.kind, kind_words()), Unit::text,
                       "why it is in the cluster; null: it is the first, or was not compared"},
                      {"resemblance", &member.resemblance, Unit::share,
                       "to its survivor, or of its most alike pair; null: not known"},
                      {"containment", &member.containment, Unit::share,
                       "of a removed record in its survivor"},
                      if_set({"survivor", OptionalNested(&member.survivor), Unit::text,
                              "the kept record that represents it"}),
                      {"words", &member.words, Unit::text, "its first words"},
                      if_set({"missing", &member.missing, Unit::text, "why there are none"}),
                      {"fate", &member.fate, Unit::text, "`kept`, `removed` or `clustered`"},
                      {"decision", &member.decision, Unit::text,
                       "`restore` or `remove`, as a person has decided"}});
  return fields;
}

std::vector<Field> fields_of(MemberEdge& edge) {
  return {{"a", &edge.a, Unit::count, "place of a member in the page, from 0"},
          {"b", &edge.b, Unit::count, "place of another"},
          {"resemblance", &edge.resemblance, Unit::share, "of the two; null: not known"}};
}

std::vector<Field> fields_of(ClusterMembers& members) {
  return {
      {"cluster", &members.cluster, Unit::count, "its number from 1"},
      {"documents", &members.documents, Unit::count, "of the cluster"},
      {"members", NestedList(&members.members), Unit::count, "those of the page"},
      {"edges", NestedList(&members.edges, ListLayout::rows), Unit::count,
       "pairs among these, `[a, b, resemblance]`; of dedup, of the survivor and removed records"}};
}

std::vector<Field> fields_of(ClusterTile& tile) {
  return {{"name", &tile.name, Unit::text, "of the first document, or of the file"},
          {"documents", &tile.documents, Unit::count, "of the cluster, or in clusters"},
          {"cluster", &tile.cluster, Unit::count, "its number; null: it is a file"}};
}

std::vector<Field> fields_of(ClusterTiles& tiles) {
  return {{"tiles", NestedList(&tiles.tiles), Unit::count, "the largest first"},
          {"rest", Nested([&tiles] {
             return std::vector<Field>{
                 {"clusters", &tiles.rest_clusters, Unit::count, "clusters, or files"},
                 {"documents", &tiles.rest_documents, Unit::count, "in these"}};
           }),
           Unit::count, "what has no tile"}};
}

std::vector<Field> fields_of(BrowsedRecord& record) {
  std::vector<Field> fields = fields_of(record.explanation);
  add_fields(fields, {{"text", &record.text, Unit::text, "as a reader sees it; null: not shown"},
                      {"cut", &record.cut, Unit::text, "true if it is longer"},
                      if_set({"missing", &record.missing, Unit::text, "why it is not shown"})});
  return fields;
}

std::vector<Field> fields_of(ListColumn& column) {
  return {{"name", &column.name, Unit::text,
           "as the list's lines have it; of nested values joined by _"},
          {"unit", &column.unit, Unit::text, "in which people read it"},
          {"help", &column.help, Unit::text, "what it is"}};
}

std::vector<Field> fields_of(BrowsedList& list) {
  return {{"name", &list.name, Unit::text, "of the list"},
          {"rows", &list.rows, Unit::count, "in it"},
          {"columns", NestedList(&list.columns), Unit::count, "of each row"}};
}

std::vector<Field> fields_of(ListRows& rows) {
  return {{"total", &rows.total, Unit::count, "rows that were asked for"},
          {"rows", json_array(rows.rows), Unit::count,
           "those of the page, each an array with a value for every column"}};
}

std::vector<Field> fields_of(VersionsPage& page) {
  return {{"total", &page.total, Unit::count, "pages that were asked for"},
          {"pages", NestedList(&page.pages), Unit::count, "those of the page, with all versions"}};
}

std::string to_json(const ClusterPage& page) { return fields_json(fields_of(to_write(page))); }
std::string to_json(const ClusterMembers& members) {
  return fields_json(fields_of(to_write(members)));
}
std::string to_json(const ClusterTiles& tiles) { return fields_json(fields_of(to_write(tiles))); }
std::string to_json(const BrowsedRecord& record) {
  return fields_json(fields_of(to_write(record)));
}
std::string to_json(const ListRows& rows) { return fields_json(fields_of(to_write(rows))); }
std::string to_json(const TrackedPage& page) { return fields_json(fields_of(to_write(page))); }
std::string to_json(const VersionsPage& page) { return fields_json(fields_of(to_write(page))); }
std::string to_json(const std::vector<BrowsedList>& lists) {
  return fields_json({{"lists", NestedList(&to_write(lists)), Unit::count}});
}

}  // namespace twinset
