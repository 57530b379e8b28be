// The SIMD instructions that the kernels use: those this CPU has, up to a limit that
// tests and careful users can set.
//
//   TWINSET_TRY(limit_simd(SimdLevel::portable));   // plain C++ from here on
//   if (simd_level() == SimdLevel::portable) return count_words_portable(text);
//   return HWY_DYNAMIC_DISPATCH(CountWords)(text);
//
// Kernels are written with Highway, which picks the best compiled version at run
// time; limit_simd() tells it what not to pick. `portable` is plain C++, and the caller chooses it,
// as above. Every level gives equal bytes; a test of each kernel walks supported_simd_levels() to
// prove it.
//
// Threads: simd_level() from any; limit_simd() while no kernel runs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "twinset/result.h"

namespace twinset {

/// In rising order; on CPUs other than x86 only `portable` is known.
enum class SimdLevel : std::uint8_t { portable, sse4, avx2, avx3 };

/// "portable", "sse4", "avx2", "avx3" (AVX-512).
std::string_view simd_level_name(SimdLevel level);

/// The level of that name. Error (usage) for any other name, listing these.
Result<SimdLevel> parse_simd_level(std::string_view name);

/// The levels this CPU supports, in rising order, `portable` first.
std::vector<SimdLevel> supported_simd_levels();

/// The level kernels use now: the highest supported, or the limit set.
SimdLevel simd_level();

/// Sets the level for the whole process. Error (usage) if this CPU lacks it.
Status limit_simd(SimdLevel level);

}  // namespace twinset
