// A table of the documentation, made from the fields of a result.
//
//   ClusterSummary summary;
//   const std::string table = field_table(fields_of(summary), {"files", "run"});
//
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "twinset/field.h"

namespace twinset::testing {

class FieldTable {
 public:
  /// Leaves out the top-level fields of these names.
  explicit FieldTable(std::vector<std::string_view> left_out) : left_out_(std::move(left_out)) {}

  std::string of(const std::vector<Field>& fields) {
    out_ = "| Field | Type | Meaning |\n|---|---|---|\n";
    add(fields, "");
    if (!rules_.empty()) out_ += "\nA file in which one of these does not hold is refused:\n\n";
    for (const std::string& rule : rules_) out_ += "- " + rule + "\n";
    return out_;
  }

 private:
  /// The name of a kind of value in JSON, and the fields below it.
  struct Kind {
    std::string_view type;
    std::string_view below = {};  ///< between the names of a field and one below it
    std::vector<Field> fields = {};
  };

  static Kind kind(bool*) { return {"boolean"}; }
  static Kind kind(std::uint64_t*) { return {"integer"}; }
  static Kind kind(unsigned*) { return {"integer"}; }
  static Kind kind(double*) { return {"number"}; }
  static Kind kind(Real) { return {"number"}; }
  static Kind kind(Ratio*) { return {"string"}; }
  static Kind kind(std::string*) { return {"string"}; }
  static Kind kind(std::string_view*) { return {"string"}; }
  static Kind kind(AsWritten) { return {"as written"}; }
  static Kind kind(const Choice&) { return {"string"}; }
  static Kind kind(const TextForm&) { return {"string"}; }
  static Kind kind(const JsonForm&) { return {"value"}; }
  static Kind kind(const Computed& value) {
    constexpr std::string_view types[] = {"integer", "number", "boolean", "string", "number"};
    return {types[value.get().index()]};
  }
  template <class T>
  static Kind kind(std::optional<T>*) {
    return kind(static_cast<T*>(nullptr));
  }
  static Kind kind(std::vector<std::uint64_t>*) { return {"array of integers"}; }
  static Kind kind(std::vector<double>*) { return {"array of numbers"}; }
  static Kind kind(std::vector<std::string>*) { return {"array of strings"}; }
  static Kind kind(std::vector<std::vector<std::string>>*) {
    return {"array of arrays of strings"};
  }
  static Kind kind(const Nested& value) {
    return {value.form == NestedForm::row ? "array" : "object", ".", value.fields()};
  }
  static Kind kind(const OptionalNested& value) {
    value.make();
    return {"object", ".", value.fields()};
  }
  static Kind kind(const NestedList& value) {
    value.resize(1);
    return {value.layout == ListLayout::rows ? "array of arrays" : "array of objects", "[].",
            value.fields(0)};
  }
  static Kind kind(const NestedMap& value) {
    value.resize(1);
    return {"object", ".NAME.", value.fields(0)};
  }
  static Kind kind(const NumberRows& value) {
    // The columns stand for themselves.
    std::vector<Field> columns;
    for (const NumberRows::Column& column : value.columns) {
      columns.push_back(
          {column.name, Computed{[] { return std::uint64_t{0}; }}, Unit::count, column.help});
    }
    return {"array of arrays", "[].", columns};
  }
  static Kind kind(const FieldRule&) { return {"rule"}; }
  static Kind kind(const Restored&) { return {""}; }

  static std::string unit_of(const Field& field, std::string_view type) {
    if (!type.starts_with("integer") && !type.starts_with("number")) return {};
    return field.unit == Unit::bytes     ? ", bytes"
           : field.unit == Unit::seconds ? ", seconds"
           : field.unit == Unit::share   ? ", share"
                                         : "";
  }

  static std::string presence_of(const Field& field) {
    return field.presence == Presence::always     ? ""
           : field.presence == Presence::if_given ? ", may be missing"
                                                  : ", or left out";
  }

  void add(const std::vector<Field>& fields, const std::string& above) {
    for (const Field& field : fields) {
      const bool top = above.empty();
      if (top && std::find(left_out_.begin(), left_out_.end(), field.name) != left_out_.end()) {
        continue;
      }
      const Kind of = std::visit([](const auto& member) { return kind(member); }, field.member);
      const std::string name = above + std::string(field.name);
      if (of.type.empty()) continue;
      if (of.type == "rule") {
        const std::string where = top ? "" : " in `" + above.substr(0, above.size() - 1) + "`";
        rules_.push_back(std::string(field.name) + where);
        continue;
      }
      std::string help(field.help);
      if (!help.empty()) {
        help[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(help[0])));
      }
      out_ += "| `" + name + "` | " + std::string(of.type) + unit_of(field, of.type) +
              presence_of(field) + " | " + help + " |\n";
      add(of.fields, name + std::string(of.below));
    }
  }

  std::vector<std::string_view> left_out_;
  std::string out_;
  std::vector<std::string> rules_;
};

inline std::string field_table(const std::vector<Field>& fields,
                               std::vector<std::string_view> left_out = {}) {
  return FieldTable(std::move(left_out)).of(fields);
}

}  // namespace twinset::testing
