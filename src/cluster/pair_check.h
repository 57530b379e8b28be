// Checks the pairs of cluster against sketches or texts.
//
//   PairChecks checks(job, stores, documents, floor, memory_bytes);
//   checks.candidates(bands, {scheme, ...});   // documents that share one key (B 5.3)
//   checks.by_texts(*counted);                 // pairs that were counted
//
// Both return the pairs that reach the floor, by (a, b), with the written numbers of their links
// (join/link.h). The kind of the links is `shingles` if the texts decided, that of the sketches if
// they did, and `nothing` if nothing was checked.
//
// Texts are read again through run/texts, family by family (cluster/pair_families). Of a family
// with many pairs each text is read once, and pairs are counted by what differs
// (join/shingle_classes); of others the later document is read once for all its pairs, and the
// earlier ones again if memory cannot hold them.
//
// Threads: one call at a time; each uses the context's threads. Results do not depend on threads or
// memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "join/documents.h"
#include "join/shared_keys.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/matcher.h"
#include "run/stores.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

struct PairCheckReport {
  std::uint64_t candidates = 0;      ///< pairs that share a key
  std::uint64_t verified_pairs = 0;  ///< compared by their texts
  std::uint64_t verified_texts = 0;  ///< documents in these pairs
  std::size_t tables = 0;            ///< of a join of signatures
  std::uint64_t spilled_bytes = 0;
};

class PairChecks {
 public:
  /// `name` is the prefix of its files' names; two that live at the same time need different ones.
  PairChecks(const Job& job, Stores& stores, const DocumentTable& documents, const PairFloor& floor,
             std::uint64_t memory_bytes, std::string name);

  /// The pairs of Matcher::pair(). Uses up the rows of `keys`; without keys (null) there are no
  /// pairs.
  Result<std::unique_ptr<SharedPairStore>> candidates(DocumentKeys* keys, const Pairing& pairing);

  /// The pairs of `pairs` that their texts confirm. The first progress report has the bytes to
  /// judge and the number of texts to read.
  Result<std::unique_ptr<SharedPairStore>> by_texts(const SharedPairStore& pairs);

  /// All of `pairs`, with the shingles of the texts as `view` has them, exact.
  Result<std::unique_ptr<SharedPairStore>> numbers(const SharedPairStore& pairs,
                                                   const ViewRule& view);

  const PairCheckReport& report() const { return report_; }

 private:
  RowsOptions rows(const std::string& name) const;
  Result<std::unique_ptr<SharedPairStore>> read_texts(const SharedPairStore& pairs,
                                                      const ViewRule& view, bool keeps_all);
  std::uint32_t index(const Place& place) const {
    return static_cast<std::uint32_t>(documents_.index(place.document));
  }

  const Job& job_;
  Stores& stores_;
  const DocumentTable& documents_;
  PairFloor floor_;
  std::uint64_t memory_;  ///< for each store, and for all caches; there are four at a time
  std::string name_;
  PairCheckReport report_;
};

}  // namespace twinset
