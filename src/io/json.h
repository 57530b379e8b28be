// Writing JSON: the escaper and a small builder for lines and summaries.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

/// Appends `text` as a JSON string with its quotes. Invalid UTF-8 becomes
/// U+FFFD, so the line is always valid JSON; control characters are escaped.
void append_json_string(std::string& out, std::string_view text);

/// Appends at most 6 decimals, shortest form, never in exponent notation; null if `value` is not
/// finite.
void append_json_real(std::string& out, double value);

/// Builds one JSON object on a string, keys in the order given.
///
///   JsonObject line(out);
///   line.string("id", id).number("record", 7).real("resemblance", 0.93);
///   line.end();
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }
  JsonObject& string(std::string_view key, std::string_view value);
  JsonObject& number(std::string_view key, std::uint64_t value);
  /// As append_json_real().
  JsonObject& real(std::string_view key, double value);
  JsonObject& boolean(std::string_view key, bool value);
  /// `json` is a value already written.
  JsonObject& raw(std::string_view key, std::string_view json);
  void end() { out_ += '}'; }

 private:
  void key(std::string_view name);
  std::string& out_;
  bool first_ = true;
};

}  // namespace twinset
