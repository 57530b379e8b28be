#include "deadlines.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "state.h"

namespace twinset::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

bool passes(const Deadlines::Limit& limit) {
  for (int i = 0; i < 10'000 && !*limit.passed(); ++i) std::this_thread::sleep_for(milliseconds(1));
  return *limit.passed();
}

TEST(Deadlines, SetAFlagWhenTheTimeHasCome) {
  Deadlines deadlines;
  const Deadlines::Limit late = deadlines.after(seconds(3600));
  EXPECT_TRUE(passes(deadlines.after(milliseconds(0))));
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(passes(deadlines.after(milliseconds(50))))
      << "an earlier one than what is waited for";
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(50));
  EXPECT_FALSE(*late.passed());
}

TEST(Deadlines, OneThatPassedLongAgoHidesNoOther) {
  Deadlines deadlines;
  const Deadlines::Limit slow = deadlines.after(milliseconds(0));
  ASSERT_TRUE(passes(slow));
  EXPECT_TRUE(passes(deadlines.after(milliseconds(20))));
}

TEST(Deadlines, CountOnlyWhileTheLimitIsThere) {
  Deadlines deadlines;
  for (int i = 0; i < 100; ++i) {
    Deadlines::Limit first = deadlines.after(milliseconds(1));
    const Deadlines::Limit moved = std::move(first);
    EXPECT_TRUE(i % 10 != 0 || passes(moved));
  }
  EXPECT_TRUE(passes(deadlines.after(milliseconds(5))));
}

TEST(Deadlines, OfManyThreads) {
  Deadlines deadlines;
  std::atomic<int> passed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 50; ++k) {
        const Deadlines::Limit limit = deadlines.after(milliseconds((i + k) % 7));
        if (k % 5 == 0) passed += passes(limit) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, 80);
}

twinset::Result<int> until_told(const std::atomic<bool>* passed) {
  while (!*passed) std::this_thread::sleep_for(milliseconds(1));
  return Error{ErrorCode::interrupted, "interrupted"};
}

TEST(TimeLimit, OfAServiceIsAFailureOfItsOwn) {
  State state;
  state.options.time_limit = 5;
  const Outcome<int> late = state.within_limit(until_told);
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().status, 503U);
  EXPECT_EQ(late.error().code, "time_limit");
  EXPECT_NE(late.error().message.find("5 ms"), std::string::npos) << late.error().message;

  state.options.time_limit = UINT64_MAX;
  const auto in_time = [](const std::atomic<bool>* passed) {
    return twinset::Result<int>(passed != nullptr && !*passed ? 7 : 0);
  };
  EXPECT_EQ(state.within_limit(in_time).value(), 7);
  const Outcome<int> stopped =
      state.within_limit([](const std::atomic<bool>*) -> twinset::Result<int> {
        return Error{ErrorCode::interrupted, "interrupted"};
      });
  EXPECT_EQ(stopped.error().code, "stopping");

  state.options.time_limit = 0;
  const auto without = [](const std::atomic<bool>* passed) {
    return twinset::Result<int>(passed == nullptr ? 7 : 0);
  };
  EXPECT_EQ(state.within_limit(without).value(), 7);
}

}  // namespace
}  // namespace twinset::service
