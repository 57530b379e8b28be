// Each decoder is the one of the Encoding Standard (sections 9 to 14), written as a function that
// reads one character, or as a table of bytes; the loops around it copy ASCII eight bytes at a
// time.
//
// This file's interface is text/charset.h but for guess_charset(); the rest is private.
#include "text/charset.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "text/charset_tables.h"
#include "text/utf8.h"

namespace twinset {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t declared_bytes = 1024;
constexpr std::uint32_t none = 0;

struct Label {
  std::string_view label;
  Charset charset;
};

/// Labels in use, sorted; the standard has some more spellings of the same.
constexpr std::array labels{
    Label{"866", Charset::ibm866},
    Label{"ansi_x3.4-1968", Charset::windows_1252},
    Label{"arabic", Charset::iso_8859_6},
    Label{"ascii", Charset::windows_1252},
    Label{"big5", Charset::big5},
    Label{"big5-hkscs", Charset::big5},
    Label{"chinese", Charset::gb18030},
    Label{"cn-big5", Charset::big5},
    Label{"cp1250", Charset::windows_1250},
    Label{"cp1251", Charset::windows_1251},
    Label{"cp1252", Charset::windows_1252},
    Label{"cp1253", Charset::windows_1253},
    Label{"cp1254", Charset::windows_1254},
    Label{"cp1255", Charset::windows_1255},
    Label{"cp1256", Charset::windows_1256},
    Label{"cp1257", Charset::windows_1257},
    Label{"cp1258", Charset::windows_1258},
    Label{"cp819", Charset::windows_1252},
    Label{"cp866", Charset::ibm866},
    Label{"csbig5", Charset::big5},
    Label{"cseuckr", Charset::euc_kr},
    Label{"cseucpkdfmtjapanese", Charset::euc_jp},
    Label{"csgb2312", Charset::gb18030},
    Label{"csiso2022jp", Charset::iso_2022_jp},
    Label{"csisolatin1", Charset::windows_1252},
    Label{"csisolatin2", Charset::iso_8859_2},
    Label{"csisolatin5", Charset::windows_1254},
    Label{"cskoi8r", Charset::koi8_r},
    Label{"csksc56011987", Charset::euc_kr},
    Label{"csmacintosh", Charset::macintosh},
    Label{"csshiftjis", Charset::shift_jis},
    Label{"cyrillic", Charset::iso_8859_5},
    Label{"dos-874", Charset::windows_874},
    Label{"euc-jp", Charset::euc_jp},
    Label{"euc-kr", Charset::euc_kr},
    Label{"gb18030", Charset::gb18030},
    Label{"gb2312", Charset::gb18030},
    Label{"gb_2312", Charset::gb18030},
    Label{"gb_2312-80", Charset::gb18030},
    Label{"gbk", Charset::gb18030},
    Label{"greek", Charset::iso_8859_7},
    Label{"hebrew", Charset::iso_8859_8},
    Label{"ibm819", Charset::windows_1252},
    Label{"ibm866", Charset::ibm866},
    Label{"iso-2022-jp", Charset::iso_2022_jp},
    Label{"iso-8859-1", Charset::windows_1252},
    Label{"iso-8859-10", Charset::iso_8859_10},
    Label{"iso-8859-11", Charset::windows_874},
    Label{"iso-8859-13", Charset::iso_8859_13},
    Label{"iso-8859-14", Charset::iso_8859_14},
    Label{"iso-8859-15", Charset::iso_8859_15},
    Label{"iso-8859-16", Charset::iso_8859_16},
    Label{"iso-8859-2", Charset::iso_8859_2},
    Label{"iso-8859-3", Charset::iso_8859_3},
    Label{"iso-8859-4", Charset::iso_8859_4},
    Label{"iso-8859-5", Charset::iso_8859_5},
    Label{"iso-8859-6", Charset::iso_8859_6},
    Label{"iso-8859-7", Charset::iso_8859_7},
    Label{"iso-8859-8", Charset::iso_8859_8},
    Label{"iso-8859-8-i", Charset::iso_8859_8},
    Label{"iso-8859-9", Charset::windows_1254},
    Label{"iso-ir-100", Charset::windows_1252},
    Label{"iso-ir-149", Charset::euc_kr},
    Label{"iso-ir-58", Charset::gb18030},
    Label{"iso8859-1", Charset::windows_1252},
    Label{"iso8859-15", Charset::iso_8859_15},
    Label{"iso8859-2", Charset::iso_8859_2},
    Label{"iso8859-5", Charset::iso_8859_5},
    Label{"iso8859-7", Charset::iso_8859_7},
    Label{"iso8859-8", Charset::iso_8859_8},
    Label{"iso8859-9", Charset::windows_1254},
    Label{"iso88591", Charset::windows_1252},
    Label{"iso885915", Charset::iso_8859_15},
    Label{"iso88592", Charset::iso_8859_2},
    Label{"iso88599", Charset::windows_1254},
    Label{"iso_8859-1", Charset::windows_1252},
    Label{"iso_8859-15", Charset::iso_8859_15},
    Label{"iso_8859-2", Charset::iso_8859_2},
    Label{"iso_8859-9", Charset::windows_1254},
    Label{"koi", Charset::koi8_r},
    Label{"koi8", Charset::koi8_r},
    Label{"koi8-r", Charset::koi8_r},
    Label{"koi8-ru", Charset::koi8_u},
    Label{"koi8-u", Charset::koi8_u},
    Label{"koi8_r", Charset::koi8_r},
    Label{"korean", Charset::euc_kr},
    Label{"ks_c_5601-1987", Charset::euc_kr},
    Label{"ks_c_5601-1989", Charset::euc_kr},
    Label{"ksc5601", Charset::euc_kr},
    Label{"ksc_5601", Charset::euc_kr},
    Label{"l1", Charset::windows_1252},
    Label{"l2", Charset::iso_8859_2},
    Label{"l5", Charset::windows_1254},
    Label{"l9", Charset::iso_8859_15},
    Label{"latin1", Charset::windows_1252},
    Label{"latin2", Charset::iso_8859_2},
    Label{"latin5", Charset::windows_1254},
    Label{"logical", Charset::iso_8859_8},
    Label{"mac", Charset::macintosh},
    Label{"macintosh", Charset::macintosh},
    Label{"ms932", Charset::shift_jis},
    Label{"ms_kanji", Charset::shift_jis},
    Label{"shift-jis", Charset::shift_jis},
    Label{"shift_jis", Charset::shift_jis},
    Label{"sjis", Charset::shift_jis},
    Label{"sun_eu_greek", Charset::iso_8859_7},
    Label{"tis-620", Charset::windows_874},
    Label{"unicode-1-1-utf-8", Charset::utf8},
    Label{"us-ascii", Charset::windows_1252},
    Label{"utf-16", Charset::utf16_le},
    Label{"utf-16be", Charset::utf16_be},
    Label{"utf-16le", Charset::utf16_le},
    Label{"utf-8", Charset::utf8},
    Label{"utf8", Charset::utf8},
    Label{"visual", Charset::iso_8859_8},
    Label{"windows-1250", Charset::windows_1250},
    Label{"windows-1251", Charset::windows_1251},
    Label{"windows-1252", Charset::windows_1252},
    Label{"windows-1253", Charset::windows_1253},
    Label{"windows-1254", Charset::windows_1254},
    Label{"windows-1255", Charset::windows_1255},
    Label{"windows-1256", Charset::windows_1256},
    Label{"windows-1257", Charset::windows_1257},
    Label{"windows-1258", Charset::windows_1258},
    Label{"windows-31j", Charset::shift_jis},
    Label{"windows-874", Charset::windows_874},
    Label{"windows-949", Charset::euc_kr},
    Label{"x-cp1250", Charset::windows_1250},
    Label{"x-cp1251", Charset::windows_1251},
    Label{"x-cp1252", Charset::windows_1252},
    Label{"x-euc-jp", Charset::euc_jp},
    Label{"x-gbk", Charset::gb18030},
    Label{"x-mac-cyrillic", Charset::mac_cyrillic},
    Label{"x-mac-roman", Charset::macintosh},
    Label{"x-mac-ukrainian", Charset::mac_cyrillic},
    Label{"x-sjis", Charset::shift_jis},
    Label{"x-x-big5", Charset::big5},
};
static_assert(std::is_sorted(labels.begin(), labels.end(),
                             [](const Label& a, const Label& b) { return a.label < b.label; }));
constexpr std::size_t longest_label = 32;

constexpr std::array<std::string_view, charset_count> names{
    "unknown",      "UTF-8",          "UTF-16LE",     "UTF-16BE",     "Shift_JIS",
    "EUC-JP",       "ISO-2022-JP",    "gb18030",      "Big5",         "EUC-KR",
    "windows-1250", "windows-1251",   "windows-1252", "windows-1253", "windows-1254",
    "windows-1255", "windows-1256",   "windows-1257", "windows-1258", "windows-874",
    "ISO-8859-2",   "ISO-8859-3",     "ISO-8859-4",   "ISO-8859-5",   "ISO-8859-6",
    "ISO-8859-7",   "ISO-8859-8",     "ISO-8859-10",  "ISO-8859-13",  "ISO-8859-14",
    "ISO-8859-15",  "ISO-8859-16",    "KOI8-R",       "KOI8-U",       "IBM866",
    "macintosh",    "x-mac-cyrillic", "UTF-32LE",     "UTF-32BE"};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

/// A character, or none for bytes that are not any; a byte at least is read.
struct Read {
  std::uint32_t code_point = none;
  std::uint32_t bytes = 1;
};

/// A table, unpacked when it is first asked for: then an entry is one load.
class CodePoints {
 public:
  CodePoints(const char* table, std::size_t entries) : code_points_(entries) {
    for (std::size_t i = 0; i < entries; ++i) code_points_[i] = table_entry(table, i);
  }
  std::uint32_t operator[](std::size_t pointer) const {
    return pointer < code_points_.size() ? code_points_[pointer] : none;
  }

