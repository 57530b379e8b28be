// All pairs of a group whose signatures are near, for rows that carry a signature beside their
// key, as the rows of a Hamming join do:
//
//   struct BucketRow {               // a bucket of fingerprints that agree in some of their bits
//     std::uint64_t key = 0;
//     DocumentId document;
//     std::uint64_t signature = 0;   // the whole fingerprint
//   };
//   const auto near = [](std::uint64_t a, std::uint64_t b) { return std::popcount(a ^ b) <= 3; };
//   TWINSET_TRY(all_pairs(rows, documents, near, out));
//
// The first document of a signature in keep order represents the others, which are paired with it
// alone. So a thousand copies cost a thousand pairs, and only distinct signatures are quadratic.
//
// Memory: the distinct signatures of a group, each of which is compared with all of them. A caller
// knows their number first (join/hamming_plan.h).
//
// Threads: a SignaturePairs belongs to one; call all_pairs() one at a time, it uses the context's
// threads.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "join/candidates.h"
#include "join/documents.h"
#include "join/edges.h"
#include "rows/rows.h"

namespace twinset {

/// A row of a document under a key, with a payload that its group compares.
template <class Row>
concept Signed = Keyed<Row> && std::totally_ordered<decltype(Row::signature)> &&
    std::same_as<decltype(Row::document), DocumentId>;

/// A member of a group.
template <class Signature>
struct SignedPlace {
  Signature signature{};
  Place place;
  auto operator<=>(const SignedPlace&) const = default;
};

/// Pairs the members of one group, given in ascending order, as they come.
template <class Signature>
class SignaturePairs {
 public:
  using Member = SignedPlace<Signature>;

  /// Appends the pairs of `member` with the members before it that `near` accepts. Documents of the
  /// first `reference_sources` sources are never the later ones of a pair.
  template <class Near>
  void add(const Member& member, std::uint64_t reference_sources, const Near& near,
           std::vector<Pair>& out) {
    const auto pair = [&](const Place& other) {
      const Pair both{std::max(member.place, other), std::min(member.place, other)};
      if (both.later.document.source() >= reference_sources) out.push_back(both);
    };
    if (!distinct_.empty() && distinct_.back().signature == member.signature) {
      return pair(distinct_.back().place);
    }
    for (const Member& other : distinct_) {
      if (near(member.signature, other.signature)) pair(other.place);
    }
    distinct_.push_back(member);
  }
  void start_group() { distinct_.clear(); }

 private:
  std::vector<Member> distinct_;  ///< the first member of each signature
};

/// The order of members within a key.
template <Signed Row>
struct SignatureOrder {
  const DocumentTable* documents;
  bool operator()(const Row& a, const Row& b) const {
    return a.signature != b.signature ? a.signature < b.signature : KeepOrder{documents}(a, b);
  }
};

/// Appends the pairs of each group to `out`. Folded documents are left out. `near(a, b)` is
/// called from all threads.
template <Signed Row, class Near>
Status all_pairs(PartitionedRows<Row>& rows, const DocumentTable& documents, const Near& near,
                 PairStore& out) {
  class Visitor {
   public:
    Visitor(const DocumentTable& documents, const Near& near, PairStore& out)
        : documents_(documents), near_(near), out_(out) {}
    Status row(const Row& row, bool first) {
      if (first) group_.start_group();
      group_.add({row.signature, documents_.place(row.document)}, documents_.reference_sources(),
                 near_, pairs_);
      return pairs_.size() < 4096 ? Status() : finish();
    }
    Status finish() {
      TWINSET_TRY(out_.append(pairs_));
      pairs_.clear();
      return {};
    }

   private:
    const DocumentTable& documents_;
    const Near& near_;
    PairStore& out_;
    SignaturePairs<decltype(Row::signature)> group_;
    std::vector<Pair> pairs_;
  };
  return rows.for_each_group(documents.unfolded(), SignatureOrder<Row>{&documents},
                             [&](unsigned) { return Visitor(documents, near, out); });
}

}  // namespace twinset
