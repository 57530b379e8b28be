#include "faces/run_text.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(RunText, CountsAreAlignedAndThoseOfNothingLeftOut) {
  EXPECT_EQ(count_line(1234567, "records read"), "     1,234,567  records read\n");
  EXPECT_EQ(count_line(0, "records read"), "             0  records read\n");
  EXPECT_EQ(count_line_of_some(0, "carried"), "");
  EXPECT_EQ(count_line_of_some(1, "carried"), "             1  carried\n");
}

TEST(RunText, DocumentsWithoutASignatureHaveTheReasonsThatOccur) {
  EXPECT_EQ(without_signature_line({}), "");
  EXPECT_EQ(without_signature_line({.no_words = 2, .few_terms = 10}),
            "            12  without a signature: 2 of no words, 10 of few lexicon terms\n");
  EXPECT_EQ(without_signature_line({.no_features = 1}),
            "             1  without a signature: 1 of no features\n");
}

TEST(RunText, TheEngineIsALine) {
  RunFacts facts;
  facts.seconds = 2;
  facts.cpu_seconds = 3.5;
  facts.text_bytes = 50'000'000;
  facts.peak_memory_bytes = 90'000'000;
  EXPECT_EQ(engine_text(facts),
            "2.00 s, 3.50 s of CPU, 50 MB of text at 25 MB/s, 90 MB of memory\n");
}

}  // namespace
}  // namespace twinset
