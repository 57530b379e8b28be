#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>

#include "detect/detect_testing.h"
#include "twinset/reuse.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Means of shares that are equal but for rounding may stand in either order: takes that of `found`
/// if the means never rise by more.
void order_as_found(const FoundLists& found, FoundLists& expected) {
  std::map<std::string, double> badness;
  for (std::size_t i = 0; i < expected.neighborhoods.size(); ++i) {
    badness[std::get<0>(expected.neighborhoods[i])] = expected.badness[i];
  }
  double last = 1;
  for (const FoundLists::Sums& sums : found.neighborhoods) {
    EXPECT_LE(badness[std::get<0>(sums)], last + 1e-8);
    last = badness[std::get<0>(sums)];
  }
  EXPECT_TRUE(std::ranges::is_permutation(found.neighborhoods, expected.neighborhoods));
  EXPECT_TRUE(std::ranges::is_permutation(found.bad_neighborhoods, expected.bad_neighborhoods));
  expected.neighborhoods = found.neighborhoods;
  expected.bad_neighborhoods = found.bad_neighborhoods;
}

// matches, pages and neighborhoods are those of a slow search.
TEST(DetectOracle, ListsOfMadeCrawls) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const Crawl crawl = made_crawl(seed, seed < 8 ? 60 : 400);
    const ScratchFolder folder;
    DetectOptions options = crawl.options(folder);
    options.badness = seed % 2 == 0 ? Badness::chunks : Badness::pages;
    set_small(options, 1 + static_cast<unsigned>(seed % 3));
    const Result<DetectSummary> done = detect(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    const FoundLists lists = read_lists(options.output);
    FoundLists expected = search_plainly(crawl, options.badness);
    ASSERT_EQ(lists.pages, expected.pages) << "seed " << seed;
    ASSERT_EQ(lists.matches, expected.matches) << "seed " << seed;
    if (options.badness == Badness::pages) {
      order_as_found(lists, expected);
    }
    ASSERT_EQ(lists.neighborhoods, expected.neighborhoods) << "seed " << seed;
    ASSERT_EQ(lists.bad_pages, expected.bad_pages) << "seed " << seed;
    ASSERT_EQ(lists.bad_neighborhoods, expected.bad_neighborhoods) << "seed " << seed;
    ASSERT_EQ(lists.recursion_errors, expected.recursion_errors) << "seed " << seed;
    const DetectSummary& summary = done.value();
    EXPECT_EQ(summary.read, crawl.pages.size());
    EXPECT_EQ(summary.pages + summary.recursion_errors, crawl.pages.size());
    EXPECT_EQ(summary.labeled_pages, expected.pages.size());
    EXPECT_EQ(summary.neighborhoods, expected.neighborhoods.size());
    EXPECT_EQ(summary.page_threshold.bad, expected.bad_pages.size());
    EXPECT_EQ(summary.neighborhood_threshold.bad, expected.bad_neighborhoods.size());
    EXPECT_EQ(summary.labels, crawl.known_chunks.size() + crawl.known_files.size());
    found += lists.matches.size();
  }
  EXPECT_GT(found, 500U);
}

/// Three pages of one site: 1 of 2 chunks, 1 of 4, and none of 2.
Crawl three_pages() {
  const auto known = crawl_chunk(1);
  return {{{"http://a.org/x/1", {known, crawl_chunk(10)}},
           {"http://a.org/x/2", {crawl_chunk(11), known, crawl_chunk(12), crawl_chunk(13)}},
           {"http://a.org/3", {crawl_chunk(14), crawl_chunk(15)}}},
          {known},
          {}};
}

// 1 of 2 is .5; the chunks of a neighborhood, and the mean over its pages.
TEST(Detect, BothBadnessesOfThreePages) {
  const ScratchFolder folder;
  DetectOptions options = three_pages().options(folder);
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const DetectSummary& summary = done.value();
  ASSERT_EQ(summary.top_pages.size(), 2U);
  EXPECT_DOUBLE_EQ(summary.top_pages[0].contains(), 0.5);
  EXPECT_EQ(summary.top_pages[0].url, "http://a.org/x/1");
  EXPECT_DOUBLE_EQ(summary.top_pages[1].contains(), 0.25);
  ASSERT_EQ(summary.top_neighborhoods.size(), 2U);
  const DetectedNeighborhood& folder_x = summary.top_neighborhoods[0];
  EXPECT_EQ(folder_x.prefix, "a.org/x/");
  EXPECT_DOUBLE_EQ(folder_x.badness(Badness::chunks), 2.0 / 6);
  EXPECT_DOUBLE_EQ(folder_x.badness(Badness::pages), 0.375);
  const DetectedNeighborhood& site = summary.top_neighborhoods[1];
  EXPECT_EQ(site.prefix, "a.org/");
  EXPECT_DOUBLE_EQ(site.badness(Badness::chunks), 2.0 / 8);
  EXPECT_DOUBLE_EQ(site.badness(Badness::pages), 0.25);
  // Of pages 1/2, 1/4 and 0.
  EXPECT_DOUBLE_EQ(summary.page_threshold.mean, 0.25);
  EXPECT_NEAR(summary.page_threshold.deviation, std::sqrt(0.125 / 3), 1e-9);
  EXPECT_EQ(summary.page_threshold.bad, 1U);
  EXPECT_EQ(summary.by_contains[5], 1U);
  EXPECT_EQ(summary.by_contains[10], 1U);
}

