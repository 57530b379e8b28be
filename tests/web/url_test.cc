// Expected values are read off the URL Standard by hand. If the environment variable TWINSET_WHATWG
// names the Standard's own cases (urltestdata.json of web-platform-tests), these judge all of it.
#include "web/url.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace twinset {
namespace {

TEST(ParseUrl, GivesThePartsAsWritten) {
  const auto url = parse_url("  HTTP://me:pw@Docs.Example.org:8080/a/../b?c=/d#e?f ");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme, "HTTP");
  EXPECT_EQ(url->user, "me:pw");
  EXPECT_EQ(url->host, "Docs.Example.org");
  EXPECT_EQ(url->port, "8080");
  EXPECT_EQ(url->path, "/a/../b");
  EXPECT_TRUE(url->has_query);
  EXPECT_EQ(url->query, "c=/d");
  EXPECT_EQ(url->fragment, "e?f");
  EXPECT_TRUE(url->special);
}

TEST(ParseUrl, NeedsAHost) {
  for (const char* const none : {"", "a.org/x", "/a//b", "mailto:a@b.org", "data:,a//b", "#//a",
                                 "?//a", "javascript:x()", "1http://a", ":"}) {
    EXPECT_FALSE(parse_url(none)) << none;
  }
}

TEST(ParseUrl, KnowsWhichSchemesAreSpecial) {
  EXPECT_TRUE(parse_url("wss://a")->special);
  EXPECT_TRUE(parse_url("//a.org/x")->special);
  EXPECT_FALSE(parse_url("gopher://a\\b")->special);
  EXPECT_EQ(parse_url("gopher://a\\b")->host, "a\\b");
  EXPECT_EQ(parse_url("https:a.org\\b")->host, "a.org");
  EXPECT_EQ(parse_url("https:\\/\\a.org")->host, "a.org");
}

TEST(ParseAddress, TakesHostsWithoutAScheme) {
  EXPECT_EQ(parse_address("arxiv.org/archive/physics/")->path, "/archive/physics/");
  EXPECT_EQ(parse_address("a.org:80/x")->port, "80");
  EXPECT_EQ(parse_address("localhost:8080")->host, "localhost");
  EXPECT_EQ(parse_address("LocalHost/x")->host, "LocalHost");
  EXPECT_EQ(parse_address("a.org?x")->host, "a.org");
  EXPECT_EQ(parse_address("http://a/x")->host, "a");
  EXPECT_EQ(parse_address("http:80")->scheme, "http");
}

TEST(ParseAddress, LeavesFoldersAlone) {
  for (const char* const none : {"a/b.html", "/a.org/b", "./a.b/c", "../a", "a:b/c",
                                 "mailto:a@b.org", "", "notes", "tel:123456789", "x.", ".x/y"}) {
    EXPECT_FALSE(parse_address(none)) << none;
  }
}

struct Case {
  std::string_view url;
  std::string_view canonical;
  std::string_view why;
};

