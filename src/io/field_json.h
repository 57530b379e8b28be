// The JSON of a result, written and read by its declared fields (twinset/field.h).
//
//   const std::string json = fields_json(fields_of(summary), JsonLayout::lines);
//   DedupSummary again;
//   TWINSET_TRY(read_fields(json, "out/summary.json", fields_of(again)));
//
// The lines of a bulk file are values of one type. Their fields are made once, for a value that
// each line fills anew:
//
//   FieldLine<Removal> line;
//   line->resemblance = 0.93;
//   line.append(out);                                   // {"id": "d7", ...} and a line end
//   TWINSET_TRY(line.read(raw, "out/removed.jsonl.zst:7"));
//
// Reading is strict. A field that must be there and is not, one given twice, one of another type, a
// number out of range and a rule that does not hold are errors that name the file, the line, the
// byte and the field. Fields that are not declared are ignored: a later version may have added
// them.
//
// Threads: pure functions; a FieldLine belongs to one.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "io/json_read.h"
#include "system/files.h"
#include "twinset/field.h"
#include "twinset/result.h"

namespace twinset {

/// The most bytes of a file of results that is read.
inline constexpr std::uint64_t most_result_bytes = std::uint64_t{512} << 20;

enum class JsonLayout : std::uint8_t {
  one_line,  ///< {"a": 1, "b": {"c": 2}}
  lines      ///< each field of the object on its own line, and a line end behind the object
};

std::string fields_json(const std::vector<Field>& fields, JsonLayout layout = JsonLayout::one_line);

/// A result as fields_of() takes it, to be written: that changes nothing.
///   fields_json(fields_of(to_write(plan)))
template <class Result>
Result& to_write(const Result& result) {
  return const_cast<Result&>(result);
}

/// The fields of a line. Those of nested values are put into `nested`, and not made anew for each
/// value.
std::vector<Field> made_once(std::vector<Field> fields, std::deque<std::vector<Field>>& nested);

/// Appends a line without its line end.
void append_fields(std::string& out, const std::vector<Field>& fields);

/// Reads `object`, all of a line that messages call `what`. Views are of `line`, or of `decoded`
/// where strings have escapes.
Status read_line(const JsonNode& object, std::string_view line, const std::string& what,
                 const std::vector<Field>& fields, std::deque<std::string>& decoded);

template <class T>
class FieldLine {
 public:
  using FieldsOf = std::vector<Field> (*)(T& value);
  explicit FieldLine(FieldsOf of = [](T& value) { return fields_of(value); })
      : of_(of), fields_(made_once(of(value_), nested_)) {}
  /// A line with the same fields, which has a value of its own.
  FieldLine(const FieldLine& other) : FieldLine(other.of_) {}
  FieldLine& operator=(const FieldLine&) = delete;

  T& operator*() { return value_; }
  T* operator->() { return &value_; }

  void append(std::string& out) const {
    append_json(out);
    out += '\n';
  }
  /// Without a line end.
  void append_json(std::string& out) const { append_fields(out, fields_); }

  /// Sets the value, whose views are valid until the next call and as long as `line` is.
  Status read(std::string_view line, const std::string& what) {
    TWINSET_ASSIGN(const JsonNode object, read_json(line, what));
    return read(object, line, what);
  }
  /// The same of a line that is parsed.
  Status read(const JsonNode& object, std::string_view line, const std::string& what) {
    decoded_.clear();
    return read_line(object, line, what, fields_, decoded_);
  }

 private:
  FieldsOf of_;
  T value_ = {};
  std::deque<std::vector<Field>> nested_;
  std::vector<Field> fields_;
  std::deque<std::string> decoded_;
};

/// The value of one field.
std::string value_json(const Field& field);

/// Sets the members of `fields` to the values in `text`, which messages call `what`; those of
/// fields that may be left out and are become empty. Errors (io): see above; then the members have
/// some of the values.
Status read_fields(std::string_view text, const std::string& what,
                   const std::vector<Field>& fields);
/// The same of `object`, a part of `text`.
Status read_fields(std::string_view text, const std::string& what, const JsonNode& object,
                   const std::vector<Field>& fields);

/// A whole file of results, of at most most_result_bytes.
Result<std::string> read_result_file(FileSystem& files, const std::string& path);

}  // namespace twinset