 private:
  std::vector<std::uint32_t> code_points_;
};

const CodePoints& jis0208() {
  static const CodePoints table(jis0208_table, jis0208_table_entries);
  return table;
}
const CodePoints& jis0212() {
  static const CodePoints table(jis0212_table, jis0212_table_entries);
  return table;
}
const CodePoints& gbk() {
  static const CodePoints table(gbk_table, gbk_table_entries);
  return table;
}
const CodePoints& big5() {
  static const CodePoints table(big5_table, big5_table_entries);
  return table;
}
const CodePoints& euc_kr() {
  static const CodePoints table(euc_kr_table, euc_kr_table_entries);
  return table;
}

/// A pair that means nothing: its second byte is read again if it is ASCII.
Read bad_pair(std::uint32_t trail) { return {none, trail < 0x80 ? 1U : 2U}; }

class Bytes {
 public:
  Bytes(std::string_view bytes, std::size_t at) : bytes_(bytes), at_(at) {}
  /// The byte `i` further; 256 after the end.
  std::uint32_t operator[](std::size_t i) const {
    return at_ + i < bytes_.size() ? static_cast<unsigned char>(bytes_[at_ + i]) : 256;
  }

 private:
  std::string_view bytes_;
  std::size_t at_;
};

bool within(std::uint32_t value, std::uint32_t low, std::uint32_t high) {
  return value >= low && value <= high;
}

struct ReadShiftJis {
  const CodePoints& jis0208;
  Read operator()(const Bytes& bytes) const {
    const std::uint32_t lead = bytes[0];
    if (lead == 0x80) return {lead};
    if (within(lead, 0xa1, 0xdf)) return {0xff61 - 0xa1 + lead};
    if (!within(lead, 0x81, 0x9f) && !within(lead, 0xe0, 0xfc)) return {};
    const std::uint32_t trail = bytes[1];
    if (!within(trail, 0x40, 0x7e) && !within(trail, 0x80, 0xfc)) return bad_pair(trail & 255);
    const std::uint32_t pointer =
        (lead - (lead < 0xa0 ? 0x81 : 0xc1)) * 188 + trail - (trail < 0x7f ? 0x40 : 0x41);
    if (within(pointer, 8836, 10715)) return {0xe000 - 8836 + pointer, 2};
    const std::uint32_t code_point = jis0208[pointer];
    return code_point == none ? bad_pair(trail) : Read{code_point, 2};
  }
};

struct ReadEucJp {
  const CodePoints& jis0208;
  const CodePoints& jis0212;
  Read operator()(const Bytes& bytes) const {
    const std::uint32_t lead = bytes[0];
    const std::uint32_t next = bytes[1];
    if (lead == 0x8e) return within(next, 0xa1, 0xdf) ? Read{0xff61 - 0xa1 + next, 2} : Read{};
    if (lead == 0x8f && within(next, 0xa1, 0xfe) && within(bytes[2], 0xa1, 0xfe)) {
      return {jis0212[(next - 0xa1) * 94 + bytes[2] - 0xa1], 3};
    }
    if (!within(lead, 0xa1, 0xfe)) return {};
    if (!within(next, 0xa1, 0xfe)) return bad_pair(next & 255);
    return {jis0208[(lead - 0xa1) * 94 + next - 0xa1], 2};
  }
};

/// The code point of four bytes.
std::uint32_t gb18030_wide(std::uint32_t pointer) {
  if (pointer >= 189000 && pointer < 189000 + 0x100000) return pointer - 189000 + 0x10000;
  std::size_t low = 0;
  std::size_t high = gb18030_ranges_entries / 2;
  if (pointer >= 39420) return none;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (table_entry(gb18030_ranges, 2 * middle) <= pointer ? low : high) = middle;
  }
  return table_entry(gb18030_ranges, 2 * low + 1) + pointer - table_entry(gb18030_ranges, 2 * low);
}

