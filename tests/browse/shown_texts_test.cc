#include "browse/shown_texts.h"

#include <filesystem>
#include <fstream>

#include "support_runs/job_testing.h"
#include "support_runs/small_run.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class ShownTextsOfRun : public ::testing::Test {
 protected:
  void SetUp() override {
    small_.run();
    folder_ = open_output_folder(unsynced(), small_.options.output).value();
  }
  RecordPlace place(const std::string& id, std::uint64_t record) const {
    return {{id, small_.input, record}, 0};
  }
  SmallRun small_;
  OutputFolder folder_;
};

TEST_F(ShownTextsOfRun, FirstWordsAreThoseOfTheInput) {
  const ShownTexts texts(unsynced(), folder_);
  const std::vector<RecordPlace> places{place("n4", 4), place("n1", 1), place("n4", 4)};
  for (int again = 0; again < 2; ++again) {
    const auto words = texts.words(places, nullptr);
    ASSERT_TRUE(words.ok());
    ASSERT_EQ(words.value().size(), 3U);
    for (const ShownRecord& shown : words.value()) {
      EXPECT_EQ(shown.words.value_or("").rfind("The library will be closed", 0), 0U);
      EXPECT_TRUE(shown.missing.empty());
    }
  }
  // Kept words are not shown once the input is another one.
  small_.folder.write("notices.jsonl", "{\"id\":\"n1\",\"text\":\"quite new\"}\n");
  const auto words = texts.words(places, nullptr);
  for (const ShownRecord& shown : words.value()) {
    EXPECT_FALSE(shown.words.has_value());
    EXPECT_NE(shown.missing.find("has changed since the run"), std::string::npos);
  }
  std::filesystem::remove(small_.input);
  EXPECT_FALSE(texts.words(places, nullptr).value()[0].missing.empty());
  const SeenText gone = texts.text(place("n1", 1), nullptr).value();
  EXPECT_FALSE(gone.text.has_value());
  EXPECT_FALSE(gone.missing.empty());
}

TEST_F(ShownTextsOfRun, WordsOfALargeInputAreNotRead) {
  std::filesystem::resize_file(small_.input, ShownTexts::cheap_bytes + 1);
  const ShownTexts texts(unsynced(), folder_);
  const std::vector<RecordPlace> places{place("n1", 1)};
  const auto words = texts.words(places, nullptr);
  EXPECT_NE(words.value()[0].missing.find(" is large: the words"), std::string::npos);
}

TEST_F(ShownTextsOfRun, TwoSideBySide) {
  const ShownTexts texts(unsynced(), folder_);
  const auto pair = texts.pair(place("n1", 1), place("n4", 4), "near", Fate::near, nullptr);
  ASSERT_TRUE(pair.ok()) << pair.error().message;
  const ShownPair& shown = pair.value();
  EXPECT_EQ(shown.tag, "near");
  EXPECT_EQ(shown.a.id, "n1");
  EXPECT_EQ(shown.b.record, 4U);
  ASSERT_FALSE(shown.facts.empty());
  EXPECT_EQ(shown.facts[0].name, "resemblance");
  EXPECT_GT(shown.facts[0].value.real, 0.8);
  std::string only;
  for (const PairRow& row : shown.rows) {
    for (const Piece& piece : row.b) {
      if (piece.mark == Mark::only) only += piece.text;
    }
  }
  EXPECT_EQ(only, "week");
  const auto same =
      texts.pair(place("n1", 1), place("n2", 2), "identical", Fate::identical, nullptr);
  EXPECT_EQ(same.value().more, "The texts are identical.");
  EXPECT_TRUE(same.value().rows.empty());
  small_.folder.write("notices.jsonl", "{}\n");
  const auto changed = texts.pair(place("n1", 1), place("n4", 4), "near", Fate::near, nullptr);
  ASSERT_TRUE(changed.ok());
  EXPECT_TRUE(changed.value().rows.empty());
  EXPECT_NE(changed.value().more.find("has changed since the run"), std::string::npos);
}

TEST(ComparedPair, IsOfTwoGivenTexts) {
  const std::string same = "one two three four five six seven ";
  const auto pair = compared_pair(same + "eight", same + "nine", false);
  ASSERT_TRUE(pair.ok());
  EXPECT_NEAR(pair.value().facts.at(0).value.real, 3.0 / 5, 1e-9);
  EXPECT_FALSE(pair.value().rows.empty());
  const auto pages = compared_pair("<p>" + same, "<b>" + same + "</b>", true);
  EXPECT_EQ(pages.value().more, "The texts are identical.");
  EXPECT_TRUE(compared_pair("", "", false).ok());
}

TEST_F(ShownTextsOfRun, AWholeText) {
  const ShownTexts texts(unsynced(), folder_);
  const auto seen = texts.text(place("n5", 6), nullptr);
  EXPECT_EQ(seen.value().text.value_or("").rfind("quite another matter", 0), 0U);
}

TEST_F(ShownTextsOfRun, EndsWhenToldTo) {
  const ShownTexts texts(unsynced(), folder_);
  const std::atomic<bool> cancel = true;
  const std::vector<RecordPlace> places{place("n1", 1)};
  EXPECT_EQ(texts.words(places, &cancel).error().code, ErrorCode::interrupted);
  EXPECT_EQ(texts.text(places[0], &cancel).error().code, ErrorCode::interrupted);
  EXPECT_EQ(texts.pair(places[0], place("n4", 4), "near", Fate::near, &cancel).error().code,
            ErrorCode::interrupted);
  // Words that are kept are not read again.
  EXPECT_TRUE(texts.words(places, nullptr).ok());
  EXPECT_TRUE(texts.words(places, &cancel).ok());
}

}  // namespace
}  // namespace twinset
