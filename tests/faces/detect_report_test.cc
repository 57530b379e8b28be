#include <gtest/gtest.h>

#include "detect/detect_testing.h"
#include "faces/reports.h"

namespace twinset {
namespace {

using namespace twinset::testing;

std::string names(const JsonNode& facts) {
  std::string all;
  for (const JsonNode& section : facts["sections"].elements()) all += section["name"].text() + " ";
  return all;
}

TEST(DetectReport, HasWhatWasFound) {
  const ScratchFolder folder;
  Crawl crawl = made_crawl(8, 400);
  crawl.known_chunks.push_back("<p>&lt;script>alert(1)&lt;/script>" + crawl_chunk(77).substr(3));
  crawl.pages.push_back({"http://a.org/<b>", {crawl.known_chunks.back()}});
  DetectOptions options = crawl.options(folder);
  options.report = folder / "out/report.html";
  options.top = 1000;
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const std::string json = folder.read("out/report.json");
  const JsonNode facts = read_json(json, "report.json").value();
  EXPECT_EQ(names(facts),
            "totals histograms pages neighborhoods reuse labels distribution recursion run ");
  const std::vector<JsonNode> sections = facts["sections"].elements();
  EXPECT_EQ(sections[1]["histograms"].elements()[0]["bars"].elements().size(), 21U);
  const std::vector<JsonNode> pages = sections[2]["list"].elements();
  ASSERT_EQ(pages.size(), done.value().labeled_pages);
  EXPECT_FALSE(pages[0]["members"].elements().empty());
  EXPECT_TRUE(pages[0]["documents"].elements()[0]["words"].text().starts_with("Chunk "))
      << "a match is quoted as a reader sees it";
  EXPECT_NE(json.find("<script>alert"), json.npos) << "and what a reader sees may be a tag";
  // Each match is counted once, for its site and the one that it is known from.
  std::uint64_t matches = 0;
  for (const JsonNode& row : sections[4]["tables"].elements()[0]["rows"].elements()) {
    matches += row.elements()[4]["number"].integer().value();
    EXPECT_TRUE(row.elements()[0]["string"].text().ends_with("/"));
  }
  EXPECT_EQ(matches, done.value().labeled_chunks + done.value().labeled_files);
  // The distribution ends with all.
  const std::vector<JsonNode> rows = sections[6]["tables"].elements()[0]["rows"].elements();
  ASSERT_EQ(rows.size(), 21U);
  EXPECT_EQ(rows.back().elements()[1]["number"].integer(), done.value().neighborhood_threshold.of);
  EXPECT_EQ(rows.back().elements()[3]["number"].integer(), done.value().page_threshold.of);
  const std::string page = folder.read("out/report.html");
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_NE(page.find("http://a.org/&lt;b&gt;"), page.npos);
  bool is_listed = false;
  for (const OutputFile& file : done.value().outputs) is_listed |= file.name == "report.html";
  EXPECT_TRUE(is_listed);
}

TEST(DetectReport, OfARunWithoutAFolderAndOfAMerge) {
  const ScratchFolder folder;
  const Crawl crawl = made_crawl(9, 100);
  DetectOptions options = crawl.options(folder);
  const Result<DetectSummary> part = detect(options, quiet_control());
  ASSERT_TRUE(part.ok()) << part.error().message;
  DetectOptions merging;
  merging.merge = {options.output};
  merging.output = folder / "merged";
  merging.report = folder / "merged/report.html";
  ASSERT_TRUE(detect(merging, quiet_control()).ok());
  options.output.clear();
  options.report = folder / "alone.html";
  ASSERT_TRUE(detect(options, quiet_control()).ok());
  const std::string alone_json = folder.read("alone.json");
  const std::string merged_json = folder.read("merged/report.json");
  const JsonNode alone = read_json(alone_json, "alone.json").value();
  EXPECT_EQ(alone["output"].text(), "standard output");
  EXPECT_EQ(names(alone), names(read_json(merged_json, "report.json").value()));
  // It is there now, and nothing is overwritten.
  const Result<DetectSummary> again = detect(options, quiet_control());
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().message.find("alone.html"), std::string::npos);
}

TEST(DetectReport, NothingFound) {
  const Result<ReportFiles> files =
      detect_report({DetectOptions(), DetectSummary(), ShownDetections()});
  ASSERT_TRUE(files.ok()) << files.error().message;
  EXPECT_NE(files.value().page.find("Detected reuse"), std::string::npos);
}

}  // namespace
}  // namespace twinset
