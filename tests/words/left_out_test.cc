#include "words/left_out.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twinset {
namespace {

Analysis analysis_of(const std::string& text) {
  Analysis analysis;
  find_analyzer("words")->analyze(text, Offsets::keep, analysis);
  return analysis;
}

std::string bytes_of(const std::string& text, TextRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

TEST(LeaveOut, PutsANoteInPlaceOfWords) {
  std::string text = "Home Index\nFish and chips. Home, sweet home";
  Analysis analysis = analysis_of(text);
  const Analysis whole = analysis;
  const std::vector<TextRange> notes = leave_out({{0, 2}, {5, 6}}, text, analysis);
  EXPECT_EQ(text,
            "[2 words not compared: Home Index]\nFish and chips. [1 word not compared: Home], "
            "sweet home");
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(bytes_of(text, notes[0]), "[2 words not compared: Home Index]");
  EXPECT_EQ(bytes_of(text, notes[1]), "[1 word not compared: Home]");
  ASSERT_EQ(analysis.tokens.size(), 5U);
  EXPECT_EQ(analysis.tokens[0], whole.tokens[2]);
  EXPECT_EQ(analysis.tokens[3], whole.tokens[6]);
  const std::vector<std::string> words{"Fish", "and", "chips", "sweet", "home"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(
        text.substr(analysis.offsets[i].begin, analysis.offsets[i].end - analysis.offsets[i].begin),
        words[i]);
  }
}

TEST(LeaveOut, RangesMayGoBeyondATextThatWasCut) {
  std::string text = "one two three";
  Analysis analysis = analysis_of(text);
  EXPECT_EQ(leave_out({{1, 7}, {9, 11}}, text, analysis).size(), 1U);
  EXPECT_EQ(text, "one [2 words not compared: two three]");
  EXPECT_EQ(analysis.tokens.size(), 1U);
  EXPECT_TRUE(leave_out({}, text, analysis).empty());
  EXPECT_TRUE(leave_out({{4, 5}}, text, analysis).empty());
  EXPECT_EQ(text, "one [2 words not compared: two three]");
}

TEST(LeaveOut, ALongStretchIsShownByItsFirstWords) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "word" + std::to_string(i) + " ";
  Analysis analysis = analysis_of(text);
  leave_out({{0, 99}}, text, analysis);
  EXPECT_LT(text.size(), 130U) << text;
  EXPECT_TRUE(text.starts_with("[99 words not compared: word0 word1 ")) << text;
  EXPECT_TRUE(text.ends_with("...] word99 ")) << text;
}

TEST(SplitNotes, CutsAPartAtTheNotesInIt) {
  const std::string whole = "ab[n]cd[m]ef";
  const std::vector<TextRange> notes{{2, 5}, {7, 10}};
  const auto pieces = [&](std::size_t begin, std::size_t end) {
    std::string out;
    split_notes(whole, notes, std::string_view(whole).substr(begin, end - begin),
                [&](std::string_view piece, bool is_note) {
                  out += (is_note ? "!" : ".") + std::string(piece);
                });
    return out;
  };
  EXPECT_EQ(pieces(0, 12), ".ab![n].cd![m].ef");
  EXPECT_EQ(pieces(3, 8), "!n].cd![");
  EXPECT_EQ(pieces(5, 7), ".cd");
  EXPECT_EQ(pieces(2, 5), "![n]");
  EXPECT_EQ(pieces(4, 4), "");
}

}  // namespace
}  // namespace twinset
