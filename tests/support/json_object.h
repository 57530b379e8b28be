// Builds one JSON object on a string, keys in the order given.
//
//   JsonObject line(out);
//   line.string("id", id).number("record", 7).real("resemblance", 0.93).end();
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/json.h"

namespace twinset::testing {

class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }
  JsonObject& string(std::string_view name, std::string_view value) {
    key(name);
    append_json_string(out_, value);
    return *this;
  }
  JsonObject& number(std::string_view name, std::uint64_t value) {
    return raw(name, std::to_string(value));
  }
  /// As append_json_real().
  JsonObject& real(std::string_view name, double value) {
    key(name);
    append_json_real(out_, value);
    return *this;
  }
  /// `json` is a value already written.
  JsonObject& raw(std::string_view name, std::string_view json) {
    key(name);
    out_ += json;
    return *this;
  }
  void end() { out_ += '}'; }

 private:
  void key(std::string_view name) {
    if (!first_) out_ += ", ";
    first_ = false;
    append_json_string(out_, name);
    out_ += ": ";
  }

  std::string& out_;
  bool first_ = true;
};

}  // namespace twinset::testing
