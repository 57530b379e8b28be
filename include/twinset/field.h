// A field of a result, declared once: its name, its member, its unit, its help, and whether it was
// decided or measured. The JSON of a result, reading it back and its tables in docs/formats are
// made from these declarations. The texts and reports for people (faces/) choose and lay out the
// numbers by themselves.
//
//   DedupSummary summary;
//   for (const Field& field : fields_of(summary)) {      // one beside each result
//     if (auto* number = std::get_if<std::uint64_t*>(&field.member)) use(field.name, **number);
//   }
//
// A Field points into the struct it was made for, which must outlive it. The fields of a nested
// value and of a list's elements are made when they are asked for, so that a list may grow while
// it is read.
//
// Threads: values; those that are set change the struct.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "twinset/option.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// The unit in which people read a value. A sentence may name options, which JSON spells plainly
/// (render_message() of twinset/result.h).
enum class Unit : std::uint8_t { text, code, count, percent, share, bytes, seconds, sentence };

enum class FieldRole : std::uint8_t {
  decided,  ///< depends on inputs and options only
  measured  ///< differs from run to run
};

/// A value counts as set if it is not empty, 0, false or null.
enum class Presence : std::uint8_t {
  always,    ///< null if it is not set and may be
  if_set,    ///< left out otherwise
  if_given,  ///< always written; where people left it out, the member keeps its value
  left_out   ///< see shown_if()
};

struct Field;

/// A number, and how many of its digits JSON has. A plain double has at most 6 decimals.
struct Real {
  enum class Digits : std::uint8_t {
    all,  ///< as many as give the same number when read
    two   ///< of an expected number: "2.4e-18"
  };
  double* value;
  Digits digits = Digits::all;
};

/// A value as the writer of a record wrote it, such as an id: any JSON.
struct AsWritten {
  std::string_view* json;
};

/// A string that stands for members of another form: a checksum in hexadecimal digits, a word for
/// several members, one string for equal members of two structs. Without `set` it follows from
/// other fields, and is not read.
struct TextForm {
  std::function<std::string()> get;
  /// False: no such value.
  std::function<bool(std::string_view)> set = [](std::string_view) { return true; };
};

/// A value that another declaration describes, as JSON: the options of a run. Without `set` it is
/// not read.
struct JsonForm {
  std::function<std::string()> get;
  std::function<Status(std::string_view json)> set = [](std::string_view) { return Status(); };
};

/// A value that follows from other fields. It is written, and checked when it is read, but for a
/// number that is not whole, which has at most 6 decimals.
struct Computed {
  using Value = std::variant<std::uint64_t, double, bool, std::string, std::optional<double>>;
  std::function<Value()> get;
};

enum class NestedForm : std::uint8_t {
  object,  ///< {"begin": 1, "end": 2}
  row      ///< the values alone: [1, 2]
};

/// A value with fields of its own: any T that has a fields_of(T&), or a group of fields.
struct Nested {
  template <class T>
  explicit Nested(T* value) : fields([value] { return fields_of(*value); }) {}
  explicit Nested(std::function<std::vector<Field>()> group,
                  NestedForm written = NestedForm::object)
      : form(written), fields(std::move(group)) {}

  NestedForm form = NestedForm::object;
  std::function<std::vector<Field>()> fields;
  const std::vector<Field>* made = nullptr;  ///< once for all values of a line; else null
};

struct OptionalNested {
  template <class T>
  explicit OptionalNested(std::optional<T>* value)
      : has_value([value] { return value->has_value(); }),
        make([value] { value->emplace(); }),
        reset([value] { value->reset(); }),
        fields([value] { return fields_of(**value); }) {}
  /// A value that says itself whether it is there.
  template <class T>
  OptionalNested(T* value, bool* is_there)
      : has_value([is_there] { return *is_there; }),
        make([is_there] { *is_there = true; }),
        reset([value, is_there] { *value = T(), *is_there = false; }),
        fields([value] { return fields_of(*value); }) {}

  std::function<bool()> has_value;
  std::function<void()> make;
  std::function<void()> reset;
  std::function<std::vector<Field>()> fields;  ///< of a value that is there
};

enum class ListLayout : std::uint8_t {
  one_line,
  lines,  ///< each element has its own
  rows    ///< one line; each element is an array of its values
};

struct NestedList {
  template <class T>
  explicit NestedList(std::vector<T>* list, ListLayout laid_out = ListLayout::one_line)
      : layout(laid_out),
        size([list] { return list->size(); }),
        resize([list](std::size_t elements) { list->resize(elements); }),
        fields([list](std::size_t i) { return fields_of((*list)[i]); }) {}
  /// Elements whose fields, `fields_at(element)`, depend on more than the element.
  template <class T, class FieldsAt>
  NestedList(std::vector<T>* list, FieldsAt fields_at, ListLayout laid_out = ListLayout::one_line)
      : NestedList(
            laid_out, [list] { return list->size(); },
            [list](std::size_t elements) { list->resize(elements); },
            [list, fields_at](std::size_t i) { return fields_at((*list)[i]); }) {}
  /// Lists of equal length that make one.
  NestedList(ListLayout laid_out, std::function<std::size_t()> get_size,
             std::function<void(std::size_t)> set_size,
             std::function<std::vector<Field>(std::size_t)> fields_at)
      : layout(laid_out),
        size(std::move(get_size)),
        resize(std::move(set_size)),
        fields(std::move(fields_at)) {}

