// Progress on standard error: a bar with rate and time left on a terminal, a
// line every ten seconds elsewhere, nothing for runs shorter than that.
//
// A line wider than the terminal would wrap, and "\r" would then leave its first row on the screen;
// so the parts that do not fit are left out, the least useful first.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>

#include "common.h"

namespace twinset::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double bar_interval_seconds = 0.1;
constexpr double line_interval_seconds = 10;
constexpr std::size_t bar_width = 24;
constexpr const char* erase_line = "\r\x1b[K";

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string bar_text(double share) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_width));
  return "[" + std::string(filled, '#') + std::string(bar_width - filled, '.') + "] ";
}

/// One line of at most `columns` columns; with_bar is for a terminal.
std::string describe(const Progress& progress, double elapsed, bool with_bar, std::size_t columns) {
  const std::string stage = fmt::format("{:<7}", progress.stage);
  if (progress.total_bytes == 0) return (stage + duration(elapsed)).substr(0, columns);
  const double done = static_cast<double>(progress.done_bytes);
  const double share = std::min(1.0, done / static_cast<double>(progress.total_bytes));
  const std::string percent = fmt::format("{:3.0f} %", share * 100);
  const bool under_way = elapsed > 0.5 && done > 0;
  const std::string rate = under_way ? fmt::format("  {:.0f} MB/s", done / elapsed / 1e6) : "";
  const std::string left =
      under_way ? "  " + duration(elapsed * (1 - share) / share) + " left" : "";
  const std::string records =
      progress.records > 0 ? fmt::format("  {} records", progress.records) : "";
  const std::string bar = with_bar ? bar_text(share) : "";
  // From everything to the least that is useful.
  const std::array<std::string, 5> lines{
      stage + bar + percent + rate + left + records, stage + bar + percent + rate + left,
      stage + percent + rate + left, stage + percent + left, stage + percent};
  for (const std::string& line : lines) {
    if (line.size() <= columns) return line;
  }
  return lines.back().substr(0, columns);
}

class TerminalProgress final : public ProgressSink {
 public:
  explicit TerminalProgress(bool bar) : bar_(bar) {}

  ~TerminalProgress() override {
    if (drawn_) write(erase_line);
  }

  void report(const Progress& progress) override {
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    if (progress.stage != stage_) {
      stage_ = progress.stage;
      stage_started_ = now;
    } else if (seconds_between(last_, now) <
               (bar_ ? bar_interval_seconds : line_interval_seconds)) {
      return;
    }
    if (!bar_ && seconds_between(started_, now) < line_interval_seconds) return;
    last_ = now;
    // A terminal wraps when its last column is written.
    const std::size_t columns = bar_ ? terminal_columns(STDERR_FILENO) - 1 : 200;
    const std::string line =
        describe(progress, seconds_between(stage_started_, now), bar_, columns);
    write(bar_ ? erase_line + line : line + "\n");
    drawn_ = drawn_ || bar_;
  }

  void notice(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    if (drawn_) write(erase_line);
    say("twinset: warning: " + line);
  }

 private:
  static void write(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

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
  explicit NoProgress(Talk talk) : talk_(talk) {}
  void report(const Progress&) override {}
  void notice(const std::string& line) override { warn(talk_, line); }

 private:
  Talk talk_;
};

}  // namespace

std::unique_ptr<ProgressSink> make_progress(const Talk& talk) {
  if (talk.quiet || talk.no_progress) return std::make_unique<NoProgress>(talk);
  return std::make_unique<TerminalProgress>(is_capable_terminal(STDERR_FILENO));
}

}  // namespace twinset::cli
