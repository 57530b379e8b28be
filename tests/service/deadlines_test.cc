#include "deadlines.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

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
  EXPECT_TRUE(passes(deadlines.after(milliseconds(50)))) << "an earlier one than what is waited for";
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(50));
  EXPECT_FALSE(*late.passed());
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

}  // namespace
}  // namespace twinset::service
