#include "reuse/known_chunks.h"

#include <gtest/gtest.h>

#include "detect/detect_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(KnownChunks, HaveTheRulesOfTheirFile) {
  const ScratchFolder folder;
  ChunkRules rules;
  rules.least_characters = least_characters_of_phish;
  write_labels(folder / "known.labels", {crawl_chunk(1)}, {}, rules);
  const Result<KnownChunks> known = open_known_chunks(unsynced(), folder / "known.labels", "");
  ASSERT_TRUE(known.ok()) << known.error().message;
  EXPECT_EQ(known.value().rules, rules);
  EXPECT_EQ(known.value().stop, nullptr);
  EXPECT_EQ(known.value().stop_hash(), "");
  // A stop chunk may be shorter than the chunks.
  write_labels(folder / "stop.labels", {crawl_chunk(2)});
  const Result<KnownChunks> both =
      open_known_chunks(unsynced(), folder / "known.labels", folder / "stop.labels");
  ASSERT_TRUE(both.ok()) << both.error().message;
  EXPECT_FALSE(both.value().stop_hash().empty());
}

TEST(KnownChunks, WhyNothingWasFound) {
  const ScratchFolder folder;
  write_labels(folder / "known.labels", {crawl_chunk(1)});
  const Result<KnownChunks> known = open_known_chunks(unsynced(), folder / "known.labels", "");
  ASSERT_TRUE(known.ok());
  EXPECT_NE(known.value().warning(0, 5, true).find("has no labels"), std::string::npos);
  EXPECT_EQ(known.value().warning(1, 5, true), "");
  EXPECT_EQ(known.value().warning(1, 5, false), "") << "these labels are not said to be of pages";
  EXPECT_EQ(open_known_chunks(unsynced(), "", "").error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset
