#include "faces/reuse_text.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(ReuseText, ExpectedNumbersAreShort) {
  EXPECT_EQ(expected_text(0), "0");
  EXPECT_EQ(expected_text(2.4104e-18), "2.4e-18");
  EXPECT_EQ(expected_text(44.4), "44");
}

TEST(ReuseText, WordsAreOneLineAndSteerNoTerminal) {
  EXPECT_EQ(words_text("a\n  b\x1b[31m c", 40), "a b\\x1b[31m c");
  EXPECT_LE(words_text(std::string(500, 'x') + " y", 40).size(), 50U);
}

}  // namespace
}  // namespace twinset
