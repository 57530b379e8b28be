// The rank of a document in a sample, from its shingles.
//
// Documents are ranked by the least seeded hash of their shingles (a coordinated sample). If n
// shingles have m as the least of their hashes in [0, 1), -n ln(1 - m) has the same distribution
// for every n, the exponential one: so each document, short or long, is as likely as any other. If
// one is taken, the chance that another is taken too is about the share of its shingles that both
// have, if they are about as long. No scheme uses this hash, so none is favored.
//
// Threads: a pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "twinset/evaluate.h"

namespace twinset {

struct SampledPlace {
  std::uint64_t seed = 1;
  std::uint64_t source = 0;
  std::uint64_t record = 0;
  std::uint64_t bytes = 0;  ///< of what is compared
};

/// Of at least one shingle. Nothing if `scan` is not null and cannot take it.
std::optional<SampleRank> rank_of(std::span<const std::uint64_t> shingles,
                                  const SampledPlace& place, const SampleScan* scan,
                                  std::vector<std::uint64_t>& scratch);

}  // namespace twinset
