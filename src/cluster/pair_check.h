// Pairs of cluster held against what the documents themselves say.
//
//   PairChecks checks(job, stores, documents, floor, memory_bytes);
//   checks.candidates(Check::exact);   // documents that share one key (B 5.3)
//   checks.by_texts(*counted);             // pairs that were counted
//
// Both give the pairs that reach the floor, by (a, b), with numbers of one kind:
// of exact pairs the distinct shingles, of estimated ones millionths of resemblance
// (see estimated_pair()), of unchecked ones three times 1, which say nothing.
//
// Texts are read again through run/texts: the later document of a pair once for all
// its pairs, the earlier ones as long as memory keeps them.
//
// Threads: one call at a time; each uses the context's threads. Results never depend
// on their number nor on memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "join/documents.h"
#include "join/shared_keys.h"
#include "rows/rows.h"
#include "run/job.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

struct PairCheckReport {
  std::uint64_t candidates = 0;      ///< pairs that share a key
  std::uint64_t verified_pairs = 0;  ///< held against each other by their texts
  std::uint64_t verified_texts = 0;  ///< documents of these
  std::uint64_t spilled_bytes = 0;
};

class PairChecks {
 public:
  PairChecks(const Job& job, Stores& stores, const DocumentTable& documents, const PairFloor& floor,
             std::uint64_t memory_bytes);

  /// The pairs of documents under one key, each with the group's first four and the one
  /// before it: enough to connect every group. Uses up stores.bands; without any there
  /// is no pair.
  Result<std::unique_ptr<SharedPairStore>> candidates(Check check);

  /// Those of `pairs` that the texts bear out. What it will take is reported as
  /// progress before it is spent: bytes to be judged, texts to be read.
  Result<std::unique_ptr<SharedPairStore>> by_texts(const SharedPairStore& pairs);

  const PairCheckReport& report() const { return report_; }

 private:
  RowsOptions rows(const std::string& name) const;
  Result<std::unique_ptr<SharedPairStore>> judge_candidates(const PairStore& pairs, Check check);
  SharedPair shared_pair(const Pair& pair) const;

  const Job& job_;
  Stores& stores_;
  const DocumentTable& documents_;
  PairFloor floor_;
  std::uint64_t memory_;  ///< of each store and cache: three stand at a time
  PairCheckReport report_;
};

/// Numbers of a pair whose resemblance is estimated, in [0, 1], so that shared keys
/// over those in either are the estimate, in millionths.
SharedPair estimated_pair(std::uint32_t a, std::uint32_t b, double resemblance);

}  // namespace twinset
