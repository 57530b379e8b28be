// Pairs whose truth is known, each with the values at which it is found, and the recall of planted
// copies.
//
//   const auto pairs = observe_judged(judged, found);            // somebody said so
//   const auto recall = planted_recall(copies, values.size());   // by share replaced and length
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "calibrate/choice.h"
#include "calibrate/found_pairs.h"
#include "calibrate/judged_pairs.h"
#include "calibrate/sampled_documents.h"

namespace twinset {

/// The judged pairs, found or not.
std::vector<ObservedPair> observe_judged(const JudgedPairs& judged, const FoundPairs& found);

/// A copy of an original of so many tokens, with planted_per_mille[rate] replaced.
struct PlantedCopy {
  std::size_t rate = 0;
  std::uint64_t tokens = 0;
  std::uint32_t found = 0;  ///< bit i: at value i
};
/// The shares of planted copies that each value finds, by the share replaced and the length of the
/// original.
std::vector<PlantedRecall> planted_recall(std::span<const PlantedCopy> copies, std::size_t values);

}  // namespace twinset
