// The memory that a run holds for each document: its place in keep order and its fate, in 16 bytes
// (8 if keep order is input order). dedup holds nothing else that grows with the collection, unless
// it counts keys (shared_keys.h); cluster also holds its clusters (cluster/clustering.h).
//
// Documents are numbered by input and line, so a prefix sum gives the dense index; no row carries
// it.
//
// Earlier documents (join/earlier_documents.h) are of the source behind the last one, and have the
// indexes behind all others. The table holds nothing of them but the standings of those that were
// removed.
//
// Threads: reads from any; set() on different documents from different threads; the shared_
// functions also on one document: each call sees all calls before it.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/document.h"
#include "join/fate.h"

namespace twinset {

/// A fate and, for a removed document, the index of its representative or survivor.
struct Standing {
  Fate fate = Fate::kept;
  std::uint64_t other = 0;
  bool folded() const { return is_copy(fate); }
  bool judged_out() const { return is_judged_out(fate); }
};

class DocumentTable {
 public:
  /// `lines[s]`: records and blank lines of source s. The first
  /// `reference_sources` sources are protected.
  DocumentTable(std::span<const std::uint64_t> lines, std::uint64_t reference_sources);

  std::uint64_t size() const { return standings_.size(); }
  std::uint64_t sources() const { return bases_.size() - 1; }
  std::uint64_t first_index(std::uint64_t source) const { return bases_[source]; }
  std::uint64_t reference_sources() const { return reference_sources_; }
  bool reference(DocumentId document) const {
    return document.source() < reference_sources_ || is_earlier(document);
  }

  /// There are earlier documents; those not set as removed stay.
  void use_earlier() { has_earlier_ = true; }
  void set_removed(DocumentId earlier, Standing standing) { removed_[index(earlier)] = standing; }
  bool is_earlier(DocumentId document) const { return document.source() == sources(); }
  bool is_earlier(std::uint64_t index) const { return index >= size(); }

  std::uint64_t index(DocumentId document) const {
    assert(document.record() >= 1);
    return bases_[document.source()] + document.record() - 1;
  }
  DocumentId document(std::uint64_t index) const;
  Place place(DocumentId document) const {
    if (!has_earlier_) return {orders_.empty() ? 0 : orders_[index(document)], document};
    if (is_earlier(document)) return {0, document};
    // Above 0, in the same order.
    return {orders_.empty() ? document.value() + 1 : orders_[index(document)], document};
  }
  Place place_at(std::uint64_t at) const {
    if (has_earlier_) return place(document(at));
    return {orders_.empty() ? 0 : orders_[at], document(at)};
  }

  /// Gives each document an order (all 0); without orders keep order is input order.
  void use_orders() { orders_.assign(standings_.size(), 0); }
  void set_order(std::uint64_t index, std::uint64_t order) { orders_[index] = order; }

  Standing standing(std::uint64_t index) const {
    if (is_earlier(index)) return earlier_standing(index);
    const std::uint64_t word = standings_[index];
    return {static_cast<Fate>(word >> fate_shift), word & other_mask};
  }
  void set(std::uint64_t index, Standing standing) { standings_[index] = word_of(standing); }

  Standing shared_standing(std::uint64_t index) const {
    if (is_earlier(index)) return earlier_standing(index);
    const std::uint64_t word = __atomic_load_n(&standings_[index], __ATOMIC_SEQ_CST);
    return {static_cast<Fate>(word >> fate_shift), word & other_mask};
  }
  void set_shared(std::uint64_t index, Standing standing) {
    __atomic_store_n(&standings_[index], word_of(standing), __ATOMIC_SEQ_CST);
  }

  /// Accepts the rows of documents that are not copies of another one.
  auto unfolded() const {
    return [this](const auto& row) { return !standing(index(row.document)).folded(); };
  }

  /// A standing as one word, to be stored and set again.
  std::uint64_t word(std::uint64_t index) const { return standings_[index]; }
  void set_word(std::uint64_t index, std::uint64_t word) { standings_[index] = word; }

  /// Bytes this table holds for `documents` documents.
  static std::uint64_t bytes_needed(std::uint64_t documents, bool orders) {
    return documents * (orders ? 16 : 8);
  }

 private:
  static constexpr unsigned fate_shift = 60;
  static constexpr std::uint64_t other_mask = (std::uint64_t{1} << fate_shift) - 1;
  static std::uint64_t word_of(Standing standing) {
    return static_cast<std::uint64_t>(standing.fate) << fate_shift | standing.other;
  }

  Standing earlier_standing(std::uint64_t index) const {
    const auto found = removed_.find(index);
    return found == removed_.end() ? Standing() : found->second;
  }

  std::vector<std::uint64_t> bases_;
  std::uint64_t reference_sources_;
  std::vector<std::uint64_t> orders_;
  std::vector<std::uint64_t> standings_;
  bool has_earlier_ = false;
  std::unordered_map<std::uint64_t, Standing> removed_;  ///< earlier documents, by index
};

/// Keep order of rows that have a document.
struct KeepOrder {
  const DocumentTable* documents;
  template <class Row>
  bool operator()(const Row& a, const Row& b) const {
    return documents->place(a.document) < documents->place(b.document);
  }
};

}  // namespace twinset
