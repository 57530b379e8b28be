// This file's interface is table.h; the rest is private.
#include "table.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>

#include "arrow_out.h"
#include "fields.h"

namespace twinset::python {
namespace {

using SharedTable = std::shared_ptr<const Table>;
using Whole = std::vector<std::uint64_t>;
using Reals = std::vector<double>;

const char* format_of(const TableColumn& column) {
  constexpr std::array formats{"L", "g", "U", "b"};
  return formats.at(column.values.index());
}

std::vector<const void*> buffers_of(const TableColumn& column) {
  const void* const validity = column.missing == 0 ? nullptr : column.validity.data();
  if (const auto* texts = std::get_if<TextValues>(&column.values)) {
    return {validity, texts->offsets.data(), texts->bytes.data()};
  }
  if (const auto* whole = std::get_if<Whole>(&column.values)) return {validity, whole->data()};
  if (const auto* truths = std::get_if<BitValues>(&column.values)) {
    return {validity, truths->bits.data()};
  }
  return {validity, std::get<Reals>(column.values).data()};
}

void make_table_schema(ArrowSchema& schema, const Table& table) {
  make_schema(schema, "+s", "", table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    schema.children[i] = new ArrowSchema;
    make_schema(*schema.children[i], format_of(table.columns[i]), table.columns[i].name, 0);
  }
}

void make_table_array(ArrowArray& array, const SharedTable& table) {
  make_array(array, table, table->rows, 0, {nullptr}, table->columns.size());
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    const TableColumn& column = table->columns[i];
    array.children[i] = new ArrowArray;
    make_array(*array.children[i], table, table->rows, column.missing, buffers_of(column), 0);
  }
}

nb::object schema_capsule(const Table& table) {
  auto* const schema = new ArrowSchema;
  make_table_schema(*schema, table);
  return capsule_of(schema, "arrow_schema");
}

nb::tuple array_capsules(const SharedTable& table) {
  auto* const array = new ArrowArray;
  make_table_array(*array, table);
  return nb::make_tuple(schema_capsule(*table), capsule_of(array, "arrow_array"));
}

/// A stream of one batch.
struct TableStream {
  SharedTable table;
  bool told = false;
};

nb::object stream_capsule(const SharedTable& table) {
  auto* const stream = new ArrowArrayStream;
  stream->private_data = new TableStream{table};
  stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) {
    make_table_schema(*schema, *static_cast<TableStream*>(self->private_data)->table);
    return 0;
  };
  stream->get_next = [](ArrowArrayStream* self, ArrowArray* array) {
    auto& state = *static_cast<TableStream*>(self->private_data);
    if (state.told) {
      array->release = nullptr;
    } else {
      make_table_array(*array, state.table);
    }
    state.told = true;
    return 0;
  };
  stream->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream->release = [](ArrowArrayStream* self) {
    delete static_cast<TableStream*>(self->private_data);
    self->release = nullptr;
  };
  return capsule_of(stream, "arrow_array_stream");
}

const TableColumn& column_of(const Table& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name, &TableColumn::name);
  if (found == table.columns.end()) throw nb::key_error(name.c_str());
  return *found;
}

bool bit(const std::vector<std::uint8_t>& bits, std::uint64_t row) {
  return (bits[row / 8] >> row % 8 & 1) != 0;
}

/// Appends bit `row`, the first that is not there.
void add_bit(std::vector<std::uint8_t>& bits, std::uint64_t row, bool value) {
  if (row % 8 == 0) bits.push_back(0);
  if (value) bits.back() |= static_cast<std::uint8_t>(1U << row % 8);
}

bool has(const TableColumn& column, std::uint64_t row) {
  return column.missing == 0 || bit(column.validity, row);
}

nb::object value_at(const TableColumn& column, std::uint64_t row) {
  if (!has(column, row)) return nb::none();
  if (const auto* texts = std::get_if<TextValues>(&column.values)) {
    const auto begin = static_cast<std::size_t>(texts->offsets[row]);
    const auto end = static_cast<std::size_t>(texts->offsets[row + 1]);
    return text_of(std::string_view(texts->bytes).substr(begin, end - begin));
  }
  if (const auto* whole = std::get_if<Whole>(&column.values)) return nb::int_((*whole)[row]);
  if (const auto* truths = std::get_if<BitValues>(&column.values)) {
    return nb::bool_(bit(truths->bits, row));
  }
  return nb::float_(std::get<Reals>(column.values)[row]);
}

nb::list values_of(const Table& table, const TableColumn& column) {
  nb::list values;
  for (std::uint64_t row = 0; row < table.rows; ++row) values.append(value_at(column, row));
  return values;
}

