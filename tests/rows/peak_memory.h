// The memory that a piece of work holds at its peak beyond what was held before, measured in a
// child process so that nothing else counts.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "support/tries.h"

namespace twinset::testing {

/// Sanitizers keep shadows and freed blocks, so the program's own memory cannot be measured.
inline constexpr bool memory_can_be_measured = !sanitized;

/// A line of /proc/self/status, in bytes: "VmHWM" is the peak, "VmRSS" now.
inline std::uint64_t memory_status(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name + ":", 0) != 0) continue;
    std::istringstream rest(line.substr(name.size() + 1));
    std::uint64_t kibibytes = 0;
    rest >> kibibytes;
    return kibibytes * 1024;
  }
  return 0;
}

/// Peak growth in bytes while `work` runs; 0 if it returned false.
inline std::uint64_t peak_growth(const std::function<bool()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return 0;
  const pid_t child = ::fork();
  if (child == 0) {
    const std::uint64_t before = memory_status("VmRSS");
    {
      std::ofstream reset("/proc/self/clear_refs");
      reset << 5;  // The peak counts from here on.
    }
    const bool done = work();
    const std::uint64_t peak = memory_status("VmHWM");
    const std::uint64_t growth = done && peak > before ? peak - before : (done ? 1 : 0);
    const bool told = ::write(ends[1], &growth, sizeof growth) == sizeof growth;
    ::_exit(told ? 0 : 1);
  }
  ::close(ends[1]);
  std::uint64_t growth = 0;
  if (::read(ends[0], &growth, sizeof growth) != sizeof growth) growth = 0;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return growth;
}

}  // namespace twinset::testing