struct ReadGb18030 {
  const CodePoints& gbk;
  Read operator()(const Bytes& bytes) const {
    const std::uint32_t lead = bytes[0];
    if (lead == 0x80) return {0x20ac};
    if (lead == 0xff) return {};
    const std::uint32_t next = bytes[1];
    if (within(next, 0x30, 0x39)) {
      if (!within(bytes[2], 0x81, 0xfe) || !within(bytes[3], 0x30, 0x39)) return {};
      const std::uint32_t pointer =
          ((lead - 0x81) * 10 + next - 0x30) * 1260 + (bytes[2] - 0x81) * 10 + bytes[3] - 0x30;
      return {gb18030_wide(pointer), 4};
    }
    if (!within(next, 0x40, 0x7e) && !within(next, 0x80, 0xfe)) return bad_pair(next & 255);
    const std::uint32_t pointer = (lead - 0x81) * 190 + next - (next < 0x7f ? 0x40 : 0x41);
    const std::uint32_t code_point = gbk[pointer];
    return code_point == none ? bad_pair(next) : Read{code_point, 2};
  }
};

struct ReadBig5 {
  const CodePoints& big5;
  Read operator()(const Bytes& bytes) const {
    const std::uint32_t lead = bytes[0];
    if (!within(lead, 0x81, 0xfe)) return {};
    const std::uint32_t next = bytes[1];
    if (!within(next, 0x40, 0x7e) && !within(next, 0xa1, 0xfe)) return bad_pair(next & 255);
    const std::uint32_t pointer = (lead - 0x81) * 157 + next - (next < 0x7f ? 0x40 : 0x62);
    const std::uint32_t code_point = big5[pointer];
    return code_point == none ? bad_pair(next) : Read{code_point, 2};
  }
};

