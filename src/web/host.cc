// Domains go through decoding, mapping, Punycode and the reader of IPv4 addresses, in the order of
// the URL Standard (3.5). Its mapping is Unicode's UTS 46, whose table the tree does not have. Of
// it these are done: full-width ASCII and the other full stops; letter case and composition
// as text/canonical.h has them, which also drops ignorable characters. The sharp s and the final
// sigma stay, for domains that differ in them differ.
//
// This file's interface is web/host.h; the rest is private.
#include "web/host.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/characters.h"
#include "text/canonical.h"
#include "text/utf8.h"

namespace twinset {
namespace {

constexpr std::string_view forbidden_in_host = " #/:<>?@[\\]^|";
constexpr std::string_view forbidden_in_domain = " #/:<>?@[\\]^|%";

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr bool is_ascii(char c) { return static_cast<std::uint8_t>(c) < 0x80; }
constexpr char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int byte = percent_byte(text, i);
    decoded += byte < 0 ? text[i] : static_cast<char>(byte);
    if (byte >= 0) i += 2;
  }
  return decoded;
}

/// The ASCII that a code point is mapped to, or 0.
char ascii_of(std::uint32_t code_point) {
  if (code_point >= 0xFF01 && code_point <= 0xFF5E) {
    return small(static_cast<char>(code_point - 0xFF01 + '!'));
  }
  return code_point == 0x3002 || code_point == 0xFF61 ? '.' : '\0';
}

/// A domain with letters beyond ASCII, mapped. Nothing if it is not UTF-8 or has what is no
/// character.
std::optional<std::string> mapped(std::string_view domain) {
  constexpr std::uint32_t sharp_s = 0xDF;
  constexpr std::uint32_t final_sigma = 0x3C2;
  std::string result;
  std::size_t begin = 0;  // of what is folded as one word
  const auto fold_until = [&](std::size_t end) {
    if (begin < end) append_canonical(domain.substr(begin, end - begin), LetterCase::fold, result);
  };
  for (std::size_t at = 0; at < domain.size();) {
    const utf8::Decoded decoded = utf8::decode(domain, at);
    const bool character = (decoded.code_point & 0xFFFE) != 0xFFFE;
    if (!decoded.valid || !character || decoded.code_point == utf8::replacement) {
      return std::nullopt;
    }
    const char ascii = domain[at] == '.' ? '.' : ascii_of(decoded.code_point);
    const bool kept = decoded.code_point == sharp_s || decoded.code_point == final_sigma;
    if (ascii != '\0' || kept) {
      fold_until(at);
      begin = at + decoded.bytes;
      if (ascii != '\0') {
        result += ascii;
      } else {
        result += domain.substr(at, decoded.bytes);
      }
    }
    at += decoded.bytes;
  }
  fold_until(domain.size());
  return result;
}

// ---- Punycode (RFC 3492) ----

std::uint32_t adapted_bias(std::uint32_t delta, std::uint32_t points, bool first) {
  delta = first ? delta / 700 : delta / 2;
  delta += delta / points;
  std::uint32_t k = 0;
  for (; delta > 455; k += 36) delta /= 35;
  return k + 36 * delta / (delta + 38);
}

void append_number(std::uint32_t number, std::uint32_t bias, std::string& out) {
  const auto digit = [](std::uint32_t value) {
    return static_cast<char>(value < 26 ? 'a' + value : '0' + (value - 26));
  };
  for (std::uint32_t k = 36;; k += 36) {
    const std::uint32_t threshold = k <= bias ? 1 : std::min(k - bias, 26U);
    if (number < threshold) break;
    out += digit(threshold + (number - threshold) % (36 - threshold));
    number = (number - threshold) / (36 - threshold);
  }
  out += digit(number);
}

/// `label` is UTF-8. With at most 255 code points no sum reaches 2^32.
bool append_punycode(std::string_view label, std::string& out) {
  std::vector<std::uint32_t> points;
  for (std::size_t at = 0; at < label.size();) {
    const utf8::Decoded decoded = utf8::decode(label, at);
    points.push_back(decoded.code_point);
    at += decoded.bytes;
  }
  if (points.size() > longest_label_code_points) return false;
  out += "xn--";
  std::uint32_t done = 0;
  for (const std::uint32_t point : points) {
    if (point >= 0x80) continue;
    out += static_cast<char>(point);
    ++done;
  }
  const std::uint32_t basic = done;
  if (basic > 0) out += '-';
  std::uint32_t least = 0x80;
  std::uint32_t delta = 0;
  std::uint32_t bias = 72;
  while (done < points.size()) {
    std::uint32_t next = 0xFFFFFFFF;
    for (const std::uint32_t point : points) {
      if (point >= least) next = std::min(next, point);
    }
    delta += (next - least) * (done + 1);
    least = next;
    for (const std::uint32_t point : points) {
      if (point < least) ++delta;
      if (point != least) continue;
      append_number(delta, bias, out);
      bias = adapted_bias(delta, done + 1, done == basic);
      delta = 0;
      ++done;
    }
    ++delta;
    ++least;
  }
  return true;
}

