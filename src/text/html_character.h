// Character references of HTML: "&lt;", "&#8217;", "&#x41", "&notit;".
//
//   html::CharacterReference found = html::read_character_reference("&notit; more");
//   // found.text() == "\xC2\xAC" (not sign), found.source_bytes == 4
//
// Named references by longest match, with the names that the standard knows without a semicolon;
// numeric ones with the standard's replacements: windows-1252 for U+0080 to U+009F, U+FFFD for
// numbers that are not characters.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace twinset::html {

struct CharacterReference {
  std::uint32_t source_bytes = 0;  ///< from the ampersand on; 0: not a reference
  std::uint8_t text_bytes = 0;
  char utf8[6] = {};

  std::string_view text() const { return {utf8, text_bytes}; }
};

/// The place decides about names without a semicolon: in an attribute's value they are not
/// references before "=", a letter or a digit.
enum class ReferencePlace : std::uint8_t { text, attribute };

/// The reference that `source` begins with. Range: source begins with "&" and may continue after
/// the reference. O(length of the reference).
CharacterReference read_character_reference(std::string_view source,
                                            ReferencePlace place = ReferencePlace::text);

}  // namespace twinset::html
