// Highway keeps one mask of instruction sets for the process, and each query asks the CPU again,
// which takes microseconds on a virtual machine. So the current level is cached in the one atomic
// below. It is global because a CPU's abilities belong to the process.
//
// This file's interface is base/cpu.h; the rest is private.
#include "base/cpu.h"

#include <hwy/targets.h>

#include <array>
#include <atomic>
#include <string>

#include "twinset/scheme.h"

namespace twinset {
namespace {

struct Level {
  SimdLevel level;
  std::string_view name;
  std::int64_t targets;  ///< Highway's bits that the level adds
};

#if HWY_ARCH_X86
constexpr std::array levels{
    Level{SimdLevel::portable, "portable", 0},
    Level{SimdLevel::sse4, "sse4", HWY_SSSE3 | HWY_SSE4},
    Level{SimdLevel::avx2, "avx2", HWY_AVX2},
    Level{SimdLevel::avx3, "avx3", HWY_AVX3 | HWY_AVX3_DL},
};
constexpr std::int64_t deciding_targets = HWY_SSE4 | HWY_AVX2 | HWY_AVX3;
#elif HWY_ARCH_WASM
// A module of WebAssembly is compiled for one kind of machine, and asks none: its vectors have 128
// bits, as those of SSE4.
constexpr std::int64_t deciding_targets = HWY_WASM;
constexpr std::array levels{
    Level{SimdLevel::portable, "portable", 0},
    Level{SimdLevel::sse4, "simd128", HWY_WASM},
};
#else
constexpr std::array levels{
    Level{SimdLevel::portable, "portable", 0},
    Level{SimdLevel::sse4, "sse4", 0},
    Level{SimdLevel::avx2, "avx2", 0},
    Level{SimdLevel::avx3, "avx3", 0},
};
constexpr std::int64_t deciding_targets = 0;
#endif

bool offered(const Level& level, std::int64_t targets) {
  return level.level == SimdLevel::portable || (level.targets & deciding_targets & targets) != 0;
}

/// The CPU's own targets, read before any limit can be set.
std::int64_t cpu_targets() {
#if HWY_ARCH_WASM
  return HWY_TARGETS;
#else
  static const std::int64_t targets = hwy::SupportedTargets();
  return targets;
#endif
}

SimdLevel highest_level() {
  SimdLevel highest = SimdLevel::portable;
  for (const Level& level : levels) {
    if (offered(level, cpu_targets())) highest = level.level;
  }
  return highest;
}

std::atomic<SimdLevel>& level_in_force() {
  static std::atomic<SimdLevel> level{highest_level()};
  return level;
}

}  // namespace

std::string_view simd_level_name(SimdLevel level) {
  return levels[static_cast<std::size_t>(level)].name;
}

Result<SimdLevel> parse_simd_level(std::string_view name) {
  std::string known;
  for (const Level& level : levels) {
    if (level.name == name) return level.level;
    if (!known.empty()) known += ", ";
    known += level.name;
  }
  return usage_error("no SIMD level \"" + std::string(name) + "\"; there are " + known);
}

std::vector<SimdLevel> supported_simd_levels() {
  std::vector<SimdLevel> supported;
  for (const Level& level : levels) {
    if (offered(level, cpu_targets())) supported.push_back(level.level);
  }
  return supported;
}

SimdLevel simd_level() { return level_in_force().load(std::memory_order_relaxed); }

Status limit_simd(SimdLevel wanted) {
  const Level& limit = levels[static_cast<std::size_t>(wanted)];
  if (!offered(limit, cpu_targets())) {
    return usage_error("this CPU has no " + std::string(limit.name) + "; its highest level is " +
                       std::string(simd_level_name(highest_level())));
  }
  std::int64_t disabled = 0;
  for (const Level& level : levels) {
    if (level.level > wanted) disabled |= level.targets;
  }
  hwy::DisableTargets(disabled);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  level_in_force().store(wanted, std::memory_order_relaxed);
  return {};
}

Status limit_simd(std::string_view level) {
  TWINSET_ASSIGN(const SimdLevel parsed, parse_simd_level(level));
  return limit_simd(parsed);
}

}  // namespace twinset