bool append_labels(std::string_view domain, std::string& out) {
  while (true) {
    const std::size_t length = std::min(domain.find('.'), domain.size());
    const std::string_view label = domain.substr(0, length);
    if (std::ranges::all_of(label, is_ascii)) {
      out += label;
    } else if (!append_punycode(label, out)) {
      return false;
    }
    if (length == domain.size()) return true;
    out += '.';
    domain.remove_prefix(length + 1);
  }
}

// ---- Addresses ----

/// A number in decimal, octal or hexadecimal digits, as browsers read parts of an address; what
/// is too large for any is 2^32 or more. Nothing if it is none.
std::optional<std::uint64_t> address_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  int base = 10;
  if (text.size() >= 2 && text[0] == '0') {
    base = text[1] == 'x' || text[1] == 'X' ? 16 : 8;
    text.remove_prefix(base == 16 ? 2 : 1);
  }
  std::uint64_t number = 0;
  for (const char c : text) {
    const int value = digit_value(c);
    if (value < 0 || value >= base) return std::nullopt;
    number = std::min<std::uint64_t>(number * base + value, std::uint64_t{1} << 40);
  }
  return number;
}

/// Is the last label a number, so that the whole must be an address?
bool ends_in_number(std::string_view domain) {
  const std::string_view last = domain.substr(domain.rfind('.') + 1);
  return !last.empty() && (std::ranges::all_of(last, is_digit) || address_number(last));
}

/// `domain` has no dot at its end.
bool append_ipv4(std::string_view domain, std::string& out) {
  std::vector<std::uint64_t> numbers;
  while (true) {
    const std::size_t length = std::min(domain.find('.'), domain.size());
    const std::optional<std::uint64_t> number = address_number(domain.substr(0, length));
    if (!number || numbers.size() == 4) return false;
    numbers.push_back(*number);
    if (length == domain.size()) break;
    domain.remove_prefix(length + 1);
  }
  // The last number has all bytes that are left.
  if (numbers.back() >= std::uint64_t{1} << 8 * (5 - numbers.size())) return false;
  std::uint64_t address = numbers.back();
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    if (numbers[i] > 255) return false;
    address += numbers[i] << 8 * (3 - i);
  }
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += std::to_string(address >> shift & 255);
    if (shift > 0) out += '.';
  }
  return true;
}

using Pieces = std::array<std::uint16_t, 8>;  ///< of an IPv6 address

/// A number of one to so many digits and nothing else.
std::optional<std::uint16_t> short_number(std::string_view text, int base, std::size_t most) {
  std::uint16_t value = 0;
  const char* const end = text.data() + text.size();
  if (text.size() > most || std::from_chars(text.data(), end, value, base).ptr != end) return {};
  return text.empty() ? std::nullopt : std::optional(value);
}

/// Puts the four numbers of "127.0.0.1" into two pieces from `first` on.
bool read_ipv4_pieces(std::string_view text, std::size_t first, Pieces& pieces) {
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t end = std::min(text.find('.'), text.size());
    const std::string_view digits = text.substr(0, end);
    const std::optional<std::uint16_t> number = short_number(digits, 10, 3);
    if (!number || *number > 255 || (digits.size() > 1 && digits[0] == '0')) return false;
    std::uint16_t& piece = pieces[first + i / 2];
    piece = static_cast<std::uint16_t>(piece << 8 | *number);
    if ((end == text.size()) != (i == 3)) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

/// An address as RFC 4291 (2.2) has it: eight pieces, "::" for one or more zeros, and maybe an IPv4
/// address at the end.
std::optional<Pieces> read_ipv6(std::string_view text) {
  Pieces pieces{};
  std::size_t count = 0;
  std::optional<std::size_t> gap;  // The number of pieces before "::".
  if (text.starts_with("::")) {
    gap = 0;
    text.remove_prefix(2);
  }
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, text.find(':'));
    text.remove_prefix(piece.size());
    if (text.empty() && piece.find('.') != std::string_view::npos) {
      if (count > 6 || !read_ipv4_pieces(piece, count, pieces)) return {};
      count += 2;
      break;
    }
    const std::optional<std::uint16_t> value = short_number(piece, 16, 4);
    if (!value || count == 8) return {};
    pieces[count++] = *value;
    if (text.empty()) break;
    text.remove_prefix(1);
    if (text.starts_with(':') && !gap) {
      gap = count;
      text.remove_prefix(1);
    } else if (text.empty()) {
      return {};
    }
  }
  if (gap.has_value() == (count == 8)) return {};
  if (gap) std::rotate(pieces.begin() + *gap, pieces.begin() + count, pieces.end());
  return pieces;
}

