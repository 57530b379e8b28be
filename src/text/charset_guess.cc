// The charset of a text: by its mark, by a name, or a guess from the 64 KiB that begin at its first
// byte beyond ASCII.
//
// Few texts in another charset are valid UTF-8, so that comes first, and a few stray bytes in much
// UTF-8 stay stray bytes. Charsets of several bytes a character are told by how few faults and how
// many everyday characters a text has in each, unless most stand alone in ASCII; those of one byte
// for other scripts by how many of the bytes are the ten commonest letters of a language; those of
// Latin script by how many are letters of one language.
//
// This file's interface is find_charset() and guess_charset() in text/charset.h; the rest is
// private.
#include <algorithm>
#include <array>

#include "text/charset.h"
#include "text/unicode_table.h"
#include "text/utf8.h"
#include "text/utf8_check.h"

namespace twinset {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t looked_at_bytes = std::size_t{64} << 10;
/// At most one character in so many may be a fault.
constexpr std::size_t characters_a_fault = 20;
/// The least share of everyday characters, in percent, and how near two charsets may be in it for
/// the one with fewer everyday characters to be taken.
constexpr std::size_t least_common = 60;
constexpr std::size_t near_common = 5;
/// The least share of the ten commonest letters among all bytes beyond ASCII, in percent.
constexpr std::size_t least_letters = 40;

/// By the number of everyday characters, fewest first.
constexpr std::array several_bytes{Charset::euc_kr, Charset::shift_jis, Charset::euc_jp,
                                   Charset::big5, Charset::gb18030};

/// The ten commonest letters of a language, in the bytes of a charset.
struct Letters {
  Charset charset;
  std::string_view bytes;
};
constexpr std::array languages{
    Letters{Charset::windows_1251, "\xee\xe5\xe0\xe8\xed\xf2\xf1\xf0\xe2\xeb"sv},
    Letters{Charset::koi8_r, "\xcf\xc5\xc1\xc9\xce\xd4\xd3\xd2\xd7\xcc"sv},
    Letters{Charset::ibm866, "\xae\xa5\xa0\xa8\xad\xe2\xe1\xe0\xa2\xab"sv},
    Letters{Charset::windows_1253, "\xe1\xef\xe9\xf4\xe5\xed\xf3\xf1\xf0\xea"sv},
    Letters{Charset::windows_1255, "\xe9\xe5\xe4\xec\xe0\xf8\xfa\xe1\xee\xf9"sv},
    Letters{Charset::windows_1256, "\xc7\xe1\xed\xe3\xe6\xe4\xd1\xca\xc8\xc9"sv},
    Letters{Charset::windows_874, "\xd2\xb9\xc3\xcd\xa1\xe0\xc7\xc1\xd1\xc2"sv},
};

/// The sequences of several bytes in a text, and the bytes that are in none. One that the end cuts
/// off is neither.
struct Utf8Counts {
  std::size_t sequences = 0;
  std::size_t faults = 0;

  explicit Utf8Counts(std::string_view bytes) {
    for (std::size_t i = ascii_prefix(bytes); i < bytes.size();) {
      const utf8::Decoded decoded = utf8::decode(bytes, i);
      const bool at_end = !decoded.valid && i + decoded.bytes == bytes.size();
      // By itself, "caf\xc3" is rather cut off than "caf\xe9", which is a word in windows-1252.
      const bool cut_off = at_end && utf8_lead_asks(bytes[i]) > decoded.bytes &&
                           (utf8_lead_asks(bytes[i]) == 2 || decoded.bytes > 1 || sequences > 0);
      sequences += decoded.valid && decoded.bytes > 1 ? 1 : 0;
      faults += decoded.valid || cut_off ? 0 : 1;
      i += decoded.bytes;
    }
  }

 private:
  /// The bytes of the sequence that `lead` begins; 1 if it begins none.
  static std::size_t utf8_lead_asks(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0xC2 || byte > 0xF4 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  }
};

/// Is a text that is not UTF-8 throughout UTF-8 with a few stray bytes? Of Chinese, Korean and
/// Japanese in other charsets at most a third looks so.
bool is_mostly_utf8(const Utf8Counts& counts) {
  return counts.sequences >= 4 * counts.faults ||
         (counts.faults <= 2 && counts.sequences >= counts.faults);
}

/// A page that says UTF-8 is believed unless it must be wrong.
bool may_be_utf8(const Utf8Counts& counts) {
  return counts.faults <= 4 || counts.sequences >= counts.faults;
}

/// The 16-bit units of a text, read in one of both orders.
struct Utf16Counts {
  std::size_t units = 0;
  std::size_t common = 0;  ///< space, ends of lines, ASCII, the comma and the stop of Chinese
  std::size_t odd = 0;     ///< neither letters nor signs that texts have