//
TEST(Detect, DuplicatesCountEachTime) {
  const std::string known = crawl_chunk(1);
  const Crawl crawl{{{"http://a.org/1", {known, known, known, crawl_chunk(2)}}}, {known}, {}};
  const ScratchFolder folder;
  const Result<DetectSummary> done = detect(crawl.options(folder), quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  ASSERT_EQ(done.value().top_pages.size(), 1U);
  EXPECT_EQ(done.value().top_pages[0].labeled, 3U);
  EXPECT_EQ(done.value().top_pages[0].chunks, 4U);
  EXPECT_EQ(read_lists(folder / "out").matches.size(), 3U);
}

//
TEST(Detect, AThresholdIsStrict) {
  // Shares 0.5 and 0.25: one equals the threshold.
  for (const auto& [threshold, bad] :
       {std::pair{"0.5", 0U}, {"0.25", 1U}, {"0.249999", 2U}, {"0", 2U}, {"1", 0U}}) {
    const ScratchFolder folder;
    DetectOptions options = three_pages().options(folder);
    options.threshold = threshold;
    const Result<DetectSummary> done = detect(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().page_threshold.bad, bad) << threshold;
    EXPECT_EQ(read_lists(options.output).pages.size(), 2U) << "all pages are listed";
  }
  const ScratchFolder folder;
  DetectOptions options = three_pages().options(folder);
  options.threshold = "0.3";
  options.page_threshold = "0.1";
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().page_threshold.bad, 2U);
  EXPECT_EQ(done.value().neighborhood_threshold.bad, 1U);
}

TEST(Detect, EqualPagesAreNotAboveTheirMean) {
  Crawl crawl{{}, {crawl_chunk(1)}, {}};
  for (std::uint64_t i = 0; i < 7; ++i) {
    crawl.pages.push_back({"http://a.org/" + std::to_string(i),
                           {crawl_chunk(1), crawl_chunk(100 + i), crawl_chunk(200 + i)}});
  }
  const ScratchFolder folder;
  const Result<DetectSummary> done = detect(crawl.options(folder), quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().page_threshold.deviation, 0);
  EXPECT_EQ(done.value().page_threshold.bad, 0U);
  EXPECT_EQ(done.value().labeled_pages, 7U);
}

TEST(Detect, ThreadsAndMemoryChangeNoByte) {
  const Crawl crawl = made_crawl(77, 3000);
  const ScratchFolder folder;
  std::map<std::string, std::string> first;
  for (const unsigned threads : {1U, 2U, 3U}) {
    DetectOptions options = crawl.options(folder);
    options.output = folder / ("out" + std::to_string(threads));
    set_small(options, threads, threads == 2 ? std::uint64_t{1} << 30 : 0);
    const Result<DetectSummary> done = detect(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    for (const char* name : {"pages.jsonl.zst", "matches.jsonl.zst", "neighborhoods.jsonl.zst",
                             "recursion.jsonl.zst"}) {
      std::string bytes = folder.read("out" + std::to_string(threads) + "/" + name);
      ASSERT_FALSE(bytes.empty());
      const auto [known, is_new] = first.try_emplace(name, bytes);
      EXPECT_TRUE(known->second == bytes) << name << ", " << threads << " threads";
    }
  }
}

// More matches than a task takes, between pages with few.
TEST(Detect, MatchesOfALongPageAreInItsOrder) {
  constexpr std::uint64_t known = 9000;
  Crawl crawl;
  for (std::uint64_t i = 0; i < known; ++i) crawl.known_chunks.push_back(crawl_chunk(i));
  crawl.pages.push_back({"http://a.org/1", {crawl_chunk(3)}});
  crawl.pages.push_back({"http://b.org/", crawl.known_chunks});
  crawl.pages.push_back({"http://c.org/1", {crawl_chunk(4), crawl_chunk(known + 1)}});
  const ScratchFolder folder;
  DetectOptions options = crawl.options(folder);
  options.output = folder / "out";
  options.resources.threads = 3;
  ASSERT_TRUE(detect(options, quiet_control()).ok());
  std::istringstream lines(get_file(folder / "out/matches.jsonl.zst"));
  std::uint64_t count = 0;
  std::uint64_t last = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("b.org") == std::string::npos) continue;
    const std::uint64_t offset = std::stoull(line.substr(line.find("\"offset\": ") + 10));
    EXPECT_TRUE(count++ == 0 || offset > last) << line;
    last = offset;
  }
  EXPECT_EQ(count, known);
}

