// Most text needs no escape: stretches without one are copied whole.
//
// This file's interface is io/json.h; the rest is private.
#include "io/json.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "text/utf8.h"

namespace twinset {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

void append_escape(std::string& out, char byte) {
  switch (byte) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(byte));
  }
}

bool needs_escape(char byte) {
  // DEL and control characters could move a terminal's cursor.
  return static_cast<unsigned char>(byte) < 0x20 || byte == '"' || byte == '\\' || byte == 0x7f;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t copied = 0;
  std::size_t i = 0;
  const auto copy_run = [&] { out += text.substr(copied, i - copied); };
  while (i < text.size()) {
    if (needs_escape(text[i])) {
      copy_run();
      append_escape(out, text[i]);
      copied = ++i;
    } else if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
    } else {
      const utf8::Decoded decoded = utf8::decode(text, i);
      if (!decoded.valid) {
        copy_run();
        out += replacement;
        copied = i + decoded.bytes;
      }
      i += decoded.bytes;
    }
  }
  copy_run();
  out += '"';
}

void append_json_real(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::string digits = fmt::format("{:.6f}", value);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  out += digits == "-0" ? "0" : digits;
}

}  // namespace twinset
