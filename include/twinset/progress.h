// How a run tells its caller how far it has come.
//
// Threads: report() may be called from any thread, at most some ten times a
// second; implementations lock.
#pragma once

#include <cstdint>
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
};

}  // namespace twinset
