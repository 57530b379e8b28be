// The URL Standard describes a state machine over characters. Here the borders are searched: the
// colon of the scheme, the end of the authority, the last "@" and the first ":" in it, "?" and "#".
// What is not searched for has no effect in the Standard either. Tabs and line ends inside a URL
// are removed first where a canonical form is asked for, as there.
//
// This file's interface is web/url.h; the rest is private.
#include "web/url.h"

#include <algorithm>
#include <cstdint>

#include "base/characters.h"
#include "web/host.h"

namespace twinset {
namespace {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

std::string small_letters(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), small);
  return result;
}

struct SpecialScheme {
  std::string_view name;
  std::string_view port;
};
constexpr SpecialScheme special_schemes[] = {
    {"http", "80"}, {"https", "443"}, {"ftp", "21"}, {"ws", "80"}, {"wss", "443"}};

/// Null if it is not special.
const SpecialScheme* find_special(std::string_view scheme) {
  const auto* found = std::ranges::find_if(special_schemes, [&](const SpecialScheme& special) {
    return std::ranges::equal(scheme, special.name, {}, small);
  });
  return found == std::end(special_schemes) ? nullptr : found;
}

/// The length of the scheme before its colon, or 0.
std::size_t scheme_length(std::string_view url) {
  if (url.empty() || !is_letter(url[0])) return 0;
  std::size_t at = 1;
  while (at < url.size() && (is_letter(url[at]) || is_digit(url[at]) || url[at] == '+' ||
                             url[at] == '-' || url[at] == '.')) {
    ++at;
  }
  return at < url.size() && url[at] == ':' ? at : 0;
}

std::string_view trim(std::string_view url) {
  const auto blank = [](char c) { return static_cast<std::uint8_t>(c) <= 0x20; };
  while (!url.empty() && blank(url.front())) url.remove_prefix(1);
  while (!url.empty() && blank(url.back())) url.remove_suffix(1);
  return url;
}

/// The parts from the authority on.
Url split(std::string_view scheme, bool special, std::string_view rest) {
  Url url;
  url.scheme = scheme;
  url.special = special;
  const std::string_view ends = special ? "/?#\\" : "/?#";
  const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
  std::string_view authority = rest.substr(0, end);
  rest.remove_prefix(end);
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    url.user = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  // A colon inside brackets belongs to an IPv6 address.
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  const std::size_t colon =
      bracket == std::string_view::npos ? bracket : authority.find(':', bracket);
  url.host = authority.substr(0, colon);
  if (colon != std::string_view::npos) url.port = authority.substr(colon + 1);
  if (const std::size_t hash = rest.find('#'); hash != std::string_view::npos) {
    url.fragment = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  if (const std::size_t question = rest.find('?'); question != std::string_view::npos) {
    url.has_query = true;
    url.query = rest.substr(question + 1);
    rest = rest.substr(0, question);
  }
  url.path = rest;
  return url;
}

// ---- Writing ----

/// The bytes that each part of a URL writes as "%" and two digits, beside controls and those
/// above 0x7E (URL Standard 1.3).
constexpr std::string_view encoded_in_path = " \"#<>?^`{}";
constexpr std::string_view encoded_in_query = " \"#<>";
constexpr std::string_view encoded_in_special_query = " \"#<>'";
constexpr std::string_view encoded_in_user = " \"#<>?^`{}/:;=@[\\]|";

/// Appends a part of a URL with one spelling of each byte.
void append_part(std::string_view part, std::string_view encoded, std::string& out) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (const int byte = percent_byte(part, i); byte >= 0) {
      const char decoded = static_cast<char>(byte);
      if (is_unreserved(decoded)) {
        out += decoded;
      } else {
        append_percent(decoded, out);
      }
      i += 2;
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(part[i]);
    // A "%" that begins nothing could begin something once its neighbors are decoded.
    const bool special = part[i] == '%' || encoded.find(part[i]) != std::string_view::npos;
    if (byte < 0x20 || byte > 0x7E || special) {
      append_percent(part[i], out);
    } else {
      out += part[i];
    }
  }
}

/// Removes the last segment of the path that begins at `begin`, with its slash. What is read back
/// is removed, so that all of it is linear.
void drop_segment(std::size_t begin, std::string& out) {
  const std::size_t slash = out.rfind('/');
  out.resize(slash == std::string::npos || slash < begin ? begin : slash);
}

void append_path(const Url& url, std::string& out) {
  const std::size_t begin = out.size();
  const std::string_view slashes = url.special ? "/\\" : "/";
  std::string_view rest = url.path;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::size_t length = std::min(rest.find_first_of(slashes), rest.size());
    const std::string_view segment = rest.substr(0, length);
    rest.remove_prefix(length);
    const std::size_t at = out.size();
    out += '/';
    append_part(segment, encoded_in_path, out);
    const std::string_view written = std::string_view(out).substr(at + 1);
    const bool one = written == ".";
    const bool two = written == "..";
    if (!one && !two) continue;
    out.resize(at);
    if (two) drop_segment(begin, out);
    if (rest.empty()) out += '/';
  }
  if (out.size() == begin && url.special) out += '/';
}

