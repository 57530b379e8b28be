// Character references of HTML: "&lt;", "&#8217;", "&#x41", "&notit;".
//
//   html::CharacterReference found = html::read_character_reference("&notit; more");
//   // found.text() == "\xC2\xAC" (not sign), found.source_bytes == 4
//
// Named ones by longest match, with the names the standard knows without a
// semicolon; numeric ones with the standard's replacements: windows-1252 for
// U+0080 to U+009F, U+FFFD for what is no character.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace twinset::html {

struct CharacterReference {
  std::uint32_t source_bytes = 0;  ///< from the ampersand on; 0: it is no reference
  std::uint8_t text_bytes = 0;
  char utf8[6] = {};

  std::string_view text() const { return {utf8, text_bytes}; }
};

/// Where it stands decides about names without a semicolon: in an attribute's value
/// they are none before "=", a letter or a digit.
enum class ReferencePlace : std::uint8_t { text, attribute };

/// The reference that `source` begins with. Range: source begins with "&" and may
/// go on behind it. O(length of the reference).
CharacterReference read_character_reference(std::string_view source,
                                            ReferencePlace place = ReferencePlace::text);

}  // namespace twinset::html
