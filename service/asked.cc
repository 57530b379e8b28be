#include "asked.h"

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace twinset::service {
namespace {

Error wrong(std::string_view name, const std::string& what) {
  return usage_error(std::string(name) + ": " + what);
}

Error wrong_type(std::string_view name, std::string_view wanted, const JsonValue& value) {
  return wrong(name, "is " + std::string(wanted) + ", not " + std::string(name_of(value.type())));
}

/// Makes an option unset that may be.
struct Unset {
  template <class T>
  bool operator()(std::optional<T>* value) const {
    value->reset();
    return true;
  }
  bool operator()(const Choice& choice) const {
    if (choice.reset) choice.reset();
    return static_cast<bool>(choice.reset);
  }
  template <class T>
  bool operator()(const T&) const {
    return false;
  }
};

Status set(const Option& option, std::string_view text) {
  const Status done = option.set(text);
  if (done.ok()) return done;
  return wrong(option.name(), done.error().message);
}

Status set_option(const Option& option, const JsonValue& value) {
  const std::string name = option.name();
  const bool is_switch = std::holds_alternative<bool*>(option.member);
  const bool is_text = std::holds_alternative<std::string*>(option.member) ||
                       std::holds_alternative<Choice>(option.member) ||
                       std::holds_alternative<RatioRange*>(option.member);
  if (std::vector<std::string>* const* list =
          std::get_if<std::vector<std::string>*>(&option.member)) {
    if (value.type() != JsonType::array) return wrong_type(name, "an array of strings", value);
    (*list)->clear();
    for (const JsonValue& element : value.elements()) {
      if (element.type() != JsonType::string) return wrong_type(name, "of strings", element);
      TWINSET_TRY(set(option, element.text()));
    }
    return {};
  }
  switch (value.type()) {
    case JsonType::null:
      if (std::visit(Unset(), option.member)) return {};
      break;
    case JsonType::boolean:
      if (is_switch) return set(option, value.text());
      break;
    case JsonType::number:
      if (!is_switch && !is_text) return set(option, value.text());
      break;
    case JsonType::string:
      if (!is_switch) return set(option, value.text());
      break;
    default:
      break;
  }
  return wrong_type(name, is_switch ? "true or false" : is_text ? "a string" : "a number", value);
}

bool is_named(const Field& field) {
  return field.presence != Presence::left_out && !std::holds_alternative<FieldRule>(field.member) &&
         !std::holds_alternative<Restored>(field.member);
}

/// Sets the member of a field.
class FieldSetter {
 public:
  FieldSetter(std::string_view name, const JsonValue& value) : name_(name), value_(value) {}

  Status operator()(bool* out) const {
    if (value_.type() != JsonType::boolean) return type("true or false");
    *out = value_.text() == "true";
    return {};
  }
  template <class Number>
  requires std::is_unsigned_v<Number> Status operator()(Number* out) const {
    const std::string_view text = value_.text();
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), *out);
    if (value_.type() != JsonType::number || failed != std::errc() ||
        end != text.data() + text.size()) {
      return wrong(name_, "is a whole number from 0 on, not " + value_.raw());
    }
    return {};
  }
  Status operator()(std::string* out) const {
    if (value_.type() != JsonType::string) return type("a string");
    *out = value_.text();
    return {};
  }
  template <class T>
  Status operator()(std::optional<T>* out) const {
    if (value_.type() == JsonType::null) {
      out->reset();
      return {};
    }
    return (*this)(&out->emplace());
  }
  Status operator()(std::vector<std::string>* out) const {
    if (value_.type() != JsonType::array) return type("an array of strings");
    out->clear();
    for (const JsonValue& element : value_.elements()) {
      TWINSET_TRY(FieldSetter(name_, element)(&out->emplace_back()));
    }
    return {};
  }
  Status operator()(const Choice& choice) const {
    const auto word = std::ranges::find(choice.words, value_.text());
    if (value_.type() != JsonType::string || word == choice.words.end()) {
      std::string known;
      for (const std::string_view one : choice.words) {
        known += (known.empty() ? "" : ", ") + std::string(one);
      }
      return wrong(name_, value_.raw() + " is not one of " + known);
    }
    choice.set(static_cast<std::size_t>(word - choice.words.begin()));
    return {};
  }
  Status operator()(const JsonForm& form) const {
    const Status done = form.set(value_.raw());
    return done.ok() ? done : wrong(name_, done.error().message);
  }
  Status operator()(const TextForm& form) const {
    if (value_.type() != JsonType::string) return type("a string");
    return form.set(value_.text()) ? Status() : wrong(name_, "has a value that is not known");
  }
  Status operator()(const Nested& nested) const {
    return within(read_members(value_, {.fields = nested.fields()}));
  }
  Status operator()(const OptionalNested& nested) const {
    nested.make();
    return within(read_members(value_, {.fields = nested.fields()}));
  }
  Status operator()(const NestedList& list) const {
    if (value_.type() != JsonType::array) return type("an array of objects");
    const std::vector<JsonValue> elements = value_.elements();
    list.resize(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const Status done = read_members(elements[i], {.fields = list.fields(i)});
      if (!done.ok()) {
        return wrong(std::string(name_) + "[" + std::to_string(i) + "]", done.error().message);
      }
    }
    return {};
  }
  /// What no request has.
  template <class Other>
  Status operator()(const Other&) const {
    return wrong(name_, "cannot be set");
  }

 private:
  Error type(std::string_view wanted) const { return wrong_type(name_, wanted, value_); }
  Status within(const Status& done) const {
    return done.ok() ? done : wrong(name_, done.error().message);
  }

  std::string_view name_;
  const JsonValue& value_;
};