/// The longest run of two or more zeros, the first of equal ones: [begin, end).
std::pair<std::size_t, std::size_t> longest_zeros(const Pieces& pieces) {
  std::pair<std::size_t, std::size_t> longest{8, 8};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::size_t end = i;
    while (end < pieces.size() && pieces[end] == 0) ++end;
    if (end - i >= 2 && end - i > longest.second - longest.first) longest = {i, end};
    i = std::max(i, end == i ? i : end - 1);
  }
  return longest;
}

/// `host` has its brackets.
bool append_ipv6(std::string_view host, std::string& out) {
  constexpr std::size_t longest = 45;
  if (!host.ends_with(']') || host.size() < 4 || host.size() > longest + 2) return false;
  const std::optional<Pieces> read = read_ipv6(host.substr(1, host.size() - 2));
  if (!read) return false;
  const Pieces& pieces = *read;
  const auto [begin, end] = longest_zeros(pieces);
  out += '[';
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == begin) {
      out += "::";
      i = end - 1;
      continue;
    }
    if (i > 0 && i != end) out += ':';
    bool leading = true;
    for (int shift = 12; shift >= 0; shift -= 4) {
      const int digit = pieces[i] >> shift & 15;
      leading = leading && digit == 0 && shift > 0;
      if (!leading) out += "0123456789abcdef"[digit];
    }
  }
  out += ']';
  return true;
}

/// The Standard keeps the letters of such a host; RFC 3986 (6.2.2.1) has them small.
bool append_other_host(std::string_view host, std::string& out) {
  for (std::size_t i = 0; i < host.size(); ++i) {
    char c = host[i];
    const int decoded = percent_byte(host, i);
    if (decoded >= 0) {
      i += 2;
      c = static_cast<char>(decoded);
      if (!is_unreserved(c)) {
        append_percent(c, out);
        continue;
      }
    }
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte == 0 || byte == '\t' || byte == '\n' || byte == '\r') return false;
    if (forbidden_in_host.find(c) != std::string_view::npos) return false;
    if (byte >= 0x20 && byte < 0x7F && host[i] != '%') {
      out += small(c);
    } else {
      append_percent(c, out);
    }
  }
  return !host.empty();
}

}  // namespace

int percent_byte(std::string_view text, std::size_t at) {
  if (text[at] != '%' || text.size() - at < 3) return -1;
  const int high = digit_value(text[at + 1]);
  const int low = digit_value(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

void append_percent(char byte, std::string& out) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto value = static_cast<std::uint8_t>(byte);
  out += '%';
  out += digits[value >> 4];
  out += digits[value & 15];
}

bool append_host(std::string_view host, bool special, std::string& out) {
  if (host.starts_with('[')) return append_ipv6(host, out);
  if (!special) return append_other_host(host, out);
  std::string domain = percent_decoded(host);
  std::ranges::transform(domain, domain.begin(), small);
  if (!std::ranges::all_of(domain, is_ascii)) {
    std::optional<std::string> folded = mapped(domain);
    if (!folded) return false;
    domain = std::move(*folded);
  }
  while (domain.ends_with('.')) domain.pop_back();
  const bool forbidden = std::ranges::any_of(domain, [](char c) {
    const bool control = is_ascii(c) && (c <= 0x1F || c == 0x7F);
    return control || forbidden_in_domain.find(c) != std::string_view::npos;
  });
  if (domain.empty() || forbidden) return false;
  if (ends_in_number(domain)) return append_ipv4(domain, out);
  return append_labels(domain, out);
}

}  // namespace twinset
