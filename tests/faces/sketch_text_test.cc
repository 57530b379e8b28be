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

TEST(SketchText, FeaturesAreATable) {
  SketchSummary summary;
  summary.read = summary.documents = 1;
  summary.schemes = {"simhash(bits=64)"};
  summary.without = {{}};
  summary.features.resize(1);
  ListedFeatures& listed = summary.features[0];
  listed.document = "\"d1\"";
  listed.scheme = "simhash(bits=64)";
  listed.features = 1143;
  listed.heaviest = {{"rose", "", 1200, .25, "9a10eb5cec84c52e", 40},
                     {"On \x1b roses", "title", 12, .002, "00000000000000ff", 31}};
  EXPECT_EQ(to_text(summary),
            "1 document of 1 record\n"
            "             1  with a signature of simhash(bits=64)\n"
            "\n\"d1\": the heaviest 2 of 1,143 features of simhash\n"
            "        weight    share  votes for bits       agrees  feature\n"
            "         1,200  25.00 %  9a10eb5cec84c52e      40/64  rose\n"
            "            12   0.20 %  00000000000000ff      31/64  title: On \\x1b roses\n");
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