Error unknown(std::string_view name, const Members& members) {
  std::string known;
  for (const Field& field : members.fields) {
    if (is_named(field)) known += (known.empty() ? "" : ", ") + std::string(field.name);
  }
  for (const Option& option : members.options) {
    known += (known.empty() ? "" : ", ") + option.name();
  }
  std::string shown(name.substr(0, 100));
  if (known.empty()) return usage_error("'" + shown + "' is not known here, and nothing else is");
  return usage_error("'" + shown + "' is not known here; known are " + known);
}

Status missing(const Members& members, const std::vector<bool>& options,
               const std::vector<bool>& fields) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (members.options[i].is_required && !options[i]) {
      return wrong(members.options[i].name(), "is needed");
    }
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (members.fields[i].presence == Presence::always && !fields[i] &&
        is_named(members.fields[i])) {
      return wrong(members.fields[i].name, "is needed");
    }
  }
  return {};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Status read_members(const JsonValue& object, const Members& members) {
  if (object.type() != JsonType::object) {
    return usage_error("an object is wanted, not " + std::string(name_of(object.type())));
  }
  std::vector<bool> options(members.options.size());
  std::vector<bool> fields(members.fields.size());
  for (const auto& [name, value] : object.members()) {
    const auto field = std::ranges::find_if(members.fields, [&name = name](const Field& one) {
      return is_named(one) && one.name == name;
    });
    if (field != members.fields.end()) {
      fields[static_cast<std::size_t>(field - members.fields.begin())] = true;
      TWINSET_TRY(std::visit(FieldSetter(name, value), field->member));
      continue;
    }
    const auto option = std::ranges::find_if(
        members.options, [&name = name](const Option& one) { return one.name() == name; });
    if (option == members.options.end()) return unknown(name, members);
    options[static_cast<std::size_t>(option - members.options.begin())] = true;
    TWINSET_TRY(set_option(*option, value));
  }
  return missing(members, options, fields);
}

Result<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return usage_error("% is not followed by two hexadecimal digits");
      out += static_cast<char>(high << 4 | low);
      i += 2;
    }
  }
  if (invalid_utf8_at(out) != std::string_view::npos) {
    return usage_error("the address has bytes that are not UTF-8");
  }
  return out;
}

Result<Parameters> parse_parameters(std::string_view query) {
  Parameters all;
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    if (one.empty()) continue;
    const std::size_t equals = std::min(one.find('='), one.size());
    TWINSET_ASSIGN(std::string name, decoded(one.substr(0, equals), true));
    TWINSET_ASSIGN(std::string value, decoded(one.substr(std::min(equals + 1, one.size())), true));
    all.emplace_back(std::move(name), std::move(value));
  }
  return all;
}

Status read_parameters(const Parameters& parameters, const Members& members) {
  std::vector<bool> options(members.options.size());
  for (const auto& [name, value] : parameters) {
    const auto option = std::ranges::find_if(
        members.options, [&name = name](const Option& one) { return one.name() == name; });
    if (option == members.options.end()) return unknown(name, members);
    const auto place = static_cast<std::size_t>(option - members.options.begin());
    const bool is_list = std::holds_alternative<std::vector<std::string>*>(option->member);
    if (options[place] && !is_list) return wrong(name, "is given twice");
    options[place] = true;
    if (std::holds_alternative<bool*>(option->member)) {
      TWINSET_TRY(set(*option, value.empty() || value == "1" ? "true"
                               : value == "0"                ? "false"
                                                             : std::string_view(value)));
    } else {
      TWINSET_TRY(set(*option, value));
    }
  }
  return missing(members, options, {});
}

}  // namespace twinset::service