constexpr Case cases[] = {
    {"HTTP://A.Org", "http://a.org/", "scheme and host in small letters; a path"},
    {"http://a.org/A/b", "http://a.org/A/b", "the path keeps its letters"},
    {"http://a.org:80/", "http://a.org/", "the port that http implies"},
    {"https://a.org:0443/", "https://a.org/", "the number of the port, not its digits"},
    {"http://a.org:443/", "http://a.org:443/", "the port of another scheme"},
    {"http://a.org:/x", "http://a.org/x", "an empty port"},
    {"http://a.org:65536/", "", "no port"},
    {"http://a.org:8a/", "", "no port"},
    {"http://a.org/x#y", "http://a.org/x", "without fragment"},
    {"http://a.org/x?#y", "http://a.org/x?", "an empty query is one"},
    {"http://a.org?x", "http://a.org/?x", "a query without a path"},
    {"http://a.org/?a/../b", "http://a.org/?a/../b", "no segments in a query"},
    {"http://a.org/a/./b/../c", "http://a.org/a/c", "dot segments"},
    {"http://a.org/a/..", "http://a.org/", "dots at the end leave a folder"},
    {"http://a.org/a/b/.", "http://a.org/a/b/", "a dot at the end leaves a folder"},
    {"http://a.org/../../a", "http://a.org/a", "no way above the root"},
    {"http://a.org/a/%2E%2e/b", "http://a.org/b", "dots in percent encoding"},
    {"http://a.org/a//../b", "http://a.org/a/b", "an empty segment is one"},
    {"http://a.org/...", "http://a.org/...", "three dots are a name"},
    {"http://a.org\\a\\b", "http://a.org/a/b", "backslashes of a special scheme"},
    {"http://a.org/?a\\b", "http://a.org/?a\\b", "but not in a query"},
    {"http://a.org/%7Eme/%c3%a9", "http://a.org/~me/%C3%A9", "one spelling of each byte"},
    {"http://a.org/%2f%3F", "http://a.org/%2F%3F", "a slash that is data stays data"},
    {"http://a.org/a b\"\xC3\xA9", "http://a.org/a%20b%22%C3%A9", "bytes that need encoding"},
    {"http://a.org/%zz%4", "http://a.org/%25zz%254", "a percent sign that begins nothing"},
    {"http://a.org/%3%38D", "http://a.org/%2538D", "or would begin something"},
    {"http://a.org/?'", "http://a.org/?%27", "a quote in a special query"},
    {"x://a.org/?'", "x://a.org/?'", "and in another"},
    {"http://u:p@a.org/", "http://u:p@a.org/", "user and password"},
    {"http://:@a.org/", "http://a.org/", "neither"},
    {"http://u:@a.org/", "http://u@a.org/", "no password"},
    {"http://a@b@c.org/", "http://a%40b@c.org/", "the last @ ends the user"},
    {"http://a.org@b.org/", "http://a.org@b.org/", "a host that is none"},
    {"http://a.org\\@b.org/", "http://a.org/@b.org/", "a backslash ends the host"},
    {"http:/a.org", "http://a.org/", "too few slashes"},
    {"http:a.org", "http://a.org/", "no slashes"},
    {"http:////a.org", "http://a.org/", "too many slashes"},
    {"ht\ntp://a.\torg/\rx", "http://a.org/x", "tabs and line ends are nothing"},
    {" \x01http://a.org/ ", "http://a.org/", "nor is white space around"},
    {"http://a.org./x", "http://a.org/x", "a dot at the end of a host says nothing"},
    {"http://a.org..", "http://a.org/", "nor do more"},
    {"http://a_b.org/", "http://a_b.org/", "no name, yet a host"},
    {"http://a b.org/", "", "no host"},
    {"http://a<b/", "", "no host"},
    {"http://a%41.org/", "http://aa.org/", "percent encoding in a host"},
    {"http://a%2F.org/", "", "no host"},
    {"http://", "", "no host"},
    {"http:///", "", "no host"},
    {"http://[2001:DB8:0:0::1]:81/", "http://[2001:db8::1]:81/", "IPv6"},
    {"http://[::127.0.0.1]/", "http://[::7f00:1]/", "IPv6 with a part of IPv4"},
    {"http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/", "the longest zeros are left out"},
    {"http://[::1/", "", "no bracket"},
    {"http://0x7F.1/", "http://127.0.0.1/", "IPv4 in other numbers"},
    {"http://2130706433/", "http://127.0.0.1/", "IPv4 in one number"},
    {"http://192.168.0.257/", "", "no IPv4"},
    {"http://1.2.3.4.5/", "", "no IPv4"},
    {"http://a.1/", "", "a number at the end is an address"},
    {"http://1.a/", "http://1.a/", "but not before"},
    {"http://xn--bcher-KVA.de/", "http://xn--bcher-kva.de/", "Punycode stays"},
    {"http://B\xC3\x9C"
     "cher.de/",
     "http://xn--bcher-kva.de/", "letters beyond ASCII become Punycode"},
    {"http://Bu\xCC\x88"
     "cher.de/",
     "http://xn--bcher-kva.de/", "composed or not"},
    {"http://b%C3%BCcher.de/", "http://xn--bcher-kva.de/", "or in percent encoding"},
    {"http://fa\xC3\x9F.de/", "http://xn--fa-hia.de/", "the sharp s is no ss"},
    {"http://\xE4\xBE\x8B\xE3\x80\x82\xE6\xB5\x8B\xE8\xAF\x95/", "http://xn--fsq.xn--0zwm56d/",
     "the ideographic full stop"},
    {"http://\xEF\xBC\xA1\xEF\xBC\x8Eorg/", "http://a.org/", "full width letters"},
    {"http://\xFF.org/", "", "no UTF-8"},
    {"foo://Host/a/../b", "foo://host/b", "schemes that are not special"},
    {"foo://host", "foo://host", "need no path"},
    {"file:///a/b", "", "files have no host"},
    {"//A.org/x", "//a.org/x", "no scheme"},
    {"mailto:a@b.org", "", "no host"},
};