  Utf16Counts(std::string_view bytes, bool big_endian) {
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
      const auto first = static_cast<unsigned char>(bytes[i]);
      const auto second = static_cast<unsigned char>(bytes[i + 1]);
      add(big_endian ? first * 256U + second : second * 256U + first);
    }
  }

 private:
  void add(std::uint32_t unit) {
    const auto within = [&](std::uint32_t low, std::uint32_t high) {
      return unit >= low && unit <= high;
    };
    ++units;
    if (within(0x20, 0x7e) || within(9, 0xd) || within(0x3001, 0x3002) || unit == 0xff0c) {
      ++common;
    } else if (!within(0xa0, 0xff) && !within(0x2010, 0x204a) && !within(0x3000, 0x303f) &&
               !within(0xd800, 0xdfff) && !within(0xff00, 0xff6f) &&
               (unicode::word_class(unit) == unicode::WordClass::separator ||
                unicode::word_class(unit) == unicode::WordClass::ignorable)) {
      ++odd;
    }
  }
};

/// UTF-16 without a mark has NUL in its spaces and ends of lines, which no other text has, and
/// makes sense in one order of its bytes alone.
Charset utf16_without_mark(std::string_view head) {
  if (head.size() < 4 || head.find('\0') == std::string_view::npos) return Charset::unknown;
  const Utf16Counts little(head, false);
  const Utf16Counts big(head, true);
  const bool big_endian = big.common > little.common;
  const Utf16Counts& best = big_endian ? big : little;
  const Utf16Counts& other = big_endian ? little : big;
  constexpr std::size_t units_a_common = 100;
  constexpr std::size_t units_an_odd = 20;
  const bool sense = best.common * units_a_common >= best.units && best.common > 2 * other.common &&
                     best.odd * units_an_odd <= best.units;
  if (!sense) return Charset::unknown;
  return big_endian ? Charset::utf16_be : Charset::utf16_le;
}

/// The share of everyday characters in percent; 0 if the text has too many faults.
std::size_t share_of_common(Charset charset, std::string_view bytes) {
  const CharacterCounts counts = count_characters(charset, bytes);
  const std::size_t all = counts.common + counts.uncommon + counts.faults;
  if (all == 0 || counts.faults * characters_a_fault > all) return 0;
  return 100 * counts.common / all;
}

Charset of_several_bytes(std::string_view bytes) {
  Charset best = Charset::unknown;
  std::size_t most = least_common;
  for (const Charset charset : several_bytes) {
    const std::size_t share = share_of_common(charset, bytes);
    if (share < most) continue;
    best = charset;
    most = share + near_common;
  }
  return best;
}

struct ByteCounts {
  std::array<std::size_t, 256> all{};
  std::size_t high = 0;    ///< beyond ASCII
  std::size_t paired = 0;  ///< of them, after another

  explicit ByteCounts(std::string_view bytes) {
    bool before = false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto value = static_cast<unsigned char>(bytes[i]);
      // A pound sign, which is a letter of Polish elsewhere; with digits it is none.
      if (value == 0xA3 && i + 1 < bytes.size() && bytes[i + 1] >= '0' && bytes[i + 1] <= '9') {
        before = false;
        continue;
      }
      ++all[value];
      const bool beyond = value >= 0x80;
      high += beyond ? 1 : 0;
      paired += beyond && before ? 1 : 0;
      before = beyond;
    }
  }
  std::size_t of(std::string_view letters) const {
    std::size_t sum = 0;
    for (const char byte : letters) sum += all[static_cast<unsigned char>(byte)];
    return sum;
  }
};

