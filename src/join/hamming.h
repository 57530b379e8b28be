// A complete Hamming join: all pairs of documents whose signatures differ in at most so many bits.
//
//   SignatureRows<1> rows(options);                     // {signature, place}, any thread
//   TWINSET_TRY(rows.append(...)); TWINSET_TRY(rows.seal());
//   TWINSET_ASSIGN(const HammingReport report,
//                  near_documents(rows, documents, 3, guard, options, pairs));
//
// The first document of a signature in keep order represents the others, which are paired with it
// alone: so a million equal signatures cost a million pairs. Each two distinct signatures within
// the distance are found once, whatever the plan.
//
// In memory, the signatures are scattered by the first block's high bits, once for all tables that
// begin with it, and compared in cache. If memory does not hold them twice, each table is a store
// of rows that spills (all_pairs.h).
//
// Threads: one call at a time; each uses the context's threads. Results depend on the rows alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "join/candidates.h"
#include "join/documents.h"
#include "join/edges.h"
#include "join/hamming_plan.h"
#include "rows/rows.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// The signature of a document.
template <std::size_t Words>
struct SignatureRow {
  Signature<Words> signature;
  Place place;
};

/// By signature, then in keep order.
template <std::size_t Words>
struct SignatureLess {
  bool operator()(const SignatureRow<Words>& a, const SignatureRow<Words>& b) const {
    return a.signature != b.signature ? a.signature < b.signature : a.place < b.place;
  }
  static std::uint64_t radix(const SignatureRow<Words>& row) { return row.signature[0]; }
};

template <std::size_t Words>
using SignatureRows = SortedRows<SignatureRow<Words>, SignatureLess<Words>>;

/// Two of some distinct signatures, by their places among them; a is the smaller.
struct NearPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  auto operator<=>(const NearPair&) const = default;
};

/// Gives all pairs within the plan's distance to `take`, which is called from any thread, in any
/// order. `distinct` is sorted, without repeats, of less than 2^32. Needs about as many bytes as
/// `distinct` again. Errors: of `take`, interrupted, io (no memory).
template <std::size_t Words>
Status near_pairs(const RunContext& context, std::span<const Signature<Words>> distinct,
                  const HammingPlan& plan,
                  const std::function<Status(std::span<const NearPair>)>& take);

struct HammingReport {
  std::uint64_t signatures = 0;
  std::uint64_t distinct = 0;
  HammingPlan plan;
  std::uint64_t spilled_bytes = 0;
};

/// Appends the pairs of all rows, which are sealed, to `out`. `guard` may refuse the plan, whose
/// cost is known before any two signatures are compared. Documents of the table's reference sources
/// are never the later ones of a pair.
template <std::size_t Words>
Result<HammingReport> near_documents(const SignatureRows<Words>& rows,
                                     const DocumentTable& documents, unsigned distance,
                                     const std::function<Status(const HammingPlan&)>& guard,
                                     const RowsOptions& options, PairStore& out);

}  // namespace twinset
