#include "system/ordered.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

namespace twinset {
namespace {

struct Task {
  std::uint64_t number = 0;
  std::uint64_t square = 0;
};

/// Tasks 0 to count - 1; their squares are put into `out`.
OrderedSteps<Task> squares(std::uint64_t count, std::vector<std::uint64_t>& out) {
  OrderedSteps<Task> steps;
  steps.take = [count](Task& task, TaskPlace place) -> Result<bool> {
    EXPECT_LE(place.put, place.number);
    task.number = place.number;
    return place.number < count;
  };
  steps.work = [](unsigned, Task& task) -> Status {
    // Later tasks are often done first.
    if (task.number % 7 == 0) std::this_thread::yield();
    task.square = task.number * task.number;
    return {};
  };
  steps.put = [&out](Task& task) -> Status {
    EXPECT_EQ(task.number, out.size());
    out.push_back(task.square);
    return {};
  };
  return steps;
}

TEST(RunInOrder, PutsEveryTaskInOrderForAnyThreads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    for (const std::uint64_t count : {0, 1, 5, 3000}) {
      for (const unsigned keeps : {0U, 1U, 3U}) {  // none, all, or one in three
        std::vector<std::uint64_t> out;
        OrderedSteps<Task> steps = squares(count, out);
        if (keeps != 0) {
          steps.keeps_worker = [keeps](const Task& task) { return task.number % keeps == 0; };
        }
        ASSERT_TRUE(run_in_order(threads, steps).ok());
        ASSERT_EQ(out.size(), count);
        for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(out[i], i * i);
      }
    }
  }
}

/// Fails at task 500 in one of the three steps; the tasks put are a complete prefix.
TEST(RunInOrder, AfterAnErrorNothingIsTakenOrPut) {
  enum class Where { take, work, put, thrown };
  for (const Where where : {Where::take, Where::work, Where::put, Where::thrown}) {
    for (int round = 0; round < 20; ++round) {
      std::vector<std::uint64_t> out;
      OrderedSteps<Task> steps = squares(100000, out);
      if (round % 2 == 1) steps.keeps_worker = [](const Task&) { return true; };
      bool failed = false;
      steps.take = [&, take = steps.take](Task& task, TaskPlace place) -> Result<bool> {
        // The source is broken from then on: it must not be asked again.
        EXPECT_FALSE(failed);
        if (where == Where::take && place.number == 500) {
          failed = true;
          return io_error("take");
        }
        return take(task, place);
      };
      steps.work = [&, work = steps.work](unsigned worker, Task& task) -> Status {
        if (where == Where::work && task.number == 500) return io_error("work");
        if (where == Where::thrown && task.number == 500) throw std::runtime_error("thrown");
        return work(worker, task);
      };
      steps.put = [&, put = steps.put](Task& task) -> Status {
        if (where == Where::put && task.number == 500) return io_error("put");
        return put(task);
      };
      const Status done = run_in_order(4, steps);
      ASSERT_FALSE(done.ok());
      EXPECT_LE(out.size(), 500U);
      if (where == Where::put) {
        EXPECT_EQ(out.size(), 500U);
      }
    }
  }
}

/// The first task is done, or put, only after the third one has begun, which with two workers the
/// second one must not halt.
TEST(RunInOrder, ALongTaskHaltsNoWorker) {
  for (const bool while_put : {false, true}) {
    std::vector<std::uint64_t> out;
    OrderedSteps<Task> steps = squares(50, out);
    std::promise<void> third;
    std::future<void> begun = third.get_future();
    const auto take_long = [&] {
      EXPECT_EQ(begun.wait_for(std::chrono::seconds(60)), std::future_status::ready);
    };
    steps.work = [&, work = steps.work](unsigned worker, Task& task) -> Status {
      if (task.number == 2) third.set_value();
      if (task.number == 0 && !while_put) take_long();
      return work(worker, task);
    };
    steps.put = [&, put = steps.put](Task& task) -> Status {
      if (task.number == 0 && while_put) take_long();
      return put(task);
    };
    ASSERT_TRUE(run_in_order(2, steps).ok());
    EXPECT_EQ(out.size(), 50U);
  }
}

/// What put() needs of its worker is there still.
TEST(RunInOrder, ATaskMayKeepItsWorker) {
  std::vector<std::uint64_t> out;
  OrderedSteps<Task> steps = squares(3000, out);
  constexpr unsigned threads = 3;
  std::array<std::uint64_t, threads> last{};
  std::vector<unsigned> worker_of(3000);
  steps.keeps_worker = [](const Task&) { return true; };
  steps.work = [&, work = steps.work](unsigned worker, Task& task) -> Status {
    last[worker] = task.number;
    worker_of[task.number] = worker;
    return work(worker, task);
  };
  steps.put = [&, put = steps.put](Task& task) -> Status {
    EXPECT_EQ(last[worker_of[task.number]], task.number);
    return put(task);
  };
  ASSERT_TRUE(run_in_order(threads, steps).ok());
  EXPECT_EQ(out.size(), 3000U);
}

TEST(RunInOrder, NoneIsTakenBesideATaskThatIsAlone) {
  std::vector<std::uint64_t> out;
  OrderedSteps<Task> steps = squares(2000, out);
  std::uint64_t alone = 0;  // Written and read where take() is locked.
  steps.alone = [](const Task& task) { return task.number % 3 == 0; };
  steps.take = [&, take = steps.take](Task& task, TaskPlace place) -> Result<bool> {
    if (place.number > 0 && (place.number - 1) % 3 == 0) {
      EXPECT_EQ(place.put, place.number);
      ++alone;
    }
    return take(task, place);
  };
  ASSERT_TRUE(run_in_order(5, steps).ok());
  EXPECT_EQ(out.size(), 2000U);
  EXPECT_EQ(alone, 667U);
}

}  // namespace
}  // namespace twinset
