// The ends of time limits: flags that are set when their time has come.
//
//   Deadlines deadlines;
//   const Deadlines::Limit limit = deadlines.after(std::chrono::milliseconds(10'000));
//   index.lookup(name, settings, limit.passed());   // ends soon after with an Error (interrupted)
//
// Threads: any; a Limit is of one, and its flag is read by all.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace twinset::service {

class Deadlines {
  using Clock = std::chrono::steady_clock;
  using Flags = std::multimap<Clock::time_point, std::atomic<bool>>;

 public:
  /// Until it goes, it counts.
  class Limit {
   public:
    Limit(Limit&& other) noexcept : of_(std::exchange(other.of_, nullptr)), flag_(other.flag_) {}
    Limit& operator=(Limit&&) = delete;
    ~Limit() {
      if (of_ != nullptr) of_->forget(flag_);
    }
    const std::atomic<bool>* passed() const { return &flag_->second; }

   private:
    friend class Deadlines;
    Limit(Deadlines* of, Flags::iterator flag) : of_(of), flag_(flag) {}
    Deadlines* of_;
    Flags::iterator flag_;
  };

  Deadlines() : watcher_([this] { watch(); }) {}
  /// Its limits are gone.
  ~Deadlines();
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;

  Limit after(std::chrono::milliseconds time);

 private:
  void watch();
  void forget(Flags::iterator flag);

  std::mutex mutex_;
  std::condition_variable earlier_;  ///< there is one that ends earlier than all before, or none
  Flags flags_;
  bool ends_ = false;
  std::thread watcher_;
};

}  // namespace twinset::service