struct ReadEucKr {
  const CodePoints& euc_kr;
  Read operator()(const Bytes& bytes) const {
    const std::uint32_t lead = bytes[0];
    if (!within(lead, 0x81, 0xfe)) return {};
    const std::uint32_t next = bytes[1];
    if (!within(next, 0x41, 0xfe)) return bad_pair(next & 255);
    const std::uint32_t code_point = euc_kr[(lead - 0x81) * 190 + next - 0x41];
    return code_point == none ? bad_pair(next) : Read{code_point, 2};
  }
};

/// Calls `use` with the reader of a charset whose bytes up to 0x7f are ASCII and whose other
/// characters take several; false for others.
template <class Use>
bool with_reader(Charset charset, const Use& use) {
  switch (charset) {
    case Charset::shift_jis:
      use(ReadShiftJis{jis0208()});
      return true;
    case Charset::euc_jp:
      use(ReadEucJp{jis0208(), jis0212()});
      return true;
    case Charset::gb18030:
      use(ReadGb18030{gbk()});
      return true;
    case Charset::big5:
      use(ReadBig5{big5()});
      return true;
    case Charset::euc_kr:
      use(ReadEucKr{euc_kr()});
      return true;
    default:
      return false;
  }
}

/// A byte that means nothing becomes U+DC00 and itself, written as UTF-8 would write it if it might
/// (Python's "surrogateescape"): it is not UTF-8, and different bytes stay different.
constexpr std::uint32_t escape_of(std::uint32_t byte) { return 0xdc00 + byte; }

