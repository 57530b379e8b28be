// Highway keeps one mask of instruction sets for the process; the level is read
// from and written to that mask, so that there is no second truth beside it.
//
// This file's interface is base/cpu.h; the rest is private.
#include "base/cpu.h"

#include <hwy/targets.h>

#include <array>
#include <string>

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

/// The CPU's own targets, seen past a limit set before.
std::int64_t cpu_targets() {
  static const std::int64_t targets = [] {
    hwy::DisableTargets(0);
    return hwy::SupportedTargets();
  }();
  return targets;
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

SimdLevel simd_level() {
  // The kernels' own view: the mask that dynamic dispatch reads. Targets no
  // kernel can be compiled for are in neither.
  static_cast<void>(cpu_targets());
  const std::int64_t targets = hwy::SupportedTargets();
  SimdLevel highest = SimdLevel::portable;
  for (const Level& level : levels) {
    if (offered(level, targets)) highest = level.level;
  }
  return highest;
}

Status limit_simd(SimdLevel wanted) {
  const Level& limit = levels[static_cast<std::size_t>(wanted)];
  if (!offered(limit, cpu_targets())) {
    return usage_error("this CPU has no " + std::string(limit.name) + "; its highest level is " +
                       std::string(simd_level_name(supported_simd_levels().back())));
  }
  std::int64_t disabled = 0;
  for (const Level& level : levels) {
    if (level.level > wanted) disabled |= level.targets;
  }
  hwy::DisableTargets(disabled);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return {};
}

}  // namespace twinset
