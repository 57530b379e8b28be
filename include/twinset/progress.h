// How a run tells its caller how far it has come.
//
// Threads: both may be called from any thread, report() at most some ten times a
// second; implementations lock.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

struct Progress {
  std::string_view stage;         ///< "read", "match", "verify", "write"
  std::uint64_t done_bytes = 0;   ///< of the stage's input as stored
  std::uint64_t total_bytes = 0;  ///< 0 when not known
  std::uint64_t records = 0;
};

class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void report(const Progress& progress) = 0;
  /// One line that is of use now, not only when the run has ended.
  virtual void notice(const std::string&) {}
};

}  // namespace twinset
