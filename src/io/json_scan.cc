// Hand-written automata match scalars; one loop matches containers, with a bit for each level that
// tells objects from arrays.
//
// This file's interface is io/json_scan.h; the rest is private.
#include "io/json_scan.h"

#include <bitset>
#include <string>

#include "io/json_string.h"

namespace twinset {
namespace {

bool is_digit(const char* p, const char* end) { return p < end && *p >= '0' && *p <= '9'; }

const char* skip_digits(const char* p, const char* end) {
  while (is_digit(p, end)) ++p;
  return p;
}

const char* refuse(JsonFault& fault, const char* at, std::string_view what) {
  fault = {at, what};
  return nullptr;
}

const char* scan_word(const char* p, const char* end, std::string_view word, JsonFault& fault) {
  if (std::string_view(p, static_cast<std::size_t>(end - p)).substr(0, word.size()) != word) {
    return refuse(fault, p, "unknown word");
  }
  return p + word.size();
}

/// Returns the end of the number at `p`, or nullptr.
const char* scan_number(const char* p, const char* end, JsonFault& fault) {
  const char* const begin = p;
  if (*p == 'N') return scan_word(p, end, "NaN", fault);
  if (*p == '-') ++p;
  if (p < end && *p == 'I') return scan_word(p, end, "Infinity", fault);
  if (!is_digit(p, end)) return refuse(fault, begin, "invalid number");
  p = *p == '0' ? p + 1 : skip_digits(p, end);
  if (is_digit(p, end)) return refuse(fault, begin, "number with a leading zero");
  if (p < end && *p == '.') {
    if (!is_digit(++p, end)) return refuse(fault, begin, "invalid number");
    p = skip_digits(p, end);
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p < end && (*p == '+' || *p == '-')) ++p;
    if (!is_digit(p, end)) return refuse(fault, begin, "invalid number");
    p = skip_digits(p, end);
  }
  return p;
}

const char* scan_string(const char* p, const char* end, JsonFault& fault) {
  const JsonString string = read_json_string(p + 1, end, nullptr);
  if (string.end == nullptr) return refuse(fault, string.fault_at, string.fault);
  return string.end;
}

JsonKind kind_of(char first) {
  switch (first) {
    case '"':
      return JsonKind::string;
    case '{':
      return JsonKind::object;
    case '[':
      return JsonKind::array;
    case 't':
    case 'f':
      return JsonKind::boolean;
    case 'n':
      return JsonKind::null;
    case '-':
    case 'N':
    case 'I':
      return JsonKind::number;
    default:
      return first >= '0' && first <= '9' ? JsonKind::number : JsonKind::none;
  }
}

const char* scan_scalar(JsonKind kind, const char* p, const char* end, JsonFault& fault) {
  switch (kind) {
    case JsonKind::string:
      return scan_string(p, end, fault);
    case JsonKind::number:
      return scan_number(p, end, fault);
    case JsonKind::boolean:
      return scan_word(p, end, *p == 't' ? "true" : "false", fault);
    case JsonKind::null:
      return scan_word(p, end, "null", fault);
    default:
      return refuse(fault, p, "a value is missing");
  }
}

/// Scans an object's key and its colon; returns where the value begins, or nullptr.
const char* scan_key(const char* p, const char* end, JsonFault& fault) {
  if (p == end || *p != '"') return refuse(fault, p, "a key is missing");
  p = scan_string(p, end, fault);
  if (p == nullptr) return nullptr;
  p = skip_json_space(p, end);
  if (p == end || *p != ':') return refuse(fault, p, "a colon is missing");
  return skip_json_space(p + 1, end);
}

const char* scan_container(const char* p, const char* end, std::size_t max_depth,
                           JsonFault& fault) {
  std::bitset<max_json_depth> is_object;
  std::size_t depth = 0;
  while (true) {
    // `p` is at a value.
    if (p == end) return refuse(fault, p, "the value ends too early");
    const JsonKind kind = kind_of(*p);
    const bool opens = kind == JsonKind::object || kind == JsonKind::array;
    if (opens) {
      if (depth == max_depth || depth == max_json_depth) {
        return refuse(fault, p, "nested too deeply");
      }
      is_object[depth++] = kind == JsonKind::object;
      p = skip_json_space(p + 1, end);
    } else {
      p = scan_scalar(kind, p, end, fault);
      if (p == nullptr) return nullptr;
    }
    // `p` is after a value, or just inside a container: close all containers that end here.
    bool just_opened = opens;
    while (true) {
      if (!just_opened) p = skip_json_space(p, end);
      if (p == end) return refuse(fault, p, "the value ends too early");
      if (*p != (is_object[depth - 1] ? '}' : ']')) break;
      ++p;
      if (--depth == 0) return p;
      just_opened = false;
    }
    if (!just_opened) {
      if (*p != ',') {
        return refuse(fault, p,
                      is_object[depth - 1] ? "a comma or } is missing" : "a comma or ] is missing");
      }
      p = skip_json_space(p + 1, end);
    }
    if (is_object[depth - 1]) {
      p = scan_key(p, end, fault);
      if (p == nullptr) return nullptr;
    }
  }
}

}  // namespace

std::string_view json_kind_name(JsonKind kind) {
  switch (kind) {
    case JsonKind::none:
      return "nothing";
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "a boolean";
    case JsonKind::number:
      return "a number";
    case JsonKind::string:
      return "a string";
    case JsonKind::array:
      return "an array";
    case JsonKind::object:
      return "an object";
  }
  return "nothing";
}

JsonValue scan_json_value(const char* begin, const char* end, std::size_t max_depth,
                          JsonFault& fault) {
  if (begin == end) {
    refuse(fault, begin, "a value is missing");
    return {};
  }
  const JsonKind kind = kind_of(*begin);
  const char* const behind = kind == JsonKind::object || kind == JsonKind::array
                                 ? scan_container(begin, end, max_depth, fault)
                                 : scan_scalar(kind, begin, end, fault);
  if (behind == nullptr) return {};
  return {kind, std::string_view(begin, static_cast<std::size_t>(behind - begin))};
}

bool is_not_finite(const JsonValue& number) {
  if (number.kind != JsonKind::number) return false;
  const char last = number.raw.back();  // NaN, Infinity: other numbers end with a digit.
  return last == 'N' || last == 'y';
}

bool json_key_is(std::string_view written, std::string_view name) {
  if (written.find('\\') == std::string_view::npos) return written == name;
  std::string decoded(written.size() + 1 + json_string_slack, '\0');
  const std::string quoted = std::string(written) + '"';
  const JsonString string =
      read_json_string(quoted.data(), quoted.data() + quoted.size(), decoded.data());
  return string.end != nullptr && std::string_view(decoded.data(), string.decoded_bytes) == name;
}

}  // namespace twinset
