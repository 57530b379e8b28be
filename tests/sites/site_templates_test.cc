// A site of unlike pages under one menu, in two releases with menus of their own.
#include "sites/site_templates.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "io/field_json.h"
#include "support/records.h"
#include "support/scratch_folder.h"
#include "support/stop_at.h"
#include "template/template_fields.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

std::string words(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::string out;
  for (int i = 0; i < count; ++i) out += "w" + std::to_string(random() % 100'000) + " ";
  return out;
}

std::string page(std::uint64_t number, std::uint64_t menu) {
  std::string out = "<title>" + words(1000 + number, 3) + "</title><ul>";
  for (std::uint64_t i = 0; i < 40; ++i) {
    out += "<li><a href='x'>" + words(menu * 10'000 + i, 6) + "</a>";
  }
  return out + "</ul><p>" + words(2000 + number, 30);
}

constexpr std::uint64_t site_pages = 60;

std::vector<std::string> two_releases() {
  std::vector<std::string> pages;
  for (const std::uint64_t menu : {5U, 6U}) {
    for (std::uint64_t i = 0; i < site_pages; ++i) pages.push_back(page(i, menu));
  }
  return pages;
}

struct Folder {
  testing::ScratchFolder folder;
  DedupOptions options;

  Folder() {
    std::string lines;
    std::uint64_t id = 0;
    for (const std::string& text : two_releases()) {
      lines += R"({"id":)" + std::to_string(++id) + R"(,"text":")" + text + "\"}\n";
    }
    options.inputs = {folder.write("site.jsonl", lines)};
    options.input.format = "html";
    options.templates = Templates::drop;
    options.resources.threads = 1;
    options.resources.checkpoint = 1000;
  }
};

std::string slurp(const std::string& path) {
  std::string bytes;
  EXPECT_TRUE(read_whole_file(disk(), path, 1 << 24).ok()) << path;
  return read_whole_file(disk(), path, 1 << 24).value();
}

TEST(SiteTemplates, SamePageUnderAnotherMenuIsFound) {
  const std::vector<std::string> texts = two_releases();
  DedupOptions options;
  options.columns = {std::span(texts)};
  options.columns[0].html = true;
  std::map<std::uint64_t, std::uint64_t> survivor_of;
  DedupResults results;
  results.removed = [&](const Removal& removal) {
    survivor_of[removal.document.record] = removal.survivor.record;
    return Status();
  };
  ASSERT_TRUE(dedup(options, {}, results).ok());
  EXPECT_TRUE(survivor_of.empty());
  options.templates = Templates::drop;
  const Result<DedupSummary> done = dedup(options, {}, results);
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.near, site_pages);
  for (std::uint64_t i = 1; i <= site_pages; ++i) EXPECT_EQ(survivor_of[i + site_pages], i);
  ASSERT_TRUE(done.value().templates.has_value());
  EXPECT_EQ(done.value().templates->pages, 120U);
}

TEST(SiteTemplates, TheLeastMemoryLearnsThem) {
  std::vector<std::string> kept;
  for (const std::uint64_t mebibytes : {96U, 128U, 4096U}) {
    Folder some;
    some.options.output = some.folder / "out";
    some.options.resources.memory = mebibytes << 20;
    some.options.resources.threads = mebibytes == 128 ? 2 : 1;
    const Result<DedupSummary> done = dedup(some.options, {});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().total.near, site_pages);
    EXPECT_EQ(done.value().templates->not_learned, 0U);
    kept.push_back(slurp(some.options.output + "/site.jsonl"));
  }
  EXPECT_EQ(kept[0], kept[2]);
  EXPECT_EQ(kept[1], kept[2]);
}

TEST(SiteTemplates, StoppedAnywhereTheRunContinuesToTheSameBytes) {
  Folder whole;
  whole.options.output = whole.folder / "out";
  const Result<DedupSummary> uncut = dedup(whole.options, {});
  ASSERT_TRUE(uncut.ok());
  int stops = 0;
  for (int reports = 1;; ++reports) {
    Folder again;
    again.options.output = again.folder / "out";
    testing::StopAt stop(reports);
    const Result<DedupSummary> first = dedup(again.options, {&stop.cancel, &stop});
    if (first.ok()) break;
    EXPECT_EQ(first.error().code, ErrorCode::interrupted);
    ++stops;
    const Result<DedupSummary> second = dedup(again.options, {});
    ASSERT_TRUE(second.ok()) << second.error().message;
    EXPECT_EQ(slurp(again.options.output + "/site.jsonl"),
              slurp(whole.options.output + "/site.jsonl"));
    EXPECT_EQ(slurp(again.options.output + "/templates.table"),
              slurp(whole.options.output + "/templates.table"));
    EXPECT_EQ(second.value().total.near, site_pages);
    TemplateFacts continued = second.value().templates.value();
    TemplateFacts at_once = uncut.value().templates.value();
    EXPECT_EQ(fields_json(fields_of(continued)), fields_json(fields_of(at_once)));
  }
  EXPECT_GT(stops, 3);
}

TEST(SiteTemplates, ResemblanceAndSchemeDoNotChangeWhatIsLearned) {
  Folder one;
  one.options.output = one.folder / "out";
  ASSERT_TRUE(dedup(one.options, {}).ok());
  Folder other;
  other.options.output = other.folder / "out";
  other.options.resemblance = Ratio(1, 2);
  other.options.scheme = "mod(modulus=4)";
  ASSERT_TRUE(dedup(other.options, {}).ok());
  EXPECT_EQ(slurp(one.options.output + "/templates.table"),
            slurp(other.options.output + "/templates.table"));
}

TEST(SiteTemplates, TextsThatAreNoPagesHaveAFormAndListsOfFeaturesNone) {
  Folder plain;
  plain.options.input.format = "jsonl";
  plain.options.output = plain.folder / "out";
  const Result<DedupSummary> done = dedup(plain.options, {});
  ASSERT_TRUE(done.ok()) << done.error().message;
  ASSERT_TRUE(done.value().templates.has_value());
  EXPECT_TRUE(done.value().templates->texts);
  plain.options.output = plain.folder / "features";
  plain.options.analyzer = "features";
  const Result<DedupSummary> refused = dedup(plain.options, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_FALSE(std::filesystem::exists(plain.options.output));
}

TEST(SiteTemplates, WarningsNameTheFirstSite) {
  EXPECT_TRUE(template_warnings({}, "url").empty());
  TemplateFacts left;
  left.too_alike = 1;
  left.not_learned = 7;
  left.first_not_learned = "a.org";
  const std::vector<std::string> said = template_warnings(left, "");
  ASSERT_EQ(said.size(), 2U);
  EXPECT_NE(said[0].find("1 site, the first that without a URL, "), std::string::npos) << said[0];
  EXPECT_NE(said[1].find("7 sites, the first a.org, "), std::string::npos) << said[1];
  TemplateFacts one;
  one.largest = {{"", 70, 0, 70, {}, {}}};
  EXPECT_TRUE(template_warnings(one, "").empty());
  ASSERT_EQ(template_warnings(one, "uri").size(), 1U);
  EXPECT_NE(template_warnings(one, "uri")[0].find("field uri"), std::string::npos);
}

}  // namespace
}  // namespace twinset
