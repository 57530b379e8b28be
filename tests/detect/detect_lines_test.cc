#include "detect/detect_lines.h"

#include <gtest/gtest.h>

#include "detect/detect_fields.h"
#include "detect/detect_testing.h"
#include "io/field_json.h"

namespace twinset {
namespace {

using namespace twinset::testing;

void append_page_line(const LabeledPage& page, bool is_bad, std::string& out) {
  FieldLine<DetectedPage> line(page_line_fields);
  set_line(*line, page, is_bad);
  line.append(out);
}

void append_match_line(const LabeledPage& page, PageMatch match, std::string& out) {
  FieldLine<MatchLine> line;
  line->url = page.url;
  line->set(match);
  line.append(out);
}

TEST(DetectLines, AreThoseOfTheDocs) {
  std::string out;
  const LabeledPage page{"http://a.org/\"1\"", "in.jsonl", 7, 3, 1, true, 0, 0};
  append_page_line(page, true, out);
  EXPECT_EQ(out, R"({"url": "http://a.org/\"1\"", "file": "in.jsonl", "record": 7, "chunks": 3, )"
                 R"("labeled": 1, "contains": 0.333333, "file_label": true, "bad": true})"
                 "\n");
  out.clear();
  PageMatch match{LabelKind::chunk, hash_chunk("x", ChunkHash::xxh3), 10, 20, "<p>x", {"u", 1, 2}};
  append_match_line(page, match, out);
  EXPECT_EQ(out, R"({"url": "http://a.org/\"1\"", "offset": 10, "length": 20, "kind": "chunk", )"
                 R"("hash": ")" +
                     to_hex(match.hash, ChunkHash::xxh3) +
                     R"(", "text": "<p>x", "label": {"url": "u", "offset": 1, "length": 2}})"
                     "\n");
  out.clear();
  match.text.clear();
  match.sample = {};
  append_match_line(page, match, out);
  EXPECT_EQ(out.find("text"), out.npos);
  EXPECT_EQ(out.find("label"), out.npos);
  out.clear();
  FieldLine<DetectedNeighborhood> neighborhood(neighborhood_line_fields);
  set_line(*neighborhood, {"a.org/", 2, 1, 8, 2, whole_share / 2}, false);
  neighborhood.append(out);
  EXPECT_EQ(out, R"({"prefix": "a.org/", "pages": 2, "labeled_pages": 1, "chunks": 8, )"
                 R"("labeled": 2, "badness": 0.25, "badness_pages": 0.25, )"
                 R"("contains_sum": 2147483648, "bad": false})"
                 "\n");
  out.clear();
  FieldLine<RecursionError> error;
  *error = {"http://a.org/x/x/x/", "in.jsonl", 3, "x", 3};
  error.append(out);
  EXPECT_EQ(out, R"({"url": "http://a.org/x/x/x/", "file": "in.jsonl", "record": 3, "parts": "x", )"
                 R"("times": 3})"
                 "\n");
}

TEST(DetectLines, TheFirstLinesOfAFolderAreItsSummary) {
  const ScratchFolder folder;
  DetectOptions options = made_crawl(3, 200).options(folder);
  options.top = 9;
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  DetectSummary read;
  ASSERT_TRUE(read_top_lines(unsynced(), options.output, 9, read).ok());
  ASSERT_EQ(read.top_pages.size(), 9U);
  ASSERT_EQ(read.top_neighborhoods.size(), 9U);
  DetectSummary both = done.value();
  both.top_pages = read.top_pages;
  both.top_neighborhoods = read.top_neighborhoods;
  EXPECT_EQ(to_json(both, Badness::chunks), to_json(done.value(), Badness::chunks));
}

TEST(DetectLines, ListsAreReadAsTheyWereFound) {
  const ScratchFolder folder;
  const DetectOptions options = made_crawl(4, 150).options(folder);
  const Result<DetectSummary> done = detect(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  RunContext context;
  context.files = &unsynced();
  Detections found(context, folder / "read", 1 << 20);
  ASSERT_TRUE(read_part_lists(unsynced(), options.output, ChunkHash::xxh3, found).ok());
  ASSERT_TRUE(found.seal().ok());
  std::string again;
  std::string matches;
  auto cursor = found.pages().read().value();
  for (const LabeledPage* page = cursor.next().value(); page != nullptr;
       page = cursor.next().value()) {
    const bool is_bad = share_of_units(page->units()) > done.value().page_threshold.threshold;
    append_page_line(*page, is_bad, again);
    ASSERT_TRUE(found
                    .for_each_match(*page,
                                    [&](PageMatch& match) -> Status {
                                      append_match_line(*page, match, matches);
                                      return {};
                                    })
                    .ok());
  }
  EXPECT_EQ(again, get_file(options.output + "/pages.jsonl.zst"));
  EXPECT_EQ(matches, get_file(options.output + "/matches.jsonl.zst"));
}

}  // namespace
}  // namespace twinset
