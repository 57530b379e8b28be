// Chooses values from pairs that were drawn evenly from all that a run finds: as choice.h, but a
// half is one of the pairs and not of the documents, and each drawn pair is an observation of its
// own.
//
//   TWINSET_ASSIGN(const Choices chosen, choose_drawn(drawn, recall, values, options));
//
// Its intervals are of the shares among all pairs of this collection; they say nothing of another
// one.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "calibrate/choice.h"
#include "calibrate/pair_sample.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// Two documents that are the same, whether they are found or not.
struct RecallPair {
  std::uint64_t tokens = 0;  ///< of the shorter one
  std::uint32_t found = 0;   ///< bit i: at value i
  std::size_t half = 0;
  /// Pairs of one group are not independent.
  std::uint32_t group = 0;
};

struct RecallPairs {
  std::vector<RecallPair> pairs;
  bool independent = false;  ///< each pair is a group of its own
};

/// Pairs of which all are right, for the lower end of exact_interval() to reach `precision`, which
/// is below 1.
std::uint64_t pairs_needed(const Ratio& precision);

/// Errors (usage): fewer found pairs than needed, in either half; keep_going's.
Result<Choices> choose_drawn(const DrawnPairs& drawn, const RecallPairs& recall,
                             std::span<const std::string> values, const ChoiceOptions& options);

}  // namespace twinset
