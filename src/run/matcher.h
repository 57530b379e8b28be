// Finds the pairs of a run, for every verb that joins: folds copies, pairs documents that share a
// key, and counts the keys that they share.
//
//   Matcher matcher(job, stores, documents, memory_bytes);
//   TWINSET_TRY(matcher.fold(documents));
//   matcher.pair(*stores.bands, *job.signer.scheme, threshold, Check::exact, take);   // share a
//   key matcher.count(sizes, {.max_group = 1000, .gathered = guard}, pairs);       // how many keys
//
// A verb chooses the order of these steps and judges the pairs: dedup decides with them
// (join/decide.h), cluster keeps them all.
//
// Threads: one call at a time; each uses the context's threads. Results do not depend on threads or
// memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "join/documents.h"
#include "join/hamming.h"
#include "join/shared_keys.h"
#include "join/sketch_check.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/stores.h"
#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

/// How shared keys are counted.
struct Counting {
  std::uint64_t max_group = 0;  ///< 0: keys of any number of documents count
  PairFloor floor{};
  KeyGroups::Accept accept{};  ///< a second filter of pairs; empty accepts all
  /// Required. Called when the cost of counting is known: it may refuse (run/meetings.h).
  std::function<Status(const GroupReport&)> gathered;
};

/// How pairs are found and checked.
struct Pairing {
  const Scheme& scheme;  ///< that made the keys
  Threshold threshold;   ///< its distance is that of the join, if the scheme joins by distance
  Check check = Check::exact;
  std::uint64_t max_meetings = 0;  ///< of signatures in a join; more are refused
};

class Matcher {
 public:
  /// `memory_bytes` is for each of its stores; two live at a time. `name` is the prefix of their
  /// files' names.
  Matcher(const Job& job, Stores& stores, const DocumentTable& documents,
          std::uint64_t memory_bytes, std::string name = {})
      : job_(job),
        stores_(stores),
        documents_(documents),
        memory_(memory_bytes),
        name_(std::move(name)) {}

  /// Folds copies of equal bytes and of equal tokens in `documents`, the table given to the
  /// constructor. Uses up the rows of fingerprints.
  Status fold(DocumentTable& documents);

  /// Finds pairs and gives those that pass check_pairs() to `take`: each document of a group with
  /// the group's first four and the one before it, which connects every group; or the documents
  /// whose signatures are near (join/hamming.h). Uses up the rows of `keys`. Holds their sketches
  /// in memory, as far as they fit, until `keys.stored().drop_held()`. Returns the number of pairs.
  Result<std::uint64_t> pair(DocumentKeys& keys, const Pairing& pairing, const TakeEdges& take);

  /// Adds the pairs whose shared keys reach the floor to `out` and seals it; returns the number of
  /// pairs counted. Subtracts the common keys from `sizes`, which is by document index. Uses up the
  /// rows of the counted keys.
  Result<std::uint64_t> count(std::span<SampleSizes> sizes, const Counting& counting,
                              SharedPairStore& out);

  /// The plan of the last join of signatures.
  const HammingPlan& plan() const { return plan_; }
  std::uint64_t spilled_bytes() const { return spilled_bytes_; }

 private:
  /// The pairs of near signatures, which `keys` stored.
  template <std::size_t Words>
  Status pair_signatures(const DocumentKeys& keys, const Pairing& pairing, PairStore& pairs);

  RowsOptions rows(const std::string& name) const {
    return {&job_.context, job_.spill + name_ + name, memory_, job_.signer.fingerprint};
  }

  const Job& job_;
  Stores& stores_;
  const DocumentTable& documents_;
  std::uint64_t memory_;
  std::string name_;
  HammingPlan plan_{.tables = {}};
  std::uint64_t spilled_bytes_ = 0;
};

}  // namespace twinset
