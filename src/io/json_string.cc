// Text is long strings with an escape every line or so. The kernel stores a vector of bytes
// unchanged, looks in it for a quote, a backslash or a control character, and continues after the
// one it finds; bytes stored past that are overwritten. So a string is read, checked and decoded in
// one pass.
//
// Highway compiles this file once per instruction set (foreach_target.h); what is
// not under HWY_NAMESPACE is compiled once.
//
// This file's interface is io/json_string.h; the rest is private.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "io/json_string.cc"
#include <hwy/foreach_target.h>
// clang-format: the order matters to Highway.
#include <hwy/highway.h>

#include "io/json_string.h"

#ifndef TWINSET_IO_JSON_STRING_ONCE
#define TWINSET_IO_JSON_STRING_ONCE

#include <array>
#include <cstdint>
#include <cstring>

#include "base/cpu.h"
#include "text/utf8.h"

namespace twinset {
namespace {

inline int hex_digit(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  return -1;
}

/// The number in four hexadecimal digits, or -1.
inline int hex4(const char* digits) {
  int number = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(digits[i]);
    if (digit < 0) return -1;
    number = number * 16 + digit;
  }
  return number;
}

/// The meaning of one-letter escapes such as `\n`, by their letter; else 0.
inline char short_escape(char letter) {
  static constexpr std::array<char, 256> meanings = [] {
    std::array<char, 256> table{};
    table['"'] = '"';
    table['\\'] = '\\';
    table['/'] = '/';
    table['b'] = '\b';
    table['f'] = '\f';
    table['n'] = '\n';
    table['r'] = '\r';
    table['t'] = '\t';
    return table;
  }();
  return meanings[static_cast<unsigned char>(letter)];
}

inline bool is_high_surrogate(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
inline bool is_low_surrogate(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

struct Escape {
  const char* end = nullptr;  ///< nullptr: not an escape
  std::uint32_t size = 0;
  std::array<std::uint8_t, utf8::max_bytes> bytes{};
};

/// The escape at `p`, which points at its backslash.
inline Escape read_escape(const char* p, const char* end) {
  Escape escape;
  if (end - p < 2) return escape;
  if (const char meant = short_escape(p[1]); meant != '\0') {
    escape.bytes[0] = static_cast<std::uint8_t>(meant);
    escape.size = 1;
    escape.end = p + 2;
    return escape;
  }
  const int unit = p[1] != 'u' || end - p < 6 ? -1 : hex4(p + 2);
  if (unit < 0) return escape;
  std::uint32_t code_point = static_cast<std::uint32_t>(unit);
  escape.end = p + 6;
  if (is_high_surrogate(unit) && end - p >= 12 && p[6] == '\\' && p[7] == 'u') {
    const int next = hex4(p + 8);
    if (is_low_surrogate(next)) {
      code_point = 0x10000 + (static_cast<std::uint32_t>(unit - 0xD800) << 10) +
                   static_cast<std::uint32_t>(next - 0xDC00);
      escape.end = p + 12;
    }
  }
  escape.size = utf8::encode(code_point, escape.bytes.data());
  return escape;
}

inline JsonString string_fault(const char* at, const char* what) {
  JsonString string;
  string.fault_at = at;
  string.fault = what;
  return string;
}

constexpr const char* no_closing_quote = "string without its closing quote";
constexpr const char* control_character = "control character in a string";
constexpr const char* bad_escape = "invalid escape in a string";

/// Goes on one byte at a time from `p`; `string` holds the result so far.
JsonString read_bytewise(const char* p, const char* end, char* out, JsonString string) {
  while (p < end) {
    const char byte = *p;
    if (byte == '"') {
      string.end = p + 1;
      return string;
    }
    if (byte == '\\') {
      const Escape escape = read_escape(p, end);
      if (escape.end == nullptr) return string_fault(p, bad_escape);
      string.escaped = true;
      for (std::uint32_t i = 0; i < escape.size; ++i) {
        if (out != nullptr) out[string.decoded_bytes] = static_cast<char>(escape.bytes[i]);
        ++string.decoded_bytes;
      }
      p = escape.end;
      continue;
    }
    if (static_cast<unsigned char>(byte) < 0x20) return string_fault(p, control_character);
    if (out != nullptr) out[string.decoded_bytes] = byte;
    ++string.decoded_bytes;
    ++p;
  }
  return string_fault(p, no_closing_quote);
}

}  // namespace
}  // namespace twinset
#endif  // TWINSET_IO_JSON_STRING_ONCE

HWY_BEFORE_NAMESPACE();
namespace twinset {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Loads a vector from `p`, with zeros after `end`; a zero stops the reading of text.
template <class D>
HWY_INLINE hn::Vec<D> LoadUpTo(D d, const char* p, const char* end) {
  const auto left = static_cast<std::size_t>(end - p);
  if (HWY_LIKELY(left >= hn::Lanes(d))) {
    return hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(p));
  }
  alignas(json_string_slack) std::array<std::uint8_t, json_string_slack> last{};
  std::memcpy(last.data(), p, left);
  return hn::Load(d, last.data());
}

template <bool decode>
HWY_INLINE JsonString ReadString(const char* p, const char* end, char* out) {
  const hn::CappedTag<std::uint8_t, json_string_slack> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto quote = hn::Set(d, '"');
  const auto backslash = hn::Set(d, '\\');
  const auto first_printable = hn::Set(d, 0x20);
  JsonString string;
  while (p < end) {
    const auto bytes = LoadUpTo(d, p, end);
    if constexpr (decode) {
      hn::StoreU(bytes, d, reinterpret_cast<std::uint8_t*>(out + string.decoded_bytes));
    }
    const auto special = hn::Or(hn::Or(hn::Eq(bytes, quote), hn::Eq(bytes, backslash)),
                                hn::Lt(bytes, first_printable));
    const std::intptr_t found = hn::FindFirstTrue(d, special);
    if (found < 0) {
      p += lanes;
      string.decoded_bytes += lanes;
      continue;
    }
    p += found;
    string.decoded_bytes += static_cast<std::size_t>(found);
    if (p == end) break;
    if (*p == '"') {
      string.end = p + 1;
      return string;
    }
    if (*p != '\\') return string_fault(p, control_character);
    string.escaped = true;
    // Line ends often come in runs.
    const char* const run = p;
    while (end - p >= 2 && *p == '\\') {
      const char meant = short_escape(p[1]);
      if (meant == '\0') break;
      if constexpr (decode) out[string.decoded_bytes] = meant;
      ++string.decoded_bytes;
      p += 2;
    }
    if (p != run) continue;
    const Escape escape = read_escape(p, end);
    if (escape.end == nullptr) return string_fault(p, bad_escape);
    if constexpr (decode) {
      for (std::uint32_t i = 0; i < escape.size; ++i) {
        out[string.decoded_bytes + i] = static_cast<char>(escape.bytes[i]);
      }
    }
    string.decoded_bytes += escape.size;
    p = escape.end;
  }
  return string_fault(p, no_closing_quote);
}

JsonString ReadJsonString(const char* begin, const char* end, char* out) {
  if (out != nullptr) return ReadString<true>(begin, end, out);
  return ReadString<false>(begin, end, nullptr);
}

}  // namespace HWY_NAMESPACE
}  // namespace twinset
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset {

HWY_EXPORT(ReadJsonString);

JsonString read_json_string_portable(const char* begin, const char* end, char* out) {
  return read_bytewise(begin, end, out, JsonString{});
}

JsonString read_json_string(const char* begin, const char* end, char* out) {
  if (simd_level() == SimdLevel::portable) return read_json_string_portable(begin, end, out);
  return HWY_DYNAMIC_DISPATCH(ReadJsonString)(begin, end, out);
}

void append_json_token_value(std::string& out, std::string_view token) {
  if (token.empty()) return;
  if (token.front() != '"') {
    const bool number = token.front() == '-' || (token.front() >= '0' && token.front() <= '9');
    if (number) out += token;
    return;
  }
  const std::size_t before = out.size();
  out.resize(before + token.size() + json_string_slack);
  const JsonString body =
      read_json_string(token.data() + 1, token.data() + token.size(), out.data() + before);
  out.resize(before + body.decoded_bytes);
}

void find_as_written(std::string_view body, std::span<std::uint64_t> offsets) {
  const char* const end = body.data() + body.size();
  const char* at = body.data();
  std::uint64_t decoded = 0;
  for (std::uint64_t& offset : offsets) {
    while (decoded < offset && at < end) {
      if (*at != '\\') {
        ++at;
        ++decoded;
        continue;
      }
      const Escape escape = read_escape(at, end);
      at = escape.end;
      decoded += escape.size;
    }
    offset = static_cast<std::uint64_t>(at - body.data());
  }
}

}  // namespace twinset
#endif  // HWY_ONCE
