// Two documents with equal tokens have one fingerprint; records that are not documents have none.
#include "run/fingerprints.h"

#include <gtest/gtest.h>

#include "scheme/identity.h"
#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(Fingerprints, AreOfDocumentsOnly) {
  const ScratchFolder folder;
  RunContext context;
  context.files = &unsynced();
  context.tmp = folder.path();
  Fingerprints fingerprints({&context, folder / "fold", std::uint64_t{8} << 20, 1});
  ASSERT_TRUE(fingerprints.open(nullptr).ok());
  const auto rows = fingerprints.rows();
  rows->begin({0, 0, 4});
  RecordView view({.analyzer = find_analyzer("words")});
  const std::vector<std::pair<const char*, Fate>> records{
      {"A rose", Fate::kept}, {"a rose", Fate::kept}, {"a rose", Fate::filtered}, {"", Fate::bad}};
  for (std::size_t i = 0; i < records.size(); ++i) {
    Record record;
    record.number = i + 1;
    record.text = records[i].first;
    view.look_at(record);
    const ReadRecord read{DocumentId(0, i + 1), record, records[i].second, view};
    EXPECT_TRUE(static_cast<Collector&>(fingerprints).take(read, *rows).ok());
  }
  const auto& made = static_cast<const FingerprintRows&>(*rows).rows;
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].key, made[1].key);
  EXPECT_NE(made[0].raw, made[1].raw);
  EXPECT_EQ(made[1].raw, identical_fingerprint("a rose"));
  ASSERT_TRUE(static_cast<Collector&>(fingerprints).add(*rows).ok());
  StateFile file;
  ASSERT_TRUE(fingerprints.checkpoint(file).ok());
  EXPECT_FALSE(file.kept_files().empty());
  fingerprints.drop_rows();
  StateFile used;
  ASSERT_TRUE(fingerprints.checkpoint(used).ok());
  EXPECT_TRUE(used.kept_files().empty());
}

// I-07: a text without tokens has no signature and matches nothing, not even its equal; dedup alone
// takes equal ones for copies.
TEST(Fingerprints, OfTextsWithoutTokensAreLeftOutIfAsked) {
  const ScratchFolder folder;
  RunContext context;
  context.files = &unsynced();
  context.tmp = folder.path();
  for (const bool folds : {true, false}) {
    Fingerprints fingerprints({&context, folder / "fold", std::uint64_t{8} << 20, 1}, nullptr,
                              FoldsSets::no, folds);
    const auto rows = fingerprints.rows();
    rows->begin({0, 0, 3});
    RecordView view({.analyzer = find_analyzer("words")});
    for (std::size_t i = 0; i < 3; ++i) {
      Record record;
      record.number = i + 1;
      record.text = i == 2 ? "a" : "...";
      view.look_at(record);
      if (i == 2) view.compare_bytes_only();
      const ReadRecord read{DocumentId(0, i + 1), record, Fate::kept, view};
      EXPECT_TRUE(static_cast<Collector&>(fingerprints).take(read, *rows).ok());
    }
    EXPECT_EQ(static_cast<const FingerprintRows&>(*rows).rows.size(), folds ? 3U : 1U);
  }
}

}  // namespace
}  // namespace twinset
