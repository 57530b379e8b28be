#include "scheme/document_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scheme/record_documents.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;

/// The words that are left, as the paper prints them.
std::string left_of(const DocumentView& document, Blanking blanking) {
  DocumentWords words;
  read_words(document, blanking, true, words);
  EXPECT_EQ(words.hashes.size(), words.places.size());
  std::string text;
  for (std::size_t i = 0; i < words.places.size(); ++i) {
    const std::string word = word_text(document, words.places[i]);
    EXPECT_EQ(words.hashes[i], token_hash(word));
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::string left_of(std::string_view text, Blanking blanking = Blanking::numbers) {
  return left_of(PageDocument(text, Markup::none).view(), blanking);
}

// S-08: S section 6.4.2, from the abstract of January 28, 2003 in section 6.4.1.
TEST(DocumentWords, TheSampleSentenceIsThePapers) {
  constexpr std::string_view paper =
      "japans trade surplus hit billion yen billion in growing percent compared with trade surplus "
      "with us grew percent to billion yen";
  EXPECT_EQ(left_of("Japan's trade surplus hit 791 billion yen ($6.7 billion) in December, growing "
                    "19.9 percent compared with December 2001; trade surplus with US grew 18.6 "
                    "percent, to 624 billion yen."),
            paper);
  EXPECT_EQ(left_of("Japan\xE2\x80\x99s trade surplus hit"), "japans trade surplus hit");
}

TEST(DocumentWords, NumbersHaveADigitOfAnyScript) {
  EXPECT_EQ(left_of("2nd x86 3.14 1,000 4711"), "");
  EXPECT_EQ(left_of("a\xD9\xA3 b\xE0\xA5\xA9 c\xEF\xBC\x93 d"), "d");
  EXPECT_EQ(left_of("two and a half"), "two and a half");
}

TEST(DocumentWords, DatesAreThoseThatTheirWritingOrNeighborsShow) {
  EXPECT_EQ(left_of("on Monday, 3 January 2003 at 10 am GMT"), "on at gmt");
  EXPECT_EQ(left_of("SEPTEMBER september Sunday sunday"), "");
  EXPECT_EQ(left_of("in May it may rain; they march in March"), "in it may rain they march in");
  EXPECT_EQ(left_of("Sat 12 Mar 2003, he sat down 3 times"), "he sat down times");
  EXPECT_EQ(left_of("I am here in 2003 and we sat"), "i am here in and we sat");
  EXPECT_EQ(left_of("In 2003 we found the sun in a dec box"), "in we found the sun in a dec box");
  EXPECT_EQ(left_of("12 jan 1999"), "");
  EXPECT_EQ(left_of("Mo Tu We Th Fr Sa Su"), "");
  EXPECT_EQ(left_of("we th fr sa"), "we th fr sa");
}

std::string calendar(int month, bool page) {
  static const char* const names[] = {"January",   "February", "March",    "April",
                                      "May",       "June",     "July",     "August",
                                      "September", "October",  "November", "December"};
  std::string text = page ? "<html><body><h1>Events of the club</h1><table><tr><th colspan=7>"
                          : "Events of the club\n";
  text += std::string(names[month]) + (page ? " 2031</th></tr><tr>" : " 2031\n");
  for (const char* day : {"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"}) {
    text += page ? "<td>" + std::string(day) + "</td>" : std::string(day) + " ";
  }
  for (int day = 1; day <= 28 + (month * 5 + 3) % 4; ++day) {
    if (day % 7 == 1) text += page ? "</tr><tr>" : "\n";
    text += page ? "<td>" + std::to_string(day) + "</td>" : std::to_string(day) + " ";
  }
  return text + (page ? "</tr></table><p>No events in this month" : "\nNo events in this month");
}

// S-09: the twelve months of a blank calendar are one text; prose keeps its figures.
TEST(DocumentWords, CalendarsAreBlank) {
  for (int month = 0; month < 12; ++month) {
    for (const Blanking blanking : {Blanking::tables, Blanking::numbers}) {
      EXPECT_EQ(left_of(PageDocument(calendar(month, true)).view(), blanking),
                "events of the club no events in this month");
      EXPECT_EQ(left_of(calendar(month, false), blanking),
                "events of the club no events in this month");
    }
  }
}

TEST(DocumentWords, TablesOfNumbersKeepTheirLabels) {
  std::string table = "Population by state, in thousands, census of 1990\n";
  for (const char* state : {"Alabama", "Alaska", "Arizona", "New York"}) {
    table += std::string(state) + " 4040.6 4447.1 4779.7\n";
  }
  EXPECT_EQ(left_of(table + "More figures follow in the annex of this report.", Blanking::tables),
            "population by state in thousands census of alabama alaska arizona new york more "
            "figures follow in the annex of this report");
}

TEST(DocumentWords, ProseKeepsItsNumbers) {
  const std::string prose =
      "On 3 January 2003 the index fell 1.5 percent to 8,601.69 points, after 8,740.59 on "
      "Thursday; volume was 1.2 billion shares, against 1.6 billion in December 2002. In 2001 and "
      "2002 it lost 7.1 and 16.8 percent.";
  EXPECT_EQ(left_of(prose, Blanking::tables), left_of(prose, Blanking::none));
  // Fifteen numbers in a row are no table yet, sixteen are.
  std::string row = "values";
  for (int i = 0; i < 15; ++i) row += " " + std::to_string(i);
  EXPECT_EQ(left_of(row, Blanking::tables), left_of(row, Blanking::none));
  EXPECT_EQ(left_of(row + " 15", Blanking::tables), "values");
  // Names with numbers are no table.
  std::string names;
  for (int i = 0; i < 40; ++i) names += "node" + std::to_string(i) + " ";
  EXPECT_EQ(left_of(names, Blanking::tables), left_of(names, Blanking::none));
  EXPECT_EQ(left_of(names, Blanking::numbers), "");
  // Two numbers in three words are a table, fewer not.
  std::string two;
  std::string sparse;
  for (int i = 0; i < 30; ++i) {
    two += "7 7 word ";
    sparse += "7 word and ";
  }
  EXPECT_EQ(left_of(two, Blanking::tables).find('7'), std::string::npos);
  EXPECT_EQ(left_of(sparse, Blanking::tables), left_of(sparse, Blanking::none));
}

TEST(DocumentWords, NothingBlankedIsTheTokens) {
  const PageDocument page("<p>A rose is 1 <b>rose</b>'s rose</p>");
  DocumentWords words;
  for (const bool places : {false, true}) {
    read_words(page.view(), Blanking::none, places, words);
    EXPECT_TRUE(std::ranges::equal(words.hashes, page.view().analysis().tokens));
    EXPECT_EQ(words.places.size(), places ? words.hashes.size() : 0U);
  }
  const std::vector<std::uint64_t> numbers{1, 2};
  Analysis analysis;
  analysis.tokens = numbers;
  read_words(GivenView("7 7", analysis), Blanking::numbers, true, words);
  EXPECT_TRUE(std::ranges::equal(words.hashes, numbers));
}

// S-14: 1.5 for b, i and h1, once however many enclose a word; from real markup.
TEST(DocumentWords, TagsWeighTheirWords) {
  const PageDocument page(
      "<h1>head <i>line</i></h1><p>plain <b>bold <i>both</i></b> <u>under</u> "
      "<a href=x>link</a> un<b>split</b>");
  DocumentWords words;
  read_words(page.view(), Blanking::none, true, words);
  ASSERT_EQ(left_of(page.view(), Blanking::none), "head line plain bold both under link unsplit");
  const auto weights = [&](const std::vector<html::Tag>& tags, std::uint64_t percent) {
    std::vector<std::uint64_t> out;
    weigh_tags(page.view(), tags, percent, words, out);
    return out;
  };
  using html::Tag;
  EXPECT_THAT(weights({Tag::b, Tag::i, Tag::h1}, 150),
              ElementsAre(150, 150, 100, 150, 150, 100, 100, 100));
  EXPECT_THAT(weights({Tag::i}, 150), ElementsAre(100, 150, 100, 100, 150, 100, 100, 100));
  EXPECT_THAT(weights({Tag::a, Tag::u}, 300), ElementsAre(100, 100, 100, 100, 100, 300, 300, 100));
  // Blanked words take none of the others' weights with them.
  const PageDocument dated("<b>2003</b> was <b>good</b> 1999 not");
  read_words(dated.view(), Blanking::numbers, true, words);
  std::vector<std::uint64_t> out;
  weigh_tags(dated.view(), std::vector<Tag>{Tag::b}, 150, words, out);
  EXPECT_THAT(out, ElementsAre(100, 150, 100));
}

}  // namespace
}  // namespace twinset