void append(std::uint32_t code_point, std::string& out) {
  std::array<std::uint8_t, utf8::max_bytes> bytes{};
  const std::uint32_t size = utf8::encode(code_point, bytes.data());
  out.append(reinterpret_cast<const char*>(bytes.data()), size);
}

/// Text is made in pieces of this size, so that no byte of `out` is written twice.
constexpr std::size_t piece_bytes = 4096;

/// A piece of decoded text. No byte becomes more than three, but ASCII is copied eight at a time.
struct Piece {
  std::array<char, 3 * piece_bytes + 16> bytes;
  char* end = bytes.data();

  void add(std::uint32_t code_point) {
    end += utf8::encode(code_point, reinterpret_cast<std::uint8_t*>(end));
  }
  void flush(std::string& out) {
    out.append(bytes.data(), static_cast<std::size_t>(end - bytes.data()));
    end = bytes.data();
  }
};

/// Copies eight bytes if all are ASCII.
bool copy_ascii(std::string_view bytes, std::size_t at, char* out) {
  std::uint64_t word;
  if (at + sizeof word > bytes.size()) return false;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  std::memcpy(out, &word, sizeof word);
  return (word & 0x8080808080808080) == 0;
}

template <class ReadCharacter>
void append_multi_byte(const ReadCharacter& read, std::string_view bytes, std::string& out) {
  Piece piece;
  for (std::size_t at = 0; at < bytes.size();) {
    for (const std::size_t stop = std::min(bytes.size(), at + piece_bytes - 8); at < stop;) {
      if (copy_ascii(bytes, at, piece.end)) {
        at += 8;
        piece.end += 8;
        continue;
      }
      const auto lead = static_cast<unsigned char>(bytes[at]);
      if (lead < 0x80) {
        *piece.end++ = bytes[at++];
        continue;
      }
      // Most characters come in runs.
      do {
        const Read one = read(Bytes(bytes, at));
        if (one.code_point != none) {
          piece.add(one.code_point);
        } else {
          for (std::size_t i = 0; i < one.bytes; ++i) {
            piece.add(escape_of(static_cast<unsigned char>(bytes[at + i])));
          }
        }
        at += one.bytes;
      } while (at < stop && static_cast<unsigned char>(bytes[at]) >= 0x80);
    }
    piece.flush(out);
  }
}

/// The UTF-8 of each byte of a charset, and its length after it.
using ByteTable = std::array<std::array<char, 4>, 256>;

ByteTable byte_table(Charset charset) {
  const std::size_t first =
      128 * (static_cast<std::size_t>(charset) - static_cast<std::size_t>(Charset::windows_1250));
  ByteTable table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    const std::uint32_t known =
        byte < 0x80 ? byte : table_entry(single_byte_table, first + byte - 128);
    const std::uint32_t code_point = byte >= 0x80 && known == none ? escape_of(byte) : known;
    std::array<std::uint8_t, utf8::max_bytes> bytes{};
    const std::uint32_t size = utf8::encode(code_point, bytes.data());
    std::copy_n(bytes.begin(), 3, table[byte].begin());
    table[byte][3] = static_cast<char>(size);
  }
  return table;
}

