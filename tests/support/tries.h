// How often a test draws a case by chance: all, or under sanitizers, which slow each tenfold and
// look at memory and arithmetic, a fifth.
//
//   for (int graph = 0; graph < tries(120); ++graph) ...
//
// The figures that a test expects of all its cases must follow.
#pragma once

namespace twinset::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

template <class Number>
constexpr Number tries(Number all) {
  return is_sanitized ? (all + 4) / 5 : all;
}

}  // namespace twinset::testing
