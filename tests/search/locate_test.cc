// locate(): pages that stay, move, are split and die over three sweeps of a small web, and what is
// no evidence: the form of a site, pages that all have, quotes. papers/001/lost_and_found.py has
// the rates over a large one.
#include "search/locate.h"

#include "search/search_testing.h"
#include "twinset/hits.h"

namespace twinset::testing {
namespace {

constexpr const char* sweeps[] = {"2026-01-10", "2026-02-10", "2026-03-10"};

/// Documents of a made web, each with its sweep in its id.
struct MadeWeb {
  SearchFolder folder;
  std::string lines;

  explicit MadeWeb(bool texts = false) {
    folder.options.settings.texts = texts;
    folder.options.url = "url";
    folder.options.date = "date";
    EXPECT_TRUE(folder.create().ok());
  }
  void seen(const std::string& url, std::size_t sweep, const std::string& text) {
    on(url, sweeps[sweep], text);
  }
  void on(const std::string& url, const std::string& date, const std::string& text) {
    lines += record_line(url + " " + date, text,
                         ", \"url\": \"" + url + "\", \"date\": \"" + date + "\"");
  }
  Index index() {
    EXPECT_TRUE(folder.add(lines).ok());
    return Index::open(folder.options.index).value();
  }
};

PageLocation located(const Index& index, const std::string& url,
                     const LocateSettings& settings = {}) {
  const auto found = index.locate(url, settings);
  EXPECT_TRUE(found.ok()) << found.error().message;
  return found.ok() ? found.value() : PageLocation();
}

/// Every `nth` word is another one.
std::string edited(const std::string& text, std::size_t nth) {
  std::string out;
  std::size_t word = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (!out.empty()) out += ' ';
    out += ++word % nth == 0 ? "other" + std::to_string(word) : text.substr(begin, end - begin);
    begin = end + 1;
  }
  return out;
}

std::string half(const std::string& text, bool second) {
  const std::size_t middle = text.find(' ', text.size() / 2);
  return second ? text.substr(middle + 1) : text.substr(0, middle);
}

// B-25: the newest place of a page, by the last sweep that has its content.
TEST(Locate, FindsWhatIsHereMovedGoneOrUnknown) {
  for (const bool texts : {false, true}) {
    MadeWeb web(texts);
    web.seen("http://a.org/stays", 0, words_of(1, 200));
    web.seen("http://a.org/stays", 2, words_of(1, 200) + " and more");
    web.seen("http://a.org/old", 0, words_of(2, 200));
    web.seen("http://a.org/new", 1, edited(words_of(2, 200), 20));
    web.seen("http://b.org/newest", 2, edited(words_of(2, 200), 10));
    web.seen("http://a.org/dies", 1, words_of(3, 200));
    const Index index = web.index();

    const PageLocation here = located(index, "http://a.org/stays");
    EXPECT_EQ(here.status, PageStatus::here);
    EXPECT_EQ(here.newest->id, "\"http://a.org/stays 2026-03-10\"");
    EXPECT_EQ(here.confidence, 1);
    EXPECT_TRUE(here.evidence.empty());

    const PageLocation moved = located(index, "http://a.org/old");
    EXPECT_EQ(moved.status, PageStatus::moved);
    EXPECT_EQ(moved.newest->url, "http://b.org/newest");
    EXPECT_EQ(moved.newest->date, "2026-03-10");
    EXPECT_EQ(moved.last_seen, "2026-01-10");
    EXPECT_EQ(moved.since, "2026-03-10");
    ASSERT_FALSE(moved.evidence.empty());
    EXPECT_EQ(moved.evidence.front().from, "http://a.org/old");
    EXPECT_EQ(moved.evidence.back().to.url, "http://b.org/newest");
    for (const MoveEvidence& move : moved.evidence) {
      EXPECT_EQ(move.exact, texts);
      EXPECT_LE(move.kept, move.own);
      EXPECT_GT(move.share, 0.15);
      EXPECT_LE(move.resemblance->low, move.resemblance->value);
    }

    const PageLocation gone = located(index, "http://a.org/dies");
    EXPECT_EQ(gone.status, PageStatus::gone);
    EXPECT_EQ(gone.newest->url, "http://a.org/dies");
    EXPECT_EQ(gone.host_seen, "2026-03-10");
    EXPECT_TRUE(gone.evidence.empty());

    const PageLocation unknown = located(index, "http://a.org/never");
    EXPECT_EQ(unknown.status, PageStatus::unknown);
    EXPECT_FALSE(unknown.newest.has_value());
    EXPECT_FALSE(unknown.confidence.has_value());
  }
}

TEST(Locate, EndsWhenItIsToldToAndIsAskedAgain) {
  MadeWeb web;
  web.seen("http://a.org/old", 0, words_of(2, 200));
  web.seen("http://a.org/new", 1, edited(words_of(2, 200), 20));
  const Index index = web.index();
  const std::atomic<bool> cancel = true;
  // The first question reads the dates of all documents, and is stopped within that.
  EXPECT_EQ(index.locate("http://a.org/old", {}, &cancel).error().code, ErrorCode::interrupted);
  EXPECT_EQ(located(index, "http://a.org/old").status, PageStatus::moved);
  EXPECT_EQ(index.locate("http://a.org/old", {}, &cancel).error().code, ErrorCode::interrupted);
  EXPECT_EQ(index.lookup("http://a.org/old", {}, &cancel).error().code, ErrorCode::interrupted);
  EXPECT_EQ(index.track("http://a.org/old", &cancel).error().code, ErrorCode::interrupted);
  const HitList list =
      read_hit_list(R"({"hits": ["http://a.org/old", "http://a.org/new"]})").value();
  EXPECT_EQ(index.group(list, {}, &cancel).error().code, ErrorCode::interrupted);
  EXPECT_TRUE(index.group(list, {}).ok());
}

TEST(Locate, BothHalvesOfASplitPageAreFound) {
  MadeWeb web;
  const std::string text = words_of(4, 400);
  web.seen("http://a.org/whole", 0, text);
  web.seen("http://a.org/one", 2, edited(half(text, false), 12));
  web.seen("http://a.org/two", 2, edited(half(text, true), 12));
  const PageLocation found = located(web.index(), "http://a.org/whole");
  EXPECT_EQ(found.status, PageStatus::moved);
  ASSERT_EQ(found.others.size(), 1U);
  std::set<std::string> places{found.newest->url, found.others[0].to.url};
  EXPECT_EQ(places, (std::set<std::string>{"http://a.org/one", "http://a.org/two"}));
}

// Half of each page is its site's form; a new page of the site is none of the dead ones.
TEST(Locate, TheFormOfASiteIsNoEvidence) {
  for (const bool texts : {false, true}) {
    MadeWeb web(texts);
    const std::string form = words_of(5, 100) + " ";
    for (std::uint64_t page = 0; page < 12; ++page) {
      const std::string url = "http://a.org/" + std::to_string(page);
      web.seen(url, 0, form + words_of(100 + page, 100));
      if (page > 3) web.seen(url, 1, form + words_of(100 + page, 100));
      if (page > 6) web.seen(url, 2, form + words_of(100 + page, 100));
    }
    web.seen("http://a.org/born", 2, form + words_of(200, 100));
    web.seen("http://a.org/renamed", 2, form + edited(words_of(105, 100), 8));
    const Index index = web.index();
    for (const char* dead : {"0", "1", "2", "3", "4", "6"}) {
      EXPECT_EQ(located(index, std::string("http://a.org/") + dead).status, PageStatus::gone)
          << dead;
    }
    EXPECT_EQ(located(index, "http://a.org/5").newest->url, "http://a.org/renamed");
  }
}

// An index in which each URL is an id has the last document of each URL only.
TEST(Locate, TheFormOfASiteIsNoEvidenceWithoutEarlierSweepsEither) {
  MadeWeb web;
  const std::string form = words_of(5, 100) + " ";
  web.seen("http://a.org/dead", 0, form + words_of(1, 100));
  for (std::uint64_t page = 0; page < 6; ++page) {
    web.seen("http://a.org/" + std::to_string(page), 2, form + words_of(100 + page, 100));
  }
  EXPECT_EQ(located(web.index(), "http://a.org/dead").status, PageStatus::gone);
}

TEST(Locate, ASentenceThatIsQuotedIsNoPlace) {
  MadeWeb web;
  web.seen("http://a.org/dead", 0, words_of(1, 400));
  web.seen("http://b.org/quotes", 2, words_of(2, 300) + " " + words_of(1, 30));
  EXPECT_EQ(located(web.index(), "http://a.org/dead").status, PageStatus::gone);
}

TEST(Locate, AMirrorIsAPlaceButACopyThatAllHaveIsNone) {
  MadeWeb web;
  web.seen("http://a.org/x", 0, words_of(1, 200));
  web.seen("http://mirror.org/x", 0, words_of(1, 200) + " of our mirror");
  web.seen("http://mirror.org/x", 2, words_of(1, 200) + " of our mirror");
  const std::string not_found = words_of(2, 60);
  for (int i = 0; i < 8; ++i) {
    const std::string url = "http://a.org/error" + std::to_string(i);
    web.seen(url, 0, not_found);
    if (i > 0) web.seen(url, 2, not_found);
  }
  // What the page was before it became one of them is found.
  web.seen("http://a.org/y", 0, words_of(3, 200));
  web.seen("http://a.org/y", 1, not_found);
  web.seen("http://c.org/y", 2, words_of(3, 200));
  const Index index = web.index();
  EXPECT_EQ(located(index, "http://a.org/x").newest->url, "http://mirror.org/x");
  EXPECT_EQ(located(index, "http://a.org/error0").status, PageStatus::gone);
  EXPECT_EQ(located(index, "http://a.org/y").newest->url, "http://c.org/y");
}

TEST(Locate, AMovedPageThatDiesIsGoneFromItsLastPlace) {
  MadeWeb web;
  web.seen("http://a.org/x", 0, words_of(1, 200));
  web.seen("http://b.org/x", 1, words_of(1, 200));
  web.seen("http://c.org/else", 2, words_of(2, 200));
  const PageLocation found = located(web.index(), "http://a.org/x");
  EXPECT_EQ(found.status, PageStatus::gone);
  EXPECT_EQ(found.newest->url, "http://b.org/x");
  EXPECT_EQ(found.evidence.size(), 1U);
  // Nobody of b.org was seen since, so nobody knows whether it was visited.
  EXPECT_EQ(found.host_seen, "2026-02-10");
  EXPECT_LE(*found.confidence, 0.5);
}

TEST(Locate, TheSweepBeginsAtItsNewestDayOrWhereOneSays) {
  MadeWeb web;
  web.on("http://a.org/x", "2026-03-08T23:00:00Z", words_of(1, 200));
  web.on("http://a.org/y", "2026-03-10T01:00:00Z", words_of(2, 200));
  web.on("http://a.org/z", "2026-03-10T20:00:00Z", words_of(3, 200));
  const Index index = web.index();
  EXPECT_EQ(located(index, "http://a.org/y").status, PageStatus::here);
  EXPECT_EQ(located(index, "http://a.org/x").status, PageStatus::gone);
  LocateSettings settings;
  settings.since = "8 March 2026";
  EXPECT_EQ(located(index, "http://a.org/x", settings).status, PageStatus::here);
  // The index has the canonical form of what is asked for.
  EXPECT_EQ(located(index, "HTTP://A.org:80/y").newest->url, "http://a.org/y");
  settings.since = "some day";
  EXPECT_EQ(index.locate("http://a.org/x", settings).error().code, ErrorCode::usage);
}

TEST(Locate, NeedsADate) {
  MadeWeb web;
  web.on("http://a.org/x", "some day", words_of(1, 20));
  web.on("http://a.org/y", "2026-01-01", words_of(2, 20));
  const Index index = web.index();
  EXPECT_EQ(index.locate("http://a.org/x").error().code, ErrorCode::usage);
  LocateOptions options;
  options.index = web.folder.options.index;
  EXPECT_EQ(locate(options, quiet_control()).error().code, ErrorCode::usage);
  options.urls = {"http://a.org/y", "http://a.org/none"};
  const auto found = locate(options, quiet_control());
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found.value().size(), 2U);
  EXPECT_EQ(found.value()[0].status, PageStatus::here);
  EXPECT_EQ(found.value()[1].status, PageStatus::unknown);
}

TEST(Locate, DeletedDocumentsAreNoPlaces) {
  MadeWeb web;
  web.seen("http://a.org/x", 0, words_of(1, 200));
  web.seen("http://b.org/x", 2, words_of(1, 200));
  web.seen("http://c.org/z", 1, words_of(2, 200));
  web.index();
  ASSERT_TRUE(web.folder.remove({"http://b.org/x 2026-03-10"}).ok());
  const PageLocation found =
      located(Index::open(web.folder.options.index).value(), "http://a.org/x");
  EXPECT_EQ(found.status, PageStatus::gone);
  EXPECT_EQ(found.since, "2026-02-10");
}

TEST(Locate, ManyVersionsOfAPageDoNotMakeItCommon) {
  MadeWeb web;
  for (int day = 10; day < 30; ++day) {
    web.on("http://a.org/x", "2026-01-" + std::to_string(day), words_of(1, 200));
  }
  web.on("http://b.org/y", "2026-03-10", words_of(1, 200));
  web.on("http://a.org/z", "2026-03-10", words_of(2, 200));
  const Index index = web.index();
  const PageLocation found = located(index, "http://a.org/x", {.since = {}, .max_group = 5});
  EXPECT_EQ(found.status, PageStatus::moved);
  EXPECT_EQ(found.newest->url, "http://b.org/y");
}

}  // namespace
}  // namespace twinset::testing