  ListLayout layout;
  std::function<std::size_t()> size;
  std::function<void(std::size_t)> resize;
  std::function<std::vector<Field>(std::size_t)> fields;
};

/// A list whose elements have a name each: an object in JSON. Two elements may have the same name,
/// such as a stage that a run enters twice; both are written and read.
struct NestedMap {
  /// `name` is the member that has an element's name.
  template <class T>
  NestedMap(std::vector<T>* list, std::string T::*name)
      : size([list] { return list->size(); }),
        resize([list](std::size_t elements) { list->resize(elements); }),
        name_of([list, name](std::size_t i) { return &((*list)[i].*name); }),
        fields([list](std::size_t i) { return fields_of((*list)[i]); }) {}

  std::function<std::size_t()> size;
  std::function<void(std::size_t)> resize;
  std::function<std::string*(std::size_t)> name_of;
  std::function<std::vector<Field>(std::size_t)> fields;
};

/// Rows of whole numbers, [[0, 2, 12], [0, 4, 9]]: the same as a NestedList of rows, and fast where
/// they are most of a file.
struct NumberRows {
  struct Column {
    std::string_view name;
    std::string_view help;
  };
  static constexpr std::size_t most_columns = 8;
  using Numbers = std::array<std::uint64_t, most_columns>;

  /// `get_row(element)` has the numbers of an element; `set_row(numbers)` makes it of them, or
  /// nothing if there is none.
  template <class T, class GetRow, class SetRow>
  NumberRows(std::vector<T>* list, std::vector<Column> named, GetRow get_row, SetRow set_row)
      : columns(std::move(named)),
        size([list] { return list->size(); }),
        clear([list] { list->clear(); }),
        get([list, get_row](std::size_t i) -> Numbers { return get_row((*list)[i]); }),
        add([list, set_row](const Numbers& numbers) {
          std::optional<T> element = set_row(numbers);
          if (element.has_value()) list->push_back(std::move(*element));
          return element.has_value();
        }) {}

  std::vector<Column> columns;  ///< at most most_columns
  std::function<std::size_t()> size;
  std::function<void()> clear;
  std::function<Numbers(std::size_t)> get;
  std::function<bool(const Numbers& numbers)> add;
};

/// Nothing in JSON: what holds between the fields beside it. The field's name says it.
struct FieldRule {
  std::function<bool()> holds;
};

/// Nothing in JSON: sets members that have no field from those that were read.
struct Restored {
  std::function<void()> set;
};

/// The member of a field, by its kind. Views are read as those of a line (io/field_json.h) only.
using FieldMember =
    std::variant<bool*, std::uint64_t*, unsigned*, double*, Real, Ratio*, std::string*,
                 std::string_view*, AsWritten, Choice, TextForm, JsonForm, Computed,
                 std::optional<std::uint64_t>*, std::optional<unsigned>*, std::optional<double>*,
                 std::optional<Ratio>*, std::optional<std::string>*, std::vector<std::uint64_t>*,
                 std::vector<double>*, std::vector<std::string>*,
                 std::vector<std::vector<std::string>>*, Nested, OptionalNested, NestedList,
                 NestedMap, NumberRows, FieldRule, Restored>;

struct Field {
  std::string_view name;  ///< in JSON, in the docs, of an attribute
  FieldMember member;
  Unit unit = Unit::count;
  std::string_view help = {};  ///< in the table of docs/formats; empty: the docs tell it elsewhere
  FieldRole role = FieldRole::decided;
  Presence presence = Presence::always;
};

/// The field, left out while it is not set.
inline Field if_set(Field field) {
  field.presence = Presence::if_set;
  return field;
}

/// The field, which people who write such lines may leave out.
inline Field if_given(Field field) {
  field.presence = Presence::if_given;
  return field;
}

/// The field, left out of a result of another kind. Such results are not read back.
inline Field shown_if(bool is_shown, Field field) {
  if (!is_shown) field.presence = Presence::left_out;
  return field;
}

/// The field, which differs from run to run.
inline Field measured(Field field) {
  field.role = FieldRole::measured;
  return field;
}

/// Is `total` the sum of the parts, which could wrap around?
inline bool adds_up(std::uint64_t total, std::initializer_list<std::uint64_t> parts) {
  for (const std::uint64_t part : parts) {
    if (part > total) return false;
    total -= part;
  }
  return total == 0;
}

/// Appends fields to others.
inline void add_fields(std::vector<Field>& fields, std::vector<Field> more) {
  for (Field& field : more) fields.push_back(std::move(field));
}

}  // namespace twinset
