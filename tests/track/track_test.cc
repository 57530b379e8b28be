// track(): the versions of pages, out of core, and what happened to the pages.
#include <filesystem>
#include <map>

#include "collection/output_lines.h"
#include "io/json_read.h"
#include "track/track_run.h"
#include "track/track_testing.h"
#include "track/version_chain.h"

namespace twinset::testing {
namespace {

struct TrackFolder {
  ScratchFolder folder;
  TrackOptions options;
  std::string lines;

  TrackFolder() {
    options.url = "url";
    options.date = "date";
    options.output = folder / "out";
  }
  void seen(const std::string& url, const std::string& date, const std::string& text) {
    lines += "{\"id\": \"" + url + " " + date + "\", \"url\": \"" + url + "\", \"date\": \"" +
             date + "\", \"text\": \"" + text + "\"}\n";
  }
  Result<TrackSummary> run() {
    folder.write("in.jsonl", lines);
    options.inputs = {folder / "in.jsonl"};
    return run_track(options, quiet_control(), nullptr);
  }
  /// The lines of changes.jsonl.zst by URL; of a page with several the last.
  std::map<std::string, std::string> pages() {
    std::map<std::string, std::string> found;
    const Status read = for_each_raw_line(
        disk(), folder / "out/changes.jsonl.zst", [&](std::string_view raw) -> Result<bool> {
          const std::string line(raw);
          found[read_json(line, "line").value()["url"].text()] = line;
          return true;
        });
    EXPECT_TRUE(read.ok());
    return found;
  }
};

/// "2026-01-DD".
std::string january(int day) {
  return std::string("2026-01-") + (day < 10 ? "0" : "") + std::to_string(day);
}

// B-28: how pages change, move, live and die.
TEST(Track, TellsWhatHappenedToEachPage) {
  TrackFolder web;
  const auto text = [](std::uint64_t seed) { return page_words(seed, 200); };
  // In no order: they are sorted by page and date.
  for (const int day : {20, 1, 10}) {
    web.seen("http://a.org/stays", january(day), text(1));
    web.seen("http://a.org/changes", january(day),
             page_words(2, static_cast<std::size_t>(200 + day)));
    if (day < 20) web.seen("http://a.org/old", january(day), text(3));
    if (day < 10) web.seen("http://a.org/far", january(day), text(4));
    if (day < 10) web.seen("http://a.org/dies", january(day), text(5));
  }
  web.seen("http://a.org/new", january(20), text(3));
  web.seen("http://b.org/far", january(10), text(4));
  web.seen("http://b.org/far", january(20), text(4));
  web.seen("http://b.org/born", january(20), text(6));
  web.lines += "{\"date\": \"2026-01-01\", \"text\": \"no page\"}\n";
  web.lines += "{\"url\": \"http://a.org/x\", \"date\": \"some day\", \"text\": \"no date\"}\n";
  const auto done = web.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  const TrackSummary& summary = done.value();
  EXPECT_EQ(summary.without_url, 1U);
  EXPECT_EQ(summary.without_date, 1U);
  EXPECT_EQ(summary.warnings.size(), 2U);
  EXPECT_EQ(summary.hosts, 2U);
  EXPECT_EQ(summary.since, january(20));
  const TrackCounts& counts = summary.counts;
  EXPECT_EQ(counts.pages, 8U);
  EXPECT_EQ(counts.versions, 14U);
  EXPECT_EQ(counts.same, 4U);
  EXPECT_EQ(counts.changed(), 2U);
  EXPECT_EQ(counts.moved_within, 1U);
  EXPECT_EQ(counts.moved_between, 1U);
  EXPECT_EQ(counts.died, 1U);
  EXPECT_EQ(counts.born, 1U);
  EXPECT_EQ(counts.chances(), 9U);
  auto pages = web.pages();
  ASSERT_EQ(pages.size(), 8U);
  const auto line = [&](const char* url) { return pages[std::string("http://") + url]; };
  EXPECT_NE(line("a.org/old").find("\"moved_to\": \"http://a.org/new\""), std::string::npos);
  EXPECT_NE(line("b.org/far").find("\"moved_from\": \"http://a.org/far\", \"born\": false"),
            std::string::npos);
  EXPECT_NE(line("a.org/dies").find("\"gone\": true"), std::string::npos);
  EXPECT_NE(line("b.org/born").find("\"born\": true"), std::string::npos);
  // Three versions of one signature: twice the ten days.
  EXPECT_NE(line("a.org/stays").find("\"recrawl_days\": 20"), std::string::npos);
}

TEST(Track, HistoriesOfChangesHaveNoDeaths) {
  TrackFolder web;
  web.options.changes = true;
  web.seen("http://a.org/x", january(1), page_words(1, 100));
  web.seen("http://a.org/x", january(5), page_words(2, 100));
  web.seen("http://a.org/y", january(9), page_words(1, 100));
  const auto done = web.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().counts.died + done.value().counts.moved_within, 0U);
  EXPECT_EQ(done.value().counts.large, 1U);
}

TEST(Track, ManyVersionsOfAPageComeInSeveralLinesAndLittleMemory) {
  TrackFolder web;
  const std::string texts[] = {page_words(1, 20), page_words(2, 20)};
  const Date start = parse_date("2026-01-01").value();
  for (std::int64_t i = 0; i < 25'000; ++i) {
    const std::int64_t seconds = start.microseconds / 1'000'000 + (i * 7919 % 25'000) * 60;
    web.seen("http://a.org/x", std::to_string(seconds), texts[i % 3 == 0]);
  }
  web.options.resources.memory = 112 << 20;
  const auto done = web.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().counts.versions, 25'000U);
  EXPECT_EQ(done.value().counts.pages, 1U);
  std::vector<std::size_t> parts;
  std::string last;
  ASSERT_TRUE(for_each_line(disk(), web.folder / "out/changes.jsonl.zst",
                            [&](JsonNode line) -> Result<bool> {
                              EXPECT_EQ(line["part"].integer(), parts.size() + 1);
                              for (const JsonNode& version : line["versions"].elements()) {
                                EXPECT_LE(last, version["date"].text());
                                last = version["date"].text();
                              }
                              parts.push_back(line["versions"].elements().size());
                              return true;
                            })
                  .ok());
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0] + parts[1] + parts[2], 25'000U);
  EXPECT_LE(parts[0], 10'000U + most_broken_versions);
}

TEST(Track, APageIsOneHoweverItsUrlIsSpelled) {
  TrackFolder web;
  web.seen("http://a.org/~x", january(1), page_words(1, 100));
  web.seen("HTTP://A.org:80/%7Ex#top", january(2), page_words(1, 100));
  web.seen("http://a.org/b/../~x", january(3), page_words(1, 100));
  web.seen("no url", january(3), page_words(2, 100));
  const auto done = web.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().counts.pages, 2U);
  EXPECT_EQ(done.value().counts.same, 2U);
  EXPECT_TRUE(web.pages().contains("http://a.org/~x"));
  EXPECT_TRUE(web.pages().contains("no url"));
}

TEST(Track, SaysWhereOneDateMayHaveMadeTheLastSweep) {
  TrackFolder web;
  for (int page = 0; page < 20; ++page) {
    web.seen("http://a.org/" + std::to_string(page), january(1), page_words(1, 100));
    web.seen("http://a.org/" + std::to_string(page), january(2), page_words(1, 100));
  }
  auto done = web.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_TRUE(done.value().warnings.empty());
  web.seen("http://a.org/7", "9999-12-31", page_words(1, 100));  // a clock that jumped
  web.options.output = web.folder / "jumped";
  done = web.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  ASSERT_EQ(done.value().warnings.size(), 1U);
  EXPECT_NE(done.value().warnings[0].find("since 9999-12-31, saw 1 of 20 pages"),
            std::string::npos);
  web.options.output = web.folder / "since";
  web.options.since = january(2);
  done = web.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_TRUE(done.value().warnings.empty());
  EXPECT_EQ(done.value().counts.died, 0U);
}

TEST(Track, LongIdsMakeLinesOfFewVersions) {
  TrackFolder web;
  for (int day = 1; day < 29; ++day) {
    web.lines += "{\"id\": \"" + std::string(300'000, 'x') + "\", \"url\": \"http://b.org/x\"" +
                 ", \"date\": \"" + january(day) + "\", \"text\": \"some words\"}\n";
  }
  web.seen("http://a.org/old", "2026-01-01", "some words");
  const auto done = web.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  std::size_t lines = 0;
  std::size_t versions = 0;
  ASSERT_TRUE(for_each_raw_line(disk(), web.folder / "out/changes.jsonl.zst",
                                [&](std::string_view line) -> Result<bool> {
                                  EXPECT_LT(line.size(), std::size_t{2} << 20);
                                  versions +=
                                      read_json(line, "line").value()["versions"].elements().size();
                                  ++lines;
                                  return true;
                                })
                  .ok());
  EXPECT_EQ(versions, 29U);
  EXPECT_EQ(lines, 9U);
}

TEST(Track, EachLineOfAPageSaysWhetherItWasBorn) {
  TrackFolder web;
  web.seen("http://a.org/old", january(1), page_words(1, 100));
  for (std::int64_t i = 0; i < 10'001; ++i) {
    const std::int64_t start = parse_date("2026-02-01").value().microseconds / 1'000'000;
    web.seen("http://a.org/new", std::to_string(start + i), page_words(1, 100));
  }
  ASSERT_TRUE(web.run().ok());
  std::size_t lines = 0;
  ASSERT_TRUE(for_each_line(disk(), web.folder / "out/changes.jsonl.zst",
                            [&](JsonNode line) -> Result<bool> {
                              EXPECT_EQ(line["born"].boolean(), false);
                              ++lines;
                              return true;
                            })
                  .ok());
  EXPECT_EQ(lines, 3U);
}

TEST(Track, TheListsAreTheSameForAnyThreadsAndMemory) {
  std::map<std::string, std::string> found[2];
  for (const bool small : {false, true}) {
    TrackFolder web;
    for (std::uint64_t page = 0; page < 400; ++page) {
      for (int day = 1; day < 6; ++day) {
        const std::uint64_t version = page % 3 == 0 ? static_cast<std::uint64_t>(day) : 0;
        web.seen("http://h" + std::to_string(page % 7) + ".org/" + std::to_string(page),
                 january(day), page_words(page << 8 | version, 120));
      }
    }
    web.options.resources.threads = small ? 1 : 4;
    if (small) web.options.resources.memory = 112 << 20;
    ASSERT_TRUE(web.run().ok());
    found[small ? 1 : 0] = web.pages();
  }
  EXPECT_TRUE(found[0] == found[1]);
}

TEST(Track, RefusesWhatTellsNothing) {
  TrackFolder web;
  web.seen("http://a.org/x", "some day", "text");
  EXPECT_EQ(web.run().error().code, ErrorCode::usage);
  // So the command may be given again with other options.
  EXPECT_FALSE(std::filesystem::exists(web.folder / "out.partial"));
  web.seen("http://a.org/x", january(1), "text");
  web.options.scheme = "fss";
  EXPECT_NE(web.run().error().message.find("no signatures with a distance"), std::string::npos);
  web.options.scheme = "simhash";
  web.options.since = "02/03/2026";
  EXPECT_EQ(web.run().error().code, ErrorCode::usage);
  EXPECT_FALSE(std::filesystem::exists(web.folder / "out.partial"));
  web.options.date = "";
  EXPECT_NE(web.run().error().message.find("no dates"), std::string::npos);
}

}  // namespace
}  // namespace twinset::testing
