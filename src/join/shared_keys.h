// Counts the keys that each two documents share (B section 4.1, phases 2 to 4), without
// writing the list of <document, document, 1>.
//
//   KeyGroups groups(options);
//   groups.gather(rows, documents, scheme, max_group, sizes);   // who holds each key
//   groups.count(sizes, references, floor, nullptr, out);       // pairs, with their counts
//
// gather() keeps the documents of every key that two or more documents have. A key of more
// than `max_group` documents is a common shingle: it is left out of their samples and
// reported (B 5.1). After gather() the cost of counting is known: report().meetings, and the
// meetings under another max_group.
//
// count() walks the groups of each document's keys and counts the documents it meets there: a
// product of sparse matrices, row by row. The document with the larger sample counts the pair,
// beginning with its rarest keys. When too few keys are left for a new
// partner to reach the floor, it only looks for known partners. So a key in a thousand
// documents costs a few searches, not a million pairs.
//
// Samples of different moduli are compared at the coarser modulus, for which both are known. If
// the moduli are more than SampleSizes::levels - 1 doublings apart, the sizes of the documents
// differ about sixteenfold or more, and they are not compared.
//
// Memory: 32 bytes a document, 4 more a thread, and the groups. If the groups do not fit into
// options.memory_bytes, they are counted in several passes; those of one document must fit.
//
// Threads: one call at a time; uses the context's threads. Results do not depend on their
// number or on memory.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "join/candidates.h"
#include "join/documents.h"
#include "join/link.h"
#include "join/threshold.h"
#include "rows/rows.h"
#include "scheme/scheme.h"

namespace twinset {

/// Size of a document's sample at its own level (log2 of its modulus) and the next coarser ones,
/// without common keys.
struct SampleSizes {
  static constexpr unsigned levels = 5;
  std::uint32_t level = 0;
  std::array<std::uint32_t, levels> keys{};  ///< keys[i]: of level + i or coarser

  /// The sizes of a sketch's sample, which has these keys.
  static SampleSizes of(const Scheme& scheme, const Sketch& sketch,
                        std::span<const std::uint64_t> keys);
  /// Size at a level, which must be known.
  std::uint32_t at(std::uint32_t coarser) const {
    assert(knows(coarser));
    return keys[coarser - level];
  }
  bool knows(std::uint32_t coarser) const { return coarser - level < levels; }
};

/// Two documents by dense index, a > b, and their keys at the coarser level (for checked pairs,
/// their shingles); `later` is a's. Sorted by (a, b).
struct SharedPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Overlap keys;
};
static_assert(sizeof(SharedPair) == 20);

struct SharedPairLess {
  bool operator()(const SharedPair& x, const SharedPair& y) const { return radix(x) < radix(y); }
  static std::uint64_t radix(const SharedPair& pair) {
    return std::uint64_t{pair.a} << 32 | pair.b;
  }
};
using SharedPairStore = SortedRows<SharedPair, SharedPairLess>;

/// A key cut by max_group.
struct CommonKey {
  std::uint64_t key = 0;
  std::uint64_t documents = 0;
  DocumentId sample;  ///< the first of them in keep order
};

/// The keys that counting left out.
struct CountReport {
  std::uint64_t keys_cut = 0;
  std::uint64_t rows_cut = 0;
  std::vector<CommonKey> largest;  ///< at most 100, most documents first, ties by key
};

/// The result of gathering.
struct GroupReport {
  std::uint64_t rows = 0;    ///< gathered rows, each a document under a key
  std::uint64_t groups = 0;  ///< keys that two or more documents hold, without common keys
  std::uint64_t members = 0;
  std::uint64_t meetings = 0;  ///< two documents under one key, without common keys
  CountReport common;
  std::vector<std::uint64_t> common_keys;  ///< all of them, sorted
  /// Groups by their size, common ones included.
  std::map<std::uint64_t, std::uint64_t> sizes;

  /// The meetings if the keys of more than `max_group` documents were common; 0: no key is.
  std::uint64_t meetings_under(std::uint64_t max_group) const;
};

class KeyGroups {
 public:
  /// Says that the groups of one document need so much memory for groups.
  using TooLittle = std::function<Error(std::uint64_t needed_bytes)>;

  /// `options`: memory for the groups; a path for those that do not fit.
  explicit KeyGroups(RowsOptions options, TooLittle too_little = {});
  ~KeyGroups();

  /// Bytes held for `documents` documents while counting, without the groups.
  static std::uint64_t bytes_needed(std::uint64_t documents, unsigned threads) {
    return documents * (sizeof(SampleSizes) + 8 + std::uint64_t{4} * threads);
  }

  /// Reads the groups of unfolded documents from `rows`. Subtracts the common keys from `sizes`,
  /// which is by document index. At most 2^32 - 1 documents. With `max_group` of 0 no key is
  /// common.
  Status gather(PartitionedRows<KeyRow>& rows, const DocumentTable& documents, const Scheme& scheme,
                std::uint64_t max_group, std::span<SampleSizes> sizes);
  const GroupReport& report() const { return report_; }

  using Accept = std::function<bool(const SharedPair&)>;
  /// Adds the pairs that reach the floor to `out`, if `accept` takes them, too: it is called from
  /// all threads, and empty takes all. Two protected documents (with an index below `references`)
  /// make no pair. Returns the number of pairs whose keys were counted.
  Result<std::uint64_t> count(std::span<const SampleSizes> sizes, std::uint64_t references,
                              const PairFloor& floor, const Accept& accept, SharedPairStore& out);

 private:
  class Gatherer;
  class Counter;
  struct Part;

  RowsOptions options_;
  TooLittle too_little_;
  GroupReport report_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace twinset
