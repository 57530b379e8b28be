// How two documents that may be near-duplicates are judged (--verify).
//
// Threads: values.
#pragma once

#include <cstdint>

namespace twinset {

/// What decides whether two documents that share keys are a pair.
enum class Check : std::uint8_t {
  exact,   ///< shingle sets of the texts themselves
  sketch,  ///< an estimate, of the two sketches or of the shared keys counted: faster
  none     ///< nothing: documents that share one key are one cluster (B 5.3); not for dedup()
};

/// "exact", "sketch", "none": as --verify and the summaries have it.
constexpr const char* check_name(Check check) {
  return check == Check::exact ? "exact" : check == Check::sketch ? "sketch" : "none";
}

}  // namespace twinset