nb::dict row_of(const Table& table, std::int64_t row) {
  const auto rows = static_cast<std::int64_t>(table.rows);
  if (row < 0) row += rows;
  if (row < 0 || row >= rows) throw nb::index_error("no such row");
  nb::dict values;
  for (const TableColumn& column : table.columns) {
    values[column.name.c_str()] = value_at(column, static_cast<std::uint64_t>(row));
  }
  return values;
}

// Filling.

/// Of a value that is computed, asks for it and looks at that.
template <class Ask>
auto of_computed(const Computed& value, Ask ask) {
  Computed::Value computed = value.get();
  return std::visit([&](auto& of_type) { return ask(&of_type); }, computed);
}

/// The kind of column that holds a field's value; nothing in JSON, no column.
struct ColumnKind {
  using Made = std::optional<decltype(TableColumn::values)>;
  Made operator()(std::uint64_t*) const { return Whole(); }
  Made operator()(unsigned*) const { return Whole(); }
  Made operator()(std::optional<std::uint64_t>*) const { return Whole(); }
  Made operator()(std::optional<unsigned>*) const { return Whole(); }
  Made operator()(double*) const { return Reals(); }
  Made operator()(Real) const { return Reals(); }
  Made operator()(Ratio*) const { return Reals(); }
  Made operator()(std::optional<double>*) const { return Reals(); }
  Made operator()(std::optional<Ratio>*) const { return Reals(); }
  Made operator()(bool*) const { return BitValues(); }
  Made operator()(const Computed& value) const { return of_computed(value, *this); }
  Made operator()(const NestedList&) const { return std::nullopt; }
  Made operator()(const FieldRule&) const { return std::nullopt; }
  Made operator()(const Restored&) const { return std::nullopt; }
  /// All others as texts.
  template <class T>
  Made operator()(const T&) const {
    return TextValues();
  }
};

/// The text of a value, and whether it has one.
struct TextOfValue {
  using Text = std::optional<std::string>;
  Text operator()(const Computed& value) const { return of_computed(value, *this); }
  Text operator()(std::string* value) const { return *value; }
  Text operator()(std::string_view* value) const { return std::string(*value); }
  Text operator()(std::optional<std::string>* value) const { return *value; }
  Text operator()(AsWritten value) const { return of_json(*value.json); }
  Text operator()(const Choice& value) const {
    if (value.get() == Choice::unset) return std::nullopt;
    return std::string(value.words[value.get()]);
  }
  Text operator()(const TextForm& value) const { return value.get(); }
  Text operator()(const JsonForm& value) const { return of_json(value.get()); }
  template <class T>
  Text operator()(const T&) const {
    return std::nullopt;
  }
  static Text of_json(std::string_view json) {
    if (json.empty() || json == "null") return std::nullopt;
    return unquoted(json);
  }
};

struct NumberOfValue {
  using Number = std::optional<std::uint64_t>;
  Number operator()(const Computed& value) const { return of_computed(value, *this); }
  Number operator()(std::uint64_t* value) const { return *value; }
  Number operator()(unsigned* value) const { return *value; }
  Number operator()(std::optional<std::uint64_t>* value) const { return *value; }
  Number operator()(std::optional<unsigned>* value) const {
    return value->has_value() ? Number(**value) : std::nullopt;
  }
  template <class T>
  Number operator()(const T&) const {
    return std::nullopt;
  }
};

struct RealOfValue {
  using Number = std::optional<double>;
  Number operator()(const Computed& value) const { return of_computed(value, *this); }
  Number operator()(double* value) const { return *value; }
  Number operator()(Real value) const { return *value.value; }
  Number operator()(Ratio* value) const { return value->value(); }
  Number operator()(std::optional<double>* value) const { return *value; }
  Number operator()(std::optional<Ratio>* value) const {
    return value->has_value() ? Number((*value)->value()) : std::nullopt;
  }
  template <class T>
  Number operator()(const T&) const {
    return std::nullopt;
  }
};

struct TruthOfValue {
  using Truth = std::optional<bool>;
  Truth operator()(const Computed& value) const { return of_computed(value, *this); }
  Truth operator()(bool* value) const { return *value; }
  template <class T>
  Truth operator()(const T&) const {
    return std::nullopt;
  }
};

}  // namespace

void FieldTable::add_column(std::string name, const FieldMember& member) {
  columns_.push_back({std::move(name), *std::visit(ColumnKind(), member), {}, 0});
}

