// Writing JSON: a string and a number. Objects are written by their declared fields
// (io/field_json.h).
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace twinset {

/// Appends `text` as a JSON string with its quotes. Invalid UTF-8 becomes
/// U+FFFD, so the line is always valid JSON; control characters are escaped.
void append_json_string(std::string& out, std::string_view text);

/// Appends at most 6 decimals, shortest form, never in exponent notation; null if `value` is not
/// finite.
void append_json_real(std::string& out, double value);

}  // namespace twinset
