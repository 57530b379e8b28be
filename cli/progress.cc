// Progress on standard error: a bar with rate and time left on a terminal, a
// line every ten seconds elsewhere, nothing for runs shorter than that.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <string>

#include "common.h"

namespace twinset::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double bar_interval_seconds = 0.1;
constexpr double line_interval_seconds = 10;
constexpr int bar_width = 24;

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

class TerminalProgress final : public ProgressSink {
 public:
  explicit TerminalProgress(bool bar) : bar_(bar) {}

  ~TerminalProgress() override {
    if (drawn_) say("\r\x1b[K");
  }

  void report(const Progress& progress) override {
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    if (progress.stage != stage_) {
      stage_ = progress.stage;
      stage_started_ = now;
    } else if (seconds(last_, now) < (bar_ ? bar_interval_seconds : line_interval_seconds)) {
      return;
    }
    if (!bar_ && seconds(started_, now) < line_interval_seconds) return;
    last_ = now;
    const std::string line = describe(progress, seconds(stage_started_, now));
    if (bar_) {
      say("\r\x1b[K" + line);
      drawn_ = true;
    } else {
      say(line + "\n");
    }
  }

  void notice(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    say((drawn_ ? "\r\x1b[Ktwinset: warning: " : "twinset: warning: ") + line + "\n");
  }

 private:
  static double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  std::string describe(const Progress& progress, double elapsed) const {
    std::string line = fmt::format("{:<7}", progress.stage);
    if (progress.total_bytes == 0) return line + duration(elapsed);
    const double done = static_cast<double>(progress.done_bytes);
    const double share = done / static_cast<double>(progress.total_bytes);
    if (bar_) {
      const int filled = static_cast<int>(share * bar_width);
      line += "[" + std::string(static_cast<std::size_t>(filled), '#') +
              std::string(static_cast<std::size_t>(bar_width - filled), '.') + "] ";
    }
    line += fmt::format("{:3.0f} %", share * 100);
    if (elapsed > 0.5 && done > 0) {
      line += fmt::format("  {:.0f} MB/s  {} left", done / elapsed / 1e6,
                          duration(elapsed * (1 - share) / share));
    }
    if (progress.records > 0) line += fmt::format("  {} records", progress.records);
    return line;
  }

  bool bar_;
  std::mutex mutex_;
  std::string stage_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point stage_started_ = started_;
  Clock::time_point last_ = started_;
  bool drawn_ = false;
};

class NoProgress final : public ProgressSink {
 public:
  void report(const Progress&) override {}
  void notice(const std::string& line) override { say("twinset: warning: " + line + "\n"); }
};

}  // namespace

std::unique_ptr<ProgressSink> make_progress(bool quiet) {
  if (quiet) return std::make_unique<NoProgress>();
  return std::make_unique<TerminalProgress>(::isatty(STDERR_FILENO) == 1);
}

}  // namespace twinset::cli
