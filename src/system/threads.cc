// Workers wait at a gate until all of them exist. Work that shares a queue may need every worker,
// so if the system refuses a thread, none begins.
//
// This file's interface is system/threads.h; the rest is private.
#include "system/threads.h"

#ifdef __linux__
#include <unistd.h>
#endif

#include <functional>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include "base/message.h"
#include "system/guarded.h"
#include "system/work_times.h"

namespace twinset {
namespace {

/// Runs one worker, and counts its time.
Status run_worker(const std::function<Status(unsigned)>& work, unsigned worker) noexcept {
  const WorkerTime time;
  return guarded([&] { return work(worker); });
}

Status start(unsigned threads, unsigned worker, std::vector<std::thread>& workers,
             const std::function<void()>& run) {
  try {
    workers.emplace_back(run);
  } catch (const std::system_error& thrown) {
    return io_error("cannot start thread " + std::to_string(worker + 2) + " of " +
                    std::to_string(threads) + ": " + thrown.what() + "; use fewer " +
                    option("threads"));
  }
  return {};
}

}  // namespace

void let_others_first() {
#ifdef __linux__
  // There it is of the calling thread alone. A little, so that a busy machine ends its work, too;
  // if it is refused, nothing is lost.
  [[maybe_unused]] const int now = ::nice(5);
#endif
}

Status run_workers(unsigned threads, const std::function<Status(unsigned)>& work) {
  if (threads <= 1) return run_worker(work, 0);
  std::vector<Status> outcomes(threads);
  std::promise<bool> gate;
  const std::shared_future<bool> opened(gate.get_future());
  std::vector<std::thread> workers;
  workers.reserve(threads - 1);
  // Until the threads that there are have ended, no exception may leave this function.
  const Status started = guarded([&]() -> Status {
    for (unsigned worker = 0; worker + 1 < threads; ++worker) {
      TWINSET_TRY(start(threads, worker, workers, [&work, &outcomes, opened, worker] {
        if (opened.get()) outcomes[worker] = run_worker(work, worker);
      }));
    }
    return {};
  });
  gate.set_value(started.ok());
  if (started.ok()) outcomes[threads - 1] = run_worker(work, threads - 1);
  for (std::thread& worker : workers) worker.join();
  TWINSET_TRY(started);
  for (const Status& outcome : outcomes) {
    if (!outcome.ok()) return outcome;
  }
  return {};
}

}  // namespace twinset