const ByteTable& table_of(Charset charset) {
  static const std::vector<ByteTable> tables = [] {
    std::vector<ByteTable> all;
    for (auto each = Charset::windows_1250; each <= Charset::mac_cyrillic;
         each = static_cast<Charset>(static_cast<int>(each) + 1)) {
      all.push_back(byte_table(each));
    }
    return all;
  }();
  return tables[static_cast<std::size_t>(charset) -
                static_cast<std::size_t>(Charset::windows_1250)];
}

void append_single_byte(Charset charset, std::string_view bytes, std::string& out) {
  const ByteTable& table = table_of(charset);
  Piece piece;
  for (std::size_t at = 0; at < bytes.size();) {
    for (const std::size_t stop = std::min(bytes.size(), at + piece_bytes - 8); at < stop;) {
      if (copy_ascii(bytes, at, piece.end)) {
        at += 8;
        piece.end += 8;
        continue;
      }
      for (const std::size_t end = std::min(stop, at + 8); at < end; ++at) {
        const std::array<char, 4>& made = table[static_cast<unsigned char>(bytes[at])];
        std::memcpy(piece.end, made.data(), made.size());
        piece.end += made[3];
      }
    }
    piece.flush(out);
  }
}

void append_utf16(std::string_view bytes, bool big_endian, std::string& out) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return big_endian ? first * 256U + second : second * 256U + first;
  };
  std::size_t at = 0;
  while (at + 2 <= bytes.size()) {
    std::uint32_t code_point = unit(at);
    at += 2;
    if (within(code_point, 0xd800, 0xdfff)) {
      const std::uint32_t low = at + 2 <= bytes.size() ? unit(at) : 0;
      // Half a pair stays what it is, written as UTF-8 would write it if it might.
      if (code_point < 0xdc00 && within(low, 0xdc00, 0xdfff)) {
        code_point = 0x10000 + ((code_point - 0xd800) << 10) + (low - 0xdc00);
        at += 2;
      }
    }
    append(code_point, out);
  }
  if (at < bytes.size()) append(escape_of(static_cast<unsigned char>(bytes[at])), out);
}

void append_utf32(std::string_view bytes, bool big_endian, std::string& out) {
  std::size_t at = 0;
  for (; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t code_point = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[at + (big_endian ? i : 3 - i)]);
      code_point = code_point << 8U | byte;
    }
    if (code_point <= 0x10ffff) {
      append(code_point, out);
      continue;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      append(escape_of(static_cast<unsigned char>(bytes[at + i])), out);
    }
  }
  for (; at < bytes.size(); ++at) append(escape_of(static_cast<unsigned char>(bytes[at])), out);
}

/// Escape sequences switch between ASCII, JIS X 0201 and JIS X 0208.
void append_iso_2022_jp(std::string_view bytes, std::string& out) {
  enum class State : std::uint8_t { ascii, roman, katakana, kanji } state = State::ascii;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::string_view escape = bytes.substr(at, 3);
    if (escape == "\x1b(B"sv || escape == "\x1b(J"sv || escape == "\x1b(I"sv ||
        escape == "\x1b$@"sv || escape == "\x1b$B"sv) {
      state = escape[1] == '$'   ? State::kanji
              : escape[2] == 'B' ? State::ascii
              : escape[2] == 'J' ? State::roman
                                 : State::katakana;
      at += 3;
      continue;
    }
    const Bytes rest(bytes, at);
    const std::uint32_t byte = rest[0];
    if (state == State::katakana && within(byte, 0x21, 0x5f)) {
      append(0xff61 - 0x21 + byte, out);
    } else if (state == State::kanji && within(byte, 0x21, 0x7e)) {
      const std::uint32_t next = rest[1];
      const std::uint32_t code_point =
          within(next, 0x21, 0x7e) ? jis0208()[(byte - 0x21) * 94 + next - 0x21] : none;
      append(code_point == none ? escape_of(byte) : code_point, out);
      if (code_point != none) ++at;
    } else if (state == State::roman && (byte == 0x5c || byte == 0x7e)) {
      append(byte == 0x5c ? 0xa5 : 0x203e, out);
    } else if (byte < 0x80) {
      out += static_cast<char>(byte);
    } else {
      append(escape_of(byte), out);
    }
    ++at;
  }
}

