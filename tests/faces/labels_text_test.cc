#include "faces/labels_text.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(LabelsText, ALineOfWhatTheFileHolds) {
  LabelsSummary summary;
  summary.chunks = 1234;
  summary.files = 1;
  summary.rules = "html(p)\x1b[31m";
  summary.hash = "abc";
  EXPECT_EQ(to_text(summary), "1,234 chunks and 1 file, made by html(p)\\x1b[31m; content abc\n");
}

TEST(LabelsText, ALabelHasItsCountsItsFirstPageAndItsWords) {
  Label label{.count = 1200, .documents = 7};
  add_sample(label, {"http://a.org/\x1b", 0, 9});
  add_text(label, "red \x1b[31m words");
  std::string out(label_lines.heading);
  label_lines.append(out, label, ChunkHash::xxh3);
  EXPECT_TRUE(
      out.starts_with("          count    documents  kind   hash, first page, words\n"
                      "          1,200            7  chunk  0000"))
      << out;
  EXPECT_NE(out.find("  http://a.org/\\x1b\n                              red \\x1b[31m words\n"),
            std::string::npos)
      << out;
}

}  // namespace
}  // namespace twinset