void FieldTable::add_columns(std::string_view prefix, std::vector<Field> fields) {
  for (Field& field : fields) {
    if (!std::visit(ColumnKind(), field.member).has_value()) continue;
    const std::string name = std::string(prefix) + std::string(field.name);
    if (const auto* nested = std::get_if<Nested>(&field.member)) {
      add_columns(name + "_", nested->fields());
      continue;
    }
    Source source{std::move(field), columns_.size(), 1};
    if (const auto* nested = std::get_if<OptionalNested>(&source.field.member)) {
      const bool was_there = nested->has_value();
      if (!was_there) nested->make();
      for (const Field& inner : nested->fields()) {
        add_column(name + "_" + std::string(inner.name), inner.member);
      }
      if (!was_there) nested->reset();
      source.columns = columns_.size() - source.first;
    } else {
      add_column(name, source.field.member);
    }
    sources_.push_back(std::move(source));
  }
}

void FieldTable::put(std::size_t index, const Field& field, bool is_there) {
  const bool zero_counts = may_be_zero(field);
  const auto counts = [&](const auto& value) {
    return value.has_value() &&
           (zero_counts || *value != typename std::remove_cvref_t<decltype(value)>::value_type());
  };
  TableColumn& column = columns_[index];
  if (auto* texts = std::get_if<TextValues>(&column.values)) {
    const TextOfValue::Text text =
        is_there ? std::visit(TextOfValue(), field.member) : std::nullopt;
    if (text.has_value()) texts->bytes += *text;
    texts->offsets.push_back(static_cast<std::int64_t>(texts->bytes.size()));
    is_there = counts(text);
  } else if (auto* whole = std::get_if<Whole>(&column.values)) {
    const auto number = is_there ? std::visit(NumberOfValue(), field.member) : std::nullopt;
    whole->push_back(number.value_or(0));
    is_there = counts(number);
  } else if (auto* truths = std::get_if<BitValues>(&column.values)) {
    const auto truth = is_there ? std::visit(TruthOfValue(), field.member) : std::nullopt;
    add_bit(truths->bits, rows_, truth.value_or(false));
    is_there = counts(truth);
  } else {
    const auto number = is_there ? std::visit(RealOfValue(), field.member) : std::nullopt;
    std::get<Reals>(column.values).push_back(number.value_or(0));
    is_there = counts(number);
  }
  add_bit(column.validity, rows_, is_there);
  column.missing += is_there ? 0 : 1;
}

void FieldTable::add() {
  for (const Source& source : sources_) {
    const auto* nested = std::get_if<OptionalNested>(&source.field.member);
    if (nested == nullptr) {
      put(source.first, source.field, source.field.presence != Presence::left_out);
    } else if (nested->has_value()) {
      const std::vector<Field> fields = nested->fields();
      for (std::size_t i = 0; i < source.columns; ++i) put(source.first + i, fields[i], true);
    } else {
      for (std::size_t i = 0; i < source.columns; ++i) put(source.first + i, source.field, false);
    }
  }
  ++rows_;
}

std::shared_ptr<const Table> FieldTable::table() && {
  return std::make_shared<const Table>(Table{std::move(columns_), rows_});
}

void add_table(nb::module_& module) {
  nb::class_<Table>(
      module, "Table",
      "Rows of a result. Any library of Arrow reads it without a copy: pyarrow.table(), "
      "polars.DataFrame(), pandas.DataFrame.from_arrow(), or its name in a query of duckdb.")
      .def("__len__", [](const Table& table) { return table.rows; })
      .def_prop_ro("column_names",
                   [](const Table& table) {
                     nb::list names;
                     for (const TableColumn& column : table.columns)
                       names.append(column.name.c_str());
                     return names;
                   })
      .def(
          "__getitem__",
          [](const Table& table, const std::string& name) {
            return values_of(table, column_of(table, name));
          },
          nb::arg("name"), "The values of a column as a list.")
      .def(
          "__getitem__", [](const Table& table, std::int64_t row) { return row_of(table, row); },
          nb::arg("row"), "A row as a dict.")
      .def(
          "to_pylist",
          [](const Table& table) {
            nb::list rows;
            for (std::uint64_t i = 0; i < table.rows; ++i) {
              rows.append(row_of(table, static_cast<std::int64_t>(i)));
            }
            return rows;
          },
          "All rows, a dict each.")
      .def("__repr__",
           [](const Table& table) {
             std::string text = "<twinset.Table: " + std::to_string(table.rows) + " rows of ";
             for (std::size_t i = 0; i < table.columns.size(); ++i) {
               text += (i > 0 ? ", " : "") + table.columns[i].name;
             }
             return text + ">";
           })
      .def("__arrow_c_schema__", [](const Table& table) { return schema_capsule(table); })
      .def(
          "__arrow_c_array__",
          [](const SharedTable& table, const nb::object&) { return array_capsules(table); },
          nb::arg("requested_schema").none() = nb::none())
      .def(
          "__arrow_c_stream__",
          [](const SharedTable& table, const nb::object&) { return stream_capsule(table); },
          nb::arg("requested_schema").none() = nb::none());
}

}  // namespace twinset::python
