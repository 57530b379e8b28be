// How often a test draws a case by chance: all, or under sanitizers, which slow each tenfold and
// look at memory and arithmetic, a fifth.
//
//   for (int graph = 0; graph < tries(120); ++graph) ...
//
// The figures that a test expects of all its cases must follow.
#pragma once

namespace twinset {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

template <class Number>
constexpr Number tries(Number all) {
  return sanitized ? (all + 4) / 5 : all;
}

}  // namespace twinset
