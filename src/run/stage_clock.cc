#include "run/stage_clock.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <utility>

#include "system/process_memory.h"

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

std::string utc_now() { return utc_text(std::time(nullptr)); }

std::string utc_text(std::int64_t seconds) {
  const std::time_t at = seconds;
  std::tm parts{};
  ::gmtime_r(&at, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

double expected_efficiency(const std::vector<StageTime>& stages, unsigned threads) {
  double used = 0;
  double taken = 0;
  for (const StageTime& stage : stages) {
    const double alone = stage.alone_seconds.value_or(0);
    used += stage.cpu_seconds;
    taken +=
        alone + std::max(stage.ordered_seconds.value_or(0), (stage.cpu_seconds - alone) / threads);
  }
  return taken == 0 ? 1 : used / (threads * taken);
}

StageClock::StageClock()
    : date_(utc_now()),
      started_(std::chrono::steady_clock::now()),
      cpu_started_(process_cpu_seconds()),
      worked_(work_times()) {}

void StageClock::end(std::string stage) {
  const double now = seconds();
  const double cpu_now = cpu_seconds();
  const WorkTimes worked = work_times() - worked_;
  const double cpu = cpu_now - cpu_ended_;
  stages_.push_back(
      {std::move(stage), now - ended_, cpu, std::max(0.0, cpu - worked.shared), worked.ordered});
  worked_ = work_times();
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
