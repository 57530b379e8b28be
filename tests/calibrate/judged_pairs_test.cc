#include "calibrate/judged_pairs.h"

#include <gtest/gtest.h>

#include "system/memory_files.h"

namespace twinset {
namespace {

Result<JudgedPairs> read(const std::string& lines) {
  MemoryFiles files;
  EXPECT_TRUE(files.write("pairs", lines).ok());
  return JudgedPairs::read(files, "pairs");
}

std::string message(const std::string& lines) {
  const Result<JudgedPairs> done = read(lines);
  EXPECT_FALSE(done.ok());
  return done.ok() ? "" : done.error().text(Door::command_line);
}

TEST(JudgedPairs, AreReadInBothForms) {
  Result<JudgedPairs> done = read(
      "{\"a\": \"x\", \"b\": 7, \"same\": true}\n"
      "{\"a\": 7, \"b\": \"x\", \"verdict\": \"same\", \"value\": 2, \"judge\": \"j\", \"at\": 0}\n"
      "{\"a\": \"x\", \"b\": \"z\", \"verdict\": \"different\"}\n"
      "{\"a\": \"x\", \"b\": \"q\", \"verdict\": \"unclear\"}\n");
  ASSERT_TRUE(done.ok()) << done.error().message;
  JudgedPairs& judged = done.value();
  ASSERT_EQ(judged.pairs().size(), 2U);
  EXPECT_EQ(judged.passed_over(), 1U);
  EXPECT_EQ(judged.ids(), 3U);
  EXPECT_TRUE(judged.pairs()[0].same);
  EXPECT_FALSE(judged.pairs()[1].same);
  EXPECT_TRUE(judged.take("x", 5).value());
  EXPECT_FALSE(judged.take("q", 6).value());
  EXPECT_EQ(judged.check().error().text(Door::command_line),
            "pairs pairs 2 ids that no document of the inputs has: 7, z; check --id");
  EXPECT_TRUE(judged.take("7", 6).value());
  EXPECT_TRUE(judged.take("z", 7).value());
  EXPECT_TRUE(judged.check().ok());
  EXPECT_EQ(judged.document(judged.pairs()[0].a), 5U);
  EXPECT_EQ(judged.take("x", 8).error().text(Door::command_line),
            "two documents have the id x, which pairs pairs; check --id");
}

TEST(JudgedPairs, MistakesNameTheLine) {
  const std::string good = "{\"a\": 1, \"b\": 2, \"same\": true}\n";
  EXPECT_EQ(message(good + "{\"a\": 1, \"b\": 2}\n").substr(0, 9), "pairs:2: ");
  EXPECT_EQ(message(good + "{\"a\": 1, \"b\": [], \"same\": true}\n").substr(0, 9), "pairs:2: ");
  EXPECT_EQ(message(good + "{\"a\": 1, \"b\": 3, \"same\": 1}\n").substr(0, 9), "pairs:2: ");
  EXPECT_EQ(message(good + "{\n").substr(0, 9), "pairs:2: ");
  EXPECT_EQ(message("{\"a\": 1, \"b\": 1, \"same\": true}\n"), "pairs:1: 1 is paired with itself");
  EXPECT_EQ(message(good + "{\"a\": 2, \"b\": 1, \"same\": false}\n"),
            "pairs:2: 2 and 1 are the same in one line and different in another");
  EXPECT_EQ(message(""), "pairs has no pair judged same or different");
  EXPECT_EQ(message("{\"a\": 1, \"b\": 2, \"verdict\": \"unclear\"}\n"),
            "pairs has no pair judged same or different, only 1 other");
}

}  // namespace
}  // namespace twinset
