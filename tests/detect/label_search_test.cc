#include "detect/label_search.h"

#include <gtest/gtest.h>

#include "detect/detect_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Detects in pages as they are, and returns the lines of matches.
std::vector<JsonNode> matches_of(const ScratchFolder& folder, const Crawl& crawl,
                                 std::string& text) {
  const Result<DetectSummary> done = detect(crawl.options(folder), quiet_control());
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message);
  text = get_file(folder / "out/matches.jsonl.zst");
  return json_lines(text);
}

TEST(LabelSearch, OffsetsLeadBackToTheBytesOfThePage) {
  // White space is normalized in what is hashed, and offsets are of the page as it is.
  std::string spaced = crawl_chunk(1);
  spaced.insert(spaced.find(' '), "\n\t  ");
  const Crawl crawl{{{"http://a.org/1", {"<title>t</title>", crawl_chunk(2), spaced, "<p>end"}}},
                    {crawl_chunk(1)},
                    {}};
  const ScratchFolder folder;
  std::string text;
  const std::vector<JsonNode> lines = matches_of(folder, crawl, text);
  ASSERT_EQ(lines.size(), 1U);
  const std::string page = crawl.pages[0].html();
  EXPECT_EQ(page.substr(lines[0]["offset"].integer().value(), lines[0]["length"].integer().value()),
            spaced);
  EXPECT_EQ("<p>" + lines[0]["text"].text(), crawl_chunk(1)) << "what a reader sees";
  EXPECT_EQ(lines[0]["label"]["url"].text(), "http://known.org/0");
}

TEST(LabelSearch, QuotesAreCutBetweenCharacters) {
  std::string known = "<p>x";
  while (known.size() < 400) known += "\xc3\xa9";
  const Crawl crawl{{{"http://a.org/1", {known}}}, {known}, {}};
  const ScratchFolder folder;
  std::string text;
  const std::vector<JsonNode> lines = matches_of(folder, crawl, text);
  ASSERT_EQ(lines.size(), 1U);
  const std::string quoted = lines[0]["text"].text();
  EXPECT_EQ(quoted, known.substr(3, 239));
}

TEST(LabelSearch, OnlyTheFirstThousandMatchesOfAPageAreQuoted) {
  const std::string known = crawl_chunk(1);
  const Crawl crawl{{{"http://a.org/1", std::vector<std::string>(2500, known)}}, {known}, {}};
  const ScratchFolder folder;
  std::string text;
  const std::vector<JsonNode> lines = matches_of(folder, crawl, text);
  ASSERT_EQ(lines.size(), 2500U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ASSERT_EQ(lines[i]["offset"].integer().value(), i * known.size());
    ASSERT_EQ(lines[i]["text"].text().empty(), i >= most_quoted_matches) << i;
  }
}

// files, too.
TEST(LabelSearch, AFileThatIsALabelIsAMatchOfItsOwn) {
  const std::string file = crawl_chunk(1) + crawl_chunk(2);
  const Crawl crawl{{{"http://a.org/1", {crawl_chunk(1), crawl_chunk(2)}},
                     {"http://a.org/2", {crawl_chunk(2), crawl_chunk(1)}}},
                    {},
                    {file}};
  const ScratchFolder folder;
  std::string text;
  const std::vector<JsonNode> lines = matches_of(folder, crawl, text);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["kind"].text(), "file");
  EXPECT_EQ(lines[0]["length"].integer().value(), file.size());
  const FoundLists lists = read_lists(folder / "out");
  ASSERT_EQ(lists.pages.size(), 1U);
  EXPECT_EQ(lists.pages[0], FoundLists::Page("http://a.org/1", 1, 2, 0, true));
}

}  // namespace
}  // namespace twinset
