// A result list from a line of JSON. It is read strictly: a field that is not known could have been
// meant to hide something.
//
// This file's interface is read_hit_list() of twinset/hits.h.
#include <optional>
#include <string>
#include <string_view>

#include "io/json.h"
#include "io/json_read.h"
#include "twinset/hits.h"

namespace twinset {
namespace {

Error wrong(const std::string& where, const std::string& what) {
  return usage_error(where + " " + what);
}

Error wrong_kind(const std::string& where, std::string_view wanted, const JsonNode& value) {
  return wrong(where,
               "is " + std::string(wanted) + ", not " + std::string(json_kind_name(value.kind())));
}

Error unknown_field(const std::string& where, const std::string& name, const char* known) {
  return wrong(where, "has no field '" + name + "'; it has " + known);
}

/// The content of a string or a number.
Status take_plain(const JsonNode& value, const std::string& where, std::string& out) {
  const bool is_number = value.kind() == JsonKind::number;
  // Neither NaN nor Infinity.
  const bool is_finite = value.raw().find_first_of("NI") == std::string_view::npos;
  if (value.kind() != JsonKind::string && !(is_number && is_finite)) {
    return wrong_kind(where, "a string or a number", value);
  }
  out = *plain_value(value);
  return {};
}

Status take_id(const JsonNode& value, const std::string& where, ListedHit& hit) {
  TWINSET_TRY(take_plain(value, where, hit.id));
  if (hit.id.empty()) return wrong(where, "is empty");
  hit.is_number = value.kind() == JsonKind::number;
  return {};
}

Status take_text(const JsonNode& value, const std::string& where, std::string& out) {
  if (value.kind() != JsonKind::string) return wrong_kind(where, "a string", value);
  out = value.text();
  return {};
}

Status take_switch(const JsonNode& value, const std::string& where, bool& out) {
  const std::optional<bool> is = value.boolean();
  if (!is.has_value()) return wrong_kind(where, "true or false", value);
  out = *is;
  return {};
}

Result<ListedHit> read_hit(const JsonNode& value, const std::string& where) {
  ListedHit hit;
  if (value.kind() != JsonKind::object) {
    TWINSET_TRY(take_id(value, where, hit));
    return hit;
  }
  for (const auto& [name, field] : value.fields()) {
    const std::string part = where + "'s " + name;
    if (name == "id") {
      TWINSET_TRY(take_id(field, part, hit));
    } else if (name == "text") {
      TWINSET_TRY(take_text(field, part, hit.text.emplace()));
    } else if (name == "url") {
      TWINSET_TRY(take_text(field, part, hit.url));
    } else if (name == "html") {
      TWINSET_TRY(take_switch(field, part, hit.html));
    } else if (name == "hidden") {
      TWINSET_TRY(take_switch(field, part, hit.hidden));
    } else if (name == "fields") {
      if (field.kind() != JsonKind::object) return wrong_kind(part, "an object", field);
      hit.fields = field.raw();
    } else {
      return unknown_field(where, name, "id, text, html, url, fields, hidden");
    }
  }
  if (hit.id.empty()) return wrong(where, "has no id");
  return hit;
}

Status read_access(const JsonNode& value, HitList& list) {
  if (value.kind() != JsonKind::array) return wrong_kind("access", "an array", value);
  list.access.emplace();
  for (const JsonNode& each : value.elements()) {
    TWINSET_TRY(take_plain(each, "a value of access", list.access->emplace_back()));
  }
  return {};
}

Status read_load(const JsonNode& value, HitList& list) {
  if (value.kind() != JsonKind::object) return wrong_kind("load", "an object", value);
  for (const auto& [host, load] : value.fields()) {
    const std::optional<double> number = load.real();
    if (!number.has_value()) return wrong_kind("the load of " + host, "a number", load);
    list.load.push_back({host, *number});
  }
  return {};
}

}  // namespace

Result<HitList> read_hit_list(std::string_view json) {
  Result<JsonNode> read = read_json(json, "the list");
  if (!read.ok()) return usage_error(read.error().message);
  const JsonNode& root = read.value();
  if (root.kind() != JsonKind::object) return wrong_kind("a list", "an object", root);
  HitList list;
  bool has_hits = false;
  for (const auto& [name, value] : root.fields()) {
    if (name == "hits") {
      if (value.kind() != JsonKind::array) return wrong_kind("hits", "an array", value);
      list.hits.clear();
      for (const JsonNode& each : value.elements()) {
        const std::string where = "hit " + std::to_string(list.hits.size() + 1);
        TWINSET_ASSIGN(ListedHit hit, read_hit(each, where));
        list.hits.push_back(std::move(hit));
      }
      has_hits = true;
    } else if (name == "access") {
      TWINSET_TRY(read_access(value, list));
    } else if (name == "load") {
      TWINSET_TRY(read_load(value, list));
    } else if (name == "id") {
      std::string id;
      TWINSET_TRY(take_plain(value, "id", id));
      list.id.clear();
      if (value.kind() == JsonKind::number) {
        list.id = id;
      } else {
        append_json_string(list.id, id);
      }
    } else {
      return unknown_field("a list", name, "hits, access, load, id");
    }
  }
  if (!has_hits) return usage_error("a list has no hits: {\"hits\": [\"id\", ...]}");
  return list;
}

}  // namespace twinset
