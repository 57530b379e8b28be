#include "run/memory_plan.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>

namespace twinset {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
constexpr std::uint64_t usual_record = 64 * mebibyte;

TEST(MemoryPlan, FloorIs64MiBAnd32AThread) {
  EXPECT_EQ(MemoryPlan::floor(1), 96 * mebibyte);
  EXPECT_EQ(MemoryPlan::floor(2), 128 * mebibyte);
  EXPECT_EQ(MemoryPlan::floor(0), MemoryPlan::floor(1));
  EXPECT_EQ(MemoryPlan::threads_in(1), 1U);
  EXPECT_EQ(MemoryPlan::threads_in(96 * mebibyte), 1U);
  EXPECT_EQ(MemoryPlan::threads_in(128 * mebibyte - 1), 1U);
  EXPECT_EQ(MemoryPlan::threads_in(128 * mebibyte), 2U);
  EXPECT_EQ(MemoryPlan::threads_in(gibibyte), 30U);
}

// The shares add up to the budget, none shrinks when the budget grows, and no record is refused
// because of --max-record alone.
TEST(MemoryPlan, SharesMakeUpTheBudgetAndGrowWithIt) {
  for (const unsigned threads : {1U, 2U, 7U, 64U}) {
    for (const std::uint64_t record : {std::uint64_t{1}, mebibyte, usual_record, 4 * gibibyte}) {
      MemoryPlan before = MemoryPlan::make(MemoryPlan::floor(threads), threads, record);
      EXPECT_EQ(before.worker, 32 * mebibyte);
      EXPECT_EQ(before.large + before.rows, 0U);
      EXPECT_EQ(before.steady_record_bytes(), mebibyte);
      for (std::uint64_t budget = MemoryPlan::floor(threads); budget < 1024 * gibibyte;
           budget += budget / 7) {
        const MemoryPlan plan = MemoryPlan::make(budget, threads, record);
        EXPECT_EQ(64 * mebibyte + plan.worker * threads + plan.large + plan.rows, budget);
        EXPECT_GE(plan.worker, before.worker);
        EXPECT_GE(plan.large, before.large);
        EXPECT_GE(plan.rows, before.rows);
        EXPECT_GE(plan.most_record_bytes(), plan.steady_record_bytes());
        before = plan;
      }
    }
  }
}

TEST(MemoryPlan, MuchMemoryHoldsTheLongestRecordAndTheWidestWindow) {
  const MemoryPlan plan = MemoryPlan::make(12 * gibibyte, 2, usual_record);
  EXPECT_GE(plan.most_record_bytes(), usual_record);
  EXPECT_GE(plan.most_window_bytes(), 2 * gibibyte);
  // The usual settings of docs/performance.md keep their memory for rows.
  EXPECT_GE(MemoryPlan::make(2 * gibibyte, 2, usual_record).rows, 600 * mebibyte);
}

TEST(MemoryPlan, AWindowThatIsKnownGetsItsRoom) {
  const std::uint64_t window = 2 * gibibyte;
  const MemoryPlan known = MemoryPlan::make(4 * gibibyte, 2, usual_record, window);
  EXPECT_GE(known.most_window_bytes(), window);
  EXPECT_GE(known.rows, known.large / 4);
  EXPECT_LT(MemoryPlan::make(4 * gibibyte, 2, usual_record).most_window_bytes(), window);
  // The figure that a message gives is enough, and not much more than the window.
  const MemoryPlan small = MemoryPlan::make(gibibyte, 2, usual_record, window);
  const std::uint64_t enough = small.budget_for_large(window);
  EXPECT_GE(MemoryPlan::make(enough, 2, usual_record, window).most_window_bytes(), window);
  EXPECT_LT(enough, 3 * gibibyte);
  // Usual windows change nothing.
  EXPECT_EQ(MemoryPlan::make(gibibyte, 2, mebibyte, 8 * mebibyte).large,
            MemoryPlan::make(gibibyte, 2, mebibyte).large);
}

// A machine of 16 GB has somewhat less for programs, and a run takes half of that.
TEST(MemoryPlan, HalfOfSixteenGigabytesHoldsTheWidestWindowOfALaterFrame) {
  for (const unsigned threads : {1U, 2U, 8U, 32U}) {
    const MemoryPlan plan = MemoryPlan::make(7936 * mebibyte, threads, usual_record);
    EXPECT_GE(plan.most_window_bytes(), 2 * gibibyte) << threads;
  }
}

TEST(MemoryPlan, NamesTheLeastBudgetThatDoes) {
  for (const std::uint64_t record : {mebibyte, usual_record}) {
    const MemoryPlan plan = MemoryPlan::make(MemoryPlan::floor(2), 2, record);
    for (const std::uint64_t bytes : {std::uint64_t{1}, 40 * mebibyte, 3 * gibibyte}) {
      const std::uint64_t large = plan.budget_for_large(bytes);
      EXPECT_GE(MemoryPlan::make(large, 2, record).large, bytes);
      EXPECT_LT(MemoryPlan::make(large - 1, 2, record).large, bytes);
      for (const std::uint64_t held : {std::uint64_t{0}, mebibyte, UINT64_MAX}) {
        const auto rows = [&](std::uint64_t budget) {
          MemoryPlan some = MemoryPlan::make(budget, 2, record);
          some.release_large(held);
          return some.rows;
        };
        const std::uint64_t least = plan.budget_for_rows(bytes, held);
        EXPECT_GE(rows(least), bytes);
        EXPECT_LT(rows(least - 1), bytes);
      }
    }
    EXPECT_EQ(plan.budget_for_large(0), MemoryPlan::floor(2));
    EXPECT_EQ(plan.budget_for_rows(0, UINT64_MAX), MemoryPlan::floor(2));
  }
}

// A budget of as many threads as it has room for may leave less than a smaller one with a thread
// less; a message must not name that.
TEST(MemoryPlan, NamesNoLessThanWhatWasTooLittle) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP();
  const MemoryPlan plan = MemoryPlan::make(MemoryPlan::floor(2), 0, mebibyte);
  ASSERT_EQ(plan.rows, 0U);
  for (const std::uint64_t needed : {plan.budget_for_rows(100, UINT64_MAX),
                                     plan.budget_for_rows(100, 0), plan.budget_for_large(100)}) {
    EXPECT_GT(needed, plan.budget);
    EXPECT_LT(needed, plan.budget + mebibyte);
  }
  // What is enough may be more than the least.
  EXPECT_EQ(plan.budget_for_rows(0, 0), MemoryPlan::floor(1));
}

