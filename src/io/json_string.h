// The body of a JSON string: where it ends and its decoded bytes.
//
//   // bytes: He said \"no\".\u00e9", "id": 7}
//   std::string out(size_of_body + json_string_slack, '\0');
//   JsonString body = read_json_string(begin, end, out.data());
//   // body.end is after the closing quote; out holds `He said "no".` and an e acute
//
// A string may contain any byte from 0x20 up, UTF-8 or not: readers of the text decide how to treat
// invalid bytes, and equal bytes stay equal. An unpaired surrogate escape becomes the three bytes
// that UTF-8 would give it (WTF-8), so different escapes stay different.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace twinset {

/// The number of bytes after the decoded ones that may be written in `out`.
inline constexpr std::size_t json_string_slack = 64;

struct JsonString {
  const char* end = nullptr;       ///< after the closing quote; nullptr if there is none
  std::size_t decoded_bytes = 0;   ///< never more than the bytes as written
  bool escaped = false;            ///< has a backslash: decoded and written differ
  const char* fault_at = nullptr;  ///< where it went wrong, if end is nullptr
  const char* fault = nullptr;     ///< the fault there
};

/// Reads and checks the body that begins at `begin`, after the opening quote.
/// With `out`, also decodes: room for (end - begin) + json_string_slack bytes.
/// About 5 GB/s with AVX2.
JsonString read_json_string(const char* begin, const char* end, char* out);

/// The same, a byte at a time: the reference, and level `portable`.
JsonString read_json_string_portable(const char* begin, const char* end, char* out);

/// Appends the value of a JSON token: a string's decoded bytes, or a number as written. Appends
/// nothing for any other token: the value is missing.
void append_json_token_value(std::string& out, std::string_view token);

/// Replaces offsets into the decoded bytes of a valid body, without its quotes, by offsets into the
/// body as written. They must ascend, and each be that of a character or of the end.
void find_as_written(std::string_view body, std::span<std::uint64_t> offsets);

}  // namespace twinset
