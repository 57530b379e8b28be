// Checking JSON without building anything: finds where a value ends and its kind. The grammar is
// RFC 8259's, strictly, with three exceptions that found text needs: strings may hold bytes that
// are not UTF-8, and unpaired surrogate escapes; and NaN, Infinity and -Infinity are numbers, as
// Python writes them. Numbers are never converted, so none is too large.
//
//   JsonFault fault;
//   JsonValue value = scan_json_value(begin, end, max_json_depth, fault);
//   if (value.kind == JsonKind::none) ... fault.at, fault.what
//
// Threads: pure functions. No recursion: 1,024 levels cost 128 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset {

/// Deepest nesting of arrays and objects (simdjson's limit, too).
inline constexpr std::size_t max_json_depth = 1024;

enum class JsonKind : std::uint8_t { none, null, boolean, number, string, array, object };

/// "a number", "null"; for messages.
std::string_view json_kind_name(JsonKind kind);

struct JsonValue {
  JsonKind kind = JsonKind::none;
  std::string_view raw;  ///< as written, quotes and brackets included
};

/// Where and why the text is not JSON. `what` is a literal.
struct JsonFault {
  const char* at = nullptr;
  std::string_view what;
};

inline const char* skip_json_space(const char* p, const char* end) {
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) ++p;
  return p;
}

/// The one value that begins at `begin`, which is not white space; kind `none`
/// and `fault` set if there is none. O(end - begin).
JsonValue scan_json_value(const char* begin, const char* end, std::size_t max_depth,
                          JsonFault& fault);

/// Is the number NaN or an infinity? JSON has no such numbers, so they are never written on.
bool is_not_finite(const JsonValue& number);

/// Does a key as written (without its quotes) mean `name`?
bool json_key_is(std::string_view written, std::string_view name);

}  // namespace twinset