/// The letters beyond ASCII of a language in Latin script, in the bytes of a charset.
constexpr std::array latin_languages{
    // French, Portuguese, Spanish, Italian, German, Nordic languages, Icelandic.
    Letters{
        Charset::windows_1252,
        "\xc0\xc2\xc7\xc8\xc9\xca\xcb\xce\xcf\xd4\xd9\xdb\xe0\xe2\xe7\xe8\xe9\xea\xeb\xee\xef\xf4\xf9\xfb\x9c\x8c"sv},
    Letters{
        Charset::windows_1252,
        "\xc0\xc1\xc2\xc3\xc7\xc9\xca\xcd\xd3\xd4\xd5\xda\xe0\xe1\xe2\xe3\xe7\xe9\xea\xed\xf3\xf4\xf5\xfa"sv},
    Letters{Charset::windows_1252,
            "\xc1\xc9\xcd\xd1\xd3\xda\xdc\xe1\xe9\xed\xf1\xf3\xfa\xfc\xa1\xbf"sv},
    Letters{Charset::windows_1252, "\xc0\xc8\xc9\xcc\xd2\xd9\xe0\xe8\xe9\xec\xf2\xf9"sv},
    Letters{Charset::windows_1252, "\xc4\xd6\xdc\xe4\xf6\xfc\xdf\xe9"sv},
    Letters{Charset::windows_1252, "\xc4\xc5\xc6\xc9\xd6\xd8\xe4\xe5\xe6\xe9\xf6\xf8"sv},
    Letters{Charset::windows_1252,
            "\xc1\xc6\xc9\xcd\xd0\xd3\xd6\xda\xdd\xde\xe1\xe6\xe9\xed\xf0\xf3\xf6\xfa\xfd\xfe"sv},
    // Polish, Czech and Slovak, Hungarian, Romanian, Croatian and Slovene.
    Letters{Charset::windows_1250,
            "\xa5\xc6\xca\xa3\xd1\xd3\x8c\x8f\xaf\xb9\xe6\xea\xb3\xf1\xf3\x9c\x9f\xbf"sv},
    Letters{
        Charset::windows_1250,
        "\xc1\xc8\xcf\xc9\xcc\xcd\xd2\xd3\xd8\x8a\x8d\xda\xd9\xdd\x8e\xe1\xe8\xef\xe9\xec\xed\xf2\xf3\xf8\x9a\x9d\xfa\xf9\xfd\x9e\xc4\xe4\xd4\xf4\xbe\xe5"sv},
    Letters{Charset::windows_1250,
            "\xc1\xc9\xcd\xd3\xd6\xd5\xda\xdc\xdb\xe1\xe9\xed\xf3\xf6\xf5\xfa\xfc\xfb"sv},
    Letters{Charset::windows_1250, "\xc2\xc3\xce\xaa\xde\xe2\xe3\xee\xba\xfe"sv},
    Letters{Charset::windows_1250, "\xc8\xc6\xd0\x8a\x8e\xe8\xe6\xf0\x9a\x9e"sv},
    // The same in ISO-8859-2, where they differ.
    Letters{Charset::iso_8859_2,
            "\xa1\xc6\xca\xa3\xd1\xd3\xa6\xac\xaf\xb1\xe6\xea\xb3\xf1\xf3\xb6\xbc\xbf"sv},
    Letters{
        Charset::iso_8859_2,
        "\xc1\xc8\xcf\xc9\xcc\xcd\xd2\xd3\xd8\xa9\xab\xda\xd9\xdd\xae\xe1\xe8\xef\xe9\xec\xed\xf2\xf3\xf8\xb9\xbb\xfa\xf9\xfd\xbe\xc4\xe4\xd4\xf4\xb5\xe5"sv},
    Letters{Charset::iso_8859_2, "\xc8\xc6\xd0\xa9\xae\xe8\xe6\xf0\xb9\xbe"sv},
    // Turkish; Lithuanian and Latvian.
    Letters{Charset::windows_1254,
            "\xc7\xd0\xdd\xd6\xde\xdc\xe7\xf0\xfd\xf6\xfe\xfc\xc2\xe2\xee"sv},
    Letters{Charset::windows_1257,
            "\xc0\xc8\xc6\xcb\xc1\xd0\xd8\xdb\xde\xe0\xe8\xe6\xeb\xe1\xf0\xf8\xfb\xfe"sv},
    Letters{
        Charset::windows_1257,
        "\xc2\xc8\xc7\xcc\xce\xcd\xcf\xd2\xd0\xdb\xde\xe2\xe8\xe7\xec\xee\xed\xef\xf2\xf0\xfb\xfe"sv},
};

/// Signs that texts in the charsets of Windows have beside letters: quotation marks, dashes, the
/// euro, no-break space, guillemets.
constexpr std::string_view windows_signs =
    "\x80\x82\x84\x85\x8b\x91\x92\x93\x94\x95\x96\x97\x99\x9b\xa0\xa7\xa9\xab\xac\xad\xae\xb0\xb7\xbb"sv;
