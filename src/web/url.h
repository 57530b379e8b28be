// The parts of a URL, and the one form in which URLs are compared.
//
//   parse_url("HTTP://me@Docs.Example.org:80/a/../b?c#d")->host   // "Docs.Example.org"
//   CanonicalUrl url;
//   write_canonical(*parse_url(...), url);
//   // url.text == "http://me@docs.example.org/b?c"; url.path() == "/b"
//
// URLs are read as the URL Standard (url.spec.whatwg.org) reads them, without a base. The canonical
// form is the Standard's, with six differences: the fragment goes; a byte that needs no "%" is
// written without; a "%" that begins nothing is "%25"; the digits of the others are capitals; dots
// at the end of the host go; and of Unicode's mapping for hosts only folding, composition and full
// width letters are done (docs/urls.md).
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace twinset {

/// Views into the URL, as written there.
struct Url {
  std::string_view scheme;    ///< without ":"; empty if there is none
  std::string_view user;      ///< with the password, without "@"
  std::string_view host;      ///< an IPv6 address with its brackets; may be empty
  std::string_view port;      ///< without ":"
  std::string_view path;      ///< empty, or from its first slash on
  std::string_view query;     ///< without "?"
  std::string_view fragment;  ///< without "#"
  bool has_query = false;
  bool special = false;  ///< http, https, ftp, ws or wss: "\" is a slash, and the host is a domain
};

/// The parts of a URL that has a host: of a special scheme, of any other with "//" after the
/// colon, or of none, as "//a.org/x". Nothing for all else: "mailto:me@a.org", "/a/b", "a.org/x".
/// White space around it is skipped. Nothing is copied. O(bytes).
std::optional<Url> parse_url(std::string_view url);

/// The same for an address as people write it: "a.org/x", "localhost:8080", "a.org:80/x" are
/// special URLs without a scheme. Such a host has a dot inside or a port, or is "localhost";
/// otherwise it could be a folder.
std::optional<Url> parse_address(std::string_view address);

/// A URL in canonical form: "http://me@a.org:81/b?c".
struct CanonicalUrl {
  std::string text;

  /// The host and, unless the scheme implies it, the port: "a.org:81".
  std::string_view site() const { return view(site_begin, path_begin); }
  /// "a.org"
  std::string_view host() const { return view(site_begin, host_end); }
  /// "/b"
  std::string_view path() const { return view(path_begin, path_end); }

  std::size_t site_begin = 0;
  std::size_t host_end = 0;
  std::size_t path_begin = 0;
  std::size_t path_end = 0;

 private:
  std::string_view view(std::size_t begin, std::size_t end) const {
    return std::string_view(text).substr(begin, end - begin);
  }
};

/// Replaces `out`. False, and `out` has no meaning, if the host or the port is none that a URL may
/// have, or the scheme is "file". The text has at most four times the bytes of the URL and some
/// more. O(bytes).
bool write_canonical(const Url& url, CanonicalUrl& out);

/// Writes the canonical form of an address that parse_address() accepts to `out`. Returns false for
/// any other. Tabs and line ends inside are removed.
bool write_canonical_address(std::string_view address, CanonicalUrl& out);

/// The canonical host of a URL, without user and port: "a.org" of "http://u@A.org:80/x". A host
/// that cannot be one is given in small letters. Empty if there is none.
std::string host_of(std::string_view url);

}  // namespace twinset
