// A name's semicolon ends every name that has one, so the longest match is the
// whole run of letters and digits if a semicolon follows and the table has it; or
// else the longest of the few names that need no semicolon.
//
// This file's interface is text/html_character.h; the rest is private.
#include "text/html_character.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/characters.h"
#include "text/html_entities.h"
#include "text/utf8.h"

namespace twinset::html {
namespace {

constexpr std::uint32_t beyond_unicode = 0x110000;

/// The characters for references to U+0080 and on: windows-1252 (HTML 13.2.5.80).
constexpr std::array<std::uint16_t, 32> windows_1252{
    0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
    0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};

bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A digit's value in base 16; 16 if it is not a digit.
std::uint32_t hex_value(char c) {
  if (is_digit(c)) return static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
  return 16;
}

std::uint32_t character_of_number(std::uint32_t number) {
  if (number == 0 || number >= beyond_unicode || (number >= 0xD800 && number < 0xE000)) {
    return utf8::replacement;
  }
  return number >= 0x80 && number < 0xA0 ? windows_1252[number - 0x80] : number;
}

CharacterReference read_numeric(std::string_view source) {
  std::size_t position = 2;
  std::uint32_t base = 10;
  if (position < source.size() && (source[position] == 'x' || source[position] == 'X')) {
    base = 16;
    ++position;
  }
  const std::size_t digits = position;
  std::uint32_t number = 0;
  for (; position < source.size(); ++position) {
    const std::uint32_t digit = hex_value(source[position]);
    if (digit >= base) break;
    number = std::min(number * base + digit, beyond_unicode);
  }
  if (position == digits) return {};
  if (position < source.size() && source[position] == ';') ++position;
  CharacterReference found;
  found.source_bytes = static_cast<std::uint32_t>(position);
  std::uint8_t bytes[utf8::max_bytes];
  found.text_bytes = static_cast<std::uint8_t>(utf8::encode(character_of_number(number), bytes));
  std::memcpy(found.utf8, bytes, found.text_bytes);
  return found;
}

CharacterReference made_of(const Entity& entity, std::size_t source_bytes) {
  CharacterReference found;
  found.source_bytes = static_cast<std::uint32_t>(source_bytes);
  found.text_bytes = entity.text_bytes;
  std::memcpy(found.utf8, entity.utf8, sizeof found.utf8);
  return found;
}

CharacterReference read_named(std::string_view source, ReferencePlace place) {
  const std::string_view rest = source.substr(1, longest_entity_name + 1);
  std::size_t run = 0;
  while (run < rest.size() && is_alphanumeric(rest[run])) ++run;
  if (run < rest.size() && rest[run] == ';') {
    if (const Entity* entity = find_entity(rest.substr(0, run))) return made_of(*entity, run + 2);
  }
  for (std::size_t size = std::min(run, longest_legacy_name); size >= 2; --size) {
    const Entity* const entity = find_entity(rest.substr(0, size));
    if (entity == nullptr || !entity->without_semicolon) continue;
    const char next = size < rest.size() ? rest[size] : '\0';
    if (place == ReferencePlace::attribute && (next == '=' || is_alphanumeric(next))) return {};
    return made_of(*entity, size + 1);
  }
  return {};
}

}  // namespace

CharacterReference read_character_reference(std::string_view source, ReferencePlace place) {
  if (source.size() < 2) return {};
  return source[1] == '#' ? read_numeric(source) : read_named(source, place);
}

}  // namespace twinset::html