TEST(Detect, WithoutAFolderNothingIsLeft) {
  const ScratchFolder folder;
  DetectOptions options = three_pages().options(folder);
  options.output.clear();
  options.resources.tmp = folder / "tmp";
  std::filesystem::create_directory(options.resources.tmp);
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().top_pages.size(), 2U);
  EXPECT_TRUE(std::filesystem::is_empty(options.resources.tmp));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Detect, AFinishedRunIsFoundAgain) {
  const ScratchFolder folder;
  DetectOptions options = three_pages().options(folder);
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const Result<DetectSummary> again = detect(options, quiet_control());
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again.value().already_done);
  EXPECT_EQ(to_json(again.value(), options.badness), to_json(done.value(), options.badness));
  EXPECT_EQ(again.value().json, done.value().json);
  // Other labels under the same name are another command.
  std::filesystem::remove(options.labels);
  write_labels(options.labels, {crawl_chunk(5)});
  const Result<DetectSummary> other = detect(options, quiet_control());
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::usage);
}

TEST(Detect, EmptyInputsAndPagesWithoutChunks) {
  const ScratchFolder folder;
  DetectOptions options = three_pages().options(folder);
  options.inputs = {folder.write("empty.jsonl", "")};
  Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().pages, 0U);
  EXPECT_TRUE(read_lists(options.output).neighborhoods.empty());
  Crawl crawl{{{"http://a.org/1", {"<p>short"}}, {"http://a.org/2", {}}}, {crawl_chunk(1)}, {}};
  const ScratchFolder other;
  options = crawl.options(other);
  done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().pages, 2U);
  EXPECT_EQ(done.value().page_threshold.of, 0U);
  EXPECT_EQ(done.value().page_threshold.threshold, 0);
  EXPECT_GE(done.value().short_chunks, 1U);
  EXPECT_EQ(done.value().neighborhoods, 1U);
}

//
TEST(Detect, StopChunksAreInNoCount) {
  const std::string known = crawl_chunk(1);
  const std::string stop = crawl_chunk(2);
  const Crawl crawl{{{"http://a.org/1", {known, stop, crawl_chunk(3)}}, {"http://a.org/2", {stop}}},
                    {known, stop},
                    {stop}};
  const ScratchFolder folder;
  DetectOptions options = crawl.options(folder);
  options.stop = folder / "stop.labels";
  write_labels(options.stop, {stop}, {stop});
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().chunks, 2U);
  EXPECT_EQ(done.value().stop_chunks, 2U);
  EXPECT_EQ(done.value().labeled_chunks, 1U);
  EXPECT_EQ(done.value().labeled_files, 0U) << "the second page is a stop file";
}

TEST(Detect, BadLabelsAreOneError) {
  const ScratchFolder folder;
  const DetectOptions options = three_pages().options(folder);
  const auto message = [&](const DetectOptions& tried, ErrorCode code) {
    const Result<DetectSummary> done = detect(tried, quiet_control());
    EXPECT_FALSE(done.ok());
    if (done.ok()) return std::string();
    EXPECT_EQ(done.error().code, code) << done.error().message;
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    return done.error().text(Door::command_line);
  };
  DetectOptions tried = options;
  tried.labels.clear();
  EXPECT_NE(message(tried, ErrorCode::usage).find("--labels FILE"), std::string::npos);
  tried.labels = folder / "missing.labels";
  EXPECT_NE(message(tried, ErrorCode::io).find("missing.labels"), std::string::npos);
  std::string bytes = folder.read("known.labels");
  bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 1);
  tried.labels = folder.write("damaged.labels", bytes);
  EXPECT_NE(message(tried, ErrorCode::io).find("damaged.labels"), std::string::npos);
  tried.labels = folder.write("cut.labels", bytes.substr(0, bytes.size() / 2));
  EXPECT_NE(message(tried, ErrorCode::io).find("cut.labels"), std::string::npos);
  // Stop chunks of another hash never meet the labels.
  tried = options;
  tried.stop = folder / "stop.labels";
  write_labels(tried.stop, {crawl_chunk(1)}, {}, hadoop_chunks());
  const std::string other = message(tried, ErrorCode::usage);
  EXPECT_NE(other.find("hadoop"), std::string::npos) << other;
  EXPECT_NE(other.find("html(p,div)"), std::string::npos) << other;
  // Labels of rules that this program does not know.
  RunContext context;
  context.files = &unsynced();
  LabelWriter writer(context, folder / "strange.labels", {"by(sentences)", ChunkHash::sha1});
  ASSERT_TRUE(writer.finish().ok());
  tried = options;
  tried.labels = folder / "strange.labels";
  EXPECT_NE(message(tried, ErrorCode::io).find("by(sentences)"), std::string::npos);
  for (const char* threshold : {"2", "-1", "x", ""}) {
    tried = options;
    tried.threshold = threshold;
    EXPECT_NE(message(tried, ErrorCode::usage).find("--threshold"), std::string::npos);
  }
  tried = options;
  tried.pages.repeats = 1;
  EXPECT_NE(message(tried, ErrorCode::usage).find("--repeats"), std::string::npos);
}

