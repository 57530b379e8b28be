// The host of a URL in its one form: a domain in small letters and ASCII, or an address.
//
//   std::string out;
//   append_host("B%C3%BCcher.Example", true, out);   // "xn--bcher-kva.example"
//   append_host("0x7f.1", true, out);                // "127.0.0.1"
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace twinset {

/// A label of more code points is refused: names have at most 63, and the cost of Punycode is
/// quadratic in them.
inline constexpr std::size_t longest_label_code_points = 255;

/// The byte that "%" and two digits at text[at] stand for; -1 if they do not stand there.
int percent_byte(std::string_view text, std::size_t at);

/// Appends "%" and two digits.
void append_percent(char byte, std::string& out);

/// Has `c` one meaning, however it is written?
constexpr bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

/// Appends the host of a URL. That of a special scheme is decoded, mapped, written as ASCII
/// (Punycode, RFC 3492), and read as an IPv4 address if its last label is a number; labels that
/// are Punycode already stay unchecked. Dots at the end go. False if it cannot be a host; then
/// `out` has it in part.
bool append_host(std::string_view host, bool special, std::string& out);

}  // namespace twinset
