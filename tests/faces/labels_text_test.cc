#include <gtest/gtest.h>

#include "twinset/labels.h"

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

}  // namespace
}  // namespace twinset
