// One walk for values and one for types, with an overload for each kind of member. This file's
// interface is fields.h; the rest is private.
#include "fields.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace twinset::python {
namespace {

nb::object json_loads(std::string_view json) {
  return nb::module_::import_("json").attr("loads")(text_of(json));
}

bool is_named(const Field& field) {
  return !std::holds_alternative<FieldRule>(field.member) &&
         !std::holds_alternative<Restored>(field.member);
}

class ValueMaker {
 public:
  explicit ValueMaker(Unit unit) : unit_(unit) {}

  nb::object operator()(bool* value) const { return nb::bool_(*value); }
  nb::object operator()(std::uint64_t* value) const { return nb::int_(*value); }
  nb::object operator()(unsigned* value) const { return nb::int_(*value); }
  nb::object operator()(double* value) const { return nb::float_(*value); }
  nb::object operator()(Real value) const { return nb::float_(*value.value); }
  nb::object operator()(Ratio* value) const { return nb::float_(value->value()); }
  nb::object operator()(std::string* value) const {
    return text_of(unit_ == Unit::sentence ? render_message(Door::python, *value) : *value);
  }
  nb::object operator()(std::string_view* value) const { return text_of(*value); }
  nb::object operator()(AsWritten value) const {
    return value.json->empty() ? nb::none() : json_loads(*value.json);
  }
  nb::object operator()(const Choice& value) const {
    const std::size_t word = value.get();
    return word == Choice::unset ? nb::object(nb::none()) : nb::object(text_of(value.words[word]));
  }
  nb::object operator()(const TextForm& value) const { return text_of(value.get()); }
  nb::object operator()(const JsonForm& value) const {
    const std::string json = value.get();
    return json.empty() ? nb::none() : json_loads(json);
  }
  nb::object operator()(const Computed& value) const {
    Computed::Value computed = value.get();
    return std::visit([this](auto& of_type) { return (*this)(&of_type); }, computed);
  }
  template <class T>
  nb::object operator()(std::optional<T>* value) const {
    return value->has_value() ? (*this)(&**value) : nb::object(nb::none());
  }
  template <class T>
  nb::object operator()(std::vector<T>* list) const {
    nb::list values;
    for (T& value : *list) values.append((*this)(&value));
    return values;
  }
  nb::object operator()(const Nested& value) const {
    return values_of(value.made != nullptr ? *value.made : value.fields());
  }
  nb::object operator()(const OptionalNested& value) const {
    return value.has_value() ? nb::object(values_of(value.fields())) : nb::object(nb::none());
  }
  nb::object operator()(const NestedList& list) const {
    nb::list values;
    for (std::size_t i = 0; i < list.size(); ++i) values.append(values_of(list.fields(i)));
    return values;
  }
  nb::object operator()(const NestedMap& map) const {
    nb::dict values;
    for (std::size_t i = 0; i < map.size(); ++i) {
      values[text_of(*map.name_of(i))] = values_of(map.fields(i));
    }
    return values;
  }
  nb::object operator()(const NumberRows& rows) const {
    nb::list values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const NumberRows::Numbers numbers = rows.get(i);
      nb::list row;
      for (std::size_t column = 0; column < rows.columns.size(); ++column) {
        row.append(nb::int_(numbers[column]));
      }
      values.append(row);
    }
    return values;
  }
  nb::object operator()(const FieldRule&) const { return nb::none(); }
  nb::object operator()(const Restored&) const { return nb::none(); }

 private:
  Unit unit_;
};

/// The type of a value, and the fields of a nested one. "{}" stands for the class of these.
struct Described {
  std::string type;
  nb::object nested = nb::none();
};

struct TypeMaker {
  Elements elements = Elements::any;

  Described operator()(bool*) const { return {"bool"}; }
  Described operator()(std::uint64_t*) const { return {"int"}; }
  Described operator()(unsigned*) const { return {"int"}; }
  Described operator()(double*) const { return {"float"}; }
  Described operator()(Real) const { return {"float"}; }
  Described operator()(Ratio*) const { return {"float"}; }
  Described operator()(std::string*) const { return {"str"}; }
  Described operator()(std::string_view*) const { return {"str"}; }
  Described operator()(AsWritten) const { return {"str | int | float | None"}; }
  Described operator()(const Choice&) const { return {"str | None"}; }
  Described operator()(const TextForm&) const { return {"str"}; }
  Described operator()(const JsonForm&) const { return {"Any"}; }
  Described operator()(const Computed& value) const {
    Computed::Value computed = value.get();
    return std::visit([this](auto& of_type) { return (*this)(&of_type); }, computed);
  }
  template <class T>
  Described operator()(std::optional<T>*) const {
    T value{};
    return {(*this)(&value).type + " | None"};
  }
  template <class T>
  Described operator()(std::vector<T>*) const {
    T value{};
    return {"list[" + (*this)(&value).type + "]"};
  }
  Described operator()(const Nested& value) const {
    return {"{}", described(value.fields(), elements)};
  }
  Described operator()(const OptionalNested& value) const {
    value.make();
    return {"{} | None", described(value.fields(), elements)};
  }
  Described operator()(const NestedList& list) const {
    if (elements == Elements::any) return {"list[Record]"};
    list.resize(1);
    Described made{"list[{}]", described(list.fields(0), elements)};
    list.resize(0);
    return made;
  }
  Described operator()(const NestedMap&) const { return {"dict[str, Record]"}; }
  Described operator()(const NumberRows&) const { return {"list[list[int]]"}; }
  Described operator()(const FieldRule&) const { return {"None"}; }
  Described operator()(const Restored&) const { return {"None"}; }
};

}  // namespace

bool may_be_zero(const Field& field) {
  if (field.presence != Presence::if_set) return true;
  return std::visit(
      [](const auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        return std::is_same_v<Member, Nested> || requires { member->has_value(); };
      },
      field.member);
}

nb::dict values_of(const std::vector<Field>& fields) {
  nb::dict values;
  for (const Field& field : fields) {
    if (!is_named(field)) continue;
    nb::object value = nb::none();
    if (field.presence != Presence::left_out) {
      value = std::visit(ValueMaker(field.unit), field.member);
      if (!may_be_zero(field) && !nb::cast<bool>(nb::bool_(value))) value = nb::none();
    }
    if (!value.is_none() || !values.contains(text_of(field.name)))
      values[text_of(field.name)] = value;
  }
  return values;
}

nb::list described(const std::vector<Field>& fields, Elements elements) {
  nb::list all;
  for (const Field& field : fields) {
    if (!is_named(field)) continue;
    Described made = std::visit(TypeMaker{elements}, field.member);
    if (field.presence != Presence::always && !made.type.ends_with("None")) made.type += " | None";
    all.append(
        nb::make_tuple(text_of(field.name), text_of(made.type), text_of(field.help), made.nested));
  }
  return all;
}

std::string unquoted(std::string_view json) {
  if (!json.starts_with('"')) return std::string(json);
  const std::string_view inner = json.substr(1, json.size() - 2);
  if (inner.find('\\') == std::string_view::npos) return std::string(inner);
  // Rare enough for the reader of Python, which the caller's thread may not have.
  const nb::gil_scoped_acquire held;
  // A lone surrogate, which JSON may have and UTF-8 has not, becomes '?'.
  PyObject* const bytes = PyUnicode_AsEncodedString(json_loads(json).ptr(), "utf-8", "replace");
  if (bytes == nullptr) throw nb::python_error();
  const auto held_bytes = nb::steal<nb::bytes>(bytes);
  return {held_bytes.c_str(), held_bytes.size()};
}

}  // namespace twinset::python