TEST(Detect, RulesComeWithTheLabels) {
  // Chunks of 20 characters, cut at tables, named by SHA-256.
  const std::string known = "<table>a table of it";
  ChunkRules rules;
  rules.elements = chunk_elements::tables;
  rules.hash = ChunkHash::sha256;
  rules.least_characters = 20;
  const Crawl crawl{{{"http://a.org/1", {"<table>another one: 2", known}}}, {known}, {}};
  const ScratchFolder folder;
  DetectOptions options = crawl.options(folder);
  std::filesystem::remove(options.labels);
  write_labels(options.labels, {known}, {}, rules);
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().rules, to_text(rules));
  EXPECT_EQ(done.value().chunks, 2U);
  const FoundLists lists = read_lists(options.output);
  ASSERT_EQ(lists.matches.size(), 1U);
  EXPECT_EQ(std::get<4>(lists.matches[0]), to_hex(hash_chunk(known, rules.hash), rules.hash));
}

TEST(Detect, PagesWithoutUrlsStandWhereTheirFilesDo) {
  const ScratchFolder folder;
  const std::string known = crawl_chunk(1);
  write_labels(folder / "known.labels", {known});
  folder.write("site/a/one.html", known + crawl_chunk(2));
  folder.write("site/a/two.html", crawl_chunk(3));
  folder.write("site/b/three.html", crawl_chunk(4));
  DetectOptions options;
  options.inputs = {folder / "site"};
  options.labels = folder / "known.labels";
  options.output = folder / "out";
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  ASSERT_EQ(done.value().top_pages.size(), 1U);
  EXPECT_TRUE(done.value().top_pages[0].url.ends_with("site/a/one.html"));
  ASSERT_FALSE(done.value().top_neighborhoods.empty());
  EXPECT_TRUE(done.value().top_neighborhoods[0].prefix.ends_with("site/a/"));
  EXPECT_EQ(done.value().top_neighborhoods[0].pages, 2U);
}

TEST(Detect, UrlsThatAreNoneAndBytesThatAreNoText) {
  const std::string known = crawl_chunk(1);
  Crawl crawl{{{"not a url", {known}}, {"http://", {known}}, {"a\nb", {known}}}, {known}, {}};
  const ScratchFolder folder;
  DetectOptions options = crawl.options(folder);
  // A URL and a chunk of bytes that are no UTF-8.
  options.inputs.push_back(folder.write(
      "bytes.jsonl", "{\"url\":\"http://b.org/\xff\",\"text\":\"" + known + "\xff\xfe\"}\n"));
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().pages, 4U);
  EXPECT_EQ(done.value().labeled_pages, 3U);
}

//
TEST(Detect, ExpectedFalseLabelsAreThoseOfTheHash) {
  const ScratchFolder folder;
  const Result<DetectSummary> done = detect(three_pages().options(folder), quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  // Six chunks that are no label, one label, 128 bits.
  EXPECT_DOUBLE_EQ(done.value().expected_false_labels, 6 / std::pow(2.0, 128));
}

TEST(Detect, ARunThatWasStoppedBeginsAgain) {
  const ScratchFolder folder;
  const DetectOptions options = made_crawl(5, 200).options(folder);
  std::atomic<bool> stop = true;
  RunControl control = quiet_control();
  control.cancel = &stop;
  const Result<DetectSummary> stopped = detect(options, control);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(read_lists(options.output).pages,
            search_plainly(made_crawl(5, 200), Badness::chunks).pages);
}

}  // namespace
}  // namespace twinset
