// Reading back the JSON twinset wrote: lines of removed.jsonl, summary.json.
//
//   Result<JsonNode> line = read_json(text, "out/removed.jsonl:7");
//   std::string id = line.value()["id"].text();
//   std::optional<std::uint64_t> record = line.value()["record"].integer();
//   for (JsonNode member : line.value()["members"].elements()) ...
//
// A node is a view of checked text; nothing is built before it is asked for. Asking a node for a
// type that it does not have gives nothing, never an error. Looking up a field is linear in the
// object, so ask a large one for its fields() once.
//
// Threads: values; the text must outlive them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json_scan.h"
#include "twinset/result.h"

namespace twinset {

class JsonNode {
 public:
  /// No value, as for a missing field.
  JsonNode() = default;
  explicit JsonNode(JsonValue value) : value_(value) {}

  JsonKind kind() const { return value_.kind; }
  explicit operator bool() const { return value_.kind != JsonKind::none; }
  /// As written.
  std::string_view raw() const { return value_.raw; }

  /// An object's field, the last of that name; no value if there is none.
  JsonNode operator[](std::string_view name) const;
  /// An object's fields in the order written, names decoded.
  std::vector<std::pair<std::string, JsonNode>> fields() const;
  /// An array's elements.
  std::vector<JsonNode> elements() const;
  /// The fields of an object or the elements of an array one by one, without a list of them, until
  /// `use` returns false. A key is as written, with its quotes; of an element it is empty.
  void walk(const std::function<bool(std::string_view key, JsonNode value)>& use) const;
  /// A string, decoded; else empty.
  std::string text() const;
  /// A number without sign, fraction and exponent that fits.
  std::optional<std::uint64_t> integer() const;
  std::optional<double> real() const;
  std::optional<bool> boolean() const;

 private:
  JsonValue value_;
};

/// The content of a string or a number as written: an id or a label. Nothing for other values.
std::optional<std::string> plain_value(const JsonNode& value);
/// The same of a value's text, such as a record's id; nothing if it is empty or not JSON.
std::optional<std::string> plain_value(std::string_view json);

/// Reads `text`, which is one JSON value with white space around it allowed. Error (io) names
/// `what` and the byte.
Result<JsonNode> read_json(std::string_view text, const std::string& what);

}  // namespace twinset
