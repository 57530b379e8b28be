// Text in the charsets of the web, as UTF-8.
//
//   Charset charset = charset_of_label("Shift_JIS");
//   if (charset == Charset::unknown) charset = charset_in_page(page);   // <meta charset=...>
//   if (charset == Charset::unknown) charset = guess_charset(page);     // text/charset_guess.cc
//   append_utf8(charset, page, text);
//
// Labels and decoders are those of the WHATWG Encoding Standard, which browsers follow: a page that
// says ISO-8859-1 is windows-1252. Bytes that mean nothing in a charset become U+FFFD. UTF-8 is
// copied as it is, because bytes that are not UTF-8 are kept everywhere else, too.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

enum class Charset : std::uint8_t {
  unknown,
  utf8,
  utf16_le,
  utf16_be,
  shift_jis,
  euc_jp,
  iso_2022_jp,
  gb18030,  ///< GBK and GB2312, too
  big5,
  euc_kr,
  // Those of one byte a character, as the generated table has them.
  windows_1250,
  windows_1251,
  windows_1252,
  windows_1253,
  windows_1254,
  windows_1255,
  windows_1256,
  windows_1257,
  windows_1258,
  windows_874,
  iso_8859_2,
  iso_8859_3,
  iso_8859_4,
  iso_8859_5,
  iso_8859_6,
  iso_8859_7,
  iso_8859_8,
  iso_8859_10,
  iso_8859_13,
  iso_8859_14,
  iso_8859_15,
  iso_8859_16,
  koi8_r,
  koi8_u,
  ibm866,
  macintosh,
  mac_cyrillic
};

/// "windows-1252".
std::string_view charset_name(Charset charset);

/// The charset of a label as in headers and pages, in any case; `unknown` if it is none.
Charset charset_of_label(std::string_view label);

/// The charset whose byte order mark `bytes` begin with; `unknown` without one.
Charset marked_charset(std::string_view bytes);

/// The charset that a page names in its first kilobyte, in `meta` or in an XML declaration;
/// `unknown` if it names none. A page that can be read so is not in UTF-16, whatever it says.
Charset charset_in_page(std::string_view page);

/// The charset that `bytes` are most likely in: UTF-8 if they are valid UTF-8; never `unknown`.
Charset guess_charset(std::string_view bytes);

/// `bytes` without a byte order mark of UTF-8.
std::string_view without_mark(std::string_view bytes);

/// Appends `bytes`, without a byte order mark, as UTF-8.
void append_utf8(Charset charset, std::string_view bytes, std::string& out);

/// Characters of a text in a multi-byte charset, for a guess.
struct CharacterCounts {
  std::size_t faults = 0;    ///< bytes that mean nothing
  std::size_t common = 0;    ///< beyond ASCII: kana, syllables, the ideographs of everyday texts
  std::size_t uncommon = 0;  ///< other characters beyond ASCII
};
CharacterCounts count_characters(Charset charset, std::string_view bytes);

}  // namespace twinset