/// Syllables, kana, and the ideographs that most of the common ones are among. Those rank by use in
/// GB2312's first level and JIS's, not in Unicode, so a decoder counts them by its bytes.
bool is_common(Charset charset, std::uint32_t lead, std::uint32_t code_point) {
  switch (charset) {
    case Charset::shift_jis:
      // Kana, and JIS X 0208's first level.
      return lead == 0x82 || lead == 0x83 || within(lead, 0x88, 0x97);
    case Charset::euc_jp:
      return within(lead, 0xa4, 0xa5) || within(lead, 0xb0, 0xcf);
    case Charset::gb18030:
      return within(lead, 0xb0, 0xd7) && code_point >= 0x4e00;
    case Charset::big5:
      return within(lead, 0xa4, 0xc6);
    case Charset::euc_kr:
      return within(code_point, 0xac00, 0xd7a3) && within(lead, 0xb0, 0xc8);
    default:
      return false;
  }
}

/// The value of attribute `name` in a tag's bytes; empty if it has none.
std::string_view attribute(std::string_view tag, std::string_view name) {
  const auto same = [](char a, char b) { return lower(a) == b; };
  auto at = tag.begin();
  while (true) {
    at = std::search(at, tag.end(), name.begin(), name.end(), same);
    if (at == tag.end()) return {};
    const bool begins = at == tag.begin() || is_space(at[-1]) || at[-1] == '"' || at[-1] == '\'' ||
                        at[-1] == '/' || at[-1] == ';';
    at += static_cast<std::ptrdiff_t>(name.size());
    auto value = at;
    while (value != tag.end() && is_space(*value)) ++value;
    if (!begins || value == tag.end() || *value != '=') continue;
    ++value;
    while (value != tag.end() && is_space(*value)) ++value;
    if (value == tag.end()) return {};
    std::string_view rest(&*value, static_cast<std::size_t>(tag.end() - value));
    if (rest.front() == '"' || rest.front() == '\'') {
      const char quote = rest.front();
      rest.remove_prefix(1);
      return rest.substr(0, rest.find(quote));
    }
    return rest.substr(0, rest.find_first_of(" \t\r\n\f;>/\"'"));
  }
}

/// UTF-16 named in bytes that are read as ASCII is a mistake, and meant UTF-8.
Charset named_in_page(std::string_view label) {
  const Charset charset = charset_of_label(label);
  return is_utf16(charset) ? Charset::utf8 : charset;
}

}  // namespace

std::string_view charset_name(Charset charset) { return names[static_cast<std::size_t>(charset)]; }

Charset charset_of_label(std::string_view label) {
  while (!label.empty() && is_space(label.front())) label.remove_prefix(1);
  while (!label.empty() && is_space(label.back())) label.remove_suffix(1);
  if (label.empty() || label.size() > longest_label) return Charset::unknown;
  std::array<char, longest_label> room{};
  std::transform(label.begin(), label.end(), room.begin(), lower);
  const std::string_view wanted(room.data(), label.size());
  const auto found = std::lower_bound(
      labels.begin(), labels.end(), wanted,
      [](const Label& each, std::string_view value) { return each.label < value; });
  return found != labels.end() && found->label == wanted ? found->charset : Charset::unknown;
}

Charset marked_charset(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) return Charset::utf8;
  // Before UTF-16, whose mark its own begins with.
  if (bytes.starts_with("\xff\xfe\0\0"sv)) return Charset::utf32_le;
  if (bytes.starts_with("\0\0\xfe\xff"sv)) return Charset::utf32_be;
  if (bytes.starts_with("\xff\xfe")) return Charset::utf16_le;
  if (bytes.starts_with("\xfe\xff")) return Charset::utf16_be;
  return Charset::unknown;
}

