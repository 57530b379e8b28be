// What all calls from Python have in common: an Error becomes an exception, a run gives the
// interpreter away and looks for Ctrl-C, progress comes to a Python function.
//
//   const DedupSummary done = watched(progress, [&](const RunControl& control) {
//     return dedup(options, control);
//   });
//
// Threads: each call runs on a thread of its own; the caller's thread, with the interpreter only
// while it needs it, looks for signals twenty times a second.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset::python {

namespace nb = nanobind;

/// Raises twinset.Error.
[[noreturn]] void raise(const Error& error);

/// The value, or an exception.
template <class T>
T or_raise(Result<T> result) {
  if (!result.ok()) raise(result.error());
  return std::move(result).value();
}
inline void or_raise(const Status& status) {
  if (!status.ok()) raise(status.error());
}

/// The type of an object, as in "a list" or "an int".
std::string a_type_of(nb::handle object);

/// Text of any bytes as a str: what is not UTF-8 becomes U+FFFD.
nb::str text_of(std::string_view bytes);

/// Keeps the last report for the thread that has the interpreter.
class LastProgress final : public ProgressSink {
 public:
  void report(const Progress& progress) override;
  /// Calls `progress(stage, done_bytes, total_bytes, records)` if there is news.
  void tell(const nb::object& progress);

 private:
  std::mutex mutex_;
  std::string stage_;
  Progress last_;
  bool fresh_ = false;
};

/// Calls `job(control)` on a thread of its own, and `tell()` with the interpreter each 50 ms. What
/// that raises, such as KeyboardInterrupt, ends the run and comes out.
template <class Job>
auto watched(const nb::object& progress, RunControl control, Job job) {
  constexpr auto glance = std::chrono::milliseconds(50);
  std::atomic<bool> stop = false;
  LastProgress last;
  control.cancel = &stop;
  if (!progress.is_none()) control.progress = &last;
  std::optional<decltype(job(std::as_const(control)))> result;
  std::exception_ptr thrown;
  bool raised = false;
  {
    const nb::gil_scoped_release released;
    std::mutex mutex;
    std::condition_variable ready;
    bool done = false;
    std::thread worker([&] {
      try {
        result.emplace(job(std::as_const(control)));
      } catch (...) {  // memory, of the containers that results are gathered in
        thrown = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      ready.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!ready.wait_for(lock, glance, [&] { return done; })) {
      if (raised) continue;
      lock.unlock();
      {
        const nb::gil_scoped_acquire held;
        raised = PyErr_CheckSignals() != 0;
        if (!raised && control.progress == &last) {
          try {
            last.tell(progress);
          } catch (nb::python_error& error) {
            error.restore();
            raised = true;
          }
        }
        // The exception waits in this thread's state while the run ends.
      }
      if (raised) stop = true;
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (raised) throw nb::python_error();
  if (thrown) std::rethrow_exception(thrown);
  return or_raise(std::move(*result));
}

}  // namespace twinset::python
