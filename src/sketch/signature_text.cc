#include "sketch/signature_text.h"

#include <charconv>

#include "base/base64.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

constexpr std::size_t word_digits = 16;

void append_words(std::string& out, std::span<const std::uint8_t> stored) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i + 8 <= stored.size(); i += 8) {
    for (std::size_t byte = i + 8; byte-- > i;) {
      out += digits[stored[byte] >> 4];
      out += digits[stored[byte] & 15];
    }
  }
  out += '"';
}

}  // namespace

void append_signature_json(std::string& out, Tells tells, std::span<const std::uint8_t> stored) {
  if (stored.empty()) {
    out += "null";
    return;
  }
  switch (tells) {
    case Tells::distance:
      return append_words(out, stored.subspan(1));
    case Tells::coordinate:
      for (std::size_t i = 0; i < stored.size(); i += 8) {
        out += i == 0 ? "[" : ", ";
        if (load_little_endian<std::uint64_t>(&stored[i]) == 0) {
          out += "null";
        } else {
          append_words(out, stored.subspan(i, 8));
        }
      }
      out += ']';
      return;
    case Tells::resemblance:
    case Tells::nothing:
      out += '"';
      append_base64(out, stored);
      out += '"';
  }
}

bool read_hex_words(std::string_view text, std::vector<std::uint64_t>& out) {
  out.clear();
  if (text.empty() || text.size() % word_digits != 0) return false;
  for (; !text.empty(); text.remove_prefix(word_digits)) {
    const char* const end = text.data() + word_digits;
    if (std::from_chars(text.data(), end, out.emplace_back(), 16).ptr != end) return false;
  }
  return true;
}

}  // namespace twinset
