// Pages that are cut in parts, against the labels that discover() makes of all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "labels/label_file.h"
#include "support_runs/job_testing.h"
#include "twinset/reuse.h"

namespace twinset {
namespace {

using namespace twinset::testing;

struct CutTexts {
  std::vector<std::string> texts;
  std::vector<std::string> urls;

  void add(const std::string& url, const std::string& text) {
    urls.push_back(url);
    texts.push_back(text);
  }
  std::vector<TextColumn> columns() const {
    TextColumn column(texts);
    EXPECT_TRUE(column.add_field("url", urls).ok());
    column.html = true;
    return {column};
  }
};

CutTexts made_texts() {
  const auto chunk = [](int number) {
    std::string text = "<p class=x>chunk " + std::to_string(number);
    while (text.size() < 130) text += " and " + std::to_string(number * 7 + text.size());
    return text;
  };
  CutTexts made;
  for (int i = 0; i < 60; ++i) {
    std::string page = "<title>page</title>" + chunk(i % 3) + chunk(100 + i % 20) + chunk(i % 3);
    if (i % 7 == 0) page += "<p>short";
    made.add("http://s" + std::to_string(i % 4) + ".example/" + std::to_string(i / 2), page);
  }
  made.add("http://s1.example/a/a/a/a/", chunk(1));
  made.add("http://[", chunk(2));
  return made;
}

struct Counted {
  std::uint64_t count = 0;
  std::set<std::uint64_t> records;
  std::string text;  ///< of the first place
};

/// What the parts add up to is what one run counts.
TEST(CutPages, ObjectsAreThoseThatDiscoverCounts) {
  const ScratchFolder folder;
  const CutTexts made = made_texts();
  DiscoverOptions options;
  options.columns = made.columns();
  options.output = folder / "all.labels";
  options.over_chunks = options.over_files = 0;
  options.top = 1000;
  const auto done = discover(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  std::map<std::pair<bool, std::string>, Counted> counted;
  std::set<std::string> sites;
  std::uint64_t pages = 0;
  std::uint64_t short_chunks = 0;
  std::vector<std::string> recursion;
  const auto cut = cut_pages(options, quiet_control(), [&](const CutPage& page) -> Status {
    EXPECT_EQ(page.url, made.urls[page.record - 1]);
    if (page.recursion_error) {
      EXPECT_TRUE(page.objects.empty());
      recursion.push_back(page.url);
      return {};
    }
    ++pages;
    sites.insert(page.site);
    short_chunks += page.short_chunks;
    for (const PageObject& object : page.objects) {
      Counted& sums = counted[{object.is_file, object.hash}];
      if (sums.count++ == 0) sums.text = page.quote(object);
      sums.records.insert(page.record);
    }
    return {};
  });
  ASSERT_TRUE(cut.ok()) << cut.error().message;
  EXPECT_EQ(cut.value().rules, done.value().rules);
  EXPECT_EQ(cut.value().hash, "xxh3");
  EXPECT_TRUE(cut.value().pages);
  EXPECT_EQ(pages, done.value().pages);
  EXPECT_EQ(sites.size(), done.value().sites);
  EXPECT_EQ(short_chunks, done.value().chunks.short_seen);
  EXPECT_EQ(recursion, done.value().recursion_examples);
  EXPECT_EQ(counted.size(), done.value().top.size());
  for (const DiscoveredLabel& label : done.value().top) {
    const Counted& sums = counted[{label.is_file, label.hash}];
    EXPECT_EQ(sums.count, label.count) << label.hash;
    EXPECT_EQ(sums.records.size(), label.documents) << label.hash;
    EXPECT_EQ(sums.text, label.text);
    EXPECT_FALSE(label.text.empty());
  }
}

TEST(CutPages, StopChunksAreNoObjects) {
  const ScratchFolder folder;
  const CutTexts made = made_texts();
  DiscoverOptions options;
  options.columns = made.columns();
  options.output = folder / "stop.labels";
  options.over_chunks = 20;
  options.over_files = 1;
  ASSERT_TRUE(discover(options, quiet_control()).ok());
  DiscoverOptions stopped = options;
  stopped.stop = options.output;
  stopped.output = folder / "rest.labels";
  const auto done = discover(stopped, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  std::uint64_t stop_chunks = 0;
  std::uint64_t stop_files = 0;
  std::uint64_t chunks = 0;
  ASSERT_TRUE(cut_pages(stopped, quiet_control(), [&](const CutPage& page) -> Status {
                stop_chunks += page.stop_chunks;
                stop_files += page.file_stops ? 1 : 0;
                chunks += static_cast<std::uint64_t>(
                    std::ranges::count(page.objects, false, &PageObject::is_file));
                return {};
              }).ok());
  EXPECT_GT(stop_chunks, 100U);
  EXPECT_EQ(stop_chunks, done.value().chunks.stop_seen);
  EXPECT_EQ(stop_files, done.value().files.stop_seen);
  EXPECT_EQ(chunks, done.value().chunks.seen);
}

TEST(CutPages, BadOptionsAndErrorsOfTheCallerEndIt) {
  const CutTexts made = made_texts();
  DiscoverOptions options;
  options.columns = made.columns();
  const auto nothing = [](const CutPage&) { return Status(); };
  options.cutting.at = "span";
  EXPECT_EQ(cut_pages(options, quiet_control(), nothing).error().code, ErrorCode::usage);
  options.cutting.at = "p";
  options.pages.repeats = 1;
  EXPECT_EQ(cut_pages(options, quiet_control(), nothing).error().code, ErrorCode::usage);
  options.pages.repeats = 3;
  options.stop = "no/such.labels";
  EXPECT_EQ(cut_pages(options, quiet_control(), nothing).error().code, ErrorCode::io);
  options.stop.clear();
  const auto stopped = cut_pages(options, quiet_control(),
                                 [](const CutPage&) -> Status { return usage_error("enough"); });
  EXPECT_EQ(stopped.error().message, "enough");
}

/// A threshold is strict, and known content is never rare.
TEST(CutPages, FateOfAnObject) {
  DiscoverOptions options;
  options.over_chunks = 10;
  options.over_files = 2;
  EXPECT_EQ(fate_of({10, 3, 9, false}, false, options), ObjectFate::rare);
  EXPECT_EQ(fate_of({11, 3, 9, false}, false, options), ObjectFate::label);
  EXPECT_EQ(fate_of({3, 3, 1, false}, true, options), ObjectFate::label);
  EXPECT_EQ(fate_of({1, 1, 1, true}, false, options), ObjectFate::label);
  options.stop_in_site = 8;
  EXPECT_EQ(fate_of({11, 3, 9, false}, false, options), ObjectFate::in_site);
  EXPECT_EQ(fate_of({11, 3, 8, false}, false, options), ObjectFate::label);
  options.stop_over_sites = 2;
  EXPECT_EQ(fate_of({11, 3, 8, false}, false, options), ObjectFate::over_sites);
  EXPECT_EQ(fate_of({11, 3, 9, true}, false, options), ObjectFate::label);
}

}  // namespace
}  // namespace twinset
