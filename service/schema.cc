#include "schema.h"

#include <algorithm>
#include <type_traits>

namespace twinset::service {
namespace {

constexpr const char* any_type =
    R"("type": ["null", "boolean", "number", "string", "array", "object"])";

std::string words_of(const Choice& choice) {
  std::string out = R"("enum": [)";
  for (const std::string_view word : choice.words) {
    out += (word == choice.words.front() ? "" : ", ") + json_string(word);
  }
  if (choice.reset) out += ", null";
  return out + "]";
}

/// The members of a schema that tell the type, without braces.
struct OptionType {
  std::string operator()(bool*) const { return R"("type": "boolean")"; }
  std::string operator()(std::uint64_t*) const {
    return R"("type": "integer", "minimum": 0, "maximum": 18446744073709551615)";
  }
  std::string operator()(unsigned*) const {
    return R"("type": "integer", "minimum": 0, "maximum": 4294967295)";
  }
  std::string operator()(std::optional<std::uint64_t>*) const {
    return R"("type": ["integer", "null"], "minimum": 0, "maximum": 18446744073709551615)";
  }
  std::string operator()(const Bytes&) const {
    return R"("type": ["integer", "string"], "minimum": 0, "pattern": "^[0-9]+([KMGT](iB|B)?)?$")";
  }
  std::string operator()(Ratio*) const { return share("[\"number\", \"string\"]"); }
  std::string operator()(std::optional<Ratio>*) const {
    return share("[\"number\", \"string\", \"null\"]");
  }
  std::string operator()(RatioRange*) const {
    return R"("type": "string", "pattern": "^(0(\\.[0-9]{1,6})?|1)?:(0(\\.[0-9]{1,6})?|1)?$")";
  }
  std::string operator()(const Choice& choice) const {
    return (choice.reset ? R"("type": ["string", "null"], )" : R"("type": "string", )") +
           words_of(choice);
  }
  std::string operator()(std::string*) const { return R"("type": "string")"; }
  std::string operator()(std::vector<std::string>*) const {
    return R"("type": "array", "items": {"type": "string"})";
  }

 private:
  static std::string share(const std::string& types) {
    return "\"type\": " + types +
           R"(, "minimum": 0, "maximum": 1, "pattern": "^(0(\\.[0-9]{1,6})?|1|[0-9]{1,2}%)$")";
  }
};

/// Whole schemas, since those of nested values have braces of their own.
struct FieldType {
  bool is_request = false;

  std::string operator()(bool*) const { return R"({"type": "boolean"})"; }
  std::string operator()(std::uint64_t*) const { return R"({"type": "integer", "minimum": 0})"; }
  std::string operator()(unsigned*) const { return R"({"type": "integer", "minimum": 0})"; }
  std::string operator()(double*) const { return R"({"type": ["number", "null"]})"; }
  std::string operator()(Real) const { return R"({"type": ["number", "null"]})"; }
  std::string operator()(Ratio*) const { return R"({"type": "string"})"; }
  std::string operator()(std::string*) const { return R"({"type": "string"})"; }
  std::string operator()(std::string_view*) const { return R"({"type": "string"})"; }
  std::string operator()(AsWritten) const { return any(); }
  std::string operator()(const Choice& choice) const { return "{" + words_of(choice) + "}"; }
  std::string operator()(const TextForm&) const { return R"({"type": "string"})"; }
  std::string operator()(const JsonForm&) const { return any(); }
  std::string operator()(const Computed& value) const {
    Computed::Value computed = value.get();
    return std::visit([this](auto& of_type) { return (*this)(&of_type); }, computed);
  }
  template <class T>
  std::string operator()(std::optional<T>*) const {
    T value{};
    return R"({"anyOf": [)" + (*this)(&value) + R"(, {"type": "null"}]})";
  }
  template <class T>
  std::string operator()(std::vector<T>*) const {
    T value{};
    return list((*this)(&value));
  }
  std::string operator()(const Nested& value) const {
    const std::vector<Field> fields = value.fields();
    return value.form == NestedForm::row ? row(fields) : object(fields);
  }
  std::string operator()(const OptionalNested& value) const {
    const bool had = value.has_value();
    if (!had) value.make();
    std::string made = object(value.fields());
    if (!had) value.reset();
    return R"({"anyOf": [)" + made + R"(, {"type": "null"}]})";
  }
  std::string operator()(const NestedList& value) const {
    if (value.size() == 0) value.resize(1);
    std::vector<std::vector<Field>> kinds;
    for (std::size_t i = 0; i < value.size(); ++i) kinds.push_back(value.fields(i));
    std::string made = list(value.layout == ListLayout::rows ? row(kinds.front())
                            : is_request                     ? object(kinds.front())
                                                             : schema_of(kinds));
    value.resize(0);
    return made;
  }
  std::string operator()(const NestedMap& value) const {
    value.resize(1);
    std::string made =
        R"({"type": "object", "additionalProperties": )" + object(value.fields(0)) + "}";
    value.resize(0);
    return made;
  }
  std::string operator()(const NumberRows&) const {
    return list(list(R"({"type": "integer", "minimum": 0})"));
  }
  std::string operator()(const FieldRule&) const { return "{}"; }
  std::string operator()(const Restored&) const { return "{}"; }

