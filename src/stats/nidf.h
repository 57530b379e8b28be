// Normalized inverse document frequency, and the windows that it chooses terms by.
//
//   df_window(556'000, Ratio(1, 5), Ratio(3, 10));    // df 10,509 to 39,451
//
// Threads: pure functions.
#pragma once

#include <cstdint>

#include "twinset/lexicon.h"
#include "twinset/ratio.h"

namespace twinset {

/// The whole number nearest to n^exponent, by integer arithmetic alone: the same on every machine.
/// n from 1 to 2^62.
std::uint64_t nearest_power(std::uint64_t n, const Ratio& exponent);

/// The window of a range of nidf, without its number of terms.
NidfWindow df_window(std::uint64_t documents, const Ratio& low, const Ratio& high);

}  // namespace twinset
