// The text was checked as a whole, so its parts are found again without looking for mistakes.
//
// This file's interface is io/json_read.h; the rest is private.
#include "io/json_read.h"

#include <charconv>

#include "io/json_string.h"

namespace twinset {
namespace {

std::string decoded(std::string_view quoted) {
  std::string out(quoted.size() + json_string_slack, '\0');
  const JsonString string =
      read_json_string(quoted.data() + 1, quoted.data() + quoted.size(), out.data());
  out.resize(string.end == nullptr ? 0 : string.decoded_bytes);
  return out;
}

/// Walks the members of a checked container: `visit(key, value)`, keys as written
/// with their quotes, empty in an array, until it returns false.
template <class Visit>
void for_each_member(std::string_view container, Visit visit) {
  const char* const end = container.data() + container.size();
  const char* p = skip_json_space(container.data() + 1, end);
  const bool keyed = container.front() == '{';
  JsonFault fault;
  while (p < end && *p != '}' && *p != ']') {
    std::string_view key;
    if (keyed) {
      key = scan_json_value(p, end, 0, fault).raw;
      p = skip_json_space(p + key.size(), end);
      p = skip_json_space(p + 1, end);  // The colon.
    }
    const JsonValue value = scan_json_value(p, end, max_json_depth, fault);
    if (value.kind == JsonKind::none) return;
    if (!visit(key, JsonNode(value))) return;
    p = skip_json_space(p + value.raw.size(), end);
    if (p < end && *p == ',') p = skip_json_space(p + 1, end);
  }
}

template <class Number>
std::optional<Number> number_of(std::string_view digits) {
  Number number{};
  const auto [behind, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failure != std::errc{} || behind != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

JsonNode JsonNode::operator[](std::string_view name) const {
  JsonNode found;
  if (kind() != JsonKind::object) return found;
  for_each_member(raw(), [&](std::string_view key, JsonNode value) {
    if (json_key_is(key.substr(1, key.size() - 2), name)) found = value;
    return true;
  });
  return found;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::fields() const {
  std::vector<std::pair<std::string, JsonNode>> fields;
  if (kind() != JsonKind::object) return fields;
  for_each_member(raw(), [&](std::string_view key, JsonNode value) {
    fields.emplace_back(decoded(key), value);
    return true;
  });
  return fields;
}

std::vector<JsonNode> JsonNode::elements() const {
  std::vector<JsonNode> elements;
  if (kind() != JsonKind::array) return elements;
  for_each_member(raw(), [&](std::string_view, JsonNode value) {
    elements.push_back(value);
    return true;
  });
  return elements;
}

void JsonNode::walk(const std::function<bool(std::string_view, JsonNode)>& use) const {
  if (kind() == JsonKind::object || kind() == JsonKind::array) for_each_member(raw(), use);
}

std::string JsonNode::text() const {
  return kind() == JsonKind::string ? decoded(raw()) : std::string();
}

std::optional<std::uint64_t> JsonNode::integer() const {
  if (kind() != JsonKind::number) return std::nullopt;
  return number_of<std::uint64_t>(raw());
}

std::optional<double> JsonNode::real() const {
  if (kind() != JsonKind::number || is_not_finite(value_)) return std::nullopt;
  return number_of<double>(raw());
}

std::optional<bool> JsonNode::boolean() const {
  if (kind() != JsonKind::boolean) return std::nullopt;
  return raw() == "true";
}

std::optional<std::string> plain_value(const JsonNode& value) {
  if (value.kind() == JsonKind::string) return value.text();
  if (value.kind() == JsonKind::number) return std::string(value.raw());
  return std::nullopt;
}

std::optional<std::string> plain_value(std::string_view json) {
  if (json.empty()) return std::nullopt;
  const Result<JsonNode> value = read_json(json, "a field");
  return value.ok() ? plain_value(value.value()) : std::nullopt;
}

Result<JsonNode> read_json(std::string_view text, const std::string& what) {
  const char* const end = text.data() + text.size();
  const char* const begin = skip_json_space(text.data(), end);
  JsonFault fault;
  const JsonValue value = scan_json_value(begin, end, max_json_depth, fault);
  if (value.kind != JsonKind::none) {
    fault.at = skip_json_space(begin + value.raw.size(), end);
    fault.what = "something follows the value";
    if (fault.at == end) return JsonNode(value);
  }
  return io_error(what + ": " + std::string(fault.what) + " at byte " +
                  std::to_string(fault.at - text.data()));
}

}  // namespace twinset