/// The canonical text; empty if there is none.
std::string canonical(std::string_view url) {
  CanonicalUrl out;
  return write_canonical_address(url, out) ? out.text : std::string();
}

TEST(CanonicalUrl, IsOneForm) {
  for (const Case& one : cases) {
    EXPECT_EQ(canonical(one.url), one.canonical) << one.url << ": " << one.why;
    EXPECT_EQ(canonical(one.canonical), one.canonical) << one.url << ": canonical already";
  }
}

TEST(CanonicalUrl, KnowsItsParts) {
  CanonicalUrl url;
  ASSERT_TRUE(write_canonical(*parse_url("http://u@A.org:81/x/../y?z"), url));
  EXPECT_EQ(url.text, "http://u@a.org:81/y?z");
  EXPECT_EQ(url.site(), "a.org:81");
  EXPECT_EQ(url.host(), "a.org");
  EXPECT_EQ(url.path(), "/y");
  ASSERT_TRUE(write_canonical_address("a.org:80", url));
  EXPECT_EQ(url.site(), "a.org");
  EXPECT_EQ(url.path(), "/");
  ASSERT_TRUE(write_canonical_address("a.org:4430/", url));
  EXPECT_EQ(url.site(), "a.org:4430");
}

TEST(CanonicalUrl, CostsLittleHoweverLong) {
  std::string url = "http://a.org";
  for (int i = 0; i < 500'000; ++i) url += "/a/..";
  EXPECT_EQ(canonical(url), "http://a.org/");
  EXPECT_EQ(canonical("http://" + std::string(1'000'000, '@') + "a.org/").size(),
            std::string("http://@a.org/").size() + 3 * 999'999);
  const std::string accents(2 * 1'000'000, '\xC3');
  EXPECT_EQ(canonical("http://" + accents), "");
}

TEST(HostOf, IsTheHostInSmallLetters) {
  EXPECT_EQ(host_of("https://Docs.Example.ORG/a?b#c"), "docs.example.org");
  EXPECT_EQ(host_of("http://user:pw@a.org:8080/x"), "a.org");
  EXPECT_EQ(host_of("//a.org"), "a.org");
  EXPECT_EQ(host_of("http://a.org."), "a.org");
  EXPECT_EQ(host_of("http://[2001:db8::1]:80/x"), "[2001:db8::1]");
  EXPECT_EQ(host_of("http://a.org?q=//b.org"), "a.org");
  EXPECT_EQ(host_of("http:a.org"), "a.org");
  EXPECT_EQ(host_of("http://B\xC3\xBC.de/"), "xn--b-eha.de");
  EXPECT_EQ(host_of("http://No Host/"), "no host");
}

TEST(HostOf, NothingIfThereIsNone) {
  EXPECT_EQ(host_of(""), "");
  EXPECT_EQ(host_of("a.org/x"), "");
  EXPECT_EQ(host_of("/a//b"), "");
  EXPECT_EQ(host_of("mailto:a@b.org"), "");
  EXPECT_EQ(host_of("http://"), "");
}

// ---- The Standard's own cases ----

int value_of(char c) {
  const std::size_t at = std::string_view("0123456789abcdef").find(static_cast<char>(c | 0x20));
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

/// The Standard's URL as this one is written: no fragment, one spelling of each byte, no dots at
/// the end of the host.
std::string as_ours(std::string_view href, std::string_view host) {
  std::string url(href.substr(0, href.find('#')));
  for (; !host.empty() && host.back() == '.'; host.remove_suffix(1)) {
    url.erase(url.find(host) + host.size() - 1, 1);
  }
  std::string result;
  for (std::size_t i = 0; i < url.size(); ++i) {
    const int high = url[i] == '%' && i + 2 < url.size() ? value_of(url[i + 1]) : -1;
    const int low = high < 0 ? -1 : value_of(url[i + 2]);
    if (low < 0) {
      result += url[i] == '%' ? "%25" : std::string(1, url[i]);
      continue;
    }
    const int byte = high * 16 + low;
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || byte == '-' || byte == '.' ||
                                       byte == '_' || byte == '~');
    if (plain) {
      result += static_cast<char>(byte);
    } else {
      result += '%';
      result += "0123456789ABCDEF"[byte >> 4];
      result += "0123456789ABCDEF"[byte & 15];
    }
    i += 2;
  }
  return result;
}

/// The Standard keeps the letters of a host that is no domain, and knows an empty host.
bool is_known_difference(std::string_view input) {
  return input.starts_with("sc://fa") || input == "http://./" || input == "http://../" ||
         input == "http://foo.09.." || input == "h://." || input == "non-special://H%4fSt/path" ||
         input == "asdf://%43%7C/";
}

TEST(CanonicalUrl, IsTheStandards) {
  const char* const path = std::getenv("TWINSET_WHATWG");
  if (path == nullptr) GTEST_SKIP() << "TWINSET_WHATWG names no urltestdata.json";
  simdjson::dom::parser parser;
  simdjson::dom::array all;
  ASSERT_EQ(parser.load(path).get(all), simdjson::SUCCESS) << path;
  int judged = 0;
  for (const simdjson::dom::element element : all) {
    simdjson::dom::object one;
    if (element.get(one) != simdjson::SUCCESS) continue;  // A heading.
    std::string_view base;
    if (one["base"].get(base) == simdjson::SUCCESS && base != "about:blank") continue;
    std::string_view input;
    ASSERT_EQ(one["input"].get(input), simdjson::SUCCESS);
    bool failure = false;
    if (one["failure"].get(failure) == simdjson::SUCCESS && failure) {
      // Without a base "//a" is no URL there.
      if (!parse_url(input) || parse_url(input)->scheme.empty()) continue;
      ++judged;
      EXPECT_EQ(canonical(input), "") << input;
      continue;
    }
    std::string_view host;
    std::string_view href;
    std::string_view protocol;
    ASSERT_EQ(one["hostname"].get(host), simdjson::SUCCESS);
    ASSERT_EQ(one["href"].get(href), simdjson::SUCCESS);
    ASSERT_EQ(one["protocol"].get(protocol), simdjson::SUCCESS);
    if (host.empty() || protocol == "file:" || is_known_difference(input)) continue;
    ++judged;
    EXPECT_EQ(canonical(input), as_ours(href, host)) << input;
  }
  EXPECT_GT(judged, 300);
}

}  // namespace
}  // namespace twinset
