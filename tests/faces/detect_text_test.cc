#include <gtest/gtest.h>

#include "detect/detect_testing.h"
#include "io/json_read.h"
#include "twinset/reuse.h"

namespace twinset {
namespace {

using namespace twinset::testing;

DetectSummary sample() {
  DetectSummary summary;
  summary.read = 1004;
  summary.pages = 1000;
  summary.quarantined = 1;
  summary.recursion_errors = 3;
  summary.chunks = 4000;
  summary.labeled_chunks = 12;
  summary.labeled_pages = 5;
  summary.labeled_files = 1;
  summary.neighborhoods = 77;
  summary.page_threshold = {900, 0.04, 0.123, 0.163, 2};
  summary.neighborhood_threshold = {77, 0.1, 0.2, 0.25, 1};
  summary.labels = 9;
  summary.expected_false_labels = 1.2e-20;
  summary.top_pages = {{"http://a.org/\x1b[2J", "f", 1, 4, 3, true, true},
                       {"http://b.org/", "f", 2, 10'000, 1, false, false}};
  summary.top_neighborhoods = {{"a.org/", 1200, 3, 10, 5, std::uint64_t{600} << 32, true}};
  return summary;
}

TEST(DetectText, ForATerminal) {
  const std::string text = to_text(sample(), Badness::chunks);
  EXPECT_NE(text.find("bad  contains  labeled/chunks  URL\n"
                      "bad     0.750             3/4  http://a.org/\\x1b[2J  (the whole file)\n"
                      "       0.0001         1/10000  http://b.org/\n"
                      "               3  more pages hold a label\n"),
            text.npos)
      << text;
  EXPECT_NE(text.find("bad   badness           pages  PREFIX\n"
                      "bad     0.500           1,200  a.org/\n"),
            text.npos)
      << text;
  EXPECT_NE(text.find("above 0.163: the mean 0.040 and one standard deviation 0.123 of 900 pages"),
            text.npos)
      << text;
  // Of a fixed threshold the mean is told, too.
  EXPECT_NE(text.find("above 0.250; for comparison: the mean 0.100"), text.npos) << text;
  EXPECT_NE(text.find("1.2e-20  false matches expected"), text.npos) << text;
  EXPECT_NE(text.find("1  record could not be read\n"), text.npos) << text;
  EXPECT_EQ(text.find('\x1b'), text.npos);
}

TEST(DetectText, JsonIsALineEach) {
  const std::string json = to_json(sample(), Badness::pages);
  const std::vector<JsonNode> lines = json_lines(json);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0]["kind"].text(), "page");
  EXPECT_EQ(lines[0]["contains"].real(), 0.75);
  EXPECT_EQ(lines[0]["bad"].boolean(), true);
  EXPECT_EQ(lines[2]["kind"].text(), "neighborhood");
  EXPECT_EQ(lines[2]["badness"].real(), 0.5);
  EXPECT_EQ(lines[2]["badness_pages"].real(), 0.5);
  EXPECT_EQ(lines[3]["kind"].text(), "totals");
  EXPECT_EQ(lines[3]["badness"].text(), "pages");
  EXPECT_EQ(lines[3]["expected_false_labels"].real(), 1.2e-20);
}

TEST(DetectText, NothingFoundIsSaid) {
  const std::string text = to_text(DetectSummary(), Badness::chunks);
  EXPECT_EQ(text.find("URL"), text.npos);
  EXPECT_NE(text.find("0  pages hold a label"), text.npos) << text;
}

}  // namespace
}  // namespace twinset
