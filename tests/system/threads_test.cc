#include "system/threads.h"

#include <gtest/gtest.h>

#ifdef __linux__
#include <sys/resource.h>
#endif

#include <algorithm>
#include <atomic>
#include <new>
#include <thread>
#include <vector>

namespace twinset {
namespace {

TEST(Threads, EachWorkerRunsOnceTheLastOnTheCaller) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    std::vector<std::atomic<int>> runs(threads == 0 ? 1 : threads);
    std::atomic<std::size_t> on_caller = 1000;
    const std::thread::id caller = std::this_thread::get_id();
    const Status done = run_workers(threads, [&](unsigned worker) -> Status {
      ++runs[worker];
      if (std::this_thread::get_id() == caller) on_caller = worker;
      return {};
    });
    EXPECT_TRUE(done.ok());
    for (const std::atomic<int>& count : runs) EXPECT_EQ(count, 1);
    EXPECT_EQ(on_caller, runs.size() - 1);
  }
}

TEST(Threads, OneThatLetsOthersFirstLeavesTheRestAsTheyWere) {
#ifdef __linux__
  const int before = ::getpriority(PRIO_PROCESS, 0);
  int within = before;
  std::thread([&] {
    let_others_first();
    within = ::getpriority(PRIO_PROCESS, 0);
  }).join();
  EXPECT_EQ(within, std::min(before + 5, 19));
  EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), before);
#else
  GTEST_SKIP() << "threads have no priority of their own here";
#endif
}

TEST(Threads, AllWorkersAreThereAtOnce) {
  std::atomic<unsigned> waiting = 0;
  const Status done = run_workers(4, [&](unsigned) -> Status {
    ++waiting;
    while (waiting < 4) std::this_thread::yield();
    return {};
  });
  EXPECT_TRUE(done.ok());
}

TEST(Threads, TheFirstErrorByNumberIsReturned) {
  const Status done = run_workers(5, [](unsigned worker) -> Status {
    if (worker == 0 || worker == 2) return {};
    return usage_error("worker " + std::to_string(worker));
  });
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message, "worker 1");
  EXPECT_EQ(done.error().code, ErrorCode::usage);
}

TEST(Threads, WhatIsThrownBecomesAnError) {
  for (const unsigned threads : {1U, 3U}) {
    const Status memory = run_workers(threads, [](unsigned) -> Status { throw std::bad_alloc(); });
    ASSERT_FALSE(memory.ok());
    EXPECT_NE(memory.error().message.find("out of memory"), std::string::npos);
    const Status other =
        run_workers(threads, [](unsigned) -> Status { throw std::runtime_error("odd"); });
    ASSERT_FALSE(other.ok());
    EXPECT_NE(other.error().message.find("odd"), std::string::npos);
  }
}

}  // namespace
}  // namespace twinset
