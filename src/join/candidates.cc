// Groups to pairs. A visitor sees a group's rows one at a time in keep order and
// holds its leaders and the last row. This file's interface is candidate_pairs; the
// rest is private.
#include "join/candidates.h"

#include <array>

namespace twinset {
namespace {

constexpr std::size_t flush_rows = 4096;

/// Order of rows within a key: keep order, so that the first is the keeper.
struct KeepOrder {
  const DocumentTable* documents;
  bool operator()(const KeyRow& a, const KeyRow& b) const {
    return documents->place(a.document) < documents->place(b.document);
  }
};

/// Pairs a band group's members with its leaders and with the one just before.
class LeaderVisitor {
 public:
  LeaderVisitor(const DocumentTable& documents, PairStore& out) : documents_(documents), out_(out) {
    pairs_.reserve(flush_rows + 2 * leaders_per_group + 1);
  }

  Status row(const KeyRow& row, bool first) {
    if (first) start_group();
    const Place place = documents_.place(row.document);
    const bool reference = documents_.reference(row.document);
    if (!reference) {
      for (unsigned i = 0; i < protected_count_; ++i) add(place, protected_[i]);
      for (unsigned i = 0; i < ordinary_count_; ++i) add(place, ordinary_[i]);
      if (has_last_ && !last_leads_) add(place, last_);
    }
    unsigned& count = reference ? protected_count_ : ordinary_count_;
    last_leads_ = count < leaders_per_group;
    if (last_leads_) (reference ? protected_ : ordinary_)[count++] = place;
    last_ = place;
    has_last_ = true;
    return pairs_.size() < flush_rows ? Status{} : flush();
  }

  Status finish() { return flush(); }

 private:
  void start_group() {
    protected_count_ = ordinary_count_ = 0;
    has_last_ = false;
  }
  void add(const Place& later, const Place& earlier) { pairs_.push_back({later, earlier}); }
  Status flush() {
    TWINSET_TRY(out_.append(pairs_));
    pairs_.clear();
    return {};
  }

  const DocumentTable& documents_;
  PairStore& out_;
  std::vector<Pair> pairs_;
  std::array<Place, leaders_per_group> protected_;
  std::array<Place, leaders_per_group> ordinary_;
  unsigned protected_count_ = 0;
  unsigned ordinary_count_ = 0;
  Place last_;
  bool has_last_ = false;
  bool last_leads_ = false;
};

/// Folded documents are stood for by another, which has the same keys.
auto keep_unfolded(const DocumentTable& documents) {
  return [&documents](const KeyRow& row) {
    return !documents.standing(documents.index(row.document)).folded();
  };
}

}  // namespace

Status candidate_pairs(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                       PairStore& out) {
  return rows.for_each_group(keep_unfolded(documents), KeepOrder{&documents},
                             [&](unsigned) { return LeaderVisitor(documents, out); });
}

}  // namespace twinset
