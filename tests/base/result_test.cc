#include "twinset/result.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/message.h"

namespace twinset {
namespace {

using namespace std::string_literals;

constexpr Door doors[] = {Door::command_line, Door::python, Door::plain};

std::string typed(const std::string& message) {
  return render_message(Door::command_line, message);
}

TEST(Messages, EachDoorNamesOptionsInItsWords) {
  const std::string message = "longer than " + option("max_record") + "; add " +
                              option("shape", "stars") + ", " + option("floor", "0") + " and " +
                              switch_on("dry_run") + ", or use " + verb("labels show");
  EXPECT_EQ(render_message(Door::command_line, message),
            "longer than --max-record; add --shape stars, --floor 0 and --dry-run, or use twinset "
            "labels show");
  EXPECT_EQ(render_message(Door::python, message),
            "longer than max_record=; add shape=\"stars\", floor=0 and dry_run=True, or use "
            "twinset.labels_show");
  EXPECT_EQ(render_message(Door::plain, message),
            "longer than max_record; add shape=stars, floor=0 and dry_run, or use labels show");
}

TEST(Messages, TheOutputIsCalledByItsShortFlag) {
  const std::string message = "no output given: " + option("output", "DIR");
  EXPECT_EQ(render_message(Door::command_line, message), "no output given: -o DIR");
  EXPECT_EQ(render_message(Door::python, message), "no output given: output=DIR");
  EXPECT_EQ(typed("choose another " + option("output")), "choose another -o");
}

TEST(Messages, ValuesAreQuotedWhereADoorNeedsIt) {
  EXPECT_EQ(typed(option("scheme", "mod(modulus=16)")), "--scheme 'mod(modulus=16)'");
  EXPECT_EQ(typed(option("text", "it's")), "--text 'it'\\''s'");
  EXPECT_EQ(typed(option("nidf", "0.2:0.8")), "--nidf 0.2:0.8");
  EXPECT_EQ(typed(option("max_meetings", "1,000")), "--max-meetings 1,000");
  const auto python = [](std::string_view value) {
    return render_message(Door::python, option("x", value));
  };
  EXPECT_EQ(python("1,000"), "x=1_000");
  EXPECT_EQ(python("0.95"), "x=0.95");
  EXPECT_EQ(python("FILE.labels"), "x=\"FILE.labels\"");
  EXPECT_EQ(python("FILE"), "x=FILE");
  EXPECT_EQ(python("a\"b\\c"), "x=\"a\\\"b\\\\c\"");
  EXPECT_EQ(python(""), "x=\"\"");
}

TEST(Messages, TextWithoutMarksIsUnchanged) {
  for (const Door door : doors) {
    for (const std::string& text :
         {""s, "no mark"s, "{max_record}"s, "\0"s, "\0\0\0"s, "a\0b"s, "\xff\xfe"s, "\0}\0{"s}) {
      EXPECT_EQ(render_message(door, text), text);
    }
  }
}

// NUL bytes of users, alone or before a mark, stay as they are and leave the mark whole.
TEST(Messages, StrayNulBytesChangeNoMarkAfterThem) {
  for (const std::string& stray :
       {"\0"s, "\0{"s, "\0{max"s, "\0{max\0"s, "\0}"s, "\0{max=1"s, "\0{\0{"s, "{"s, "\0{\0}"s,
        "\0{Max\0}"s, "\0{max-record\0}"s, "\0{a b\0}"s, "\0{max!!\0}"s, "\0{max()x\0}"s,
        "\0{max(\0}"s, "\0{()\0}"s, "\0{=1\0}"s, "\0{"s + std::string(41, 'a') + "\0}"s}) {
    const std::string message = "id " + stray + " of " + option("id") + " or " + switch_on("all");
    EXPECT_EQ(typed(message), "id " + stray + " of --id or --all") << stray.size();
    EXPECT_EQ(typed(stray + option("id")), stray + "--id") << stray.size();
  }
}

TEST(Messages, UnterminatedMarksStay) {
  const std::string whole = option("shape", "stars");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string cut = whole.substr(0, length);
    for (const Door door : doors) EXPECT_EQ(render_message(door, cut), cut);
  }
}

// A mark that a user forges gives text that the user could have written without it.
TEST(Messages, AForgedMarkOnlyGivesItsOwnText) {
  EXPECT_EQ(typed("id \0{rm_rf\0} "s), "id --rm-rf ");
  EXPECT_EQ(typed("\0{x=\x1b[31m\0}"s), "--x '\x1b[31m'");  // The door makes it visible afterwards.
}

TEST(Messages, AValueWithANulDoesNotEndItsMark) {
  EXPECT_EQ(typed(option("text", "a\0}b"s)), "--text a\0}b"s);
  EXPECT_EQ(typed(option("text", "a}") + "."), "--text 'a}'.");
}

TEST(Messages, AnUnknownDoorGetsPlainWords) {
  EXPECT_EQ(render_message(static_cast<Door>(99), "give " + option("shape", "stars")),
            "give shape=stars");
}

// Rendering again changes nothing: each door may do so, and files do it once more.
TEST(Messages, RenderedTextHasNoMarks) {
  const std::string message = option("a") + option("b", "c") + switch_on("d") + verb("e");
  for (const Door door : doors) {
    const std::string shown = render_message(door, message);
    EXPECT_EQ(shown.find('\0'), std::string::npos);
    for (const Door other : doors) EXPECT_EQ(render_message(other, shown), shown);
  }
}

TEST(Messages, AnErrorGivesItsText) {
  const Error error = usage_error(option("sample") + " is at least 1");
  EXPECT_EQ(error.text(), "sample is at least 1");
  EXPECT_EQ(error.text(Door::command_line), "--sample is at least 1");
  EXPECT_EQ(error.text(Door::python), "sample= is at least 1");
  EXPECT_NE(error.message, error.text());
}

}  // namespace
}  // namespace twinset
