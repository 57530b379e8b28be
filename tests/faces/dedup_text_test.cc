#include <gtest/gtest.h>

#include "base/message.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

DedupSummary counted_run() {
  DedupSummary summary;
  summary.total.read = 20'000;
  summary.total.kept = 11'988;
  summary.total.identical = 4000;
  summary.total.near = 4000;
  summary.total.filtered = 10;
  summary.total.quarantined = 2;
  summary.files.resize(2);
  summary.outputs = {{"quarantine.jsonl", 9}};
  summary.clusters = 1;
  summary.largest_cluster = 2000;
  summary.scheme = "minhash(shingle=5)";
  summary.candidate_pairs = 1;
  summary.verified_pairs = 1;
  summary.repair_rounds = 2;
  return summary;
}

TEST(DedupText, EveryRecordIsAccountedFor) {
  EXPECT_EQ(render_message(Door::command_line, to_text(counted_run())),
            "        20,000  records read in 2 files\n"
            "        11,988  kept\n"
            "         8,000  removed (40.0 %): 4,000 identical, 4,000 near\n"
            "            10  shorter than --min-tokens, left out\n"
            "             2  could not be read: see quarantine.jsonl\n"
            "             1  cluster; the largest has 2,000 records\n");
}

TEST(DedupText, ARunWithoutAFolderNamesNoFileOfIt) {
  DedupSummary summary = counted_run();
  summary.outputs.clear();
  EXPECT_NE(to_text(summary).find("  could not be read\n"), std::string::npos);
}

TEST(DedupText, NotAllIsNeverSaidOfAShareOfNearlyAll) {
  DedupSummary summary;
  summary.total.read = 1'000'000;
  summary.total.kept = 1;
  summary.total.near = 999'999;
  EXPECT_NE(to_text(summary).find("removed (>99.9 %)"), std::string::npos) << to_text(summary);
  EXPECT_NE(to_text(DedupSummary()).find("removed (0.0 %)"), std::string::npos);
}

TEST(DedupText, VerboseSaysHowPairsWereFound) {
  const std::string text = to_text(counted_run(), true);
  EXPECT_TRUE(text.starts_with(to_text(counted_run()) +
                               "\nminhash(shingle=5)\n"
                               "1 pair looked alike by a shared key, 0 by their sketches; 1 was "
                               "compared in full\n0 pairs more came from 2 repair rounds\n"))
      << text;
}

}  // namespace
}  // namespace twinset