Charset charset_in_page(std::string_view page) {
  const std::string_view head = page.substr(0, declared_bytes);
  const auto same = [](char a, char b) { return lower(a) == b; };
  for (std::size_t at = head.find('<'); at != std::string_view::npos; at = head.find('<', at + 1)) {
    std::string_view tag = head.substr(at + 1);
    if (tag.starts_with("!--")) {
      const std::size_t end = head.find("-->", at + 2);
      if (end == std::string_view::npos) break;
      at = end;
      continue;
    }
    tag = tag.substr(0, tag.find('>'));
    const auto is = [&](std::string_view name) {
      return tag.size() > name.size() && std::equal(name.begin(), name.end(), tag.begin(),
                                                    [&](char a, char b) { return same(b, a); });
    };
    std::string_view label;
    if (is("meta") && (is_space(tag[4]) || tag[4] == '/')) {
      label = attribute(tag.substr(4), "charset");
      if (label.empty()) label = attribute(attribute(tag.substr(4), "content"), "charset");
    } else if (at == 0 && is("?xml")) {
      label = attribute(tag.substr(4), "encoding");
    }
    if (const Charset charset = named_in_page(label); charset != Charset::unknown) return charset;
  }
  return Charset::unknown;
}

std::string_view without_mark(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  return bytes;
}

void append_utf8(Charset charset, std::string_view bytes, std::string& out) {
  if (charset != Charset::unknown && marked_charset(bytes) == charset) {
    bytes.remove_prefix(charset == Charset::utf8 ? 3 : charset >= Charset::utf32_le ? 4 : 2);
  }
  if (charset == Charset::unknown || charset == Charset::utf8) {
    out += bytes;
  } else if (is_utf16(charset)) {
    append_utf16(bytes, charset == Charset::utf16_be, out);
  } else if (charset == Charset::utf32_le || charset == Charset::utf32_be) {
    append_utf32(bytes, charset == Charset::utf32_be, out);
  } else if (charset == Charset::iso_2022_jp) {
    append_iso_2022_jp(bytes, out);
  } else if (!with_reader(charset,
                          [&](const auto& read) { append_multi_byte(read, bytes, out); })) {
    append_single_byte(charset, bytes, out);
  }
}

bool find_in_charset(Charset charset, std::string_view bytes, std::span<std::uint64_t> offsets) {
  std::uint64_t decoded = 0;
  std::size_t at = 0;
  // `next` reads the character at `at`: its bytes, and those of its UTF-8.
  const auto find = [&](const auto& next) {
    for (std::uint64_t& offset : offsets) {
      while (decoded < offset && at < bytes.size()) {
        const auto [size, made] = next();
        at += size;
        decoded += made;
      }
      offset = at;
    }
  };
  using Sizes = std::pair<std::size_t, std::size_t>;
  const auto is_ascii = [&] { return static_cast<unsigned char>(bytes[at]) < 0x80; };
  if (charset == Charset::unknown || charset == Charset::utf8) return true;
  if (charset >= Charset::windows_1250 && charset <= Charset::mac_cyrillic) {
    const ByteTable& table = table_of(charset);
    find([&] {
      return Sizes(1, static_cast<std::size_t>(table[static_cast<unsigned char>(bytes[at])][3]));
    });
    return true;
  }
  return with_reader(charset, [&](const auto& read) {
    find([&] {
      if (is_ascii()) return Sizes(1, 1);
      const Read one = read(Bytes(bytes, at));
      std::array<std::uint8_t, utf8::max_bytes> room{};
      const bool known = one.code_point != none;
      return Sizes(one.bytes, known ? utf8::encode(one.code_point, room.data()) : 3 * one.bytes);
    });
  });
}

CharacterCounts count_characters(Charset charset, std::string_view bytes) {
  CharacterCounts counts;
  with_reader(charset, [&](const auto& read) {
    for (std::size_t at = 0; at < bytes.size();) {
      const auto lead = static_cast<unsigned char>(bytes[at]);
      if (lead < 0x80) {
        ++at;
        continue;
      }
      const Read one = read(Bytes(bytes, at));
      at += one.bytes;
      if (one.code_point == none) {
        ++counts.faults;
      } else {
        ++(is_common(charset, lead, one.code_point) ? counts.common : counts.uncommon);
      }
    }
  });
  return counts;
}

}  // namespace twinset
