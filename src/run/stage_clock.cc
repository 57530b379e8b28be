#include "run/stage_clock.h"

#include <sys/resource.h>

#include <array>
#include <charconv>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

#include "system/files.h"

namespace twinset {
namespace {

double process_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// Prefers /proc to getrusage(): the peak of the latter includes the program that started this one,
// because that forked before it called exec().
std::uint64_t peak_memory_bytes() {
  constexpr std::string_view label = "VmHWM:";  // "VmHWM:     1234 kB"
  const Result<std::string> status = read_whole_file(disk(), "/proc/self/status", 1 << 16);
  const std::string_view text = status.ok() ? status.value() : std::string_view{};
  if (const std::size_t at = text.find(label); at != std::string_view::npos) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    std::uint64_t kibibytes = 0;
    if (begin != std::string_view::npos &&
        std::from_chars(text.data() + begin, text.data() + text.size(), kibibytes).ec ==
            std::errc()) {
      return kibibytes * 1024;
    }
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

StageClock::StageClock()
    : date_(utc_now()),
      started_(std::chrono::steady_clock::now()),
      cpu_started_(process_cpu_seconds()) {}

void StageClock::end(std::string stage) {
  const double now = seconds();
  const double cpu_now = cpu_seconds();
  stages_.push_back({std::move(stage), now - ended_, cpu_now - cpu_ended_});
  ended_ = now;
  cpu_ended_ = cpu_now;
}

void StageClock::describe(RunFacts& facts) const {
  facts.started = date_;
  facts.seconds = seconds();
  facts.cpu_seconds = cpu_seconds();
  facts.stages = stages_;
  facts.peak_memory_bytes = peak_memory_bytes();
}

double StageClock::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

double StageClock::cpu_seconds() const { return process_cpu_seconds() - cpu_started_; }

}  // namespace twinset
