// Rows of a result as a table that any library of Arrow reads without a copy: pyarrow, polars,
// duckdb, pandas. The columns are made from declared fields (twinset/field.h).
//
//   Removal removal;                                  // the fields point into it
//   FieldTable rows(fields_of(removal));
//   for (...) { removal = ...; rows.add(); }
//   const std::shared_ptr<const Table> table = std::move(rows).table();
//
// Threads: a FieldTable is filled by one; a Table is immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arrow_abi.h"
#include "door.h"
#include "twinset/field.h"

namespace twinset::python {

/// Texts one after the other, as LargeUtf8.
struct TextValues {
  std::string bytes;
  std::vector<std::int64_t> offsets{0};
};

/// Truth values, a bit a row.
struct BitValues {
  std::vector<std::uint8_t> bits;
};

struct TableColumn {
  std::string name;
  std::variant<std::vector<std::uint64_t>, std::vector<double>, TextValues, BitValues> values;
  std::vector<std::uint8_t> validity;  ///< a bit a row; empty: none is missing
  std::uint64_t missing = 0;
};

/// Held by its shared_ptr as long as a library still reads an array that was made of it, which may
/// be longer than the object of Python.
struct Table {
  std::vector<TableColumn> columns;
  std::uint64_t rows = 0;
};

class FieldTable {
 public:
  FieldTable() = default;
  explicit FieldTable(std::vector<Field> fields) { add_columns("", std::move(fields)); }

  /// More columns, named `prefix` and the field's name.
  void add_columns(std::string_view prefix, std::vector<Field> fields);
  /// One more row: the values that the fields have now.
  void add();
  std::uint64_t rows() const { return rows_; }
  std::shared_ptr<const Table> table() &&;

 private:
  struct Source {
    Field field;
    std::size_t first = 0;    ///< its first column
    std::size_t columns = 1;  ///< several of a nested value
  };

  void add_column(std::string name, const FieldMember& member);
  void put(std::size_t column, const Field& field, bool is_there);

  std::vector<Source> sources_;
  std::vector<TableColumn> columns_;
  std::uint64_t rows_ = 0;
};

/// Adds the class Table to the module.
void add_table(nb::module_& module);

}  // namespace twinset::python