/// "name", "name:password" or ":password", with "@"; nothing if both are empty.
void append_user(std::string_view user, std::string& out) {
  const std::size_t colon = user.find(':');
  const std::string_view name = user.substr(0, colon);
  const std::string_view password =
      colon == std::string_view::npos ? std::string_view() : user.substr(colon + 1);
  if (name.empty() && password.empty()) return;
  append_part(name, encoded_in_user, out);
  if (!password.empty()) {
    out += ':';
    append_part(password, encoded_in_user, out);
  }
  out += '@';
}

/// False if it is no port. Without one, or with `implied`, nothing is appended.
bool append_port(std::string_view port, std::string_view implied, std::string& out) {
  std::uint32_t number = 0;
  for (const char digit : port) {
    if (!is_digit(digit)) return false;
    number = number * 10 + static_cast<std::uint32_t>(digit - '0');
    if (number > 0xFFFF) return false;
  }
  if (port.empty()) return true;
  const std::string written = std::to_string(number);
  if (written != implied) out += ':' + written;
  return true;
}

/// The URL without tabs and line ends, in `room` if it has any.
std::string_view without_line_ends(std::string_view url, std::string& room) {
  constexpr std::string_view removed = "\t\n\r";
  url = trim(url);
  if (url.find_first_of(removed) == std::string_view::npos) return url;
  room = url;
  std::erase_if(room, [&](char c) { return removed.find(c) != std::string_view::npos; });
  return room;
}

}  // namespace

std::optional<Url> parse_url(std::string_view url) {
  url = trim(url);
  const std::size_t length = scheme_length(url);
  const std::string_view scheme = url.substr(0, length);
  std::string_view rest = length == 0 ? url : url.substr(length + 1);
  if (length != 0 && find_special(scheme) != nullptr) {
    rest.remove_prefix(std::min(rest.find_first_not_of("/\\"), rest.size()));
    return split(scheme, true, rest);
  }
  if (!rest.starts_with("//")) return std::nullopt;
  return split(scheme, length == 0, rest.substr(2));
}

std::optional<Url> parse_address(std::string_view address) {
  address = trim(address);
  if (address.starts_with('/')) return parse_url(address);
  if (const std::size_t length = scheme_length(address); length != 0) {
    // "name:80/" is a host with its port.
    std::string_view rest = address.substr(length + 1);
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    rest.remove_prefix(digits);
    const bool port = digits > 0 && digits <= 5 && (rest.empty() || rest.find_first_of("/?#") == 0);
    if (!port || find_special(address.substr(0, length)) != nullptr) return parse_url(address);
  }
  const Url url = split({}, true, address);
  const std::size_t dot = url.host.find('.');
  const bool dotted = dot != std::string_view::npos && dot > 0 && dot + 1 < url.host.size();
  const bool host = dotted || !url.port.empty() || url.host.starts_with('[') ||
                    small_letters(url.host) == "localhost";
  return host && !url.host.empty() ? std::optional(url) : std::nullopt;
}

bool write_canonical(const Url& url, CanonicalUrl& out) {
  out = {};
  const SpecialScheme* const special = find_special(url.scheme);
  std::string& text = out.text;
  text = small_letters(url.scheme);
  if (text == "file") return false;
  text += url.scheme.empty() ? "//" : "://";
  append_user(url.user, text);
  out.site_begin = text.size();
  if (!append_host(url.host, url.special, text)) return false;
  out.host_end = text.size();
  // Without a scheme the ports that the web's two imply say nothing.
  std::string_view implied = special == nullptr ? std::string_view() : special->port;
  if (url.scheme.empty()) implied = url.port.ends_with("443") ? "443" : "80";
  if (!append_port(url.port, implied, text)) return false;
  out.path_begin = text.size();
  append_path(url, text);
  out.path_end = text.size();
  if (url.has_query) {
    text += '?';
    append_part(url.query, url.special ? encoded_in_special_query : encoded_in_query, text);
  }
  return true;
}

bool write_canonical_address(std::string_view address, CanonicalUrl& out) {
  std::string room;
  const std::optional<Url> parts = parse_address(without_line_ends(address, room));
  return parts && write_canonical(*parts, out);
}

std::string host_of(std::string_view url) {
  std::string room;
  const std::optional<Url> parts = parse_url(without_line_ends(url, room));
  if (!parts) return {};
  std::string host;
  if (append_host(parts->host, parts->special, host)) return host;
  std::string_view written = parts->host;
  if (written.ends_with('.')) written.remove_suffix(1);
  return small_letters(written);
}

}  // namespace twinset
