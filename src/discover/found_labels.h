// The chunks and files that are labels, of all that were seen: those of known content, and those
// seen more often than a threshold (paper 004, 4.2).
//
//   FoundLabels found(job, seen, documents, memory);
//   TWINSET_TRY(found.find(LabelKind::chunk, {.over = 100'000}, seen.chunks(), counts));
//   TWINSET_TRY(found.seal());
//   found.labels()   // by key and kind
//   found.places()   // up to ten of each, likewise
//
// A group of equal keys decides by its own rows alone, so that neither threads nor memory change a
// label. The threshold is strict, and it is of the whole collection: parts cannot be decided apart.
//
// Memory beside the rows': 16 bytes a site and worker; up to 64 Ki places of a group.
//
// Threads: one at a time; find() uses the context's threads.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>

#include "base/document.h"
#include "discover/seen_objects.h"
#include "join/documents.h"
#include "labels/label.h"
#include "rows/partitioned_rows.h"
#include "rows/sorted_rows.h"
#include "run/job.h"
#include "twinset/result.h"
#include "twinset/reuse.h"

namespace twinset {

/// A label, and its first place.
struct FoundLabel {
  Key128 key;
  std::uint64_t kind = 0;  ///< a LabelKind
  DocumentId document;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::uint64_t count = 0;
  std::uint64_t documents = 0;
  std::uint64_t sites = 0;
  bool is(LabelKind other) const { return kind == static_cast<std::uint64_t>(other); }
};

/// One place of a label.
struct LabelPlace {
  Key128 key;
  std::uint64_t kind = 0;
  DocumentId document;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

/// Orders by key and kind; places then by place.
struct ByLabel {
  bool operator()(const FoundLabel& a, const FoundLabel& b) const {
    return a.key != b.key ? a.key < b.key : a.kind < b.kind;
  }
  bool operator()(const LabelPlace& a, const LabelPlace& b) const {
    if (a.key != b.key) return a.key < b.key;
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.document != b.document ? a.document < b.document : a.offset < b.offset;
  }
  template <class Row>
  static std::uint64_t radix(const Row& row) {
    return row.key.high;
  }
};

using FoundLabelRows = SortedRows<FoundLabel, ByLabel>;
using LabelPlaceRows = SortedRows<LabelPlace, ByLabel>;

struct LabelThresholds {
  std::uint64_t over = 0;             ///< objects seen more often are labels
  std::uint64_t stop_in_site = 0;     ///< 0: none stops
  std::uint64_t stop_over_sites = 0;  ///< likewise
  bool known = false;                 ///< objects of protected documents are labels, however rare

  static LabelThresholds of(const DiscoverOptions& options, LabelKind kind, bool known);
  ObjectFate fate_of(const ObjectSums& object) const;
};

class FoundLabels {
 public:
  /// All outlive it. `memory_bytes` are of labels and places.
  FoundLabels(const Job& job, const SeenObjects& seen, const DocumentTable& documents,
              std::uint64_t memory_bytes);

  /// Adds the labels of a kind, and sets what `counts` says of distinct objects.
  Status find(LabelKind kind, const LabelThresholds& thresholds, PartitionedRows<ObjectRow>& rows,
              ObjectCounts& counts);
  Status seal();

  const FoundLabelRows& labels() const { return labels_; }
  const LabelPlaceRows& places() const { return places_; }
  std::uint64_t spilled_bytes() const { return labels_.spilled_bytes() + places_.spilled_bytes(); }

 private:
  const SeenObjects& seen_;
  const DocumentTable& documents_;
  FoundLabelRows labels_;
  LabelPlaceRows places_;
};

}  // namespace twinset
