#include "detect/detect_fields.h"

#include "support/field_check.h"

namespace twinset {
namespace {

/// Every member has a value of its own.
DetectSummary filled() {
  DetectSummary summary;
  testing::fill_fields(fields_of(summary));
  summary.page_threshold.of = summary.pages;
  summary.labeled_chunks = summary.chunks;
  summary.expected_false_labels = 2.4e-18;
  summary.page_threshold.mean = 1.0 / 3;
  return summary;
}

TEST(DetectFields, GoBothWays) {
  const DetectSummary summary = filled();
  const DetectSummary again = testing::expect_both_ways(summary);
  EXPECT_EQ(again.badness, Badness::pages);
  EXPECT_EQ(again.page_threshold.mean, 1.0 / 3);
  EXPECT_EQ(again.expected_false_labels, 2.4e-18);
  EXPECT_EQ(again.stop_hash, summary.stop_hash);
  EXPECT_EQ(again.by_badness, summary.by_badness);
}

TEST(DetectFields, CountsThatContradictEachOtherAreAnError) {
  const auto refusal = [](DetectSummary summary) {
    const std::string json = fields_json(fields_of(summary));
    DetectSummary again;
    const Status read = read_fields(json, "x", fields_of(again));
    return read.ok() ? "" : read.error().message;
  };
  DetectSummary pages = filled();
  ++pages.page_threshold.of;
  EXPECT_NE(refusal(pages).find("page_threshold.of <= pages"), std::string::npos);
  DetectSummary chunks = filled();
  ++chunks.labeled_chunks;
  EXPECT_NE(refusal(chunks).find("labeled_chunks <= chunks"), std::string::npos);
  DetectSummary labels = filled();
  labels.labels_hash.clear();
  EXPECT_NE(refusal(labels).find("labels_hash and rules are not empty"), std::string::npos);
}

TEST(DetectFields, OfPagesAndNeighborhoods) {
  DetectedPage page{"http://a.org/1", "a.jsonl", 1, 4, 3, true, true};
  EXPECT_EQ(fields_json(fields_of(page)),
            R"({"kind": "page", "url": "http://a.org/1", "file": "a.jsonl", "record": 1, )"
            R"("chunks": 4, "labeled": 3, "contains": 0.75, "file_label": true, "bad": true})");
  DetectedNeighborhood neighborhood{"a.org/", 2, 1, 8, 2, std::uint64_t{1} << 32, false};
  EXPECT_EQ(fields_json(fields_of(neighborhood)),
            R"({"kind": "neighborhood", "prefix": "a.org/", "pages": 2, "labeled_pages": 1, )"
            R"("chunks": 8, "labeled": 2, "badness": 0.25, "badness_pages": 0.5, "bad": false})");
}

TEST(DetectFields, OfTheTotals) {
  DetectSummary summary = filled();
  summary.pages = 5;
  summary.page_threshold.bad = 2;
  summary.page_threshold.threshold = 1.0 / 3;
  const std::string json = fields_json(totals_fields(summary, Badness::chunks));
  EXPECT_TRUE(json.starts_with(R"({"kind": "totals", "pages": 5, )")) << json;
  EXPECT_NE(json.find(R"("bad_pages": 2, "page_threshold": 0.3333333333333333, )"), json.npos);
  EXPECT_NE(json.find(R"("badness": "chunks", )"), json.npos);
  EXPECT_TRUE(json.ends_with(R"("expected_false_labels": 2.4e-18})")) << json;
}

TEST(BadnessName, IsThatOfTheOption) {
  EXPECT_EQ(badness_name(Badness::chunks), "chunks");
  EXPECT_EQ(badness_name(Badness::pages), "pages");
}

}  // namespace
}  // namespace twinset
