// Workers wait at a gate until all of them exist. Work that shares a queue may need every worker,
// so if the system refuses a thread, none begins.
//
// This file's interface is system/threads.h; the rest is private.
#include "system/threads.h"

#include <exception>
#include <future>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/message.h"

namespace twinset {
namespace {

/// Runs one worker; an exception thrown by a library becomes an Error here.
Status guarded(const std::function<Status(unsigned)>& work, unsigned worker) {
  try {
    return work(worker);
  } catch (const std::bad_alloc&) {
    return io_error("out of memory; give a smaller " + option("memory") + " or fewer " +
                    option("threads"));
  } catch (const std::exception& thrown) {
    return io_error(std::string("unexpected failure: ") + thrown.what());
  }
}

}  // namespace

Status run_workers(unsigned threads, const std::function<Status(unsigned)>& work) {
  if (threads <= 1) return guarded(work, 0);
  std::vector<Status> outcomes(threads);
  std::promise<bool> gate;
  const std::shared_future<bool> opened(gate.get_future());
  std::vector<std::thread> workers;
  workers.reserve(threads - 1);
  std::optional<Error> refused;
  for (unsigned worker = 0; worker + 1 < threads && !refused; ++worker) {
    try {
      workers.emplace_back([&work, &outcomes, opened, worker] {
        if (opened.get()) outcomes[worker] = guarded(work, worker);
      });
    } catch (const std::system_error& thrown) {
      refused = io_error("cannot start thread " + std::to_string(worker + 2) + " of " +
                         std::to_string(threads) + ": " + thrown.what() + "; use fewer " +
                         option("threads"));
    }
  }
  gate.set_value(!refused);
  if (!refused) outcomes[threads - 1] = guarded(work, threads - 1);
  for (std::thread& worker : workers) worker.join();
  if (refused) return *refused;
  for (const Status& outcome : outcomes) {
    if (!outcome.ok()) return outcome;
  }
  return {};
}

}  // namespace twinset
