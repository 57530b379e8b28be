#include "faces/share_text.h"

#include <gtest/gtest.h>

#include "base/message.h"

namespace twinset {
namespace {

TEST(ShareText, SharesAreCutAndIntervalsWidened) {
  EXPECT_EQ(cut_share({999'999, 1'000'000, 0, 1}), "0.9999");
  EXPECT_EQ(cut_share({7, 7, 0, 1}), "1.0000");
  EXPECT_EQ(interval_text(0.9541, 0.9999), ".954-1.00");
  EXPECT_EQ(interval_text(0.1239, 0.1231), ".123-.124");
  EXPECT_EQ(share_columns({2, 3, 0.1234, 0.9123}), "0.6666 .123-.913");
  EXPECT_EQ(share_columns({}), "     -          ");
}

TEST(ShareText, ParagraphsFitThePage) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word" + std::to_string(i) + " ";
  std::string out;
  append_paragraph(out, words);
  append_line(out, "end   ");
  std::size_t lines = 0;
  for (std::size_t at = 0; at < out.size(); ++lines) {
    const std::size_t end = out.find('\n', at);
    EXPECT_LE(end - at, page_width);
    EXPECT_NE(out[end - 1], ' ');
    at = end + 1;
  }
  EXPECT_EQ(lines, 6U);
}

TEST(ShareText, NamesOfOptionsAndVerbsAreNotBroken) {
  for (std::size_t before = 70; before < 105; ++before) {
    const std::string words = std::string(before, 'x') + " so use " + verb("lexicon count") +
                              " or " + option("shape", "two words") + ", then go on";
    std::string out;
    append_paragraph(out, words);
    const std::string shown = render_message(Door::command_line, out);
    EXPECT_EQ(shown.find('\0'), std::string::npos) << before;
    EXPECT_NE(shown.find("twinset lexicon count"), std::string::npos) << before << ": " << shown;
    EXPECT_NE(shown.find("--shape 'two words',"), std::string::npos) << before << ": " << shown;
  }
}

}  // namespace
}  // namespace twinset
