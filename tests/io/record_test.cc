#include "io/record.h"

#include <gtest/gtest.h>

#include <set>

#include "io/scratch.h"

namespace twinset {
namespace {

TEST(Record, EveryReasonHasItsName) {
  std::set<std::string_view> names;
  for (int reason = 0; reason <= static_cast<int>(BadReason::unreadable); ++reason) {
    names.insert(reason_name(static_cast<BadReason>(reason)));
  }
  EXPECT_EQ(names.size(), 9U);
  EXPECT_EQ(reason_name(BadReason::record_too_long), "record_too_long");
}

TEST(Record, ABatchIsMadeReadyAgain) {
  RecordBatch batch;
  prepare_batch(batch, 1000);
  EXPECT_GE(batch.bytes.size(), 1000 + batch_padding_bytes);
  batch.records.emplace_back();
  const std::string_view words = batch.scratch->keep("some words");
  for (int i = 0; i < 1000; ++i) batch.scratch->keep("more");
  EXPECT_EQ(words, "some words");
  prepare_batch(batch, 10);
  EXPECT_TRUE(batch.records.empty());
  EXPECT_TRUE(batch.scratch->words.empty());
}

TEST(Record, MemoryOfAFarLargerBatchIsGivenBack) {
  RecordBatch batch;
  prepare_batch(batch, 100 << 20);
  batch.scratch->make_room(100 << 20);
  prepare_batch(batch, 1 << 20);
  EXPECT_LT(batch.bytes.capacity(), 5U << 20);
  EXPECT_EQ(batch.scratch->room_bytes, 0U);
}

TEST(Record, ABatchThatWasMovedFromCanBeUsed) {
  RecordBatch batch;
  prepare_batch(batch, 10);
  const RecordBatch other = std::move(batch);
  EXPECT_GE(other.bytes.size(), 10U);
  prepare_batch(batch, 10);  // NOLINT(bugprone-use-after-move)
  EXPECT_NE(batch.scratch, nullptr);
}

TEST(Record, FaultsAreToldWithTheirPlace) {
  EXPECT_EQ(fault_words({BadReason::corrupt_stream, 77, 0, "gzip: invalid block"}),
            "byte 77 of the file as stored: gzip: invalid block");
}

}  // namespace
}  // namespace twinset
