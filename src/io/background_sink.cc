#include "io/background_sink.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace twinset {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

/// Two buffers: one is filled while the other is written.
class BackgroundSink final : public ByteSink {
 public:
  explicit BackgroundSink(std::unique_ptr<ByteSink> sink)
      : sink_(std::move(sink)), thread_([this] { drain(); }) {}

  ~BackgroundSink() override { stop(); }

  Status write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), buffer_bytes - filling_.size());
      filling_.append(bytes.substr(0, count));
      bytes.remove_prefix(count);
      if (filling_.size() == buffer_bytes) TWINSET_TRY(hand_over());
    }
    return {};
  }

  Status finish() override {
    if (!filling_.empty()) TWINSET_TRY(hand_over());
    stop();
    TWINSET_TRY(std::move(status_));
    return sink_->finish();
  }

 private:
  /// Waits until the other buffer is written, then swaps.
  Status hand_over() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !full_ || !status_.ok(); });
    if (!status_.ok()) return status_;
    std::swap(filling_, writing_);
    filling_.clear();
    full_ = true;
    changed_.notify_all();
    return {};
  }

  void drain() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return full_ || stopping_; });
      if (!full_) return;
      lock.unlock();
      Status written = sink_->write(writing_);
      lock.lock();
      if (!written.ok()) status_ = std::move(written);
      full_ = false;
      changed_.notify_all();
      if (!status_.ok()) return;
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
  }

  std::unique_ptr<ByteSink> sink_;
  std::string filling_;
  std::string writing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool full_ = false;
  bool stopping_ = false;
  Status status_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<ByteSink> write_in_background(std::unique_ptr<ByteSink> sink) {
  return std::make_unique<BackgroundSink>(std::move(sink));
}

}  // namespace twinset
