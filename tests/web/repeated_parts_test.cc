// Two hundred URLs judged by hand: a hundred that a loop of links makes, of the kinds that crawlers
// meet, and a hundred good ones, most of them with parts that occur twice or more, since others
// would prove nothing.
#include "web/repeated_parts.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "web/url.h"

namespace twinset {
namespace {

// A relative link followed again and again; a loop of two or more links; a script that takes the
// rest of the path for its own; walks over a few links.
constexpr std::string_view errors[] = {
    // One folder.
    "http://a.org/images/images/images/logo.gif",
    "http://a.org/images/images/images/images/images/logo.gif",
    "http://a.org/shop/images/images/images/cart.png",
    "http://a.org/css/css/css/main.css",
    "http://a.org/en/en/en/",
    "http://a.org/~smith/pics/pics/pics/pics/",
    "http://a.org/forum/forum/forum/viewtopic.php?t=12",
    "http://a.org/blog/archive/archive/archive/index.html",
    "http://a.org/js/js/js/js/js/js/menu.js",
    "http://a.org/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/",
    "http://geo.example/Area51/Vault/1234/midi/midi/midi/song.mid",
    "http://a.org/docs/manual/manual/manual/ch1.html",
    "http://a.org/news/news/news/2009/05/01/story",
    "http://a.org/download/download/download",
    "http://a.org/..a/..a/..a/",
    "http://a.org/a%20b/a%20b/a%20b/c",
    "http://a.org/P/P/P/",
    "http://a.org/wiki/wiki/wiki/Main_Page",
    "http://a.org/calendar/next/next/next/next/next",
    "http://a.org/category/shoes/shoes/shoes/shoes",
    "http://a.org/www.b.org/www.b.org/www.b.org/",
    "http://a.org/http:/http:/http:/b.org",
    "http://a.org/home/home/home/home/contact.htm",
    "http://a.org/products/widgets/widgets/widgets/blue/",
    "http://a.org/templates/templates/templates/style.css",
    // A run of folders.
    "http://a.org/news/img/news/img/news/img/a.gif",
    "http://a.org/a/b/a/b/a/b/a/b",
    "http://a.org/en/products/en/products/en/products/list",
    "http://a.org/docs/api/docs/api/docs/api/index.html",
    "http://a.org/x/shop/cart/shop/cart/shop/cart/",
    "http://a.org/forum/user/profile/forum/user/profile/forum/user/profile/",
    "http://a.org/2009/05/post/2009/05/post/2009/05/post/",
    "http://a.org/p/1/p/1/p/1/",
    "http://a.org/page/2/page/2/page/2/page/2",
    "http://a.org/links/www.b.org/links/www.b.org/links/www.b.org/",
    "http://a.org/a/b/c/d/e/a/b/c/d/e/a/b/c/d/e/f",
    "http://a.org/a/b/c/d/e/f/g/h/a/b/c/d/e/f/g/h/a/b/c/d/e/f/g/h/",
    "http://a.org/~u/me/~u/me/~u/me/cv.html",
    "http://a.org/de/hotel/zimmer/de/hotel/zimmer/de/hotel/zimmer/de/hotel/zimmer",
    "http://a.org/cgi-bin/go/cgi-bin/go/cgi-bin/go/x.cgi",
    "http://a.org/photos/thumbs/photos/thumbs/photos/thumbs/1.jpg",
    "http://a.org/shop/men/shoes/men/shoes/men/shoes/men/shoes/",
    "http://a.org/site/pages/about/pages/about/pages/about/",
    "http://a.org/old/site/old/site/old/site/",
    "http://a.org/en/us/en/us/en/us/support",
    "http://a.org/tags/linux/tags/linux/tags/linux/",
    "http://a.org/rss/feed/rss/feed/rss/feed/",
    "http://a.org/info/faq/info/faq/info/faq/info",
    "http://a.org/v1/users/v1/users/v1/users",
    "http://a.org/mail/2010/mail/2010/mail/2010/",
    // Scripts that take what follows for their own.
    "http://a.org/index.php/index.php/index.php/news",
    "http://a.org/index.html/index.html/index.html",
    "http://a.org/index.php/about/index.php/about/index.php/about",
    "http://a.org/page.asp/page.asp/page.asp/page.asp",
    "http://a.org/story.html/images/story.html/images/story.html/images/",
    "http://a.org/view.php/12/view.php/12/view.php/12",
    "http://a.org/show.cgi/img/show.cgi/img/show.cgi/img/a.gif",
    "http://a.org/default.aspx/default.aspx/default.aspx/default.aspx/",
    "http://a.org/wp-login.php/wp-login.php/wp-login.php",
    "http://a.org/main.cfm/main.cfm/main.cfm/id/3",
    "http://a.org/print.php/css/print.php/css/print.php/css/print.css",
    "http://a.org/a.html/b.html/a.html/b.html/a.html/b.html",
    "http://a.org/blog.php/tag/blog.php/tag/blog.php/tag",
    "http://a.org/article.jsp/article.jsp/article.jsp",
    "http://a.org/x/search.php/search.php/search.php/q",
    // Walks over a few links.
    "http://a.org/a/b/a/c/b/a/a/c",
    "http://a.org/home/about/home/contact/about/home/contact/home",
    "http://a.org/images/css/images/js/css/images/js/images/",
    "http://a.org/en/news/en/shop/news/en/shop/en/",
    "http://a.org/news/sport/news/news/sport/news/sport/sport/",
    "http://a.org/links/links/home/links/home/home/links/",
    "http://a.org/products/info/products/products/info/products/",
    "http://a.org/x/y/x/x/y/y/x/y/x/",
    "http://a.org/cart/login/cart/cart/login/login/cart",
    "http://a.org/faq/help/faq/contact/faq/help/contact/help",
    "http://a.org/up/down/up/up/down/down/up/",
    "http://a.org/pics/music/pics/video/music/pics/video/music/",
    "http://a.org/de/fr/de/en/fr/de/en/fr/de/",
    "http://a.org/about/team/about/jobs/about/team/jobs/",
    "http://a.org/docs/img/docs/docs/img/img/docs/",
    "http://a.org/one/two/one/three/one/two/three/one",
    "http://a.org/site/site/pages/site/pages/pages/",
    "http://a.org/member/list/member/list/list/member/",
    "http://a.org/themes/img/themes/img/img/themes/img/x",
    "http://a.org/map/map/info/map/info/",
    "http://a.org/f/g/f/h/g/f/h/h/f/",
    "http://a.org/2001/news/2001/news/news/2001/2001/news/",
    "http://a.org/band/tour/band/band/tour/tour/band/lyrics/",
    "http://a.org/forum/topic/forum/user/topic/forum/user/forum/",
    "http://a.org/a1/b1/a1/a1/b1/b1/a1/c1/",
    // With much that differs, or with a number that grows: few crawlers see these.
    "http://a.org/images/one/images/two/images/three/images/four/",
    "http://a.org/next/1/next/2/next/3/next/4/next/5",
    "http://a.org/shop/red/shop/blue/shop/green/shop/black/",
    "http://a.org/day/2009-01-01/day/2009-01-02/day/2009-01-03/",
    "http://a.org/tag/a/tag/b/tag/c/tag/d/tag/e/",
    "http://a.org/page.php/x/page.php/y/page.php/z",
    "http://a.org/en/a.html/en/b.html/en/c.html",
    "http://a.org/en/en/index.html",
    "http://a.org/images/images/logo.gif",
    "http://a.org/2009/05/2009/05/",
};

constexpr std::string_view good[] = {
    "http://a.org/",
    "http://a.org",
    "http://a.org/index.html",
    "http://a.org/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/",
    "http://a.org/doc/api/doc/",
    "http://a.org/src/main/java/org/a/main/Main.java",
    "http://a.org/src/src/a.c",
    "http://a.org/lib/python3/dist-packages/numpy/numpy/core/",
    "http://a.org/pkg/node_modules/a/node_modules/b/node_modules/c/index.js",
    "http://a.org/pkg/node_modules/a/node_modules/b/index.js",
    "http://a.org/tests/unit/tests/fixtures/tests/x.json",
    "http://a.org/tiles/1/1/1.png",
    "http://a.org/tiles/12/12/12/12.png",
    "http://a.org/2011/11/11/11/",
    "http://a.org/2011/11/11/eleven-eleven",
    "http://a.org/news/2010/10/10/10-things",
    "http://a.org/10/10/10/10",
    "http://a.org/0/0/0/0/0/0.html",
    "http://a.org/vol/1/issue/1/article/1/page/1",
    "http://a.org/book/1/chapter/1/verse/1",
    "http://a.org/bible/john/1/1/1",
    "http://a.org/law/title/1/part/1/section/1",
    "http://a.org/a/1/b/1/c/1/d/1/",
    "http://a.org/en/docs/en/intro.html",
    "http://a.org/new-york/new-york/hotels",
    "http://a.org/hotels/new-york/new-york/",
    "http://a.org/usa/washington/washington/",
    "http://a.org/luxembourg/luxembourg/luxembourg-city/",
    "http://a.org/music/duran/duran-duran/duran",
    "http://a.org/artist/duran/duran/",
    "http://a.org/wiki/Wiki",
    "http://a.org/wiki/wiki/",
    "http://a.org/wiki/Talk:Wiki/wiki",
    "http://a.org/user/user/repo",
    "http://a.org/rust/rust/tree/master/src",
    "http://a.org/git/git/blob/master/git.c",
    "http://a.org/python/python/python3",
    "http://a.org/perl/perl5/perl/perl5.git",
    "http://a.org/go/src/pkg/go/src/",
    "http://a.org/debian/pool/main/d/d/",
    "http://a.org/debian/dists/stable/main/binary/main/",
    "http://a.org/com/a/b/com/a/c",
    "http://a.org/maven2/junit/junit/4.11/junit-4.11.jar",
    "http://a.org/maven2/log4j/log4j/1.2/log4j",
    "http://a.org/maven2/org/apache/maven/maven/maven-model/",
    "http://a.org/javadoc/org/apache/org/apache/Foo.html",
    "http://a.org/archive/physics/archive/",
    "http://arxiv.org/archive/physics/",
    "http://web.archive.org/web/2009/http:/a.org/web/x",
    "http://web.archive.org/web/20090101000000/http://b.org/a/b",
    "http://a.org/proxy/http://b.org/proxy/http://c.org/",
    "http://a.org/search/shoes/price/10/size/10/page/10",
    "http://a.org/search/a/search",
    "http://a.org/category/tag/category/",
    "http://a.org/shop/shoes/men/shoes/",
    "http://a.org/shop/men/shoes/shoes",
    "http://a.org/forum/a/forum/b",
    "http://a.org/photos/2009/photos/1.jpg",
    "http://a.org/gallery/gallery/1",
    "http://a.org/blog/blog/first-post",
    "http://a.org/blog/2009/blog/2010/",
    "http://a.org/~a/~a/",
    "http://a.org/a/a",
    "http://a.org/a/a/",
    "http://a.org/a/a/b/b/c/c/",
    "http://a.org/x/y/x/y/z",
    "http://a.org/x/y/x/z/",
    "http://a.org/de/de/impressum",
    "http://a.org/de-de/de/de-de/",
    "http://a.org/locale/en/LC/en",
    "http://a.org/static/css/static.css",
    "http://a.org/?a=/b/b/b/b/b/",
    "http://a.org/x?next=/login/login/login/login",
    "http://a.org/x#/a/a/a/a/",
    "http://a.org/x;x/x;x/y",
    "http://a.org/and/then/and/then-what/and/more",
    "http://a.org/row/row/your-boat",
    "http://a.org/one/two/three/two/one/",
    "http://a.org/list/of/lists/of/lists/",
    "http://a.org/knock/knock/who",
    "http://a.org/history/of/the/history/of/time",
    "http://a.org/from/london/to/paris/via/london",
    "http://a.org/compare/a/vs/b/vs/c/vs/d",
    "http://a.org/filter/color/red/size/m/color/blue",
    "http://a.org/filter/brand/a/brand/b/brand/c/",
    "http://a.org/q/how/to/x/and/how/to/y",
    "http://a.org/chess/e4/e5/nf3/nc6/bb5",
    "http://a.org/dna/a/c/g/t/a/c/",
    "http://a.org/notes/do/re/mi/do/re/",
    "http://a.org/path/to/file/path/to/other",
    "http://a.org/home/user/home/user/x",
    "http://a.org/etc/usr/share/doc/usr/share/",
    "http://a.org/backup/var/www/html/var/www/",
    "http://a.org/00/01/00/01/",
    "http://a.org/ab/ab/abab.jpg",
    "http://a.org/f/f/ff00.png",
    "http://a.org/cache/e/e/ee12.html",
    "http://a.org/docs/9.1/docs/9.2/",
    "http://a.org/a-a-a/a-a/a",
    "http://a.org/aaa/aaaa/aaaaa/aaaaaa",
};

bool is_found(std::string_view url) {
  CanonicalUrl canonical;
  EXPECT_TRUE(write_canonical(*parse_url(url), canonical)) << url;
  return find_repeated_parts(canonical.path(), default_repeats).has_value();
}

//
TEST(RepeatedParts, AreFoundWithFewFalseAlarms) {
  ASSERT_EQ(std::size(errors), 100U);
  ASSERT_EQ(std::size(good), 100U);
  std::vector<std::string_view> missed;
  std::vector<std::string_view> false_alarms;
  for (const std::string_view url : errors) {
    if (!is_found(url)) missed.push_back(url);
  }
  for (const std::string_view url : good) {
    if (is_found(url)) false_alarms.push_back(url);
  }
  EXPECT_EQ(false_alarms, std::vector<std::string_view>{});
  // The last ten differ too much, or repeat too little, to be told from good ones.
  EXPECT_EQ(missed, std::vector<std::string_view>(std::end(errors) - 10, std::end(errors)));
}

std::string described(std::string_view path, std::uint32_t repeats = default_repeats) {
  const auto found = find_repeated_parts(path, repeats);
  return found ? std::string(found->parts) + " " + std::to_string(found->count) : "none";
}

TEST(RepeatedParts, AreNamedAndCounted) {
  EXPECT_EQ(described("/a/b/b/b/b/c"), "b 4");
  EXPECT_EQ(described("/x/a/b/a/b/a/b/a"), "a/b 3");
  EXPECT_EQ(described("/a/b/c/a/b/c/a/b/c/a/b/c"), "a/b/c 4");
  EXPECT_EQ(described("/a/b/a/c/b/a"), "a 3");
  EXPECT_EQ(described("//a//a///a"), "a 3") << "empty parts are none";
  EXPECT_EQ(described("a/a/a"), "a 3");
  EXPECT_EQ(described("/p/1/p/1/p/1/"), "p/1 3");
}

TEST(RepeatedParts, NeedTheNumberOfRepeats) {
  EXPECT_EQ(described("/a/a"), "none");
  EXPECT_EQ(described("/a/a", 2), "a 2");
  EXPECT_EQ(described("/a/a/a", 4), "none");
  EXPECT_EQ(described("/a/a/a/a", 4), "a 4");
  EXPECT_EQ(described("/a/b/a/c", 2), "none") << "three of four differ";
  EXPECT_EQ(described("/a/b/a/b/c", 2), "a/b 2");
  EXPECT_EQ(described(""), "none");
  EXPECT_EQ(described("/"), "none");
}

TEST(RepeatedParts, OfNumbersAreNone) {
  EXPECT_EQ(described("/1/1/1/1"), "none");
  EXPECT_EQ(described("/1/2/1/2/1/2"), "none");
  EXPECT_EQ(described("/1/1/1/a/a/a"), "a 3");
}

TEST(RepeatedParts, CostLittleHoweverLong) {
  std::string path;
  for (int i = 0; i < 300'000; ++i) path += "/" + std::to_string(i % 10007) + "x";
  EXPECT_EQ(described(path), "none");
  std::string numbers;
  for (int i = 0; i < 1'000'000; ++i) numbers += "/1";
  EXPECT_EQ(described(numbers), "none");
}

}  // namespace
}  // namespace twinset
