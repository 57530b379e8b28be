// The fields of what is told to and by a LiveIndex; this file's interface is their fields_of().
#include "io/json_read.h"
#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/live_index.h"

namespace twinset {
namespace {

/// A list of strings that hold a JSON value each.
JsonForm json_list(std::vector<std::string>& values) {
  return {[&values] {
            std::string list = "[";
            for (const std::string& value : values) list += (list.size() > 1 ? "," : "") + value;
            return list + "]";
          },
          [&values](std::string_view json) -> Status {
            TWINSET_ASSIGN(const JsonNode list, read_json(json, "the list"));
            values.clear();
            for (const JsonNode& value : list.elements()) values.emplace_back(value.raw());
            return {};
          }};
}

}  // namespace

std::vector<Field> fields_of(NewDocument& document) {
  return {json_field("id", document.id, "its id; the document that has it goes"),
          {"text", &document.text, Unit::text, "its text"},
          if_given({"html", &document.html, Unit::text, "the text is a page"}),
          if_given({"url", &document.url, Unit::text, "its URL"}),
          if_given({"date", &document.date, Unit::text, "its date"}),
          if_given(json_field("fields", document.fields, "an object, which hits tell again"))};
}

std::vector<Field> fields_of(AddedDocuments& added) {
  return {{"added", &added.added, Unit::count, "documents, replacing ones too"},
          {"replaced", &added.replaced, Unit::count, "... whose id the index had"},
          {"unchanged", &added.unchanged, Unit::count,
           "that the index had already, equal in everything"},
          {"repeated", &added.repeated, Unit::count,
           "whose id comes again later in the same call, where it counts"}};
}

std::vector<Field> fields_of(DeletedDocuments& deleted) {
  return {
      {"deleted", &deleted.deleted, Unit::count, "documents"},
      {"not_there", json_list(deleted.not_there), Unit::code, "ids that the index does not have"}};
}

}  // namespace twinset