TEST(MemoryPlan, OnlyLongRecordsAndWideWindowsTakeOfTheLargeShare) {
  MemoryPlan plan = MemoryPlan::make(512 * mebibyte, 2, usual_record);
  const std::uint64_t steady = plan.steady_record_bytes();
  EXPECT_EQ(plan.large_bytes_of(steady, 8 * mebibyte), 0U);
  EXPECT_EQ(plan.large_bytes_of(steady + 1, 0), 16 * (steady + 1));
  EXPECT_EQ(plan.large_bytes_of(0, 128 * mebibyte), 128 * mebibyte);
  EXPECT_EQ(plan.large_bytes_of(4 * mebibyte, 128 * mebibyte), 192 * mebibyte);
  const std::uint64_t both = plan.large + plan.rows;
  plan.release_large(10 * mebibyte);
  EXPECT_EQ(plan.large, 10 * mebibyte);
  EXPECT_EQ(plan.large + plan.rows, both);
  plan.release_large(UINT64_MAX);
  EXPECT_EQ(plan.large, 10 * mebibyte);
}

TEST(MemoryPlan, SaysPlainlyWhatIsTooLittle) {
  const MemoryPlan plan = MemoryPlan::make(100'000'000, 2, usual_record);
  EXPECT_EQ(plan.too_little("a run", 134'217'728, "").text(Door::command_line),
            "--memory 100 MB is too little: a run needs 134217728 bytes (134 MB)");
  EXPECT_EQ(plan.too_little("a run", 134'217'728, "try it").text(Door::command_line),
            "--memory 100 MB is too little: a run needs 134217728 bytes (134 MB); try it");
  EXPECT_EQ(plan.too_little("a run", 1, "").code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset
