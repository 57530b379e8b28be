// A guess at the charset of a text that names none, from its first 64 KiB.
//
// Few texts in another charset are valid UTF-8, so that comes first. Charsets of several bytes a
// character are told by how few faults and how many everyday characters a text has in each; those
// of one byte for other scripts by how many of the bytes are the ten commonest letters of a
// language. What is left is Latin script and taken for windows-1252.
//
// This file's interface is guess_charset() in text/charset.h; the rest is private.
#include <algorithm>
#include <array>

#include "text/charset.h"
#include "text/utf8.h"

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

/// A character that the end of the part cuts off is no fault.
bool is_utf8(std::string_view bytes, bool whole) {
  for (std::size_t i = 0; i < bytes.size();) {
    const utf8::Decoded decoded = utf8::decode(bytes, i);
    if (!decoded.valid && (whole || bytes.size() - i >= utf8::max_bytes)) return false;
    i += decoded.bytes;
  }
  return true;
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
    for (const char byte : bytes) {
      const auto value = static_cast<unsigned char>(byte);
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

/// Thai has no spaces between words, so its bytes pass for Chinese; no text in Chinese has so many
/// of these letters.
bool is_thai(std::string_view bytes) {
  const ByteCounts counts(bytes);
  return counts.paired * 2 >= counts.high &&
         counts.of(languages.back().bytes) * 100 > counts.high * least_letters;
}

Charset of_one_byte(std::string_view bytes) {
  const ByteCounts counts(bytes);
  // The letters of other scripts stand together, those of Latin script beyond ASCII by themselves.
  if (counts.paired * 2 < counts.high) return Charset::windows_1252;
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
  const std::string_view head = bytes.substr(0, looked_at_bytes);
  if (is_utf8(head, head.size() == bytes.size())) {
    return head.find("\x1b$B"sv) != std::string_view::npos ? Charset::iso_2022_jp : Charset::utf8;
  }
  if (is_thai(head)) return Charset::windows_874;
  const Charset wide = of_several_bytes(head);
  return wide == Charset::unknown ? of_one_byte(head) : wide;
}

}  // namespace twinset
