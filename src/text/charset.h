// Text in the charsets of the web, as UTF-8.
//
//   Charset named = charset_of_label("Shift_JIS");         // of a header; else unknown
//   FoundCharset found = find_charset(page, named, true);  // text/charset_guess.cc
//   append_utf8(found.charset, page, text);
//
// Labels and decoders are those of the WHATWG Encoding Standard, which browsers follow: a page that
// says ISO-8859-1 is windows-1252. A byte that means nothing in a charset becomes the three bytes
// that UTF-8 would give to U+DC00 plus the byte, as Python's "surrogateescape" has it: they are not
// UTF-8 and separate words, and different bytes stay different. UTF-8 is copied as it is.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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
  mac_cyrillic,
  // After these, for the numbers of the others.
  utf32_le,
  utf32_be
};
inline constexpr std::size_t charset_count = 39;

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

struct FoundCharset {
  Charset charset = Charset::utf8;
  enum class Why : std::uint8_t { mark, name, guess } why = Why::guess;
};

/// The charset of a text: by its byte order mark; by `named`, as a header has it; by its own name
/// if it is a `page`; or a guess. That a text is in UTF-8 is not believed if most of it cannot be,
/// and a page that names another charset is UTF-8 if its bytes can hardly be anything else.
FoundCharset find_charset(std::string_view bytes, Charset named, bool page);

/// `bytes` without a byte order mark of UTF-8.
std::string_view without_mark(std::string_view bytes);

/// Appends `bytes`, without a byte order mark, as UTF-8.
void append_utf8(Charset charset, std::string_view bytes, std::string& out);

/// Replaces offsets into the UTF-8 of `bytes` by offsets into these. They must ascend, and each be
/// that of a character or of the end. False for charsets whose characters are not read one by one:
/// UTF-16, UTF-32 and ISO-2022-JP.
bool find_in_charset(Charset charset, std::string_view bytes, std::span<std::uint64_t> offsets);

constexpr bool is_utf16(Charset charset) {
  return charset == Charset::utf16_le || charset == Charset::utf16_be;
}

/// May the second byte of a character be ASCII, such as a backslash?
constexpr bool has_ascii_pairs(Charset charset) {
  return charset == Charset::shift_jis || charset == Charset::gb18030 || charset == Charset::big5 ||
         charset == Charset::euc_kr;
}

/// Characters of a text in a multi-byte charset, for a guess.
struct CharacterCounts {
  std::size_t faults = 0;    ///< bytes that mean nothing
  std::size_t common = 0;    ///< beyond ASCII: kana, syllables, the ideographs of everyday texts
  std::size_t uncommon = 0;  ///< other characters beyond ASCII
};
CharacterCounts count_characters(Charset charset, std::string_view bytes);

}  // namespace twinset