constexpr std::string_view iso_signs = "\xa0\xa7\xad\xb0"sv;

/// Thai has no spaces between words, so its bytes pass for Chinese; no text in Chinese has so many
/// of these letters.
bool is_thai(std::string_view bytes) {
  const ByteCounts counts(bytes);
  return counts.paired * 2 >= counts.high &&
         counts.of(languages.back().bytes) * 100 > counts.high * least_letters;
}

/// Do most of the bytes beyond ASCII stand alone in ASCII, as the apostrophe of windows-1252 in
/// English? With the byte after it ("\x92s") it may be a character of several bytes, of which texts
/// have runs: a lone one among ASCII is none.
bool stand_alone(std::string_view bytes) {
  const auto high = [&](std::size_t i) {
    return i < bytes.size() && static_cast<unsigned char>(bytes[i]) >= 0x80;
  };
  std::size_t runs = 0;
  std::size_t alone = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!high(i) || (i > 0 && high(i - 1))) continue;
    ++runs;
    alone += high(i + 1) || high(i + 2) ? 0 : 1;
  }
  return 2 * alone > runs;
}

/// The charset in which most of the bytes beyond ASCII are letters of one language. Among equals
/// the first: western Europe, and what Windows has.
Charset of_latin_script(const ByteCounts& counts) {
  Charset best = Charset::windows_1252;
  std::size_t most = 0;
  for (const Letters& language : latin_languages) {
    const bool iso = language.charset == Charset::iso_8859_2;
    std::size_t known = counts.of(language.bytes);
    for (const char sign : iso ? iso_signs : windows_signs) {
      if (language.bytes.find(sign) == std::string_view::npos) known += counts.of({&sign, 1});
    }
    if (known <= most) continue;
    best = language.charset;
    most = known;
  }
  return best;
}

Charset of_one_byte(std::string_view bytes) {
  const ByteCounts counts(bytes);
  // The letters of other scripts stand together, those of Latin script beyond ASCII by themselves.
  if (counts.paired * 2 < counts.high) return of_latin_script(counts);
  Charset best = Charset::windows_1252;
  std::size_t most = counts.high * least_letters / 100;
  for (const Letters& language : languages) {
    const std::size_t letters = counts.of(language.bytes);
    if (letters <= most) continue;
    best = language.charset;
    most = letters;
  }
  return best;
}

}  // namespace

Charset guess_charset(std::string_view bytes) {
  if (const Charset wide = utf16_without_mark(bytes.substr(0, looked_at_bytes));
      wide != Charset::unknown) {
    return wide;
  }
  const std::size_t ascii = ascii_prefix(bytes);
  if (ascii == bytes.size() && bytes.substr(0, looked_at_bytes).find("\x1b$B"sv) != bytes.npos) {
    return Charset::iso_2022_jp;
  }
  if (is_utf8(bytes.substr(ascii)) || is_mostly_utf8(Utf8Counts(bytes))) return Charset::utf8;
  const std::string_view part = bytes.substr(ascii, looked_at_bytes);
  if (is_thai(part)) return Charset::windows_874;
  const Charset several = stand_alone(part) ? Charset::unknown : of_several_bytes(part);
  return several == Charset::unknown ? of_one_byte(part) : several;
}

FoundCharset find_charset(std::string_view bytes, Charset named, bool page) {
  using Why = FoundCharset::Why;
  if (const Charset marked = marked_charset(bytes); marked != Charset::unknown) {
    return {marked, Why::mark};
  }
  const bool by_header = named != Charset::unknown;
  if (!by_header && page) named = charset_in_page(bytes);
  if (named == Charset::unknown) return {guess_charset(bytes), Why::guess};
  const bool utf8 = is_utf8(bytes);
  if (named == Charset::utf8) {
    if (utf8 || may_be_utf8(Utf8Counts(bytes))) return {named, Why::name};
    return {guess_charset(bytes), Why::guess};
  }
  if (by_header || !utf8 || named == Charset::iso_2022_jp) return {named, Why::name};
  // A name in the page that was true before a program wrote the page again, in UTF-8.
  const bool one_byte = named >= Charset::windows_1250;
  constexpr std::size_t no_accident = 4;  // in a charset of several bytes
  const std::size_t sequences = Utf8Counts(bytes).sequences;
  const bool stale = sequences >= (one_byte ? 1 : no_accident) || sequences == 0;
  return stale ? FoundCharset{Charset::utf8, Why::guess} : FoundCharset{named, Why::name};
}

}  // namespace twinset
