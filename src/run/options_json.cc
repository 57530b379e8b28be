#include "run/options_json.h"

#include <deque>

#include "io/field_json.h"
#include "io/json.h"

namespace twinset {
namespace {

/// Switches and numbers as users type them, a size in bytes, a list as an array; any other option,
/// and any that may be unset, is a string.
std::string value_json(const Option& option) {
  if (const auto* list = std::get_if<std::vector<std::string>*>(&option.member)) {
    return twinset::value_json({"", *list, Unit::text});
  }
  if (const auto* size = std::get_if<Bytes>(&option.member)) return std::to_string(*size->value);
  const bool plain = std::holds_alternative<bool*>(option.member) ||
                     std::holds_alternative<std::uint64_t*>(option.member) ||
                     std::holds_alternative<unsigned*>(option.member);
  if (plain) return option.text();
  std::string out;
  append_json_string(out, option.text());
  return out;
}

Status read_value(const JsonNode& value, const Option& option) {
  if (value.kind() == JsonKind::array) {
    for (const JsonNode& element : value.elements()) TWINSET_TRY(option.set(element.text()));
    return {};
  }
  if (value.kind() != JsonKind::string) return option.set(value.raw());
  const std::string text = value.text();
  const bool is_unset = text.empty() && !std::holds_alternative<std::string*>(option.member);
  return is_unset ? Status() : option.set(text);
}

}  // namespace

std::string json_of(const std::vector<Option>& options, OptionRole last) {
  std::deque<std::string> names;
  std::vector<Field> fields;
  for (const Option& option : options) {
    if (option.role > last) continue;
    fields.push_back(
        {names.emplace_back(option.name()), JsonForm{[&option] { return value_json(option); }}});
  }
  return fields_json(fields);
}

Status read_options(const JsonNode& made, const std::vector<Option>& options,
                    const std::string& what) {
  const Error damaged = io_error(what + " is damaged, or of another version");
  if (made.kind() != JsonKind::object) return damaged;
  for (const Option& option : options) {
    if (option.role == OptionRole::unrecorded) continue;
    const JsonNode value = made[option.name()];
    if (value && !read_value(value, option).ok()) return damaged;
  }
  return {};
}

}  // namespace twinset
