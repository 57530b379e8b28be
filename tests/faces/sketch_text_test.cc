#include <gtest/gtest.h>

#include "twinset/sketch.h"

namespace twinset {
namespace {

TEST(SketchText, EachSchemeHasItsSignatures) {
  SketchSummary summary;
  summary.read = 1001;
  summary.documents = 1000;
  summary.schemes = {"simhash(bits=64)", "mod(shingle=5)"};
  summary.without = {{.no_words = 3}, {}};
  EXPECT_EQ(to_text(summary),
            "1,000 documents of 1,001 records\n"
            "           997  with a signature of simhash(bits=64)\n"
            "             3  without a signature: 3 of no words\n"
            "         1,000  with a signature of mod(shingle=5)\n");
}

TEST(SketchText, JoinHasPairsAndLines) {
  JoinSummary summary;
  summary.pairs = 1;
  summary.lines = 2000;
  summary.without = 3;
  EXPECT_EQ(to_text(summary), "1 pair in 2,000 lines, 3 of them without a signature\n");
}

}  // namespace
}  // namespace twinset