  std::string object(const std::vector<Field>& fields) const {
    return is_request ? schema_of(Members{.fields = fields}) : schema_of(fields);
  }

 private:
  static std::string any() { return std::string("{") + any_type + "}"; }
  static std::string list(const std::string& element) {
    return R"({"type": "array", "items": )" + element + "}";
  }
  std::string row(const std::vector<Field>& fields) const {
    std::string out = R"({"type": "array", "prefixItems": [)";
    for (const Field& field : fields) {
      out += (&field == &fields.front() ? "" : ", ") + std::visit(*this, field.member);
    }
    return out + "]}";
  }
};

bool is_rule(const Field& field) {
  return std::holds_alternative<FieldRule>(field.member) ||
         std::holds_alternative<Restored>(field.member);
}

/// `schema` with a description.
std::string described(std::string schema, std::string_view help) {
  if (help.empty()) return schema;
  schema.pop_back();
  return schema + (schema.size() > 1 ? ", " : "") + "\"description\": " + json_string(help) + "}";
}

/// Properties by name: those of several schemas are anyOf.
class Properties {
 public:
  /// What is added from here on is of another kind.
  void begin_kind() { ++kinds_; }
  void add(std::string_view name, std::string schema, std::string_view help, bool required) {
    const auto known =
        std::ranges::find_if(all_, [&](const Property& one) { return one.name == name; });
    if (known == all_.end()) {
      all_.push_back(
          {std::string(name), {std::move(schema)}, std::string(help), required, kinds_, 1});
      return;
    }
    known->required = known->required && required;
    known->in_kinds += known->last_kind != kinds_ ? 1 : 0;
    known->last_kind = kinds_;
    if (std::ranges::find(known->schemas, schema) == known->schemas.end()) {
      known->schemas.push_back(std::move(schema));
    }
  }
  std::string object() const {
    std::string properties;
    std::string required;
    for (const Property& one : all_) {
      std::string schema = one.schemas.front();
      if (one.schemas.size() > 1) {
        schema = R"({"anyOf": [)";
        for (const std::string& each : one.schemas) {
          schema += (&each == &one.schemas.front() ? "" : ", ") + each;
        }
        schema += "]}";
      }
      properties += (properties.empty() ? "" : ", ") + json_string(one.name) + ": " +
                    described(schema, one.help);
      if (one.required && one.in_kinds >= kinds_)
        required += (required.empty() ? "" : ", ") + json_string(one.name);
    }
    return R"({"type": "object", "properties": {)" + properties + "}" +
           (required.empty() ? "" : R"(, "required": [)" + required + "]") +
           R"(, "additionalProperties": false})";
  }

 private:
  struct Property {
    std::string name;
    std::vector<std::string> schemas;
    std::string help;
    bool required;
    std::size_t last_kind;
    std::size_t in_kinds;  ///< of how many
  };
  std::size_t kinds_ = 0;
  std::vector<Property> all_;
};

}  // namespace

std::string schema_of(const Option& option) {
  std::string out = "{" + std::visit(OptionType(), option.member);
  std::string help(option.help);
  if (!option.by_default.empty()) help += " [" + std::string(option.by_default) + "]";
  return described(out + "}", help);
}

std::string schema_of(const Members& members) {
  Properties properties;
  for (const Field& field : members.fields) {
    if (is_rule(field) || field.presence == Presence::left_out) continue;
    properties.add(field.name, std::visit(FieldType{true}, field.member), field.help,
                   field.presence == Presence::always);
  }
  for (const Option& option : members.options) {
    properties.add(option.name(), schema_of(option), {}, option.is_required);
  }
  return properties.object();
}

std::string schema_of(const std::vector<Field>& fields) {
  return schema_of(std::vector<std::vector<Field>>{fields});
}

std::string schema_of(const std::vector<std::vector<Field>>& kinds) {
  Properties properties;
  for (const std::vector<Field>& fields : kinds) {
    properties.begin_kind();
    for (const Field& field : fields) {
      if (is_rule(field) || field.name.empty()) continue;
      properties.add(field.name, std::visit(FieldType{}, field.member), field.help,
                     field.presence == Presence::always || field.presence == Presence::if_given);
    }
  }
  return properties.object();
}

}  // namespace twinset::service
