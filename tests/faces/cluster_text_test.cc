#include <gtest/gtest.h>

#include "base/message.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

ClusterSummary counted_run() {
  ClusterSummary summary;
  summary.verb = "cluster";
  summary.read = 1000;
  summary.filtered = 1;
  summary.identical = 30;
  summary.lexical = 2;
  summary.all.clusters = 7;
  summary.all.documents = 50;
  summary.identical_only.clusters = 3;
  summary.identical_only.documents = 20;
  summary.largest = 12;
  summary.edges = 40;
  summary.kept_pairs = 90;
  summary.scheme = "mod(shingle=10)";
  return summary;
}

constexpr const char* clusters =
    "             7  clusters of 50 documents; the largest has 12\n"
    "             3  of identical documents only (20), 4 of others (30)\n";

TEST(ClusterText, DocumentsComeBeforeClusters) {
  EXPECT_EQ(render_message(Door::command_line, to_text(counted_run())),
            std::string("         1,000  records read\n"
                        "             1  shorter than --min-tokens, left out\n"
                        "            32  exact copies: 30 identical, 2 differing only in case or "
                        "punctuation\n") +
                clusters);
}

TEST(ClusterText, PairsThatAreNotSeenAreSaid) {
  ClusterSummary summary = counted_run();
  summary.too_few_keys = 2000;
  summary.least_keys = 3;
  summary.resemblance = Ratio(1, 2);
  summary.unseen_pairs = Interval{0.082, 0.059, 0.112};
  EXPECT_TRUE(to_text(summary).ends_with(
      "2,000 more pairs look alike by fewer than 3 shared keys and are left out\n"
      "of the pairs at 0.5, 8.2 % (5.9 to 11.2) share no key and are not seen\n"))
      << to_text(summary);
}

TEST(ClusterText, RecutHasItsClustersAlone) {
  ClusterSummary summary = counted_run();
  summary.verb = "recut";
  EXPECT_EQ(to_text(summary),
            clusters + std::string("40 of 90 pairs that cluster kept reach the threshold\n"));
}

TEST(ClusterText, VerboseSaysHowPairsWereFound) {
  const std::string text = to_text(counted_run(), true);
  EXPECT_NE(text.find("\nmod(shingle=10)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("90 kept, 40 at the threshold\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace twinset
