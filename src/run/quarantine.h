// A line of quarantine.jsonl: a record that is not a document, its place, the reason, and
// its first bytes.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "io/record.h"

namespace twinset {

/// Bytes of a bad record that are shown.
inline constexpr std::size_t quarantine_sample_bytes = 256;

/// Appends one line for `record` of the input shown as `file`.
void append_quarantine_line(std::string& out, std::string_view file, const Record& record);

/// Appends the value of a JSON token: a string's decoded bytes, a number as
/// written; nothing for anything else (a missing value).
void append_json_token_value(std::string& out, std::string_view token);

}  // namespace twinset
