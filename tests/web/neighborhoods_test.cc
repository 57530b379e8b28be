#include "web/neighborhoods.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twinset {
namespace {

using Names = std::vector<std::string>;

Names names(const Neighborhoods& found) {
  Names all;
  for (std::size_t i = 0; i < found.size(); ++i) all.emplace_back(found[i]);
  return all;
}

Names of_url(std::string_view url) {
  Neighborhoods found;
  found.text = "left over";
  found.ends = {4};
  const bool has_host = url_neighborhoods(url, found);
  EXPECT_EQ(has_host, found.size() > 0) << url;
  return names(found);
}

Names of_path(std::string_view path) {
  Neighborhoods found;
  path_neighborhoods(path, found);
  return names(found);
}

struct Case {
  std::string_view url;
  Names expected;
  std::string_view why;
};

//
TEST(UrlNeighborhoods, AreTheSiteAndEachFolder) {
  const Case cases[] = {
      {"arxiv.org/archive/physics/",
       {"arxiv.org/", "arxiv.org/archive/", "arxiv.org/archive/physics/"},
       "the paper's example (4.3)"},
      {"http://a.org", {"a.org/"}, "a site"},
      {"http://a.org/x", {"a.org/"}, "a page is no neighborhood"},
      {"http://a.org/x/", {"a.org/", "a.org/x/"}, "a folder is"},
      {"https://a.org/x/y.html", {"a.org/", "a.org/x/"}, "the scheme is no part of it"},
      {"http://a.org/x?a=/b/c", {"a.org/"}, "slashes of a query"},
      {"http://a.org?a=/b/", {"a.org/"}, "slashes of a query without a path"},
      {"http://a.org/x#/b/", {"a.org/"}, "slashes of a fragment"},
      {"http://a.org:8080/x/", {"a.org:8080/", "a.org:8080/x/"}, "another port, another site"},
      {"http://a.org:80/x/", {"a.org/", "a.org/x/"}, "the port that the scheme implies"},
      {"https://a.org:443/", {"a.org/"}, "and that of https"},
      {"http://me:pw@a.org/x/", {"a.org/", "a.org/x/"}, "a user"},
      {"http://a.org//x///y/z", {"a.org/", "a.org/x/", "a.org/x/y/"}, "slashes in a row are one"},
      {"http://a.org/x/../y/./z", {"a.org/", "a.org/y/"}, "dot segments"},
      {"http://a.org/%7Ex/y", {"a.org/", "a.org/~x/"}, "one spelling of each byte"},
      {"http://a.org/a%2Fb/c", {"a.org/", "a.org/a%2Fb/"}, "a slash that is data"},
      {"http://A.ORG/X/", {"a.org/", "a.org/X/"}, "letter case of the host alone"},
      {"http://xn--bcher-kva.de/x/", {"xn--bcher-kva.de/", "xn--bcher-kva.de/x/"}, "Punycode"},
      {"http://b\xC3\xBC"
       "cher.de/x/",
       {"xn--bcher-kva.de/", "xn--bcher-kva.de/x/"},
       "and the name it stands for"},
      {"http://a.org./x/", {"a.org/", "a.org/x/"}, "a dot at the end of the host"},
      {"http://[::1]/x/", {"[::1]/", "[::1]/x/"}, "an address"},
      {"http://a.org\\x\\y", {"a.org/", "a.org/x/"}, "backslashes"},
      {"//a.org/x/", {"a.org/", "a.org/x/"}, "no scheme"},
      {"http:", {}, "\"http:\" is no neighborhood"},
      {"http://", {}, "nor is a URL without a host"},
      {"mailto:me@a.org", {}, "nor is a mailbox"},
      {"a/b/c", {}, "folders are no site"},
      {"", {}, "nothing"},
  };
  for (const Case& one : cases) EXPECT_EQ(of_url(one.url), one.expected) << one.why;
}

TEST(UrlNeighborhoods, AreBounded) {
  std::string url = "http://a.org";
  for (int i = 0; i < 1'000'000; ++i) url += "/" + std::to_string(i % 10);
  const Names found = of_url(url);
  EXPECT_EQ(found.size(), most_neighborhoods);
  EXPECT_EQ(found.back().size(), std::string("a.org/").size() + 2 * (most_neighborhoods - 1));
}

TEST(PathNeighborhoods, AreTheFolders) {
  EXPECT_EQ(of_path("a/b/page.html"), (Names{"a/", "a/b/"}));
  EXPECT_EQ(of_path("./a//c/../b/page.html"), (Names{"a/", "a/b/"}));
  EXPECT_EQ(of_path("/a/page.html"), (Names{"/", "/a/"}));
  EXPECT_EQ(of_path("/page.html"), (Names{"/"}));
  EXPECT_EQ(of_path("page.html"), (Names{}));
  EXPECT_EQ(of_path(""), (Names{}));
  EXPECT_EQ(of_path("../../a/x"), (Names{"../", "../../", "../../a/"}));
  EXPECT_EQ(of_path("../a/../../x"), (Names{"../", "../../"}));
  EXPECT_EQ(of_path("/../a/x"), (Names{"/", "/a/"}));
  EXPECT_EQ(of_path("a.org/x"), (Names{"a.org/"}));
}

}  // namespace
}  // namespace twinset
