// The pairs of a sample whose truth is known, each with the values at which it is found.
//
//   TWINSET_ASSIGN(auto pairs, observe_labels(labels, found));           // one label: the same
//   TWINSET_ASSIGN(auto pairs, observe_judged(judged, found));           // somebody said so
//   TWINSET_ASSIGN(auto pairs, observe_planted(sample, {1, 2}, ...));    // exact resemblance,
//   copies
//
// Threads: pure functions; they use the threads of `found`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "calibrate/choice.h"
#include "calibrate/found_pairs.h"
#include "calibrate/judged_pairs.h"
#include "calibrate/sampled_documents.h"
#include "evaluate/oracle.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// All pairs of one label, and all that are found. `labels` are by document. Error (usage): more
/// pairs of one label than can be held; of found.among().
Result<std::vector<ObservedPair>> observe_labels(std::span<const std::uint32_t> labels,
                                                 const FoundPairs& found);

/// The judged pairs, found or not.
std::vector<ObservedPair> observe_judged(const JudgedPairs& judged, const FoundPairs& found);

/// All pairs of originals that are found, which are the same if their exact resemblance is at least
/// `resemblance`, and each copy with its original, which tell recall. Errors: of found.among().
Result<std::vector<ObservedPair>> observe_planted(const SampledDocuments& sample,
                                                  const Ratio& resemblance,
                                                  const ShingleCollection& shingles,
                                                  const FoundPairs& found);

/// A copy of an original of so many tokens, with planted_per_mille[rate] replaced.
struct PlantedCopy {
  std::size_t rate = 0;
  std::uint64_t tokens = 0;
  std::uint32_t found = 0;  ///< bit i: at value i
};
/// The planted copies among pairs that observe_planted() gave.
std::vector<PlantedCopy> planted_copies(const SampledDocuments& sample,
                                        std::span<const ObservedPair> pairs);
/// The shares of planted copies that each value finds, by the share replaced and the length of the
/// original.
std::vector<PlantedRecall> planted_recall(std::span<const PlantedCopy> copies, std::size_t values);

}  // namespace twinset
